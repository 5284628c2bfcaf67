//! The settings that concern the windows: keys, ball, start at login, language, theme.
//!
//! This file only reads; the runtime owns the configuration and reports its changes.

use crate::keys::{Action, Configured};
use crate::mood::Sensing;
use shidi_locales::Language;
use shidi_protocol::ConfigEntry;
use shidi_runtime::setting::{Hours, desktop, privacy};
use tokio::sync::watch;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    pub hotkeys: Configured,
    pub ball: Shown,
    pub sensing: Sensing,
    pub autostart: Autostart,
    /// Notifications wait for their end.
    pub quiet_hours: Hours,
    /// `None` follows the environment.
    pub language: Option<Language>,
    pub theme: Theme,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The theme of the desktop.
    #[default]
    System,
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    #[default]
    Shown,
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Autostart {
    #[default]
    Off,
    On,
}

/// The settings in force, for everybody who follows them.
#[derive(Debug, Clone)]
pub struct LiveSettings {
    /// The language of the arguments or the environment; a configured one goes before it.
    language: Language,
    current: watch::Sender<Settings>,
}

impl LiveSettings {
    #[must_use]
    pub fn new(settings: Settings, language: Language) -> Self {
        Self {
            language,
            current: watch::Sender::new(settings),
        }
    }

    /// Whether notifications wait now.
    #[must_use]
    pub fn is_quiet(&self, minute_of_day: u16) -> bool {
        self.current.borrow().quiet_hours.cover(minute_of_day)
    }

    /// The configured language, else the language of the surroundings.
    #[must_use]
    pub fn language(&self) -> Language {
        self.current.borrow().language.unwrap_or(self.language)
    }

    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<Settings> {
        self.current.subscribe()
    }

    /// Puts other settings in force; unchanged ones wake nobody.
    pub fn replace(&self, settings: Settings) {
        self.current
            .send_if_modified(|known| std::mem::replace(known, settings.clone()) != settings);
    }
}

impl Settings {
    /// The settings in the entries of a configuration.
    #[must_use]
    pub fn of_entries(entries: &[ConfigEntry]) -> Self {
        Self::of(|key| {
            let entry = entries.iter().find(|entry| entry.key == key);
            entry.map_or("", |entry| entry.value.as_str())
        })
    }

    /// Reads the settings; `value` gives the configured text of a key.
    #[must_use]
    pub fn of<'a>(value: impl Fn(&str) -> &'a str) -> Self {
        Self {
            hotkeys: Action::ALL.map(|action| value(action.setting()).to_owned()),
            ball: match value(desktop::ball) {
                "hidden" => Shown::Hidden,
                _ => Shown::Shown,
            },
            sensing: match value(privacy::sensing) {
                "paused" => Sensing::Paused,
                _ => Sensing::On,
            },
            autostart: match value(desktop::autostart) {
                "on" => Autostart::On,
                _ => Autostart::Off,
            },
            quiet_hours: Hours::named(value(desktop::quiet_hours)).unwrap_or_default(),
            language: Language::known(value(desktop::language)),
            theme: match value(desktop::theme) {
                "light" => Theme::Light,
                "dark" => Theme::Dark,
                _ => Theme::System,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_the_gentle_choice() {
        assert_eq!(Settings::of(|_| ""), Settings::default());
        let settings = Settings::of(|key| match key {
            "autostart" => "on",
            "language" => "zh",
            "hotkey_pause" => "F9",
            "theme" => "dark",
            _ => "",
        });
        assert_eq!(settings.autostart, Autostart::On);
        assert_eq!(settings.language, Some(Language::Zh));
        assert_eq!(settings.theme, Theme::Dark);
        assert_eq!(settings.hotkeys, ["", "", "F9", "", ""]);
    }
}
