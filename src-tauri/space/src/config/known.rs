//! The table of settings: what each may hold, and where the settings page shows it. Their words are in the catalogue.
//!
//! A setting that is not here does not exist. Reads and writes nothing.

mod experience;
mod forms;
mod knowledge;
mod local_model;
mod memory;
mod privacy;
mod sampling;
mod search;

use super::settings::Hours;
use forms::{are_keys, is_address};
use shidi_locales::{Language, Settings};
use shidi_protocol::{SettingChoice, SettingGroup, SettingKind, Worded};
use std::path::Path;

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number {
        min: i64,
        max: i64,
    },
    /// A number that may have a fraction.
    Decimal {
        min: i32,
        max: i32,
    },
    Choice(&'static [&'static str]),
    /// `system`, or the code of a language.
    Language,
    /// Absolute paths, separated by `:` on the command line.
    Paths,
    /// Keys pressed together, joined by `+`.
    Keys,
    /// Words or patterns, separated by `;`.
    List,
    /// `on` or `off`, and other words for them: [`Kind::kept`].
    Switch,
    /// An amount of money, not below zero.
    Amount,
    /// `system`, `none`, or the address of a proxy.
    Proxy,
    /// An `http` or `https` address, with an example of one.
    Address(&'static str),
    /// A part of each day: `22:00-7:00`; empty, or a word for off, where there is none.
    Hours,
}

pub(super) struct SettingSpec {
    pub key: &'static str,
    pub group: SettingGroup,
    pub kind: Kind,
    pub default: &'static str,
}

/// In the order in which the settings page and `shidi config list` show them.
const KNOWN: &[SettingSpec] = &[
    SettingSpec {
        key: "first_run",
        group: SettingGroup::General,
        kind: Kind::Choice(&["pending", "done"]),
        default: "pending",
    },
    SettingSpec {
        key: "ball",
        group: SettingGroup::General,
        kind: Kind::Choice(&["shown", "hidden"]),
        default: "shown",
    },
    SettingSpec {
        key: "language",
        group: SettingGroup::Look,
        kind: Kind::Language,
        default: "system",
    },
    SettingSpec {
        key: "theme",
        group: SettingGroup::Look,
        kind: Kind::Choice(&["system", "light", "dark"]),
        default: "system",
    },
    SettingSpec {
        key: "hotkey",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+Space",
    },
    SettingSpec {
        key: "hotkey_screen",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+S",
    },
    SettingSpec {
        key: "hotkey_pause",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+P",
    },
    SettingSpec {
        key: "hotkey_assistants",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        // The key of the sign that calls one.
        default: "Ctrl+Alt+2",
    },
    SettingSpec {
        key: "hotkey_selection",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+E",
    },
    SettingSpec {
        key: "autostart",
        group: SettingGroup::General,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "quiet_hours",
        group: SettingGroup::General,
        kind: Kind::Hours,
        default: "",
    },
    SettingSpec {
        key: "selection_bar",
        group: SettingGroup::General,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "selection_bar_apps",
        group: SettingGroup::General,
        kind: Kind::List,
        default: "",
    },
    SettingSpec {
        key: "provider",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "model",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "model_url",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "role.fast",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "role.coder",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "role.general",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "role.vision",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "role.embedding",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "fallback",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
    },
    SettingSpec {
        key: "proxy",
        group: SettingGroup::Models,
        kind: Kind::Proxy,
        default: "system",
    },
    SettingSpec {
        key: "format",
        group: SettingGroup::Models,
        kind: Kind::Choice(&["auto", "fenced", "tool", "json", "relay", "fim"]),
        default: "auto",
    },
    SettingSpec {
        key: "mode",
        group: SettingGroup::Permissions,
        kind: Kind::Choice(&["ask", "risky", "trust"]),
        default: "risky",
    },
    SettingSpec {
        key: "folders",
        group: SettingGroup::Permissions,
        kind: Kind::Paths,
        default: "",
    },
    SettingSpec {
        key: "max_rounds",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 1, max: 100 },
        default: "12",
    },
    SettingSpec {
        key: "check_answers",
        group: SettingGroup::Limits,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "compose_prompts",
        group: SettingGroup::Limits,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "outline_history",
        group: SettingGroup::Limits,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "task_tokens",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 0,
            max: 1_000_000_000,
        },
        default: "0",
    },
    SettingSpec {
        key: "task_usd",
        group: SettingGroup::Limits,
        kind: Kind::Amount,
        default: "0",
    },
    SettingSpec {
        key: "task_minutes",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 0, max: 10_000 },
        default: "0",
    },
    SettingSpec {
        key: "context_window",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 4_000,
            max: 4_000_000,
        },
        default: "",
    },
    SettingSpec {
        key: "budget_tokens",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 0,
            max: 1_000_000_000,
        },
        default: "0",
    },
    SettingSpec {
        key: "budget_usd",
        group: SettingGroup::Limits,
        kind: Kind::Amount,
        default: "0",
    },
    SettingSpec {
        key: "idle_timeout_s",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 5, max: 3_600 },
        default: "120",
    },
    SettingSpec {
        key: "trace_days",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 0, max: 3_650 },
        default: "30",
    },
];

