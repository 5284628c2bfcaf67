//! Settings of how freely models choose their words: a temperature for each role, and what may be sent beside it.

use super::{Kind, SettingGroup, SettingSpec};

const CHOICES: &[&str] = &["auto", "server", "0", "0.1", "0.2", "0.4", "0.6", "0.8", "1"];

/// The largest seed that every provider takes.
const SEED_MAX: i64 = 4_294_967_295;

const fn of_models(key: &'static str, kind: Kind, default: &'static str) -> SettingSpec {
    SettingSpec {
        key,
        group: SettingGroup::Models,
        kind,
        default,
    }
}

const fn temperature(key: &'static str) -> SettingSpec {
    of_models(key, Kind::Choice(CHOICES), "auto")
}

/// One that is empty is not sent.
const fn top_p(key: &'static str) -> SettingSpec {
    of_models(key, Kind::Decimal { min: 0, max: 1 }, "")
}

const fn seed(key: &'static str) -> SettingSpec {
    let kind = Kind::Number {
        min: 0,
        max: SEED_MAX,
    };
    of_models(key, kind, "")
}

const fn penalty(key: &'static str) -> SettingSpec {
    of_models(key, Kind::Decimal { min: -2, max: 2 }, "")
}

pub(super) const OF_SAMPLING: &[SettingSpec] = &[
    temperature("temperature.coder"),
    temperature("temperature.general"),
    temperature("temperature.fast"),
    top_p("top_p.coder"),
    top_p("top_p.general"),
    top_p("top_p.fast"),
    seed("seed.coder"),
    seed("seed.general"),
    seed("seed.fast"),
    penalty("presence_penalty.coder"),
    penalty("presence_penalty.general"),
    penalty("presence_penalty.fast"),
    penalty("frequency_penalty.coder"),
    penalty("frequency_penalty.general"),
    penalty("frequency_penalty.fast"),
];
