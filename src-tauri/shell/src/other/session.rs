//! The desktop session on macOS and Windows: the display is always there.

use shidi_locales::Language;
use shidi_protocol::UserError;
use tauri::AppHandle;

/// Opens nothing.
///
/// # Errors
/// None.
pub fn open_display(_language: Language) -> Result<(), UserError> {
    Ok(())
}

/// The window library itself ends the program with the session.
pub fn end_on_signals(_app: &AppHandle) {}
