//! The bounds of a walk.

use super::*;
use std::fs;
use tempfile::TempDir;

#[test]
fn a_tree_deeper_than_the_limit_is_left_at_the_limit() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("d/".repeat(WALK_DEPTH_MAX + 10))).unwrap();
    let mut seen = 0;
    let walked = walk(&top, usize::MAX, &DeniedPaths::default(), |_| {
        seen += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((walked.unwrap(), seen), (Walked::All, WALK_DEPTH_MAX));
}

#[test]
fn a_visitor_that_has_enough_ends_the_walk() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    for name in ["b", "a", "c"] {
        fs::write(top.join(name), "").unwrap();
    }
    let mut seen = Vec::new();
    let walked = walk(&top, 1, &DeniedPaths::default(), |entry| {
        seen.push(entry.relative.display().to_string());
        if seen.len() == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(walked.unwrap(), Walked::Stopped);
    assert_eq!(seen, ["a", "b"]);
}

#[cfg(unix)]
#[test]
fn a_walk_does_not_begin_behind_a_link() {
    let root = TempDir::new().unwrap();
    let top = root.path().canonicalize().unwrap();
    fs::create_dir(top.join("real")).unwrap();
    std::os::unix::fs::symlink(top.join("real"), top.join("link")).unwrap();
    assert!(
        walk(&top.join("link"), 1, &DeniedPaths::default(), |_| {
            ControlFlow::Continue(())
        })
        .is_err()
    );
}
