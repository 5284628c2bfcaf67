//! Paths as people type them.

use std::path::{Path, PathBuf};

/// The path with the user's home in place of `~`.
#[must_use]
pub fn expanded(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_) | None, _) => Path::new(path).to_path_buf(),
    }
}
