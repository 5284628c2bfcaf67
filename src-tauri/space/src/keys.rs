//! Names of key combinations, as people write them: `Ctrl+Alt+Space`. The desktop takes such keys, and assistants may
//! name some of their own.
//!
//! Pure: no display is asked. A combination is written in one form, with the modifiers in a fixed order.

use shidi_locales::Language;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Longest text that is read, in bytes; the longest real one has some 40.
const TEXT_MAX_BYTES: usize = 100;
/// Function keys that keyboards have.
const FUNCTION_KEYS: u8 = 24;
/// Characters with a key of their own, which are their own names.
const SIGNS: &str = "-=[]\\;',./`";

/// Modifiers and one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keys {
    pub control: bool,
    pub alt: bool,
    pub shift: bool,
    /// The key with the emblem: Windows, Command, Meta.
    pub logo: bool,
    pub key: Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A small letter, a digit, or a sign.
    Sign(char),
    /// From 1.
    Function(u8),
    Named(Named),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Named {
    Space,
    Enter,
    Tab,
    Escape,
    Backspace,
    Insert,
    Delete,
    Home,
    End,
    PageUp,
    PageDown,
    Left,
    Right,
    Up,
    Down,
    Print,
    Pause,
}

/// Names of keys; the first one of each key is written.
const NAMES: [(Named, &[&str]); 17] = [
    (Named::Space, &["Space", "空格"]),
    (Named::Enter, &["Enter", "Return", "回车"]),
    (Named::Tab, &["Tab"]),
    (Named::Escape, &["Esc", "Escape"]),
    (Named::Backspace, &["Backspace"]),
    (Named::Insert, &["Insert", "Ins"]),
    (Named::Delete, &["Delete", "Del"]),
    (Named::Home, &["Home"]),
    (Named::End, &["End"]),
    (Named::PageUp, &["PageUp", "PgUp", "Page_Up"]),
    (Named::PageDown, &["PageDown", "PgDn", "Page_Down"]),
    (Named::Left, &["Left"]),
    (Named::Right, &["Right"]),
    (Named::Up, &["Up"]),
    (Named::Down, &["Down"]),
    (Named::Print, &["Print", "PrintScreen"]),
    (Named::Pause, &["Pause"]),
];

/// Why a text is no key combination.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.in_words(Language::SOURCE))]
pub enum KeysError {
    Unknown(String),
    NoKey,
    SecondKey,
    Bare(String),
    /// Other programs use such keys.
    Common(String),
    TooLong,
}

impl KeysError {
    /// The reason in the user's language.
    #[must_use]
    pub fn in_words(&self, language: Language) -> String {
        let say = language.shell();
        match self {
            Self::Unknown(name) => say.key_unknown(name),
            Self::NoKey => say.key_missing().to_owned(),
            Self::SecondKey => say.key_second().to_owned(),
            Self::Bare(name) => say.key_bare(name),
            Self::Common(keys) => say.key_common(keys),
            Self::TooLong => say.keys_too_long().to_owned(),
        }
    }
}

impl FromStr for Keys {
    type Err = KeysError;

    fn from_str(text: &str) -> Result<Self, KeysError> {
        if text.len() > TEXT_MAX_BYTES {
            return Err(KeysError::TooLong);
        }
        let mut found = Found::default();
        for name in text.split('+').map(str::trim) {
            found.take(name)?;
        }
        let key = found.key.ok_or(KeysError::NoKey)?;
        let keys = Self {
            control: found.control,
            alt: found.alt,
            shift: found.shift,
            logo: found.logo,
            key,
        };
        if keys.would_stop_typing() {
            return Err(KeysError::Bare(keys.to_string()));
        }
        Ok(keys)
    }
}

#[derive(Default)]
struct Found {
    control: bool,
    alt: bool,
    shift: bool,
    logo: bool,
    key: Option<Key>,
}

impl Found {
    fn take(&mut self, name: &str) -> Result<(), KeysError> {
        match name.to_ascii_lowercase().as_str() {
            "ctrl" | "control" => self.control = true,
            "alt" | "option" => self.alt = true,
            "shift" => self.shift = true,
            "super" | "win" | "meta" | "cmd" | "command" | "logo" => self.logo = true,
            "" => return Err(KeysError::NoKey),
            _ if self.key.is_some() => return Err(KeysError::SecondKey),
            _ => self.key = Some(key_named(name).ok_or_else(|| KeysError::Unknown(name.to_owned()))?),
        }
        Ok(())
    }
}

fn key_named(name: &str) -> Option<Key> {
    let mut signs = name.chars();
    if let (Some(sign), None) = (signs.next(), signs.next()) {
        let sign = sign.to_ascii_lowercase();
        let has_key = sign.is_ascii_lowercase() || sign.is_ascii_digit() || SIGNS.contains(sign);
        return has_key.then_some(Key::Sign(sign));
    }
    let number = name
        .strip_prefix(['F', 'f'])
        .and_then(|number| number.parse().ok());
    if let Some(number @ 1..=FUNCTION_KEYS) = number {
        return Some(Key::Function(number));
    }
    let named = NAMES
        .iter()
        .find(|(_, names)| names.iter().any(|known| known.eq_ignore_ascii_case(name)));
    named.map(|(named, _)| Key::Named(*named))
}

impl Keys {
    /// Whether other programs hardly have use for such keys: with Ctrl and Alt, or with Super.
    #[must_use]
    pub fn are_apart(self) -> bool {
        self.logo || (self.control && self.alt)
    }

    /// Whether a grab of the keys would disturb typing: without a modifier only keys outside of typing may be taken.
    fn would_stop_typing(self) -> bool {
        let free = matches!(
            self.key,
            Key::Function(_) | Key::Named(Named::Print | Named::Pause)
        );
        !(free || self.control || self.alt || self.logo)
    }
}

impl Display for Keys {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (is_held, name) in [
            (self.control, "Ctrl+"),
            (self.alt, "Alt+"),
            (self.shift, "Shift+"),
            (self.logo, "Super+"),
        ] {
            out.write_str(if is_held { name } else { "" })?;
        }
        match self.key {
            Key::Sign(sign) => write!(out, "{}", sign.to_ascii_uppercase()),
            Key::Function(number) => write!(out, "F{number}"),
            Key::Named(named) => {
                let known = NAMES.iter().find(|(known, _)| *known == named);
                out.write_str(known.map_or("", |(_, names)| names[0]))
            }
        }
    }
}

#[cfg(test)]
mod tests;
