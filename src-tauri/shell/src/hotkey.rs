//! Takes the keys that work from anywhere: summon, ask about the screen, pause. The configuration names the keys.
//!
//! Where the platform gives programs no keys, or another program has them, this file says so. The file names the
//! remedy, and tries again. The callers decide on the keys' effects.

mod presses;

pub use presses::Presses;

use crate::keys::{HotkeyError, Outcome};
use crate::settings::LiveSettings;
use crate::system::keyboard::Early;
use crate::words;
use parking_lot::Mutex;
use serde::Serialize;
use shidi_locales::Language;
use std::time::Duration;
use tauri::{AppHandle, Manager};
use tokio::sync::oneshot;

/// Time between two attempts to get keys that another program has: nobody reports when they become free.
const RETRY_EVERY: Duration = Duration::from_secs(3);

/// The keys of one action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HotkeyState {
    /// The action's name in the configuration.
    pub action: &'static str,
    pub keys: String,
    /// Why the keys are not ours, with the remedy.
    pub notice: Option<String>,
}

/// The keys that are ours now, and a practice that waits for a press.
#[derive(Debug, Default)]
pub struct Hotkeys {
    states: Mutex<Vec<HotkeyState>>,
    /// The receiver of the next press of the keys that summon, in place of the panel.
    practising: Mutex<Option<oneshot::Sender<()>>>,
}

impl Hotkeys {
    #[must_use]
    pub fn states(&self) -> Vec<HotkeyState> {
        self.states.lock().clone()
    }

    /// Sends the next press of the keys that summon to the returned receiver.
    pub fn practise(&self) -> oneshot::Receiver<()> {
        let (pressed, waits) = oneshot::channel();
        *self.practising.lock() = Some(pressed);
        waits
    }

    /// Whether a press of the keys went to a practice.
    #[must_use]
    pub fn was_practice(&self) -> bool {
        let practising = self.practising.lock().take();
        practising.is_some_and(|pressed| pressed.send(()).is_ok())
    }

    /// Notes which keys are ours, and prints new faults. Returns whether anything has changed.
    #[must_use]
    fn note(&self, outcomes: &[Outcome], language: Language) -> bool {
        let state = |outcome: &Outcome| HotkeyState {
            action: outcome.action.setting(),
            keys: outcome.keys.clone(),
            notice: outcome
                .taken
                .as_ref()
                .err()
                .map(|error| words::hotkey_error(error, outcome.action, &outcome.keys, language)),
        };
        let states: Vec<HotkeyState> = outcomes.iter().map(state).collect();
        let before = std::mem::replace(&mut *self.states.lock(), states.clone());
        for state in states.iter().filter(|state| !before.contains(state)) {
            if let Some(notice) = &state.notice {
                eprintln!("{notice}");
            }
        }
        before != states
    }
}

/// Takes the keys anew with each configuration, and waits for keys that another program has. Calls `changed` when
/// other keys are ours than before. Ends with the program.
pub async fn keep(app: AppHandle, early: Early, changed: impl Fn(&AppHandle) + Send) {
    let live = app.state::<LiveSettings>();
    let mut settings = live.subscribe();
    let (mut keyboard, mut known) = early.keyboard(&app).await;
    loop {
        let hotkeys = settings.borrow_and_update().hotkeys.clone();
        let outcomes = match known.take() {
            Some(taken) if taken.hotkeys == hotkeys => taken.outcomes,
            Some(_) | None => keyboard.take_all(&hotkeys).await,
        };
        let waits = outcomes
            .iter()
            .any(|outcome| outcome.taken == Err(HotkeyError::Taken));
        if app.state::<Hotkeys>().note(&outcomes, live.language()) {
            changed(&app);
        }
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
