//! Whose keys are whose: an assistant may have keys of its own, which choose it from anywhere. Shidi's own actions have
//! theirs before any assistant. Of two assistants the one that had the keys first keeps them.

use crate::Assistants;
use crate::catalogue::Found;
use shidi_locales::Language;
use shidi_protocol::{AssistantHotkey, AssistantSpec, AssistantTrust};
use shidi_space::config::settings::desktop;
use shidi_space::keys::Keys;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The assistant that has each combination of keys, by its name.
pub type Holders = BTreeMap<String, String>;

/// Who has keys before an assistant that wants them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// An action of Shidi's own, by the name of its setting.
    Action(&'static str),
    Assistant(String),
}

/// Who has which keys now.
#[derive(Debug, Default)]
pub struct Hotkeys {
    /// Settings with their keys.
    pub actions: Vec<(&'static str, String)>,
    pub assistants: Holders,
}

impl Hotkeys {
    /// Who has the keys before that assistant; `None` where they are its own, or nobody's.
    #[must_use]
    pub fn owner(&self, name: &str, keys: &str) -> Option<Owner> {
        let action = self.actions.iter().find(|(_, taken)| taken == keys);
        if let Some((setting, _)) = action {
            return Some(Owner::Action(setting));
        }
        let holder = self.assistants.get(keys).filter(|holder| *holder != name);
        holder.cloned().map(Owner::Assistant)
    }

    /// The keys of an assistant, for people; `None` of one that wants none.
    pub(crate) fn told(&self, spec: &AssistantSpec, language: Language) -> Option<AssistantHotkey> {
        if spec.hotkey.is_empty() {
            return None;
        }
        let words = language.assistants();
        let problem = self.owner(&spec.name, &spec.hotkey).map(|owner| match owner {
            Owner::Action(setting) => {
                let action = language.settings().text(setting).unwrap_or(setting);
                words.hotkey_of_action(action, &spec.hotkey)
            }
            Owner::Assistant(name) => words.hotkey_of_assistant(&spec.hotkey, name),
        });
        Some(AssistantHotkey {
            keys: spec.hotkey.clone(),
            problem,
        })
    }
}

/// Who has the keys: whoever had them before and wants them still, else the first that wants them.
#[must_use]
pub fn holders(before: &Holders, wanted: &[(&str, &str)]) -> Holders {
    let still = before
        .iter()
        .filter(|(keys, name)| wanted.contains(&(name.as_str(), keys.as_str())));
    let mut holders: Holders = still.map(|(keys, name)| (keys.clone(), name.clone())).collect();
    for (name, keys) in wanted {
        let holder = holders.entry((*keys).to_owned());
        holder.or_insert_with(|| (*name).to_owned());
    }
    holders
}

/// The name and keys of an assistant that can be asked and wants some.
fn wanted(found: &Found) -> Option<(&str, &str)> {
    let spec = &found.read.as_ref().ok()?.spec;
    let is_usable = found.trust == AssistantTrust::Reviewed && !found.is_hidden;
    (is_usable && !spec.hotkey.is_empty()).then_some((found.name.as_str(), spec.hotkey.as_str()))
}

impl Assistants {
    /// Who has which keys, with these assistants.
    pub(crate) fn hotkeys(&self, all: &[Found]) -> Hotkeys {
        let wanted: Vec<(&str, &str)> = all.iter().filter_map(wanted).collect();
        Hotkeys {
            actions: self.keys_of_actions(),
            assistants: holders(&self.kept_holders(), &wanted),
        }
    }

    /// Keeps who has which keys: whoever comes later must not get them by a restart.
    pub(crate) fn keep_hotkeys(&self) {
        let Ok(entries) = self.entries() else { return };
        let holders = self.hotkeys(&self.all(&entries)).assistants;
        if holders == self.kept_holders() {
            return;
        }
        let written = serde_json::to_vec_pretty(&holders)
            .map_err(std::io::Error::other)
            .and_then(|text| shidi_atomic_write::write(&self.holders_file(), &text));
        if let Err(cause) = written {
            tracing::warn!(%cause, "It could not be kept which assistant has which keys");
        }
    }

