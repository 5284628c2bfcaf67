//! The keys that work from anywhere: summon, ask about the screen, pause. The configuration names the keys.
//!
//! Where the platform gives programs no keys, or another program has them, this file says so, names the remedy,
//! and tries again. The callers decide on the keys' effects.

use crate::desktop::Desktop;
use crate::panel::ActedAt;
use crate::settings::Settings;
use crate::words::{self, Language};
use std::sync::Arc;
use std::time::Duration;
use tauri::{AppHandle, Manager};
use tokio::sync::watch;

mod early;
mod keys;
#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(target_os = "linux")]
mod portal;
#[cfg(target_os = "linux")]
mod x11;

pub use early::{Early, Presses};
pub use keys::{Keys, KeysError};
#[cfg(not(target_os = "linux"))]
use other::Keyboard;

/// Time between two attempts to get keys that another program has: nobody reports when they become free.
const RETRY_EVERY: Duration = Duration::from_secs(3);

/// The action of a key combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Summon,
    AskScreen,
    Pause,
}

impl Action {
    pub const ALL: [Self; 3] = [Self::Summon, Self::AskScreen, Self::Pause];

    /// The action's name in the configuration.
    #[must_use]
    pub fn setting(self) -> &'static str {
        match self {
            Self::Summon => "hotkey",
            Self::AskScreen => "hotkey_screen",
            Self::Pause => "hotkey_pause",
        }
    }

    /// The command of the same action, to be bound in the system settings.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::Summon => "shidi toggle",
            Self::AskScreen => "shidi ask-screen",
            Self::Pause => "shidi sense --pause",
        }
    }
}

/// One press of the keys.
#[derive(Debug, Clone)]
pub struct Press {
    pub action: Action,
    pub at: ActedAt,
    pub focus: Focus,
}

/// The window with the focus when the keys were pressed.
#[derive(Debug, Clone)]
pub enum Focus {
    /// The display's window with the focus, and its ancestors.
    In(Vec<u32>),
    Unknown,
}

/// Keys that are wanted for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub action: Action,
    pub keys: Keys,
}

/// The result of taking an action's keys: their names, and why they are not ours.
#[derive(Debug)]
pub struct Outcome {
    pub action: Action,
    pub keys: String,
    pub taken: Result<(), HotkeyError>,
}

/// Why the keys are not ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HotkeyError {
    #[error("Another program has the keys")]
    Taken,
    #[error("The desktop gives no program any keys")]
    Impossible,
    #[error("{0}")]
    Unreadable(#[from] KeysError),
    #[error("The same keys are for two things")]
    Twice,
    #[error("{0}")]
    Refused(String),
}

impl HotkeyError {
    /// The error and its remedy, in the user's language.
    #[must_use]
    pub fn in_words(&self, action: Action, keys: &str, language: Language) -> String {
        match self {
            Self::Taken => words::hotkey_taken(keys, language),
            Self::Impossible => words::hotkey_impossible(keys, action.command(), language),
            Self::Unreadable(error) => {
                words::hotkey_unreadable(keys, action.setting(), &error.in_words(language), language)
            }
            Self::Twice => words::hotkey_twice(keys, action.setting(), language),
            Self::Refused(reason) => words::hotkey_failed(keys, action.command(), reason, language),
        }
    }
}

/// Called for each press, on any thread.
pub type Pressed = Arc<dyn Fn(Press) + Send + Sync>;

/// Takes the keys anew with each configuration, and waits for keys that another program has. Ends with the program.
pub async fn keep(app: AppHandle, mut settings: watch::Receiver<Settings>, early: Early) {
    let (mut keyboard, mut known) = early.keyboard(&app).await;
    loop {
        let wanted = settings.borrow_and_update().clone();
        let outcomes = match known.take() {
            Some(taken) if taken.settings == wanted => taken.outcomes,
            Some(_) | None => keyboard.take_all(&wanted).await,
        };
        let waits = outcomes
            .iter()
            .any(|outcome| outcome.taken == Err(HotkeyError::Taken));
        app.state::<Desktop>().note_hotkeys(&app, &outcomes);
        if waits {
            tokio::select! {
                changed = settings.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(RETRY_EVERY) => {}
            }
        } else if settings.changed().await.is_err() {
            return;
        }
    }
}

