//! How and when the user summons the panel.

use serde::Serialize;

/// The way in which the panel came to be shown; the payload of `panel-shown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownBy {
    Hotkey,
    Ball,
    /// The command line, or a second start of the program.
    Start,
    /// A look at the screen, whose view is attached next.
    Screen,
}

/// The moment of the user's action, for window managers that prevent stealing the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActedAt {
    /// Milliseconds of the display's clock, from the event.
    Display(u32),
    /// The moment must be asked of the display.
    Now,
}
