//! Sees the window in front of the user, which had the focus before Shidi, and takes pictures of the screen.
//!
//! Operating-system code stands only here, behind [`Sensor`] and [`Camera`]. Everything that they see passes
//! the one [`Gate`] before it is kept, even in memory. [`Memory`] keeps views for a short time. Nothing here
//! writes to the disk, asks a model or knows a session: the runtime does.

#[cfg(target_os = "linux")]
mod accessibility;
mod capture;
mod content_sensor;
mod error;
mod limits;
mod memory;
mod picture;
mod privacy_filter;
mod recognise;
mod redaction_mask;
mod window;
#[cfg(target_os = "linux")]
mod x11;
#[cfg(any(target_os = "macos", target_os = "windows"))]
mod xcap;

pub use capture::{ScreenReader, Seen, Sight, fact};
pub use content_sensor::{ContentSensor, Found, Lack, Support, WindowContent, best, read_all};
pub use error::SenseError;
pub use limits::{KEPT_MS, TEXT_CHARACTERS_MAX};
pub use memory::Memory;
pub use picture::{Order, Picture, Pixels, encoded};
pub use privacy_filter::redact::redacted;
pub use privacy_filter::{
    Asked, Gate, Paused, Reason, Rules, Verdict, VouchedPage, WORDS_APPS, WORDS_SITES, WORDS_TITLES,
};
pub use recognise::{recogniser_is_there, words_in};
pub use window::{Camera, Composited, FrontWindow, Menus, Sensor, StandingWindow};

/// The sensor and camera of this system.
///
/// # Errors
/// No display, a Wayland desktop, or a system without a sensor.
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
/// This system has no sensor.
#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
pub fn sensor() -> Result<Box<dyn Sensor>, SenseError> {
    Err(SenseError::NotHere)
}

/// The sensors of this system that read what stands in windows.
#[cfg(target_os = "linux")]
#[must_use]
pub fn content_sensors() -> Vec<std::sync::Arc<dyn ContentSensor>> {
    vec![
        std::sync::Arc::new(accessibility::Accessibility::default()),
        std::sync::Arc::new(x11::SelectedText),
    ]
}

/// The sensors of this system that read what stands in windows: none is written for it.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn content_sensors() -> Vec<std::sync::Arc<dyn ContentSensor>> {
    Vec::new()
}

/// Calls `changed` with every window that comes to the front, and with every new title of that window. A thread
/// of its own does so; it sleeps between events and ends with the process or the display.
///
/// # Errors
/// As [`sensor`].
#[cfg(target_os = "linux")]
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    x11::follow(changed)
}

/// Calls `changed` with every window that comes to the front.
///
/// # Errors
/// Always: this system could only be polled.
#[cfg(not(target_os = "linux"))]
pub fn follow(_changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    Err(SenseError::NotHere)
}
