//! The same parts on macOS and Windows (compiled there, not tried yet).

pub mod autostart;
pub mod ball;
pub mod file_manager;
pub mod keyboard;
pub mod links;
pub mod notifications;
pub mod picker;
pub mod region;
pub mod selection_bar;
pub mod session;
pub mod tray;
pub mod window;