/// All settings, in the order in which they are shown.
pub(super) fn all() -> impl Iterator<Item = &'static SettingSpec> {
    KNOWN
        .iter()
        .chain(local_model::OF_LOCAL_MODEL)
        .chain(search::OF_SEARCH)
        .chain(privacy::OF_PRIVACY)
        .chain(experience::OF_EXPERIENCE)
        .chain(memory::OF_MEMORY)
        .chain(knowledge::OF_KNOWLEDGE)
        .chain(sampling::OF_SAMPLING)
}

impl SettingSpec {
    pub(super) fn named(key: &str) -> Option<&'static SettingSpec> {
        all().find(|known| known.key == key)
    }

    pub(super) fn title(&self) -> Worded {
        worded(|say| named(say, self.key))
    }

    pub(super) fn about(&self) -> Worded {
        Worded::of(|language| self.told(language))
    }

    /// What it is for. A page and a list show a decimal as text, and so its bounds stand here.
    pub(super) fn told(&self, language: Language) -> String {
        let doc = self.doc(language);
        match self.kind {
            Kind::Decimal { min, max } => {
                let say = language.space();
                say.with_range(doc, say.wants_between(max, min))
            }
            Kind::Text
            | Kind::Number { .. }
            | Kind::Choice(_)
            | Kind::Language
            | Kind::Paths
            | Kind::Keys
            | Kind::List
            | Kind::Switch
            | Kind::Amount
            | Kind::Proxy
            | Kind::Address(_)
            | Kind::Hours => doc,
        }
    }

    pub(super) fn doc(&self, language: Language) -> String {
        named(language.settings(), &self.about_name())
    }

    fn about_name(&self) -> String {
        format!("{} about", self.key)
    }

    fn choice(&self, value: &str) -> SettingChoice {
        let own = Language::ALL.iter().find(|language| language.code() == value);
        let title = match own.filter(|_| self.kind == Kind::Language) {
            // A language is called as its speakers call it.
            Some(language) => worded(|_| language.about().name().to_owned()),
            None => worded(|say| named(say, &format!("{} = {value}", self.key))),
        };
        SettingChoice {
            value: value.to_owned(),
            title,
        }
    }

    /// A value that fits, for whoever gave one that does not; a choice that is not built in.
    pub(super) fn example(&self) -> String {
        let values = self.kind.values();
        let other = values.iter().find(|value| **value != self.default);
        let value = match self.kind {
            Kind::Choice(_) | Kind::Language => other.copied().unwrap_or(self.default),
            Kind::Switch => "on",
            Kind::Amount => "1.5",
            Kind::Proxy => "none",
            Kind::Address(example) => example,
            Kind::Hours => "22:00-7:00",
            Kind::Paths => "/srv/notes",
            Kind::Number { min, .. } if self.default.is_empty() => return min.to_string(),
            Kind::Decimal { max, .. } if self.default.is_empty() => return max.to_string(),
            Kind::Number { .. } | Kind::Decimal { .. } | Kind::Keys | Kind::Text | Kind::List => self.default,
        };
        value.to_owned()
    }

    /// What a page shows to set it with.
    pub(super) fn shown(&self) -> SettingKind {
        match self.kind {
            Kind::Text
            | Kind::Decimal { .. }
            | Kind::Amount
            | Kind::Proxy
            | Kind::Address(_)
            | Kind::Hours => SettingKind::Text,
            Kind::Number { min, max } => SettingKind::Number { min, max },
            Kind::Choice(_) | Kind::Language => SettingKind::Choice {
                values: self
                    .kind
                    .values()
                    .into_iter()
                    .map(|value| self.choice(value))
                    .collect(),
            },
            Kind::Paths => SettingKind::Paths,
            Kind::Keys => SettingKind::Keys,
            Kind::List => SettingKind::List,
            Kind::Switch => SettingKind::Switch,
        }
    }
}

