//! How far a path leads, and that nothing leads further unnoticed.

use super::*;

#[test]
fn a_relative_path_without_a_granted_folder_says_what_to_do() {
    let environment = Environment {
        folders: Vec::new(),
        ..Desk::new().environment()
    };
    let outcome = perform(&call("files.list", json!({})), &environment).unwrap();
    let (kind, message) = error_of(&outcome);
    assert_eq!(kind, "ValueError");
    assert!(message.starts_with("No work folder is granted"), "{message}");
    assert!(ToolError::tells_of_no_folder(&format!("line 1: {message}")));
    assert!(!ToolError::tells_of_no_folder("'a.txt' does not exist"));
}

#[test]
fn a_path_outside_the_granted_folders_raises_the_class() {
    let desk = Desk::new();
    desk.write("in.txt", "in");
    fs::write(desk.beside.join("out.txt"), "out").unwrap();
    let class = |path: &str| class_of(&call("files.read", json!({"path": path})), &desk.environment());
    assert_eq!(class("in.txt"), Class::Read);
    assert_eq!(class("./sub/../in.txt"), Class::Read);
    assert_eq!(class("../beside/out.txt"), Class::ReadOutside);
    assert_eq!(class("nowhere/../../beside/out.txt"), Class::ReadOutside);
    assert_eq!(class("/etc/passwd"), Class::ReadOutside);
    assert_eq!(class("~/anything"), Class::ReadOutside);
    let granted_prefix = format!("{}-twin/x", desk.granted.display());
    assert_eq!(class(&granted_prefix), Class::ReadOutside);
}

#[test]
fn an_attached_file_may_be_read_wherever_it_lies() {
    let desk = Desk::new();
    let outside = desk.beside.join("out.txt");
    fs::write(&outside, "out").unwrap();
    let environment = Environment {
        attached: vec![outside.clone()],
        ..desk.environment()
    };
    let read = call("files.read", json!({"path": outside}));
    assert_eq!(class_of(&read, &environment), Class::Read);
    assert_eq!(perform(&read, &environment).unwrap().data, json!("out"));
    let beside_it = call("files.list", json!({"path": desk.beside}));
    assert_eq!(class_of(&beside_it, &environment), Class::ReadOutside);
}

#[test]
fn classes_that_no_path_can_raise_stay_as_declared() {
    let environment = Desk::new().environment();
    let class = |tool| class_of(&call(tool, json!({"text": "x"})), &environment);
    assert_eq!(class("memory.remember"), Class::Keep);
    assert_eq!(class("user.ask"), Class::Read);
    assert_eq!(class("mail.send"), Class::Send);
    assert_eq!(reach(&call("user.ask", json!({})), &environment), Reach::Inside);
}

#[test]
fn a_task_that_may_do_something_without_asking_is_a_change_of_permissions() {
    let environment = Desk::new().environment();
    let class = |approve| {
        let args = json!({"question": "x", "when": "at 8", "approve": approve});
        class_of(&call("schedule.task", args), &environment)
    };
    assert_eq!(class(json!([])), Class::Keep);
    assert_eq!(class(json!(null)), Class::Keep);
    assert_eq!(class(json!(["files.read"])), Class::Money);
    assert_eq!(class(json!("files.read")), Class::Money);
    let bare = call("schedule.task", json!({"question": "x", "when": "at 8"}));
    assert_eq!(class_of(&bare, &environment), Class::Keep);
}

#[test]
fn what_was_permitted_as_inside_is_not_read_outside() {
    let desk = Desk::new();
    let secret = desk.beside.join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    let read = call("files.read", json!({"path": secret}));
    assert_eq!(
        error_of(&perform(&read, &desk.environment()).unwrap()).0,
        "PermissionError"
    );
    let permitted = Environment {
        permitted: Class::ReadOutside,
        ..desk.environment()
    };
    assert_eq!(perform(&read, &permitted).unwrap().data, json!("secret"));
    for tool in ["files.list", "files.info"] {
        let look = call(tool, json!({"path": desk.beside}));
        assert_eq!(
            error_of(&perform(&look, &desk.environment()).unwrap()).0,
            "PermissionError",
            "{tool}"
        );
    }
    for tool in ["files.glob", "files.grep"] {
        let search = call(tool, json!({"path": desk.beside, "pattern": "*"}));
        let args = json!({"path": desk.beside, "pattern": "s"});
        let outcome = perform(
            &Call {
                args: args.as_object().unwrap().clone(),
                ..search
            },
            &desk.environment(),
        );
        assert_eq!(error_of(&outcome.unwrap()).0, "PermissionError", "{tool}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_granted_folder_does_not_go_unnoticed() {
    let desk = Desk::new();
    fs::write(desk.beside.join("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(desk.beside.join("secret.txt"), desk.granted.join("innocent.txt")).unwrap();
    std::os::unix::fs::symlink(&desk.beside, desk.granted.join("docs")).unwrap();
    std::os::unix::fs::symlink(desk.beside.join("not-yet.txt"), desk.granted.join("dangling.txt")).unwrap();
    for path in ["innocent.txt", "docs/secret.txt", "dangling.txt"] {
        let read = call("files.read", json!({"path": path}));
        assert_eq!(class_of(&read, &desk.environment()), Class::ReadOutside, "{path}");
        assert!(
            perform(&read, &desk.environment()).unwrap().error.is_some(),
            "{path}"
        );
    }
    let target = Reach::Outside {
        path: desk.beside.join("secret.txt"),
    };
    assert_eq!(
        reach(
            &call("files.read", json!({"path": "docs/secret.txt"})),
            &desk.environment()
        ),
        target
    );
    let grep = desk.perform("files.grep", json!({"pattern": "secret"}));
    assert_eq!(grep.data, json!([]));
    assert_eq!(
        paths(&desk.perform("files.list", json!({"depth": 3}))),
        ["dangling.txt", "docs", "innocent.txt"]
    );
}

#[cfg(unix)]
#[test]
fn circles_of_links_and_of_folders_end() {
    let desk = Desk::new();
    std::os::unix::fs::symlink(desk.granted.join("b"), desk.granted.join("a")).unwrap();
    std::os::unix::fs::symlink(desk.granted.join("a"), desk.granted.join("b")).unwrap();
    desk.write("folder/x.txt", "x");
    std::os::unix::fs::symlink(&desk.granted, desk.granted.join("folder/up")).unwrap();
    assert_eq!(error_of(&desk.read("a")).0, "OSError");
    assert_eq!(
        paths(&desk.perform("files.glob", json!({"pattern": "**/*.txt"}))),
        ["folder/x.txt"]
    );
    assert_eq!(
        paths(&desk.perform("files.grep", json!({"pattern": "x"}))),
        ["folder/x.txt"]
    );
}

#[test]
fn denied_access_is_told_as_permission_error() {
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let error = ToolError::io(Path::new("secret.txt"), denied);
    assert_eq!(error.kind(), "PermissionError");
    assert!(
        error
            .to_string()
            .starts_with("'secret.txt' may not be read by this user account")
    );
}
