//! Settings of memory: what goes along with questions, what is learned from tasks, and how much is kept.

use super::{Kind, SettingGroup, SettingSpec};

pub(super) const OF_MEMORY: &[SettingSpec] = &[
    SettingSpec {
        key: "memory.recall",
        group: SettingGroup::Memory,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "memory.learn",
        group: SettingGroup::Memory,
        kind: Kind::Choice(&["off", "rules", "model"]),
        default: "model",
    },
    SettingSpec {
        key: "memory.short_term_max",
        group: SettingGroup::Memory,
        kind: Kind::Number {
            min: 100,
            max: 10_000_000,
        },
        default: "20000",
    },
    SettingSpec {
        key: "memory.long_term_max",
        group: SettingGroup::Memory,
        kind: Kind::Number {
            min: 100,
            max: 10_000_000,
        },
        default: "100000",
    },
    SettingSpec {
        key: "memory.size_max_mb",
        group: SettingGroup::Memory,
        kind: Kind::Number { min: 1, max: 100_000 },
        default: "512",
    },
];