impl Kind {
    fn values(self) -> Vec<&'static str> {
        match self {
            Self::Choice(values) => values.to_vec(),
            Self::Language => {
                let codes = Language::ALL.iter().map(|language| language.code());
                ["system"].into_iter().chain(codes).collect()
            }
            Self::Text
            | Self::Number { .. }
            | Self::Decimal { .. }
            | Self::Paths
            | Self::Keys
            | Self::List
            | Self::Switch
            | Self::Amount
            | Self::Proxy
            | Self::Address(_)
            | Self::Hours => Vec::new(),
        }
    }

    /// The value as it is kept. People write a switch in several ways; whoever reads it meets `on` or `off` alone. Words for
    /// off and on are taken where another kind has one value that means so.
    pub(super) fn kept(self, value: &str) -> &str {
        let Some(switched) = switched(value) else {
            return value;
        };
        let meant = match self {
            Self::Switch => Some(switched),
            Self::Choice(values) => meant(values, switched),
            Self::Hours if switched == "off" => Some(""),
            Self::Proxy if switched == "off" => Some("none"),
            Self::Text
            | Self::Number { .. }
            | Self::Decimal { .. }
            | Self::Language
            | Self::Paths
            | Self::Keys
            | Self::List
            | Self::Amount
            | Self::Proxy
            | Self::Address(_)
            | Self::Hours => None,
        };
        meant.unwrap_or(value)
    }

    /// What a value must be when `value` is none of it; an empty one always fits.
    pub(super) fn refusal(self, value: &str, language: Language) -> Option<String> {
        let value = self.kept(value);
        if value.is_empty() {
            return None;
        }
        match self {
            Self::Text | Self::List => None,
            Self::Paths if split_paths(value).all(|path| Path::new(path).is_absolute()) => None,
            Self::Paths => Some(language.space().wants_paths().to_owned()),
            Self::Number { min, max } => {
                let fits = value
                    .parse::<i64>()
                    .is_ok_and(|number| (min..=max).contains(&number));
                (!fits).then(|| language.space().wants_whole_between(max, min))
            }
            Self::Decimal { min, max } => {
                let range = f64::from(min)..=f64::from(max);
                let fits = value.parse::<f64>().is_ok_and(|number| range.contains(&number));
                (!fits).then(|| language.space().wants_between(max, min))
            }
            Self::Choice(_) | Self::Language => {
                let values = self.values();
                (!values.contains(&value)).then(|| values.join(" | "))
            }
            Self::Switch => switched(value)
                .is_none()
                .then(|| language.space().wants_switch().to_owned()),
            Self::Amount => {
                let fits = value
                    .parse::<f64>()
                    .is_ok_and(|amount| amount.is_finite() && amount >= 0.0);
                (!fits).then(|| language.space().wants_number().to_owned())
            }
            Self::Proxy => shidi_models::Proxy::named(value)
                .is_err()
                .then(|| language.space().wants_proxy().to_owned()),
            Self::Address(example) => (!is_address(value)).then(|| language.space().wants_address(example)),
            Self::Hours => Hours::named(value)
                .is_none()
                .then(|| language.space().wants_hours().to_owned()),
            Self::Keys => (!are_keys(value)).then(|| language.space().wants_hotkey().to_owned()),
        }
    }
}

/// How a switch stands by a word for it, in any case of its letters.
fn switched(value: &str) -> Option<&'static str> {
    let is = |words: [&str; 4]| words.iter().any(|word| value.trim().eq_ignore_ascii_case(word));
    match (is(["on", "true", "yes", "1"]), is(["off", "false", "no", "0"])) {
        (true, _) => Some("on"),
        (false, true) => Some("off"),
        (false, false) => None,
    }
}

/// The one of these values that means off, or on.
fn meant(values: &[&'static str], switched: &str) -> Option<&'static str> {
    let words: &[&str] = match switched {
        "off" => &["off", "none", "hidden", "paused"],
        _ => &["on", "shown"],
    };
    values.iter().copied().find(|value| words.contains(value))
}

/// The paths in a value of [`Kind::Paths`].
pub(super) fn split_paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(':').map(str::trim).filter(|path| !path.is_empty())
}

/// The entries of a value of [`Kind::List`].
pub(super) fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|entry| !entry.is_empty())
}

fn worded(say: impl Fn(Settings) -> String) -> Worded {
    Worded::of(|language| say(language.settings()))
}

/// The text of that name; a test holds that there is one.
fn named(say: Settings, name: &str) -> String {
    say.text(name).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests;
