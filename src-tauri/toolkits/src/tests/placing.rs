//! Where the arguments of a call lead, and that the call is performed there and nowhere else.

use super::*;

fn place_of(desk: &Desk, tool: &str, args: Value) -> Option<String> {
    let placed = placed(call(tool, args), &desk.environment());
    placed.places.into_values().next()
}

#[cfg(unix)]
#[test]
fn however_a_path_is_spelled_its_place_is_the_same() {
    let desk = Desk::new();
    let file = desk.write("private/x.txt", "x");
    fs::create_dir_all(desk.granted.join("sub")).unwrap();
    std::os::unix::fs::symlink(desk.granted.join("private"), desk.granted.join("plink")).unwrap();
    let granted = desk.granted.display();
    for path in [
        "private/x.txt".to_owned(),
        "./private/x.txt".to_owned(),
        "plink/x.txt".to_owned(),
        format!("{granted}//private/x.txt"),
        format!("{granted}/./private/x.txt"),
        format!("{granted}/sub/../private/x.txt"),
    ] {
        let place = place_of(&desk, "files.read", json!({"path": path}));
        assert_eq!(place.as_deref(), file.to_str(), "{path}");
    }
    let new = desk.granted.join("private/new.txt");
    let place = place_of(&desk, "files.write", json!({"path": "plink/new.txt", "text": ""}));
    assert_eq!(place.as_deref(), new.to_str());
}

#[test]
fn what_is_left_out_has_a_place_too_and_what_leads_nowhere_has_none() {
    let desk = Desk::new();
    let granted = desk.granted.to_str();
    assert_eq!(place_of(&desk, "files.list", json!({})).as_deref(), granted);
    assert_eq!(place_of(&desk, "files.read", json!({"path": ""})), None);
    assert_eq!(place_of(&desk, "files.read", json!({"path": 7})), None);
    assert_eq!(place_of(&desk, "system.time", json!({"path": "a"})), None);
    assert_eq!(place_of(&desk, "crm.read", json!({"path": "a"})), None);
}

#[test]
fn a_command_has_the_folder_it_works_in_as_its_place() {
    let desk = Desk::new();
    let sub = desk.granted.join("sub");
    fs::create_dir_all(&sub).unwrap();
    let place = |args: Value| place_of(&desk, "shell.run", args);
    let command = json!({"command": "ls"});
    assert_eq!(place(command).as_deref(), desk.granted.to_str());
    let below = place(json!({"command": "ls", "cwd": "sub/../sub"}));
    assert_eq!(below.as_deref(), sub.to_str());
    assert_eq!(place(json!({"command": "ls", "cwd": "nowhere"})), None);
    let run = placed(
        call("shell.run", json!({"command": "ls", "cwd": "sub"})),
        &desk.environment(),
    );
    assert!(shell::order(&run, &desk.environment(), &[]).is_ok());
    let elsewhere = Call {
        args: call("shell.run", json!({"command": "ls"})).args,
        ..run
    };
    assert!(shell::order(&elsewhere, &desk.environment(), &[]).is_err());
}

#[cfg(unix)]
#[test]
fn a_path_that_leads_elsewhere_than_when_it_was_decided_on_is_not_followed() {
    let desk = Desk::new();
    desk.write("open/x.txt", "open");
    desk.write("private/x.txt", "private");
    let link = desk.granted.join("link");
    std::os::unix::fs::symlink(desk.granted.join("open"), &link).unwrap();
    let read = placed(
        call("files.read", json!({"path": "link/x.txt"})),
        &desk.environment(),
    );
    assert_eq!(perform(&read, &desk.environment()).unwrap().data, json!("open"));
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(desk.granted.join("private"), &link).unwrap();
    let outcome = perform(&read, &desk.environment()).unwrap();
    assert_eq!(error_of(&outcome).0, "PermissionError");
}

#[test]
fn a_walk_tells_nothing_of_what_is_withheld() {
    let desk = Desk::new();
    desk.write("open/x.txt", "word");
    desk.write("private/deep/y.txt", "word");
    let private = desk.granted.join("private").display().to_string();
    let environment = Environment {
        withheld: DeniedPaths::by(move |path| path == private),
        ..desk.environment()
    };
    let told = |tool: &str, args: Value| perform(&call(tool, args), &environment).unwrap();
    let list = told("files.list", json!({"depth": 5}));
    assert_eq!(paths(&list), ["open", "open/x.txt"]);
    let glob = told("files.glob", json!({"pattern": "**/*.txt"}));
    assert_eq!(paths(&glob), ["open/x.txt"]);
    let grep = told("files.grep", json!({"pattern": "word"}));
    assert_eq!(paths(&grep), ["open/x.txt"]);
    let find = told("files.find", json!({"text": "word"}));
    assert!(!find.data.to_string().contains("y.txt"), "{}", find.data);
}
