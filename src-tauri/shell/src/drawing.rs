//! The shell's own drawing: the ball's look by the mood and in pixels, a region's overlay, and the tray's icon.

pub mod ball;
pub mod icon;
pub mod look;
pub mod overlay;
