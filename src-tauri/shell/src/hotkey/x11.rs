//! Takes the keys from the X server and waits for them: no polling, about 0.4 ms from the press to the callback.
//!
//! A grab under XWayland works only while an XWayland window has the focus, so a Wayland session is refused.

use super::{Focus, HotkeyError, Press};
use crate::panel::ActedAt;
use std::fmt::Display;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, GrabMode, ModMask, Window};
use x11rb::protocol::{ErrorKind, Event};
use x11rb::rust_connection::RustConnection;

const SPACE: u32 = 0x0020;
const NUM_LOCK: u32 = 0xff7f;
/// Keys have modifiers 1 to 8 in the map of modifiers; the fifth is called `Mod2` and mostly is NumLock.
const MODIFIERS: [ModMask; 8] = [
    ModMask::SHIFT,
    ModMask::LOCK,
    ModMask::CONTROL,
    ModMask::M1,
    ModMask::M2,
    ModMask::M3,
    ModMask::M4,
    ModMask::M5,
];
/// Windows above the one with the focus that are looked at; window managers and toolkits nest two or three.
const ANCESTORS_MAX: usize = 8;
/// A press that follows its release within this time is the keyboard repeating a key held down, in milliseconds.
const REPEAT_MS: u32 = 5;

/// Takes the keys and calls `pressed` for each press, on a thread of its own, until the display goes.
///
/// # Errors
/// The keys are not ours to take.
pub fn listen(pressed: impl Fn(Press) + Send + 'static) -> Result<(), HotkeyError> {
    if is_wayland() {
        return Err(HotkeyError::Impossible);
    }
    let (connection, screen) = x11rb::connect(None).map_err(refused)?;
    let root = connection
        .setup()
        .roots
        .get(screen)
        .ok_or(HotkeyError::Impossible)?
        .root;
    let space = keycode(&connection, SPACE)?
        .ok_or_else(|| HotkeyError::Refused("the keyboard has no space bar".to_owned()))?;
    grab(&connection, root, space)?;
    std::thread::Builder::new()
        .name("hotkey".to_owned())
        .spawn(move || wait(&connection, pressed))
        .map_err(refused)?;
    Ok(())
}

/// Whether the session is one where the compositor owns the keys.
fn is_wayland() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let kind = std::env::var("XDG_SESSION_TYPE").unwrap_or_default();
    kind == "wayland" || (set("WAYLAND_DISPLAY") && kind != "x11")
}

/// NumLock and CapsLock must not matter: with each combination of them the keys are other keys to the server.
fn grab(connection: &RustConnection, root: Window, space: u8) -> Result<(), HotkeyError> {
    let num_lock = num_lock_modifier(connection)?;
    let keys = ModMask::CONTROL | ModMask::M1;
    for locks in [
        ModMask::from(0u16),
        ModMask::LOCK,
        num_lock,
        num_lock | ModMask::LOCK,
    ] {
        let grabbed = connection
            .grab_key(false, root, keys | locks, space, GrabMode::ASYNC, GrabMode::ASYNC)
            .map_err(refused)?
            .check();
        match grabbed {
            Ok(()) => {}
            Err(ReplyError::X11Error(error)) if error.error_kind == ErrorKind::Access => {
                return Err(HotkeyError::Taken);
            }
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(())
}

/// Blocks until the next press, without bound: the thread has nothing else to do and ends with the display.
fn wait(connection: &RustConnection, pressed: impl Fn(Press)) {
    let mut released_at: Option<u32> = None;
    loop {
        match connection.wait_for_event() {
            Ok(Event::KeyPress(press)) => {
                let repeats = released_at.is_some_and(|at| press.time.wrapping_sub(at) < REPEAT_MS);
                let focus = focus(connection);
                tracing::debug!(press.time, repeats, ?focus, "The keys were pressed");
                if !repeats {
                    pressed(Press {
                        at: ActedAt::Display(press.time),
                        focus,
                    });
                }
            }
            Ok(Event::KeyRelease(release)) => {
                tracing::debug!(release.time, "The keys were released");
                released_at = Some(release.time);
            }
            Ok(_) => {}
            Err(error) => return tracing::warn!(%error, "The keys are gone with the display"),
        }
    }
}

/// The window that keys go to when nobody has grabbed them, with its ancestors.
fn focus(connection: &RustConnection) -> Focus {
    let asked = connection
        .get_input_focus()
        .ok()
        .and_then(|asked| asked.reply().ok());
    let Some(asked) = asked else { return Focus::Unknown };
    let mut windows = vec![asked.focus];
    while windows.len() < ANCESTORS_MAX {
        let inner = windows.last().copied().unwrap_or_default();
        let tree = connection
            .query_tree(inner)
            .ok()
            .and_then(|asked| asked.reply().ok());
        match tree {
            Some(tree) if tree.parent != tree.root && tree.parent != x11rb::NONE => windows.push(tree.parent),
            Some(_) | None => break,
        }
    }
    Focus::In(windows)
}

fn keycode(connection: &RustConnection, keysym: u32) -> Result<Option<u8>, HotkeyError> {
    let setup = connection.setup();
    let count = setup
        .max_keycode
        .saturating_sub(setup.min_keycode)
        .saturating_add(1);
    let mapping = connection
        .get_keyboard_mapping(setup.min_keycode, count)
        .map_err(refused)?
        .reply()
        .map_err(refused)?;
    let per_key = usize::from(mapping.keysyms_per_keycode).max(1);
    let found = mapping
        .keysyms
        .chunks(per_key)
        .position(|keysyms| keysyms.contains(&keysym));
    Ok(found
        .and_then(|index| u8::try_from(index).ok())
        .map(|index| setup.min_keycode + index))
}

fn num_lock_modifier(connection: &RustConnection) -> Result<ModMask, HotkeyError> {
    let Some(key) = keycode(connection, NUM_LOCK)? else {
        return Ok(ModMask::M2);
    };
    let map = connection
        .get_modifier_mapping()
        .map_err(refused)?
        .reply()
        .map_err(refused)?;
    let per_modifier = usize::from(map.keycodes_per_modifier()).max(1);
    let found = map
        .keycodes
        .chunks(per_modifier)
        .position(|keycodes| keycodes.contains(&key));
    Ok(found
        .and_then(|index| MODIFIERS.get(index).copied())
        .unwrap_or(ModMask::M2))
}

fn refused(error: impl Display) -> HotkeyError {
    HotkeyError::Refused(error.to_string())
}
