//! Takes the keys that work from anywhere: summon, ask about the screen, pause, choose an assistant. The configuration
//! names the keys, and an assistant's file names those of its own.
//!
//! Where the platform gives programs no keys, or another program has them, this file says so. The file names the
//! remedy, and tries again. The callers decide on the keys' effects.

mod presses;

pub use presses::Presses;

use crate::connection::RuntimeConnection;
use crate::keys::{AssistantKeys, HotkeyError, HotkeyTexts, Outcome};
use crate::settings::LiveSettings;
use crate::system::keyboard::Early;
use crate::words;
use parking_lot::Mutex;
use serde::Serialize;
use shidi_locales::Language;
use shidi_protocol::{ListedAssistant, reply, request};
use std::time::Duration;
use tauri::{AppHandle, Manager};
use tokio::sync::{oneshot, watch};

/// Time between two attempts to get keys that another program has: nobody reports when they become free.
const RETRY_EVERY: Duration = Duration::from_secs(3);

/// The keys of one action, or of one assistant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HotkeyState {
    /// The action's name in the configuration, or `assistant/NAME`.
    pub action: String,
    pub keys: String,
    /// Why the keys are not ours, with the remedy.
    pub notice: Option<String>,
}

/// The keys that are ours now, and a practice that waits for a press.
#[derive(Debug, Default)]
pub struct Hotkeys {
    states: Mutex<Vec<HotkeyState>>,
    /// The keys that assistants have of their own now.
    assistants: watch::Sender<Vec<AssistantKeys>>,
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
            action: outcome.purpose.id(),
            keys: outcome.keys.clone(),
            notice: outcome
                .taken
                .as_ref()
                .err()
                .map(|error| words::hotkey_error(error, &outcome.purpose, &outcome.keys, language)),
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

/// The keys of assistants that can be asked now and whose keys nobody has before them.
#[must_use]
fn keys_of(assistants: &[ListedAssistant]) -> Vec<AssistantKeys> {
    let usable = assistants.iter().filter(|assistant| assistant.problem.is_none());
    let keys = usable.filter_map(|assistant| {
        let hotkey = assistant.hotkey.as_ref()?;
        hotkey.problem.is_none().then(|| AssistantKeys {
            assistant: assistant.name.as_str().into(),
            keys: hotkey.keys.clone(),
        })
    });
    keys.collect()
}

/// Reads which keys assistants have now; [`keep`] takes them.
pub async fn read_assistants(app: &AppHandle) {
    let connection = app.state::<RuntimeConnection>();
    let Some(reply::Assistants { assistants }) = connection.ask(request::assistants::List).await else {
        return;
    };
    let keys = keys_of(&assistants);
    app.state::<Hotkeys>()
        .assistants
        .send_if_modified(|known| std::mem::replace(known, keys.clone()) != keys);
}

/// Takes the keys anew with each configuration and with assistants' keys, and waits for keys that another program has.
/// Calls `changed` when other keys are ours than before. Ends with the program.
pub async fn keep(app: AppHandle, early: Early, changed: impl Fn(&AppHandle) + Send) {
    let (live, hotkeys) = (app.state::<LiveSettings>(), app.state::<Hotkeys>());
    let (mut settings, mut assistants) = (live.subscribe(), hotkeys.assistants.subscribe());
    let (mut keyboard, mut known) = early.keyboard(&app).await;
    loop {
        let written = HotkeyTexts {
            own: settings.borrow_and_update().hotkeys.clone(),
            assistants: assistants.borrow_and_update().clone(),
        };
        let outcomes = match known.take() {
            Some(taken) if taken.written == written => taken.outcomes,
            Some(_) | None => keyboard.take_all(&written).await,
        };
        let waits = outcomes
            .iter()
            .any(|outcome| outcome.taken == Err(HotkeyError::Taken));
        if hotkeys.note(&outcomes, live.language()) {
            changed(&app);
        }
        tokio::select! {
            changed = settings.changed() => if changed.is_err() { return },
            changed = assistants.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(RETRY_EVERY), if waits => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{AssistantHotkey, AssistantSource, AssistantTrust};

    /// An assistant with keys; why it can't be asked, and why the keys are not its own.
    fn listed(name: &str, keys: Option<&str>, problems: [Option<&str>; 2]) -> ListedAssistant {
        let [problem, of_keys] = problems.map(|problem| problem.map(str::to_owned));
        ListedAssistant {
            name: name.to_owned(),
            title: String::new(),
            picture: String::new(),
            description: String::new(),
            opening: String::new(),
            suggestions: Vec::new(),
            source: AssistantSource::User,
            trust: AssistantTrust::Reviewed,
            path: None,
            from: None,
            problem,
            notes: Vec::new(),
            hotkey: keys.map(|keys| AssistantHotkey {
                keys: keys.to_owned(),
                problem: of_keys,
            }),
        }
    }

    #[test]
    fn keys_are_taken_of_those_that_can_be_asked_and_have_them_before_others() {
        let taken = |assistants: &[ListedAssistant]| -> Vec<String> {
            let keys = keys_of(assistants).into_iter();
            keys.map(|known| format!("{} {}", known.assistant, known.keys))
                .collect()
        };
        let cook = listed("cook", Some("Ctrl+Alt+T"), [None, None]);
        let others = [
            listed("plain", None, [None, None]),
            listed("new", Some("Ctrl+Alt+N"), [Some("nobody has reviewed it"), None]),
            listed("late", Some("Ctrl+Alt+T"), [None, Some("@cook has it")]),
        ];
        let mut all = vec![cook];
        all.extend(others);
        assert_eq!(taken(&all), ["cook Ctrl+Alt+T"]);
        // The first one gives its keys back, and the next list says so.
        all.remove(0);
        assert!(taken(&all).is_empty());
        all[2].hotkey = Some(AssistantHotkey {
            keys: "Ctrl+Alt+T".to_owned(),
            problem: None,
        });
        assert_eq!(taken(&all), ["late Ctrl+Alt+T"]);
    }
}
