//! The parts of the shell that only Linux does in this way: GTK, WebKit, X11 and the session bus.

pub mod autostart;
pub mod ball;
pub mod file_manager;
pub mod full_screen;
pub mod keyboard;
mod layers;
pub mod lean;
pub mod links;
pub mod notifications;
pub mod picker;
pub mod region;
mod screens;
pub mod selection_bar;
pub mod session;
mod shape;
mod surfaces;
pub mod theme;
pub mod tray;
pub mod window;
