//! The files that an index of code may see, by the rules of `files`.

use super::*;
use crate::code::{self, Scope};

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

fn scope(desk: &Desk, tool: &str, args: Value) -> Scope {
    code::asked(&call(tool, args), desk.environment()).unwrap().scope
}

fn seen(scope: &Scope) -> Vec<String> {
    let found = scope.files(100, &is_rust).unwrap();
    let files = found.files.iter();
    files.map(|file| file.relative.display().to_string()).collect()
}

#[test]
fn an_index_sees_what_people_wrote_and_nothing_that_is_kept_back() {
    let desk = Desk::new();
    for name in [
        "src/a.rs",
        "src/private/b.rs",
        "vendor/c.rs",
        "node_modules/d.rs",
        "out/e.rs",
        "notes.md",
    ] {
        desk.write(name, "fn a() {}");
    }
    desk.write(".gitignore", "out/\n");
    let all = scope(&desk, "code.digest", json!({}));
    assert_eq!(seen(&all), ["src/a.rs", "src/private/b.rs"]);
    let mut environment = desk.environment();
    environment.withheld = DeniedPaths::by(|path| path.contains("private"));
    let asked = code::asked(&call("code.digest", json!({})), environment.clone()).unwrap();
    assert_eq!(seen(&asked.scope), ["src/a.rs"]);
    let one = code::asked(
        &call("code.outline", json!({"path": "src/private/b.rs"})),
        environment,
    )
    .unwrap();
    assert!(
        one.scope.files(9, &is_rust).is_err(),
        "nor when it is named itself"
    );
}

#[test]
fn a_place_below_a_granted_folder_belongs_to_the_index_of_that_folder() {
    let desk = Desk::new();
    desk.write("src/deep/a.rs", "fn a() {}");
    let deep = scope(&desk, "code.find", json!({"name": "a", "path": "src/deep"}));
    assert_eq!(
        (deep.root.clone(), deep.within.clone(), deep.is_first),
        (desk.granted.clone(), "src/deep".into(), true)
    );
    let file = scope(&desk, "code.outline", json!({"path": "src/deep/a.rs"}));
    assert!(file.is_file && file.root == desk.granted);
    assert_eq!(
        file.text(Path::new("src/deep/a.rs"), 100).as_deref(),
        Some("fn a() {}")
    );
    assert_eq!(
        file.text(Path::new("src/deep/a.rs"), 3),
        None,
        "larger than is read"
    );
    fs::write(desk.beside.join("b.rs"), "fn b() {}").unwrap();
    let outside = code::asked(
        &call("code.digest", json!({"path": desk.beside})),
        desk.environment(),
    );
    assert!(outside.is_err(), "what was permitted as inside stays inside");
}

#[cfg(unix)]
#[test]
fn a_link_is_neither_followed_nor_read() {
    let desk = Desk::new();
    fs::write(desk.beside.join("secret.rs"), "fn secret() {}").unwrap();
    desk.write("a.rs", "fn a() {}");
    std::os::unix::fs::symlink(&desk.beside, desk.granted.join("folder")).unwrap();
    std::os::unix::fs::symlink(desk.beside.join("secret.rs"), desk.granted.join("link.rs")).unwrap();
    let all = scope(&desk, "code.digest", json!({}));
    assert_eq!(seen(&all), ["a.rs"]);
    assert_eq!(all.text(Path::new("link.rs"), 100), None);
}

#[test]
fn a_folder_holds_code_where_a_look_at_its_upper_levels_finds_some() {
    let desk = Desk::new();
    let holds = || code::holds(std::slice::from_ref(&desk.granted), 3, &is_rust);
    desk.write("notes/a.md", "");
    desk.write("node_modules/x/a.rs", "");
    assert!(!holds());
    desk.write("a/b/c/d/deep.rs", "");
    assert!(!holds(), "not as deep as that");
    desk.write("src/main.rs", "");
    assert!(holds());
}

#[test]
fn wrong_arguments_are_told_and_bounds_are_kept() {
    let desk = Desk::new();
    for (tool, args, kind) in [
        ("code.find", json!({}), "TypeError"),
        ("code.find", json!({"name": "a", "limit": 900}), "ValueError"),
        ("code.callers", json!({"name": "a", "depth": 2}), "TypeError"),
        ("code.outline", json!({"path": "missing.rs"}), "FileNotFoundError"),
    ] {
        let refused = code::asked(&call(tool, args), desk.environment()).err().unwrap();
        assert_eq!(error_of(&refused).0, kind, "{tool}");
    }
    for number in 0..5 {
        desk.write(&format!("{number}.rs"), "");
    }
    let found = scope(&desk, "code.digest", json!({})).files(3, &is_rust).unwrap();
    assert!(found.cut && found.files.len() == 3);
}
