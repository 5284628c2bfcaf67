//! Takes keys from the X server and waits for them. There is no polling, and about 0.4 ms from the press to the
//! callback.
//!
//! One thread waits for presses; other threads change the grabs on the same connection whenever the
//! configuration changes.

use crate::keys::{Focus, HotkeyError, Key, Keys, Named, Outcome, Press, Pressed, Purpose, Wanted};
use crate::summon::ActedAt;
use parking_lot::{Mutex, MutexGuard};
use std::fmt::Display;
use std::sync::Arc;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, GrabMode, KeyPressEvent, ModMask, Window};
use x11rb::protocol::{ErrorKind, Event};
use x11rb::rust_connection::RustConnection;

const NUM_LOCK: u32 = 0xff7f;
const F1: u32 = 0xffbe;
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
/// Most ancestors of the focused window that are read; window managers and toolkits nest two or three.
const ANCESTORS_MAX: usize = 8;
/// Milliseconds after a release within which a press counts as the keyboard's repetition of a held key.
const REPEAT_MS: u32 = 5;

/// The keys that are ours.
pub struct Grabs {
    wire: Arc<Wire>,
}

struct Wire {
    connection: RustConnection,
    root: Window,
    held: Mutex<Vec<Held>>,
}

/// A grabbed key: its code and modifiers, once for each combination of locks.
#[derive(PartialEq)]
struct Held {
    wanted: Wanted,
    keycode: u8,
    modifiers: ModMask,
    locks: [ModMask; 4],
}

impl Grabs {
    /// Connects, and calls `pressed` on a thread of its own for each press of keys taken later. The calls end
    /// when the display goes.
    ///
    /// # Errors
    /// No display.
    pub fn open(pressed: Pressed) -> Result<Self, HotkeyError> {
        let (connection, screen) = x11rb::connect(None).map_err(refused)?;
        let screen = connection.setup().roots.get(screen);
        let root = screen.ok_or(HotkeyError::Impossible)?.root;
        let wire = Arc::new(Wire {
            connection,
            root,
            held: Mutex::default(),
        });
        let waiting = wire.clone();
        std::thread::Builder::new()
            .name("hotkey".to_owned())
            .spawn(move || waiting.wait(&pressed))
            .map_err(refused)?;
        Ok(Self { wire })
    }

    /// Releases keys that are no longer wanted, and takes wanted keys that are not ours yet.
    pub fn take(&self, wanted: &[Wanted]) -> Vec<Outcome> {
        let mut held = self.wire.held();
        held.retain(|known| wanted.contains(&known.wanted) || self.wire.release(known));
        let outcome = |wanted: &Wanted| Outcome {
            purpose: wanted.purpose.clone(),
            keys: wanted.keys.to_string(),
            taken: if held.iter().any(|known| known.wanted == *wanted) {
                Ok(())
            } else {
                self.wire.grab(wanted).map(|grabbed| held.push(grabbed))
            },
        };
        wanted.iter().map(outcome).collect()
    }
}

