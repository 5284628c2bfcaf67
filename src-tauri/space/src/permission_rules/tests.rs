//! Patterns of permission rules once the folders are known.

use super::*;
use std::fs;
use tempfile::TempDir;

struct Desk {
    _root: TempDir,
    /// The granted folder, links followed.
    granted: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        let granted = root.path().canonicalize().unwrap().join("w");
        fs::create_dir_all(granted.join("private")).unwrap();
        Self { _root: root, granted }
    }

    fn folders(&self) -> Vec<PathBuf> {
        vec![self.granted.clone()]
    }

    fn pattern(&self, path: &str) -> Pattern {
        Pattern::parse(&format!("files.read(path={path})")).unwrap()
    }

    fn text(&self, path: &str) -> String {
        format!("files.read(path={}/{path})", self.granted.display())
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(Pattern::to_string).collect()
}

#[test]
fn what_restricts_holds_as_it_was_written_and_where_it_leads_from_a_granted_folder() {
    let desk = Desk::new();
    let restricting = |path: &str| texts(&restricting(desk.pattern(path), &desk.folders()));
    assert_eq!(
        restricting("private/*"),
        ["files.read(path=private/*)".to_owned(), desk.text("private/*")]
    );
    assert_eq!(restricting(".env").last(), Some(&desk.text(".env")));
    let whole = desk.granted.join("private/*").display().to_string();
    assert_eq!(restricting(&whole), [desk.text("private/*")]);
    let home = std::env::home_dir().unwrap().canonicalize().unwrap();
    let at_home = format!("files.read(path={}/no-such-folder/*)", home.display());
    assert_eq!(restricting("~/no-such-folder/*").last(), Some(&at_home));
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_for_what_restricts_and_never_for_what_allows() {
    let desk = Desk::new();
    std::os::unix::fs::symlink(desk.granted.join("private"), desk.granted.join("link")).unwrap();
    let link = desk.granted.join("link").display().to_string();
    let pattern = desk.pattern(&format!("{link}/*"));
    let restricting = texts(&restricting(pattern.clone(), &desk.folders()));
    assert_eq!(restricting.last(), Some(&desk.text("private/*")));
    assert_eq!(remembered(&pattern, &desk.folders()), pattern);
    assert_eq!(
        beforehand(desk.pattern("link/*"), &desk.folders()).to_string(),
        desk.text("link/*")
    );
}

#[cfg(unix)]
#[test]
fn what_allows_is_put_where_a_granted_folder_truly_lies() {
    let desk = Desk::new();
    let alias = desk.granted.with_file_name("alias");
    std::os::unix::fs::symlink(&desk.granted, &alias).unwrap();
    let pattern = desk.pattern(&format!("{}/a/*", alias.display()));
    let folders = [alias];
    assert_eq!(remembered(&pattern, &folders).to_string(), desk.text("a/*"));
    assert_eq!(beforehand(pattern, &folders).to_string(), desk.text("a/*"));
    assert_eq!(
        beforehand(desk.pattern("a/*"), &folders).to_string(),
        desk.text("a/*")
    );
}

#[test]
fn a_remembered_relative_path_is_not_put_anywhere() {
    let desk = Desk::new();
    let pattern = desk.pattern("rl/*");
    assert_eq!(remembered(&pattern, &desk.folders()), pattern);
}
