//! What a walk through a folder leaves out, because rules of the user speak against it.
//!
//! Knows no rule: whoever permitted the call says of each place whether it is withheld. A call that names such a place
//! itself is decided on elsewhere.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Says of a path, absolute and with all links followed, whether it is withheld.
type Judge = dyn Fn(&str) -> bool + Send + Sync;

/// Nothing, unless made from a judge.
#[derive(Clone, Default)]
pub struct Withheld(Option<Arc<Judge>>);

impl Withheld {
    #[must_use]
    pub fn by(judge: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(judge)))
    }

    /// Whether what lies at `path` is left out.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        self.0
            .as_ref()
            .is_some_and(|judge| judge(&path.to_string_lossy()))
    }
}

impl fmt::Debug for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Withheld(some)"
        } else {
            "Withheld(nothing)"
        })
    }
}
