//! Sees the window in front of the user, which had the focus before Shidi, and takes pictures of the screen.
//!
//! Operating-system code stands only here, behind [`Sensor`] and [`Camera`]. Everything that they see passes
//! the one [`Gate`] before it is kept, even in memory. [`Memory`] keeps views for a short time. Nothing here
//! writes to the disk, asks a model or knows a session: the runtime does.

#[cfg(target_os = "linux")]
mod accessibility;
mod capture;
mod clipboard;
mod content_sensor;
mod error;
mod insert;
mod layers;
mod limits;
mod memory;
mod picture;
mod privacy_filter;
#[cfg(target_os = "linux")]
mod process;
mod recognise;
mod redaction_mask;
mod selection_watch;
#[cfg(target_os = "linux")]
mod wayland;
mod window;
#[cfg(target_os = "linux")]
mod x11;
#[cfg(any(target_os = "macos", target_os = "windows"))]
mod xcap;

pub use capture::{Outcome, ScreenReader, Seen, WindowList, fact};
pub use clipboard::Copied;
pub use content_sensor::{ContentSensor, Found, Lack, Support, WindowContent, best, read_all};
pub use error::SenseError;
pub use insert::{InsertError, Inserted, Manner, plain};
pub use layers::{Layers, layers};
pub use limits::{CLIPBOARD_BYTES_MAX, KEPT_MS, PINNED_MOST, TEXT_CHARACTERS_MAX};
pub use memory::{Held, Memory, Subject, Unpinned};
pub use picture::{Order, Picture, Pixels, encoded};
pub use privacy_filter::redact::redacted;
pub use privacy_filter::{
    Gate, LIST_SIGNS, LookTrigger, Paused, Reason, Rules, Verdict, VouchedPage, WORDS_APPS, WORDS_SITES,
    WORDS_TITLES, is_among,
};
pub use recognise::{recogniser_is_there, words_in};
pub use selection_watch::{SelectionMade, SelectionNews};
pub use window::{Camera, Chooser, Composited, FrontWindow, Menus, Sensor, StandingWindow};

/// The sensor and camera of this system.
///
/// # Errors
/// No display, or a system without a sensor.
#[cfg(target_os = "linux")]
pub fn sensor() -> Result<Box<dyn Sensor>, SenseError> {
    match wayland::is_there() {
        true => Ok(Box::new(wayland::Desktop)),
        false => x11::open(),
    }
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

/// Whether this session has a desktop that a sensor may know, without asking it.
#[must_use]
pub fn desktop_is_there() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match std::env::consts::OS {
        "linux" => is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"),
        system => matches!(system, "macos" | "windows"),
    }
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

/// Whether the clipboard of this session can be read.
#[cfg(target_os = "linux")]
#[must_use]
pub fn clipboard_support() -> Support {
    match wayland::is_there() {
        true => wayland::support(),
        false => x11::support(),
    }
}

/// Whether the clipboard of this session can be read: no way is written for this system.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn clipboard_support() -> Support {
    Support::Absent(Lack::Display)
}

/// The text that was copied last, read before `until`; `None` where there is none.
///
/// # Errors
/// No display, a compositor that gives programs no clipboard, or trouble with it.
#[cfg(target_os = "linux")]
pub fn copied(until: std::time::Instant) -> Result<Option<Copied>, SenseError> {
    match wayland::is_there() {
        true => wayland::copied(until),
        false => x11::copied(until),
    }
}

/// The text that was copied last.
///
/// # Errors
/// Always: no way is written for this system.
#[cfg(not(target_os = "linux"))]
pub fn copied(_until: std::time::Instant) -> Result<Option<Copied>, SenseError> {
    Err(SenseError::NotHere)
}

/// Puts a text there; it stays as long as this process.
///
/// # Errors
/// No display, a compositor that gives programs no clipboard, or trouble with it.
#[cfg(target_os = "linux")]
pub fn copy(text: &str) -> Result<(), SenseError> {
    match wayland::is_there() {
        true => wayland::copy(text),
        false => x11::copy(text),
    }
}

/// Puts a text there.
///
/// # Errors
/// Always: no way is written for this system.
#[cfg(not(target_os = "linux"))]
pub fn copy(_text: &str) -> Result<(), SenseError> {
    Err(SenseError::NotHere)
}

/// Puts a text into that window: only ever by a click of the user.
///
/// # Errors
/// A window that is gone or takes nothing, a desktop that has no way to do it.
#[cfg(target_os = "linux")]
pub fn insert(window: u32, text: &str) -> Result<Inserted, InsertError> {
    match wayland::is_there() {
        true => wayland::insert(window, text),
        false => x11::insert(window, text),
    }
}

/// Puts a text into that window.
///
/// # Errors
/// Always: no way is written for this system.
#[cfg(not(target_os = "linux"))]
pub fn insert(_window: u32, _text: &str) -> Result<Inserted, InsertError> {
    Err(SenseError::NotHere.into())
}

/// Calls `changed` with every window that comes to the front, and with every new title of that window. A thread
/// of its own does so; it sleeps between events and ends with the process or the display.
///
/// # Errors
/// As [`sensor`].
#[cfg(target_os = "linux")]
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    match wayland::is_there() {
        true => wayland::follow(changed),
        false => x11::follow(changed),
    }
}

/// Calls `changed` with every window that comes to the front.
///
/// # Errors
/// Always: this system could only be polled.
#[cfg(not(target_os = "linux"))]
pub fn follow(_changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    Err(SenseError::NotHere)
}

/// Calls `told` with every selection that the user makes with the pointer, or with keys and Shift. Calls it again when
/// a selection is no longer news, until the value is dropped. `told` says whether it took a selection. A thread of its
/// own sleeps between events.
///
/// # Errors
/// As [`sensor`], or a display without the extensions that tell of selections.
#[cfg(target_os = "linux")]
pub fn follow_selection(
    told: impl FnMut(SelectionNews) -> bool + Send + 'static,
) -> Result<SelectionFollowing, SenseError> {
    x11::follow_selection(told)
}

/// Calls `told` with every selection that the user makes.
///
/// # Errors
/// Always: no way is written for this system.
#[cfg(not(target_os = "linux"))]
pub fn follow_selection(
    _told: impl FnMut(SelectionNews) -> bool + Send + 'static,
) -> Result<SelectionFollowing, SenseError> {
    Err(SenseError::NotHere)
}

/// The selection is followed as long as this lives.
#[cfg(target_os = "linux")]
pub type SelectionFollowing = x11::Following;

/// The selection is followed as long as this lives.
#[cfg(not(target_os = "linux"))]
pub type SelectionFollowing = std::convert::Infallible;
