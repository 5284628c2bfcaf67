//! The clipboard: what a program put there, and a text of ours in its place.
//!
//! Read when somebody asks and never followed. Whether its text may be told is the gate's to decide.

use crate::FrontWindow;

/// The form by which a program that holds passwords marks them, and what it says, as KeePassXC and KDE agreed.
#[cfg(target_os = "linux")]
pub const SECRET_HINT: &str = "x-kde-passwordManagerHint";
#[cfg(target_os = "linux")]
pub const SECRET: &[u8] = b"secret";

/// A text that was copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copied {
    /// Empty where it is a secret: that is never read.
    pub text: String,
    /// Whether there is more of it than was read.
    pub is_cut: bool,
    /// The program that holds it ready, as far as the system tells: Wayland does not.
    pub owner: FrontWindow,
    /// Whether its program calls it a password.
    pub is_secret: bool,
}
