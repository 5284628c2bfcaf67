//! What surrounds a call, and how far the call reaches out of it.

use crate::attachments::Library;
use crate::declared_method;
use crate::place::Place;
use crate::shell;
use crate::withheld::Withheld;
use serde_json::Value;
use shidi_protocol::{Call, Class, Moment};
use std::path::{Component, PathBuf};

/// The parameter that leads somewhere.
const PATH: &str = "path";

/// Everything that a tool may know besides its arguments; made anew for each call.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Granted work folders, absolute. The first one is where relative paths begin.
    pub folders: Vec<PathBuf>,
    /// Files and folders that the user attached, absolute.
    pub attached: Vec<PathBuf>,
    /// What reads documents; without one they are as unreadable as any binary file.
    pub library: Option<Library>,
    pub now: Moment,
    pub timezone: jiff::tz::TimeZone,
    /// Where what stands in a file is kept before this call changes it.
    pub earlier: Option<PathBuf>,
    /// Shidi's own data folder, which no program writes to.
    pub own: Option<PathBuf>,
    /// The class as which the call was permitted. A path that leads further by the time it is opened is refused.
    pub permitted: Class,
    /// What a walk through a folder leaves out.
    pub withheld: Withheld,
}

/// Where the path of a call leads, all links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Into a granted folder, to something attached, or the call has no path.
    Inside,
    /// Elsewhere: the path with all links followed.
    Outside { path: PathBuf },
}

/// The call with the places that its arguments lead to at this moment: what is decided on, and where it is performed.
#[must_use]
pub fn placed(mut call: Call, environment: &Environment) -> Call {
    let (name, leads_to) = if call.toolkit == shell::NAME {
        (shell::FOLDER, shell::folder_of(&call, environment))
    } else {
        let place = written(&call).and_then(|text| Place::resolve(&text, environment).ok());
        (PATH, place.map(|place| place.leads_to))
    };
    let places = leads_to.map(|path| (name.to_owned(), path.to_string_lossy().into_owned()));
    call.places = places.into_iter().collect();
    call
}

/// Tells where the path that a call names leads: as it was decided on, else at this moment.
#[must_use]
pub fn reach(call: &Call, environment: &Environment) -> Reach {
    let (Some(method), Some(text)) = (declared_method(call), written(call)) else {
        return Reach::Inside;
    };
    let known = call.places.get(PATH).map(|leads_to| Place {
        shown: PathBuf::from(&text),
        leads_to: PathBuf::from(leads_to),
    });
    match known.map_or_else(|| Place::resolve(&text, environment), Ok) {
        // Shidi's own data is refused when performed: nobody is to be asked about it.
        Ok(place) if method.class == Class::Write && environment.is_own(&place) => Reach::Inside,
        Ok(place) if method.class == Class::Write => environment.writing_reach_of(&place),
        Ok(place) => environment.reach_of(&place),
        Err(_) => Reach::Inside, // refused with its reason when performed: nothing is reached
    }
}

/// The path that a call of ours names, or that stands for one left out.
fn written(call: &Call) -> Option<String> {
    let method = declared_method(call)?;
    method.matters.iter().find(|name| *name == PATH)?;
    let parameter = method
        .parameters
        .iter()
        .find(|parameter| parameter.name == PATH)?;
    let given = call.args.get(PATH).or(parameter.default.as_ref());
    given.and_then(Value::as_str).map(str::to_owned)
}

/// Tells the class of a call with its arguments looked at; a tool that is none of ours counts as sending.
#[must_use]
pub fn class_of(call: &Call, environment: &Environment) -> Class {
    match (
        declared_method(call).map(|method| method.class),
        reach(call, environment),
    ) {
        (None, _) => Class::Send,
        (Some(Class::Read), Reach::Outside { .. }) => Class::ReadOutside,
        (Some(Class::Write), Reach::Outside { .. }) => Class::WriteOutside,
        (Some(class), _) if call.toolkit == shell::NAME => shell::class_of(call, class),
        (Some(class), _) => class,
    }
}

impl Environment {
    /// Where `place` leads.
    pub(crate) fn reach_of(&self, place: &Place) -> Reach {
        let granted = self.folders.iter().chain(&self.attached).any(|root| {
            root.canonicalize()
                .is_ok_and(|root| place.leads_to.starts_with(root))
        });
        if granted {
            Reach::Inside
        } else {
            Reach::Outside {
                path: place.leads_to.clone(),
            }
        }
    }

    /// The same for writing. A hidden file or folder counts as outside: version control, editors and shells run what stands
    /// in theirs. So does what was attached: that was given to be read.
    pub(crate) fn writing_reach_of(&self, place: &Place) -> Reach {
        let is_hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
        let granted = self.folders.iter().any(|root| {
            root.canonicalize().is_ok_and(|root| {
                let below = place.leads_to.strip_prefix(&root);
                below.is_ok_and(|below| !below.components().any(is_hidden))
            })
        });
        if granted {
            Reach::Inside
        } else {
            Reach::Outside {
                path: place.leads_to.clone(),
            }
        }
    }

    /// Whether a place is part of Shidi's own data.
    pub(crate) fn is_own(&self, place: &Place) -> bool {
        let own = self.own.as_ref().and_then(|own| own.canonicalize().ok());
        own.is_some_and(|own| place.leads_to.starts_with(own))
    }

    /// Whether the user attached this very file.
    pub(crate) fn is_attached(&self, place: &Place) -> bool {
        self.attached
            .iter()
            .any(|path| path.canonicalize().is_ok_and(|path| path == place.leads_to))
    }

    /// Whether the call may open what lies outside the granted folders.
    pub(crate) fn may_leave(&self) -> bool {
        matches!(self.permitted, Class::ReadOutside | Class::WriteOutside)
    }
}
