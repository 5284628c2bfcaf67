//! Bounds of captures, with unit and reason.

/// Pictures of the screen that a session's later questions take along: the last two are what people go on about.
pub const EARLIER_PICTURES_MAX: usize = 2;
