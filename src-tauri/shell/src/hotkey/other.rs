//! Takes the keys on macOS and Windows.

use super::{Focus, HotkeyError, Press};
use crate::panel::ActedAt;
use global_hotkey::hotkey::{Code, HotKey, Modifiers};
use global_hotkey::{Error, GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};

/// Takes the keys and calls `pressed` for each press. Main thread only.
///
/// # Errors
/// The keys are not ours to take.
pub fn listen(pressed: impl Fn(Press) + Send + Sync + 'static) -> Result<(), HotkeyError> {
    let keys = HotKey::new(Some(Modifiers::CONTROL | Modifiers::ALT), Code::Space);
    let registrar = GlobalHotKeyManager::new().map_err(|error| HotkeyError::Refused(error.to_string()))?;
    registrar.register(keys).map_err(|error| match error {
        Error::AlreadyRegistered(_) => HotkeyError::Taken,
        other => HotkeyError::Refused(other.to_string()),
    })?;
    GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
        if event.state == HotKeyState::Pressed {
            pressed(Press {
                at: ActedAt::Now,
                focus: Focus::Unknown,
            });
        }
    }));
    // The keys are ours for as long as this lives, which is as long as the program.
    std::mem::forget(registrar);
    Ok(())
}