    fn kept_holders(&self) -> Holders {
        let text = std::fs::read(self.holders_file()).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn holders_file(&self) -> PathBuf {
        self.space.home.folder().join("assistant_keys.json")
    }

    /// What the settings name, as far as it can be read.
    fn keys_of_actions(&self) -> Vec<(&'static str, String)> {
        let config = self.space.config();
        let own = &config.desktop;
        let texts = [
            (desktop::hotkey, &own.hotkey),
            (desktop::hotkey_screen, &own.hotkey_screen),
            (desktop::hotkey_pause, &own.hotkey_pause),
            (desktop::hotkey_assistants, &own.hotkey_assistants),
            (desktop::hotkey_selection, &own.hotkey_selection),
        ];
        let read = texts
            .into_iter()
            .filter_map(|(setting, text)| Some((setting, text.0.parse::<Keys>().ok()?.to_string())));
        read.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(holders: &Holders) -> Vec<(&str, &str)> {
        let pairs = holders.iter();
        pairs.map(|(keys, name)| (keys.as_str(), name.as_str())).collect()
    }

    #[test]
    fn whoever_had_the_keys_keeps_them_until_they_are_given_back() {
        let first = holders(&Holders::new(), &[("cook", "Ctrl+Alt+T")]);
        assert_eq!(names(&first), [("Ctrl+Alt+T", "cook")]);
        // One that comes first in the list, and wants the same, gets nothing.
        let both = holders(&first, &[("baker", "Ctrl+Alt+T"), ("cook", "Ctrl+Alt+T")]);
        assert_eq!(names(&both), [("Ctrl+Alt+T", "cook")]);
        let changed = holders(&both, &[("baker", "Ctrl+Alt+T"), ("cook", "Ctrl+Alt+U")]);
        assert_eq!(names(&changed), [("Ctrl+Alt+T", "baker"), ("Ctrl+Alt+U", "cook")]);
        let back = holders(&changed, &[("baker", "Ctrl+Alt+T"), ("cook", "Ctrl+Alt+T")]);
        assert_eq!(names(&back), [("Ctrl+Alt+T", "baker")]);
        assert!(holders(&back, &[]).is_empty());
    }

    #[test]
    fn keys_of_shidis_own_and_of_another_are_told_in_every_language_and_free_ones_are_not() {
        let hotkeys = Hotkeys {
            actions: vec![(desktop::hotkey, "Ctrl+Alt+Space".to_owned())],
            assistants: holders(&Holders::new(), &[("cook", "Ctrl+Alt+T")]),
        };
        let told = |name: &str, keys: &str, language: Language| {
            let spec = AssistantSpec {
                name: name.to_owned(),
                hotkey: keys.to_owned(),
                ..AssistantSpec::default()
            };
            hotkeys.told(&spec, language)
        };
        for language in Language::ALL {
            let problem = |name: &str, keys: &str| told(name, keys, *language).and_then(|told| told.problem);
            let of_action = problem("baker", "Ctrl+Alt+Space").unwrap_or_default();
            let title = language.settings().text(desktop::hotkey).unwrap_or_default();
            assert!(
                of_action.contains("Ctrl+Alt+Space") && of_action.contains(title),
                "{of_action}"
            );
            let of_cook = problem("baker", "Ctrl+Alt+T").unwrap_or_default();
            assert!(
                of_cook.contains("Ctrl+Alt+T") && of_cook.contains("@cook"),
                "{of_cook}"
            );
            assert_eq!(problem("cook", "Ctrl+Alt+T"), None);
            assert_eq!(problem("baker", "Ctrl+Alt+U"), None);
            assert_eq!(told("baker", "", *language), None);
        }
    }
}
