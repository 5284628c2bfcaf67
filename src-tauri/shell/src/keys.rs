//! The keys that work from anywhere, as data: their actions, their names, and what became of taking them.
//!
//! Pure: no display is asked.

pub use shidi_runtime::keys::{Key, Keys, KeysError, Named};

use crate::summon::ActedAt;
use shidi_runtime::setting::desktop;
use std::sync::Arc;

/// An action of Shidi's own. The settings name its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Summon,
    AskScreen,
    Pause,
    Assistants,
    Selection,
}

impl Action {
    pub const ALL: [Self; 5] = [
        Self::Summon,
        Self::AskScreen,
        Self::Pause,
        Self::Assistants,
        Self::Selection,
    ];

    /// The action's name in the configuration.
    #[must_use]
    pub fn setting(self) -> &'static str {
        match self {
            Self::Summon => desktop::hotkey,
            Self::AskScreen => desktop::hotkey_screen,
            Self::Pause => desktop::hotkey_pause,
            Self::Assistants => desktop::hotkey_assistants,
            Self::Selection => desktop::hotkey_selection,
        }
    }

    /// The command of the same action, to be bound in the system settings.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::Summon => "shidi toggle",
            Self::AskScreen => "shidi ask-screen",
            Self::Pause => "shidi sense --pause",
            Self::Assistants => "shidi-desktop shidi://assistant",
            Self::Selection => "shidi-desktop shidi://selection",
        }
    }
}

/// What pressed keys do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Purpose {
    Own(Action),
    /// Chooses the assistant of that name. Its file names the keys.
    Assistant(Arc<str>),
}

impl Purpose {
    /// The name by which pages and the portal know it: a setting, or `assistant/NAME`.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Own(action) => action.setting().to_owned(),
            Self::Assistant(name) => format!("assistant/{name}"),
        }
    }

    /// What the user changes to give it other keys: a setting, or an assistant.
    #[must_use]
    pub fn owner(&self) -> String {
        match self {
            Self::Own(action) => action.setting().to_owned(),
            Self::Assistant(name) => format!("@{name}"),
        }
    }

    /// The command that does the same, to be bound in the system settings.
    #[must_use]
    pub fn command(&self) -> String {
        match self {
            Self::Own(action) => action.command().to_owned(),
            Self::Assistant(name) => format!("shidi-desktop shidi://assistant/{name}"),
        }
    }
}

/// One press of the keys.
#[derive(Debug, Clone)]
pub struct Press {
    pub purpose: Purpose,
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

/// The keys of each action, as the user wrote them.
pub type Configured = [String; Action::ALL.len()];

/// The keys of an assistant's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssistantKeys {
    pub assistant: Arc<str>,
    pub keys: String,
}

/// All keys that are wanted, as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HotkeyTexts {
    pub own: Configured,
    pub assistants: Vec<AssistantKeys>,
}

/// Keys that are wanted for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub purpose: Purpose,
    pub keys: Keys,
}

/// The result of taking keys: their names, and why they are not ours.
#[derive(Debug)]
pub struct Outcome {
    pub purpose: Purpose,
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

/// Called for each press, on any thread.
pub type Pressed = Arc<dyn Fn(Press) + Send + Sync>;

/// The keys taken for a configuration, with the results.
pub struct Taken {
    pub written: HotkeyTexts,
    pub outcomes: Vec<Outcome>,
}

/// The keys that can be taken, and the faults of the others. Shidi's own actions come before assistants.
#[must_use]
pub fn wanted(written: &HotkeyTexts) -> (Vec<Wanted>, Vec<Outcome>) {
    let own = Action::ALL.into_iter().map(Purpose::Own).zip(&written.own);
    let assistants = written.assistants.iter();
    let assistants = assistants.map(|known| (Purpose::Assistant(Arc::clone(&known.assistant)), &known.keys));
    let (mut wanted, mut wrong): (Vec<Wanted>, Vec<Outcome>) = (Vec::new(), Vec::new());
    for (purpose, text) in own.chain(assistants) {
        let read = text.parse::<Keys>().map_err(HotkeyError::from);
        let read = read.and_then(|keys| match wanted.iter().any(|known| known.keys == keys) {
            true => Err(HotkeyError::Twice),
            false => Ok(keys),
        });
        match read {
            Ok(keys) => wanted.push(Wanted { purpose, keys }),
            Err(error) => wrong.push(Outcome {
                purpose,
                keys: text.clone(),
                taken: Err(error),
            }),
        }
    }
    (wanted, wrong)
}

/// The same outcome for all keys.
#[must_use]
pub fn refused_all(wanted: &[Wanted], error: &HotkeyError) -> Vec<Outcome> {
    let outcome = |wanted: &Wanted| Outcome {
        purpose: wanted.purpose.clone(),
        keys: wanted.keys.to_string(),
        taken: Err(error.clone()),
    };
    wanted.iter().map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: [&str; 5] = [
        "Ctrl+Alt+Space",
        "alt+ctrl+space",
        "Ctrl+Hyper",
        "Ctrl+Alt+2",
        "Ctrl+Alt+E",
    ];

    fn written(assistants: &[(&str, &str)]) -> HotkeyTexts {
        let keys = |(assistant, keys): &(&str, &str)| AssistantKeys {
            assistant: (*assistant).into(),
            keys: (*keys).to_owned(),
        };
        HotkeyTexts {
            own: OWN.map(str::to_owned),
            assistants: assistants.iter().map(keys).collect(),
        }
    }

    #[test]
    fn keys_that_cannot_be_read_or_are_there_twice_do_not_stop_the_others() {
        let (wanted, wrong) = wanted(&written(&[]));
        let purposes: Vec<Purpose> = wanted.into_iter().map(|wanted| wanted.purpose).collect();
        let all = [Action::Summon, Action::Assistants, Action::Selection].map(Purpose::Own);
        assert_eq!(purposes, all);
        assert_eq!(wrong[0].taken, Err(HotkeyError::Twice));
        assert!(matches!(wrong[1].taken, Err(HotkeyError::Unreadable(_))));
    }

    #[test]
    fn an_assistant_gets_no_keys_of_shidis_own_nor_of_one_before_it() {
        let assistants = [
            ("cook", "Ctrl+Alt+T"),
            ("greedy", "Ctrl+Alt+Space"),
            ("late", "alt+ctrl+t"),
            ("译者", "F9"),
        ];
        let (wanted, wrong) = wanted(&written(&assistants));
        let ids: Vec<String> = wanted.iter().map(|wanted| wanted.purpose.id()).collect();
        let own = ["hotkey", "hotkey_assistants", "hotkey_selection"];
        assert_eq!(ids[..3], own);
        assert_eq!(ids[3..], ["assistant/cook", "assistant/译者"]);
        let twice: Vec<String> = wrong
            .iter()
            .filter(|outcome| outcome.taken == Err(HotkeyError::Twice))
            .map(|outcome| outcome.purpose.owner())
            .collect();
        assert_eq!(twice, ["hotkey_screen", "@greedy", "@late"]);
    }
}
