//! The environment of a call: the granted folders, the attachments, and the judgement whether a place lies
//! outside both.

use crate::attachments::Library;
use crate::change_record::ChangeRecord;
use crate::denied_paths::DeniedPaths;
use crate::identity;
use shidi_protocol::{Class, Moment};
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Everything that a tool knows besides its arguments; built anew for each call.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Granted work folders, absolute. Relative paths begin at the first one.
    pub folders: Vec<PathBuf>,
    /// Files and folders that the user attached, absolute.
    pub attached: Vec<PathBuf>,
    /// The library that reads documents; without a library they are as unreadable as any binary file.
    pub library: Option<Library>,
    pub now: Moment,
    pub timezone: jiff::tz::TimeZone,
    /// The record of this call's change of a file; `None` where nothing is left on a disk.
    pub change: Option<Arc<dyn ChangeRecord>>,
    /// The user's trash; `None` on a system without one that can be used.
    pub trash: Option<PathBuf>,
    /// Shidi's own data folder, which no program writes to.
    pub own: Option<PathBuf>,
    /// The class as which the call was permitted. A path that leads further when it is opened is refused.
    pub permitted: Class,
    /// Paths that a walk through a folder leaves out.
    pub withheld: DeniedPaths,
    /// Paths that an error leaves out where it names what is near a missing one. `None` where it names nothing.
    pub unnamed: Option<DeniedPaths>,
    /// Whether the run was stopped meanwhile.
    pub cancellation: Cancellation,
}

/// Tells long work whether anybody still waits for it.
#[derive(Clone, Default)]
pub struct Cancellation(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Cancellation {
    pub fn new(is_cancelled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_cancelled)))
    }

    pub(crate) fn is_asked_for(&self) -> bool {
        self.0.as_ref().is_some_and(|is_cancelled| is_cancelled())
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Cancellation")
            .field(&self.is_asked_for())
            .finish()
    }
}

/// Where the path of a call leads, all links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// The path leads into a granted folder or to an attachment, or the call has no path.
    Inside,
    /// The path leads elsewhere; it is given with all links followed.
    Outside { path: PathBuf },
}

impl Environment {
    /// Whether a place, all links followed, lies in a granted folder or an attachment.
    pub(crate) fn reach_of(&self, leads_to: &Path) -> Reach {
        let granted = self
            .folders
            .iter()
            .chain(&self.attached)
            .any(|root| root.canonicalize().is_ok_and(|root| leads_to.starts_with(root)));
        if granted {
            Reach::Inside
        } else {
            Reach::Outside {
                path: leads_to.to_owned(),
            }
        }
    }

    /// Whether a place may be written to as inside. Hidden files and folders count as outside: version control,
    /// editors and shells run their content. Attachments count as outside too: the user gave them for reading.
    pub(crate) fn writing_reach_of(&self, leads_to: &Path) -> Reach {
        let is_hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
        let granted = self.folders.iter().any(|root| {
            root.canonicalize().is_ok_and(|root| {
                let below = leads_to.strip_prefix(&root);
                below.is_ok_and(|below| !below.components().any(is_hidden))
            })
        });
        if granted {
            Reach::Inside
        } else {
            Reach::Outside {
                path: leads_to.to_owned(),
            }
        }
    }

    /// Whether a place is part of Shidi's own data, whatever its name.
    pub(crate) fn is_own(&self, leads_to: &Path) -> bool {
        let own = self.own.as_ref().and_then(|own| own.canonicalize().ok());
        own.is_some_and(|own| identity::is_within(leads_to, &own))
    }

    /// Whether the user attached this very file.
    pub(crate) fn is_attached(&self, leads_to: &Path) -> bool {
        self.attached
            .iter()
            .any(|path| path.canonicalize().is_ok_and(|path| path == leads_to))
    }

    /// Whether the call may open places outside the granted folders.
    pub(crate) fn may_leave(&self) -> bool {
        matches!(self.permitted, Class::ReadOutside | Class::WriteOutside)
    }
}