/// The keys taken for some settings, with the results.
struct Taken {
    settings: Settings,
    outcomes: Vec<Outcome>,
}

impl Keyboard {
    /// Takes the configured keys; keys that are ours already stay.
    async fn take_all(&mut self, settings: &Settings) -> Vec<Outcome> {
        let (wanted, mut outcomes) = wanted(settings);
        outcomes.extend(self.take(&wanted).await);
        outcomes
    }
}

/// The keys that can be taken, and the faults of the others.
fn wanted(settings: &Settings) -> (Vec<Wanted>, Vec<Outcome>) {
    let (mut wanted, mut wrong): (Vec<Wanted>, Vec<Outcome>) = (Vec::new(), Vec::new());
    for (action, text) in Action::ALL.into_iter().zip(&settings.hotkeys) {
        let read = text.parse::<Keys>().map_err(HotkeyError::from);
        let read = read.and_then(|keys| match wanted.iter().any(|known| known.keys == keys) {
            true => Err(HotkeyError::Twice),
            false => Ok(keys),
        });
        match read {
            Ok(keys) => wanted.push(Wanted { action, keys }),
            Err(error) => wrong.push(Outcome {
                action,
                keys: text.clone(),
                taken: Err(error),
            }),
        }
    }
    (wanted, wrong)
}

/// The source of keys on this desktop.
#[cfg(target_os = "linux")]
enum Keyboard {
    Display(x11::Grabs),
    Portal(Box<portal::Shortcuts>),
    Nobody(HotkeyError),
}

#[cfg(target_os = "linux")]
impl Keyboard {
    /// Under X11 the display gives keys; under Wayland only the portal may.
    async fn open(pressed: Pressed) -> Self {
        if !is_wayland() {
            return x11::Grabs::open(pressed).map_or_else(Self::Nobody, Self::Display);
        }
        match portal::Shortcuts::open(pressed).await {
            Ok(shortcuts) => Self::Portal(Box::new(shortcuts)),
            Err(error) => {
                tracing::debug!(%error, "There is no portal for keys");
                Self::Nobody(HotkeyError::Impossible)
            }
        }
    }

    async fn take(&mut self, wanted: &[Wanted]) -> Vec<Outcome> {
        match self {
            Self::Display(grabs) => grabs.take(wanted),
            Self::Portal(shortcuts) => shortcuts.take(wanted).await,
            Self::Nobody(error) => refused_all(wanted, error),
        }
    }
}

/// Whether the compositor owns the keys: under Wayland a grab by XWayland works only while an XWayland window
/// has the focus.
#[cfg(target_os = "linux")]
fn is_wayland() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let kind = std::env::var("XDG_SESSION_TYPE").unwrap_or_default();
    kind == "wayland" || (set("WAYLAND_DISPLAY") && kind != "x11")
}

/// The same outcome for all keys.
fn refused_all(wanted: &[Wanted], error: &HotkeyError) -> Vec<Outcome> {
    let outcome = |wanted: &Wanted| Outcome {
        action: wanted.action,
        keys: wanted.keys.to_string(),
        taken: Err(error.clone()),
    };
    wanted.iter().map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_cannot_be_read_or_are_there_twice_do_not_stop_the_others() {
        let settings = Settings {
            hotkeys: ["Ctrl+Alt+Space", "alt+ctrl+space", "Ctrl+Hyper"].map(str::to_owned),
            ..Settings::default()
        };
        let (wanted, wrong) = wanted(&settings);
        assert_eq!(wanted.len(), 1);
        assert_eq!(wanted[0].action, Action::Summon);
        assert_eq!(wrong[0].taken, Err(HotkeyError::Twice));
        assert!(matches!(wrong[1].taken, Err(HotkeyError::Unreadable(_))));
    }
}
