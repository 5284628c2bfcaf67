//! Settings of how freely models choose their words.

use super::{Kind, Known};
use shidi_protocol::SettingGroup;

const CHOICES: &[&str] = &["auto", "server", "0", "0.1", "0.2", "0.4", "0.6", "0.8", "1"];

const fn temperature(key: &'static str) -> Known {
    Known {
        key,
        group: SettingGroup::Models,
        kind: Kind::Choice(CHOICES),
        default: "auto",
    }
}

pub(super) const OF_SAMPLING: &[Known] = &[
    temperature("temperature.coder"),
    temperature("temperature.general"),
    temperature("temperature.fast"),
];
