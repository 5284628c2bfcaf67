//! The keys that work from anywhere, as data: their actions, their names, and what became of taking them.
//!
//! Pure: no display is asked.

mod combination;

pub use combination::{Key, Keys, KeysError, Named};

use crate::summon::ActedAt;
use shidi_runtime::setting::desktop;
use std::sync::Arc;

/// The action of a key combination.
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

/// The keys of each action, as the user wrote them.
pub type Configured = [String; Action::ALL.len()];

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

/// Called for each press, on any thread.
pub type Pressed = Arc<dyn Fn(Press) + Send + Sync>;

/// The keys taken for a configuration, with the results.
pub struct Taken {
    pub hotkeys: Configured,
    pub outcomes: Vec<Outcome>,
}

/// The keys that can be taken, and the faults of the others.
#[must_use]
pub fn wanted(hotkeys: &Configured) -> (Vec<Wanted>, Vec<Outcome>) {
    let (mut wanted, mut wrong): (Vec<Wanted>, Vec<Outcome>) = (Vec::new(), Vec::new());
    for (action, text) in Action::ALL.into_iter().zip(hotkeys) {
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

/// The same outcome for all keys.
#[must_use]
pub fn refused_all(wanted: &[Wanted], error: &HotkeyError) -> Vec<Outcome> {
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
        let hotkeys = [
            "Ctrl+Alt+Space",
            "alt+ctrl+space",
            "Ctrl+Hyper",
            "Ctrl+Alt+2",
            "Ctrl+Alt+E",
        ]
        .map(str::to_owned);
        let (wanted, wrong) = wanted(&hotkeys);
        let actions: Vec<Action> = wanted.iter().map(|wanted| wanted.action).collect();
        assert_eq!(actions, [Action::Summon, Action::Assistants, Action::Selection]);
        assert_eq!(wrong[0].taken, Err(HotkeyError::Twice));
        assert!(matches!(wrong[1].taken, Err(HotkeyError::Unreadable(_))));
    }
}
