//! The paths that a walk through a folder leaves out, because the user's rules deny them.
//!
//! This file knows no rule: the caller that permitted the walk judges each path. A call that names a denied
//! path itself is decided on elsewhere.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Returns whether a path is withheld; the path is absolute with all links followed.
type Judge = dyn Fn(&str) -> bool + Send + Sync;

/// Withholds no path, unless made from a judge.
#[derive(Clone, Default)]
pub struct DeniedPaths(Option<Arc<Judge>>);

impl DeniedPaths {
    #[must_use]
    pub fn by(judge: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(judge)))
    }

    /// Whether `path` is left out.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        self.0
            .as_ref()
            .is_some_and(|judge| judge(&path.to_string_lossy()))
    }
}

impl fmt::Debug for DeniedPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "DeniedPaths(some)"
        } else {
            "DeniedPaths(nothing)"
        })
    }
}
