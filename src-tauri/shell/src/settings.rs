//! The settings that concern the windows: keys, ball, start at login, language, theme.
//!
//! This file only reads; the runtime owns the configuration and reports its changes.

use crate::hotkey::Action;
use crate::mood::Sensing;
use crate::words::Language;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The keys of each action, as the user wrote them.
    pub hotkeys: [String; Action::ALL.len()],
    pub ball: Shown,
    pub sensing: Sensing,
    pub autostart: Autostart,
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

impl Settings {
    /// Reads the settings; `value` gives the configured text of a key.
    #[must_use]
    pub fn of<'a>(value: impl Fn(&str) -> &'a str) -> Self {
        Self {
            hotkeys: Action::ALL.map(|action| value(action.setting()).to_owned()),
            ball: match value("ball") {
                "hidden" => Shown::Hidden,
                _ => Shown::Shown,
            },
            sensing: match value("privacy.sensing") {
                "paused" => Sensing::Paused,
                _ => Sensing::On,
            },
            autostart: match value("autostart") {
                "on" => Autostart::On,
                _ => Autostart::Off,
            },
            language: match value("language") {
                "zh" => Some(Language::Chinese),
                "en" => Some(Language::English),
                _ => None,
            },
            theme: match value("theme") {
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
        assert_eq!(settings.language, Some(Language::Chinese));
        assert_eq!(settings.theme, Theme::Dark);
        assert_eq!(settings.hotkeys, ["", "", "F9"]);
    }
}
