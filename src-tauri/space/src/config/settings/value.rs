//! The content of settings: the types of their values, and the macros that make a section of its entries.

use crate::config::known::split_paths;
use shidi_models::{Proxy, Temperature};
use shidi_protocol::Mode;
use std::path::PathBuf;

/// A value of a setting.
pub trait Value: Sized {
    /// Reads a text that was checked; a text that doesn't fit is read as the type's usual value.
    fn read(text: &str) -> Self;
}

/// Makes a section: a struct with a field for each setting, and the keys of the settings.
macro_rules! settings {
    (
        $(#[$about:meta])*
        $Section:ident as $section:ident, named $under:literal;
        $($field:ident $($name:literal)?: $Type:ty;)+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Section {
            $(pub $field: $Type,)+
        }

        impl $Section {
            fn read<'a>(text: impl Fn(&str) -> &'a str) -> Self {
                Self { $($field: Value::read(text($section::$field)),)+ }
            }
        }

        #[doc = concat!("Keys of [`", stringify!($Section), "`].")]
        #[expect(non_upper_case_globals, reason = "a key is called as its field")]
        pub mod $section {
            $(pub const $field: &str = concat!($under, $crate::config::settings::value::settings!(@name $field $($name)?));)+

            #[cfg(test)]
            pub(crate) const ALL: &[&str] = &[$($field),+];
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
}

/// Makes a choice: an enum with a text for each value. An unknown text is read as the first value.
macro_rules! choices {
    ($($(#[$about:meta])* $Name:ident { $($Value:ident = $text:literal),+ $(,)? })+) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $Name { $($Value),+ }

            impl $Name {
                pub(crate) const ALL: &'static [Self] = &[$(Self::$Value),+];

                /// The value as it is written.
                #[must_use]
                pub fn name(self) -> &'static str {
                    match self { $(Self::$Value => $text),+ }
                }
            }

            impl Value for $Name {
                            fn read(text: &str) -> Self {
                    let named = Self::ALL.iter().find(|value| value.name() == text);
                    named.copied().unwrap_or(Self::ALL[0])
                }
            }
        )+
    };
}

pub(crate) use settings;
impl Value for String {
    fn read(text: &str) -> Self {
        text.to_owned()
    }
}

impl Value for bool {
    fn read(text: &str) -> Self {
        text == "on"
    }
}

impl Value for u32 {
    fn read(text: &str) -> Self {
        text.parse().unwrap_or_default()
    }
}

impl Value for Mode {
    fn read(text: &str) -> Self {
        match text {
            "ask" => Self::Ask,
            "trust" => Self::Trust,
            _ => Self::Risky,
        }
    }
}

impl Value for Proxy {
    fn read(text: &str) -> Self {
        Self::named(text).unwrap_or_default()
    }
}

/// Makes a type of its own for texts of one kind.
macro_rules! texts {
    ($($(#[$about:meta])* $Name:ident;)+) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $Name(pub String);

            impl Value for $Name {
                            fn read(text: &str) -> Self {
                    Self(text.to_owned())
                }
            }
        )+
    };
}

texts! {
    /// `system`, or the code of a language.
    Spoken;
    /// Keys pressed together, as the user wrote them.
    Keys;
    /// Words or patterns, separated by `;`.
    List;
    /// An `http` or `https` address; empty for none.
    Address;
}

/// Absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths(pub Vec<PathBuf>);

impl Value for Paths {
    fn read(text: &str) -> Self {
        Self(split_paths(text).map(PathBuf::from).collect())
    }
}

/// An amount of money; `None` sets no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount(pub Option<f64>);

impl Value for Amount {
    fn read(text: &str) -> Self {
        Self(text.parse().ok().filter(|amount| *amount > 0.0))
    }
}

/// How freely a model chooses its words; `None` as its profile says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freedom(pub Option<Temperature>);

impl Value for Freedom {
    fn read(text: &str) -> Self {
        Self(Temperature::named(text))
    }
}

/// A number that is sent to models; `None` sends none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(pub Option<f64>);

impl Value for Share {
    fn read(text: &str) -> Self {
        Self(text.parse().ok().filter(|number: &f64| number.is_finite()))
    }
}

/// A seed that is sent to models; `None` sends none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub Option<u32>);

impl Value for Seed {
    fn read(text: &str) -> Self {
        Self(text.parse().ok())
    }
}

/// A part of each day, from one minute of the day to another; `None` is none of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hours(pub Option<(u16, u16)>);

impl Hours {
    /// Reads `22:00-7:00`; the hours may go over midnight, or end at 24:00.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (from, to) = text.split_once(['-', '\u{2013}'])?;
        let (from, to) = (minute_of(from)?, end_of(to)?);
        (from != to).then_some(Self(Some((from, to))))
    }

    /// Whether a minute of the day is one of them.
    #[must_use]
    pub fn cover(self, minute: u16) -> bool {
        self.0.is_some_and(|(from, to)| match from < to {
            true => (from..to).contains(&minute),
            false => minute >= from || minute < to,
        })
    }
}

/// The minute at which something ends: a day ends at 24:00.
fn end_of(text: &str) -> Option<u16> {
    match text.trim() {
        "24" | "24:00" => Some(24 * 60),
        other => minute_of(other),
    }
}

fn minute_of(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

impl Value for Hours {
    fn read(text: &str) -> Self {
        Self::named(text).unwrap_or_default()
    }
}

choices! {
    /// Whether the first run was gone through.
    FirstRun { Pending = "pending", Done = "done" }
    /// Whether the ball is shown.
    Ball { Shown = "shown", Hidden = "hidden" }
    /// The theme of windows.
    Theme { System = "system", Light = "light", Dark = "dark" }
    /// How models write their actions.
    ActionFormat {
        Auto = "auto",
        Fenced = "fenced",
        Tool = "tool",
        Json = "json",
        Relay = "relay",
        Fim = "fim",
    }
    /// Who is asked to search the web.
    SearchProvider { None = "none", Searxng = "searxng", Brave = "brave", Tavily = "tavily", Bing = "bing" }
    /// Whether the screen is looked at.
    Sensing { On = "on", Paused = "paused" }
    /// What is learned from tasks.
    Learn { Model = "model", Rules = "rules", Off = "off" }
}
