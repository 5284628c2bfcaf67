//! The records beside a case: the proposals for it, how they fared, and which was accepted.

use crate::BadCases;
use serde::{Deserialize, Serialize};
use shidi_protocol::{CaseChange, CaseMeasured, CaseProposal, UserError};
use std::io;

/// How the file's name ends.
const ENDING: &str = "json";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Beside {
    pub proposed: Option<CaseProposal>,
    pub measured: Option<CaseMeasured>,
    pub accepted: Option<Accepted>,
}

/// A change that was made, and what it takes to take it back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Accepted {
    pub change: CaseChange,
    pub made: Made,
}

/// What an accepted change made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Made {
    Experience {
        id: String,
    },
    Knowledge {
        id: String,
    },
    Skill {
        name: String,
    },
    /// The module that stood there before; `None` where it was the built-in one.
    Prompt {
        before: Option<String>,
    },
    /// It was there before.
    Nothing,
}

impl BadCases {
    /// What lies beside the case of that name.
    ///
    /// # Errors
    /// A file that can't be read is an error. The earlier content of a change stands in it, so nothing is
    /// written over the file.
    pub fn beside(&self, name: &str) -> Result<Beside, UserError> {
        let path = self.folder().join(format!("{name}.{ENDING}"));
        let unread = |cause: io::Error| self.unread(&path, &cause);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|cause| unread(cause.into())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Beside::default()),
            Err(cause) => Err(unread(cause)),
        }
    }

    /// Changes what lies beside the case of that name.
    ///
    /// # Errors
    /// A disk that takes no more.
    pub fn note(&self, name: &str, change: impl FnOnce(&mut Beside)) -> Result<(), UserError> {
        self.there(name)?;
        let mut beside = self.beside(name)?;
        change(&mut beside);
        let path = self.folder().join(format!("{name}.{ENDING}"));
        let text = serde_json::to_vec_pretty(&beside);
        let text =
            text.map_err(|cause| shidi_space::errors::internal(self.space.language(), &cause.to_string()))?;
        shidi_atomic_write::write(&path, &text).map_err(|cause| self.unwritten(&path, &cause))
    }

    /// Removes what lies beside it; where nothing does, nothing is to be done.
    pub fn forget(&self, name: &str) {
        let path = self.folder().join(format!("{name}.{ENDING}"));
        if let Err(cause) = std::fs::remove_file(&path)
            && cause.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%cause, path = %path.display(), "what lay beside a bad case is still there");
        }
    }
}
