//! What is wrong in a file, as a type: the place, what is wrong there, and by `words` what to do.

use crate::limits::FAULTS_MAX;
use shidi_space::keys::KeysError;
use shidi_yaml::{Malformed, Place};

/// A fault at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub place: Place,
    pub problem: Problem,
}

impl Fault {
    #[must_use]
    pub fn new(place: &Place, problem: Problem) -> Self {
        Self {
            place: place.clone(),
            problem,
        }
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        let problem = match malformed.twice {
            Some(key) => Problem::Twice(key),
            None if malformed.has_more => Problem::SeveralDocuments,
            None => Problem::NotYaml(malformed.why),
        };
        Self::new(&malformed.place, problem)
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    NotText,
    TooLarge {
        kilobytes: u64,
    },
    /// The reader's own words.
    NotYaml(String),
    /// More than one YAML document in a file.
    SeveralDocuments,
    /// An item of a list of assistants that is none.
    NoItem,
    /// A key that stands there for the second time.
    Twice(String),
    Missing(&'static str),
    UnknownKey {
        key: String,
        known: &'static [&'static str],
    },
    Wants(Wanted),
    UnknownVersion(String),
    BadName(String),
    /// The name of the usual assistant, which settings change.
    ReservedName(String),
    TooLong {
        key: String,
        most: usize,
    },
    TooMany {
        key: String,
        most: usize,
    },
    OutOfBounds {
        key: String,
        least: &'static str,
        most: &'static str,
    },
    UnknownValue {
        key: String,
        written: String,
        known: Vec<String>,
    },
    BadPermission(String),
    BadHotkey {
        written: String,
        reason: KeysError,
    },
    /// A file of another program that nothing here reads.
    UnknownFormat,
    /// What of another program's file has no counterpart here.
    Unmapped {
        what: String,
        reason: Reason,
    },
    /// A text of another program's file that is cut here, and whole below `other`.
    Shortened {
        key: String,
        most: usize,
    },
    /// A place for a value in a text, which nothing here fills.
    Unfilled(String),
    /// A field of another program's file that is YAML only between quotation marks.
    Repaired(String),
}

/// The kind of value that belongs at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Map,
    List,
    Text,
    Number,
    /// A text, or a map of texts by language.
    Words,
}

/// Why something of another program's file is not taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Providers and models are the user's own.
    ModelOfUser,
    /// Servers, tools and bases are set up apart from assistants.
    SetUpApart,
    /// Nothing here stands for it; it is kept in the file and does nothing.
    KeptOnly,
    /// It says who somebody is, and is none of ours.
    Personal,
    /// A value for places in the prompt that nothing here fills.
    Placeholder,
    /// Rules by command or path, with exceptions.
    FinerRules,
    /// What may be done without a question is its user's to say.
    YoursToAllow,
    /// A secret, or what may hold one.
    Secret,
}

/// The first faults of a file in the order of their lines.
#[must_use]
pub fn in_order(mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by_key(|fault| (fault.place.line, fault.place.column));
    faults.dedup();
    faults.truncate(FAULTS_MAX);
    faults
}
