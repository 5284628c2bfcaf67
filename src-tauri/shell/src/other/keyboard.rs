//! Takes the keys on macOS and Windows (compiled there, not tried yet).

use crate::keys::{
    Configured, Focus, HotkeyError, HotkeyTexts, Key, Keys, Named, Outcome, Press, Pressed, Taken, Wanted,
    refused_all, wanted,
};
use crate::other::window;
use crate::summon::ActedAt;
use global_hotkey::hotkey::{Code, HotKey, Modifiers};
use global_hotkey::{Error, GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use parking_lot::Mutex;
use std::cell::RefCell;
use std::str::FromStr;
use std::sync::Arc;
use tauri::AppHandle;
use tokio::sync::oneshot;

thread_local! {
    /// The registrar; keys are ours while it lives, and the platforms require it on the main thread.
    static REGISTRAR: RefCell<Option<GlobalHotKeyManager>> = const { RefCell::new(None) };
}

type Held = Arc<Mutex<Vec<(Wanted, HotKey)>>>;

/// Keys that are taken once the windows are there: they belong to the main thread and its loop.
pub struct Early(Pressed);

impl Early {
    #[must_use]
    pub fn begin(_own: Configured, pressed: Pressed) -> Self {
        Self(pressed)
    }

    pub fn settle(&mut self) {}

    /// The keyboard, which has taken no keys so far.
    pub async fn keyboard(self, app: &AppHandle) -> (Keyboard, Option<Taken>) {
        (Keyboard::open(app, self.0).await, None)
    }
}

/// The keys that are ours.
pub struct Keyboard {
    app: AppHandle,
    held: Held,
}

impl Keyboard {
    /// Calls `pressed` for each press of keys that are taken later on.
    pub async fn open(app: &AppHandle, pressed: Pressed) -> Self {
        let held: Held = Arc::default();
        let known = held.clone();
        GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
            let held = known.lock();
            let known = held.iter().find(|(_, keys)| keys.id() == event.id);
            if let (HotKeyState::Pressed, Some((wanted, _))) = (event.state, known) {
                pressed(Press {
                    purpose: wanted.purpose.clone(),
                    at: ActedAt::Now,
                    focus: Focus::Unknown,
                });
            }
        }));
        Self {
            app: app.clone(),
            held,
        }
    }

    /// Takes the wanted keys; keys that are ours already stay.
    pub async fn take_all(&mut self, written: &HotkeyTexts) -> Vec<Outcome> {
        let (wanted, mut outcomes) = wanted(written);
        outcomes.extend(self.take(&wanted).await);
        outcomes
    }

    /// Releases keys that are no longer wanted, and takes wanted keys that are not ours yet.
    async fn take(&mut self, wanted: &[Wanted]) -> Vec<Outcome> {
        let (answer, taken) = oneshot::channel();
        let (held, asked) = (self.held.clone(), wanted.to_vec());
        window::on_main(&self.app, move |_| {
            let outcomes = REGISTRAR.with(|registrar| {
                let mut registrar = registrar.borrow_mut();
                if registrar.is_none() {
                    *registrar = GlobalHotKeyManager::new().ok();
                }
                let mut held = held.lock();
                match registrar.as_ref() {
                    Some(registrar) => take(registrar, &mut held, &asked),
                    None => refused_all(&asked, &HotkeyError::Impossible),
                }
            });
            if answer.send(outcomes).is_err() {
                tracing::debug!("Nobody waits for the keys any more");
            }
        });
        taken.await.unwrap_or_default()
    }
}

fn take(
    registrar: &GlobalHotKeyManager,
    held: &mut Vec<(Wanted, HotKey)>,
    wanted: &[Wanted],
) -> Vec<Outcome> {
    held.retain(|(known, keys)| {
        let stays = wanted.contains(known);
        if !stays && let Err(error) = registrar.unregister(*keys) {
            tracing::warn!(%error, "Keys could not be given back");
        }
        stays
    });
    let mut outcomes = Vec::new();
    for wanted in wanted {
        let taken = if held.iter().any(|(known, _)| known == wanted) {
            Ok(())
        } else {
            register(registrar, wanted).map(|keys| held.push((wanted.clone(), keys)))
        };
        outcomes.push(Outcome {
            purpose: wanted.purpose.clone(),
            keys: wanted.keys.to_string(),
            taken,
        });
    }
    outcomes
}

fn register(registrar: &GlobalHotKeyManager, wanted: &Wanted) -> Result<HotKey, HotkeyError> {
    let keys = HotKey::new(Some(modifiers(&wanted.keys)), code(wanted.keys.key)?);
    registrar.register(keys).map_err(|error| match error {
        Error::AlreadyRegistered(_) => HotkeyError::Taken,
        other => HotkeyError::Refused(other.to_string()),
    })?;
    Ok(keys)
}

fn modifiers(keys: &Keys) -> Modifiers {
    let mut modifiers = Modifiers::empty();
    modifiers.set(Modifiers::CONTROL, keys.control);
    modifiers.set(Modifiers::ALT, keys.alt);
    modifiers.set(Modifiers::SHIFT, keys.shift);
    modifiers.set(Modifiers::SUPER, keys.logo);
    modifiers
}

/// The key under its web name, which the library reads.
fn code(key: Key) -> Result<Code, HotkeyError> {
    let name = match key {
        Key::Sign(sign) if sign.is_ascii_digit() => format!("Digit{sign}"),
        Key::Sign(sign) if sign.is_ascii_lowercase() => format!("Key{}", sign.to_ascii_uppercase()),
        Key::Sign(sign) => match sign {
            '-' => "Minus",
            '=' => "Equal",
            '[' => "BracketLeft",
            ']' => "BracketRight",
            '\\' => "Backslash",
            ';' => "Semicolon",
            '\'' => "Quote",
            ',' => "Comma",
            '.' => "Period",
            '/' => "Slash",
            _ => "Backquote",
        }
        .to_owned(),
        Key::Function(number) => format!("F{number}"),
        Key::Named(named) => match named {
            Named::Space => "Space",
            Named::Enter => "Enter",
            Named::Tab => "Tab",
            Named::Escape => "Escape",
            Named::Backspace => "Backspace",
            Named::Insert => "Insert",
            Named::Delete => "Delete",
            Named::Home => "Home",
            Named::End => "End",
            Named::PageUp => "PageUp",
            Named::PageDown => "PageDown",
            Named::Left => "ArrowLeft",
            Named::Right => "ArrowRight",
            Named::Up => "ArrowUp",
            Named::Down => "ArrowDown",
            Named::Print => "PrintScreen",
            Named::Pause => "Pause",
        }
        .to_owned(),
    };
    Code::from_str(&name).map_err(|_| HotkeyError::Refused(format!("there is no key {name}")))
}
