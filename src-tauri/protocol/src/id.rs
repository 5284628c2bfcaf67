//! Ids are types, so that a run can never be mistaken for a session.
//!
//! Sessions and runs carry a time-ordered UUID (v7), minted by the runtime. Segments, executions and calls are
//! counted within their session or run by the mind, which therefore needs no randomness.

use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// What begins the id of a session that is named before its first question.
const BEFOREHAND: &str = "editor-";

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[serde(transparent)]
        #[ts(export)]
        pub struct $name(String);

        impl $name {
            /// Mints a new id: 32 hexadecimal digits that sort by the time of minting.
            #[must_use]
            pub fn mint() -> Self {
                Self(uuid::Uuid::now_v7().simple().to_string())
            }
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

impl SessionId {
    /// Mints the id of a session that is named before its first question. An editor wants one when its thread opens.
    #[must_use]
    pub fn mint_beforehand() -> Self {
        Self(format!("{BEFOREHAND}{}", Self::mint()))
    }

    /// Whether the id was minted by [`SessionId::mint_beforehand`]: such a session begins with its first question.
    #[must_use]
    pub fn is_minted_beforehand(&self) -> bool {
        let digits = self.0.strip_prefix(BEFOREHAND);
        digits.is_some_and(|digits| digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }
}

macro_rules! counted_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, TS,
        )]
        #[serde(transparent)]
        #[ts(export)]
        pub struct $name(pub u32);

        impl $name {
            /// The id after this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

impl CallId {
    /// The first id of calls that no program makes. Programs count on from 1, and are bounded far below.
    pub const ASIDE: Self = Self(1 << 30);

    /// Whether the call was made for a call at work and not by the program itself. Its result goes to nobody, and a
    /// replay knows nothing of it.
    #[must_use]
    pub fn is_aside(self) -> bool {
        self >= Self::ASIDE
    }
}

text_id!(
    /// One conversation, with its variables and granted folders.
    SessionId
);
text_id!(
    /// One task within a session: from a question to its answer, across suspensions and restarts.
    RunId
);
text_id!(
    /// A remembered record.
    MemoryId
);
text_id!(
    /// An experience that a run taught.
    ExperienceId
);
text_id!(
    /// A document of a knowledge base.
    DocumentId
);
counted_id!(
    /// Position of a segment in its session, from 1.
    SegmentId
);
counted_id!(
    /// One execution of one program, counted within its run from 1.
    ExecId
);
counted_id!(
    /// One call from code, counted within its run from 1.
    CallId
);
