//! The parts of the shell that each system does in its own way, under the same names.

#[cfg(target_os = "linux")]
pub use crate::linux::{
    autostart, ball, file_manager, keyboard, links, notifications, picker, region, selection_bar, session,
    tray, window,
};
#[cfg(not(target_os = "linux"))]
pub use crate::other::{
    autostart, ball, file_manager, keyboard, links, notifications, picker, region, selection_bar, session,
    tray, window,
};
