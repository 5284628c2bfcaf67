//! Sees what is in front of the user: the window that had the focus before Shidi, and pictures of the screen.
//!
//! Operating-system code stands only here, behind [`Sensor`] and [`Camera`]; everything that they see passes the one
//! [`Gate`] before anything is kept, even in memory. What is kept is kept by [`Memory`] for a short time. Nothing
//! here writes to the disk, asks a model or knows a session: the runtime does.

mod error;
mod gate;
mod limits;
mod look;
mod memory;
mod picture;
mod recognise;
mod shade;
mod window;
#[cfg(target_os = "linux")]
mod x11;
#[cfg(any(target_os = "macos", target_os = "windows"))]
mod xcap;

pub use error::SenseError;
pub use gate::redact::redacted;
pub use gate::{
    Asked, Gate, Paused, Reason, Rules, Verdict, VouchedPage, WORDS_APPS, WORDS_SITES, WORDS_TITLES,
};
pub use limits::{KEPT_MS, TEXT_CHARACTERS_MAX};
pub use look::{Eyes, Seen, Sight, fact};
pub use memory::Memory;
pub use picture::{Order, Picture, Pixels, encoded};
pub use recognise::{recogniser_is_there, words_in};
pub use window::{Camera, Composited, FrontWindow, Menus, Sensor, StandingWindow};

/// The sensor and camera of this system.
///
/// # Errors
/// No display, a Wayland desktop, or a system for which none is written.
#[cfg(target_os = "linux")]
pub fn sensor() -> Result<Box<dyn Sensor>, SenseError> {
    x11::open()
}

/// The sensor and camera of this system.
///
/// # Errors
/// The system shows no monitor.
#[cfg(any(target_os = "macos", target_os = "windows"))]
pub fn sensor() -> Result<Box<dyn Sensor>, SenseError> {
    xcap::open()
}

/// The sensor and camera of this system.
///
/// # Errors
/// None is written for this system.
#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
pub fn sensor() -> Result<Box<dyn Sensor>, SenseError> {
    Err(SenseError::NotHere)
}

/// Tells `changed` of every window that comes to the front and every new title of it, from a thread of its own that
/// sleeps between events and ends with the process or the display.
///
/// # Errors
/// As [`sensor`].
#[cfg(target_os = "linux")]
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    x11::follow(changed)
}

/// Tells `changed` of every window that comes to the front.
///
/// # Errors
/// Elsewhere it would have to ask again and again.
#[cfg(not(target_os = "linux"))]
pub fn follow(_changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    Err(SenseError::NotHere)
}
