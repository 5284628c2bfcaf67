//! Where paths lead, and that no other file is opened.

use super::*;
use tempfile::TempDir;

#[test]
fn a_tilde_is_the_home_folder_only_where_shells_say_so() {
    let home = Path::new("/home/lin");
    assert_eq!(expand_home("~", Some(home)), Path::new("/home/lin"));
    assert_eq!(expand_home("~/a b", Some(home)), Path::new("/home/lin/a b"));
    assert_eq!(expand_home("~other/x", Some(home)), Path::new("~other/x"));
    assert_eq!(expand_home("a/~", Some(home)), Path::new("a/~"));
    assert_eq!(expand_home("~/x", None), Path::new("~/x"));
}

#[test]
fn what_does_not_exist_keeps_its_name_below_what_does() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    assert_eq!(true_path(&top.join("a/b/c.txt")).unwrap(), top.join("a/b/c.txt"));
    assert_eq!(true_path(&top.join("a/../b")).unwrap(), top.join("b"));
}

#[cfg(unix)]
#[test]
fn a_dangling_link_leads_to_where_it_points() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    std::fs::create_dir(top.join("in")).unwrap();
    std::os::unix::fs::symlink("../out/new.txt", top.join("in/link")).unwrap();
    assert_eq!(true_path(&top.join("in/link")).unwrap(), top.join("out/new.txt"));
}

#[cfg(unix)]
#[test]
fn a_path_that_turns_into_a_link_before_it_is_opened_is_refused() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    std::fs::create_dir(top.join("real")).unwrap();
    std::fs::write(top.join("real/secret"), "x").unwrap();
    std::os::unix::fs::symlink(top.join("real"), top.join("swapped")).unwrap();
    let error = open_regular(&top.join("swapped/secret"), Path::new("swapped/secret")).unwrap_err();
    assert_eq!(error.kind(), "PermissionError");
    std::os::unix::fs::symlink(top.join("real/secret"), top.join("link")).unwrap();
    assert!(open_regular(&top.join("link"), Path::new("link")).is_err());
}
