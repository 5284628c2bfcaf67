//! The clipboard: what a program put there, and a text of ours in its place.
//!
//! Read when somebody asks and never followed. Whether its text may be told is the gate's to decide.

use crate::FrontWindow;

/// A text that was copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copied {
    /// Empty where it is a secret: that is never read.
    pub text: String,
    /// Whether there is more of it than was read.
    pub is_cut: bool,
    /// The program that holds it ready, as far as the system tells.
    pub owner: FrontWindow,
    /// Whether its program calls it a password.
    pub is_secret: bool,
}
