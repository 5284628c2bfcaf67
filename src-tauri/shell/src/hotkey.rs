//! The keys that summon the panel from anywhere: `Ctrl+Alt+Space`.
//!
//! Where the platform gives no program any keys, or another program has them, it says so and names the way out.

use crate::panel::ActedAt;
use crate::words::{self, Language};

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(target_os = "linux")]
mod x11;

#[cfg(not(target_os = "linux"))]
pub use other::listen;
#[cfg(target_os = "linux")]
pub use x11::listen;

/// As people write them.
pub const KEYS: &str = "Ctrl+Alt+Space";

/// One press of the keys.
#[derive(Debug, Clone)]
pub struct Press {
    pub at: ActedAt,
    pub focus: Focus,
}

/// Where the focus was when the keys were pressed.
#[derive(Debug, Clone)]
pub enum Focus {
    /// The display's window that had it, and those that it lies in.
    In(Vec<u32>),
    Unknown,
}

/// Why the keys are not ours.
#[derive(Debug, thiserror::Error)]
pub enum HotkeyError {
    #[error("Another program has the keys")]
    Taken,
    #[error("The desktop gives no program any keys")]
    Impossible,
    #[error("{0}")]
    Refused(String),
}

impl HotkeyError {
    /// What broke and what to do, in the user's language.
    #[must_use]
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Self::Taken => words::hotkey_taken(KEYS, language),
            Self::Impossible => words::hotkey_impossible(KEYS, language),
            Self::Refused(reason) => words::hotkey_failed(KEYS, reason, language),
        }
    }
}