impl Wire {
    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock()
    }

    /// The combinations of NumLock and CapsLock: for the server each makes other keys, and they must not matter.
    fn locks(&self) -> Result<[ModMask; 4], HotkeyError> {
        let num_lock = num_lock_modifier(&self.connection)?;
        Ok([
            ModMask::from(0u16),
            ModMask::LOCK,
            num_lock,
            num_lock | ModMask::LOCK,
        ])
    }

    fn grab(&self, wanted: &Wanted) -> Result<Held, HotkeyError> {
        let held = self.find(wanted)?;
        for locks in held.locks {
            let (keys, how) = (held.modifiers | locks, GrabMode::ASYNC);
            let asked = self
                .connection
                .grab_key(false, self.root, keys, held.keycode, how, how)
                .map_err(refused)?;
            match asked.check() {
                Ok(()) => {}
                Err(ReplyError::X11Error(error)) if error.error_kind == ErrorKind::Access => {
                    self.release(&held);
                    return Err(HotkeyError::Taken);
                }
                Err(error) => return Err(refused(error)),
            }
        }
        Ok(held)
    }

    /// The wanted keys' codes on the present keyboard layout.
    fn find(&self, wanted: &Wanted) -> Result<Held, HotkeyError> {
        let keycode = keycode(&self.connection, keysym(wanted.keys.key))?;
        let keycode =
            keycode.ok_or_else(|| HotkeyError::Refused("the keyboard has no such key".to_owned()))?;
        Ok(Held {
            wanted: wanted.clone(),
            keycode,
            modifiers: modifiers(&wanted.keys),
            locks: self.locks()?,
        })
    }

    /// Releases keys; returns false, the new state of being held.
    fn release(&self, held: &Held) -> bool {
        for locks in held.locks {
            let released = self
                .connection
                .ungrab_key(held.keycode, self.root, held.modifiers | locks);
            if let Err(error) = released.and_then(|_| self.connection.flush()) {
                tracing::warn!(%error, "Keys could not be given back");
            }
        }
        false
    }

    /// Follows a change of the keyboard's layout, which may move the keys. The first press on another keyboard
    /// also counts as such a change. So a key that has not moved is never released.
    fn follow_layout(&self) {
        let mut held = self.held();
        let (stay, moved): (Vec<Held>, Vec<Held>) = std::mem::take(&mut *held)
            .into_iter()
            .partition(|known| self.find(&known.wanted).as_ref() == Ok(known));
        *held = stay;
        for known in &moved {
            self.release(known);
        }
        for known in moved {
            match self.grab(&known.wanted) {
                Ok(again) => held.push(again),
                Err(error) => {
                    tracing::warn!(%error, keys = %known.wanted.keys, "Keys were lost with the layout")
                }
            }
        }
    }

    /// Blocks until the next press, without bound: the thread has no other work and ends with the display.
    fn wait(&self, pressed: &Pressed) {
        let mut released_at: Option<u32> = None;
        loop {
            match self.connection.wait_for_event() {
                Ok(Event::KeyPress(press)) => {
                    let repeats = released_at.is_some_and(|at| press.time.wrapping_sub(at) < REPEAT_MS);
                    let (purpose, focus) = (self.purpose(&press), focus(&self.connection));
                    tracing::debug!(press.time, repeats, ?purpose, ?focus, "The keys were pressed");
                    if let Some(purpose) = purpose
                        && !repeats
                    {
                        pressed(Press {
                            purpose,
                            at: ActedAt::Display(press.time),
                            focus,
                        });
                    }
                }
                Ok(Event::KeyRelease(release)) => released_at = Some(release.time),
                Ok(Event::MappingNotify(_)) => self.follow_layout(),
                Ok(_) => {}
                Err(error) => return tracing::warn!(%error, "The keys are gone with the display"),
            }
        }
    }

    fn purpose(&self, press: &KeyPressEvent) -> Option<Purpose> {
        let meant = ModMask::SHIFT | ModMask::CONTROL | ModMask::M1 | ModMask::M4;
        let modifiers = u16::from(press.state) & u16::from(meant);
        let held = self.held();
        let pressed = held
            .iter()
            .find(|held| held.keycode == press.detail && u16::from(held.modifiers) == modifiers);
        pressed.map(|held| held.wanted.purpose.clone())
    }
}

fn modifiers(keys: &Keys) -> ModMask {
    let mut mask = ModMask::from(0u16);
    for (is_held, modifier) in [
        (keys.control, ModMask::CONTROL),
        (keys.alt, ModMask::M1),
        (keys.shift, ModMask::SHIFT),
        (keys.logo, ModMask::M4),
    ] {
        if is_held {
            mask |= modifier;
        }
    }
    mask
}

/// The X11 keysym of a key.
fn keysym(key: Key) -> u32 {
    match key {
        Key::Sign(sign) => u32::from(sign),
        Key::Function(number) => F1 + u32::from(number) - 1,
        Key::Named(named) => match named {
            Named::Space => 0x0020,
            Named::Enter => 0xff0d,
            Named::Tab => 0xff09,
            Named::Escape => 0xff1b,
            Named::Backspace => 0xff08,
            Named::Insert => 0xff63,
            Named::Delete => 0xffff,
            Named::Home => 0xff50,
            Named::End => 0xff57,
            Named::PageUp => 0xff55,
            Named::PageDown => 0xff56,
            Named::Left => 0xff51,
            Named::Up => 0xff52,
            Named::Right => 0xff53,
            Named::Down => 0xff54,
            Named::Print => 0xff61,
            Named::Pause => 0xff13,
        },
    }
}

/// The window that gets ungrabbed keys, with its ancestors.
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
