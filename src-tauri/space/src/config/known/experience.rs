//! Settings of what is learned from runs.

use super::{Kind, SettingGroup, SettingSpec};

pub(super) const OF_EXPERIENCE: &[SettingSpec] = &[
    SettingSpec {
        key: "experience.collect",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "experience.use",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "experience.votes",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 1, max: 9 },
        default: "3",
    },
    SettingSpec {
        key: "experience.votes_suffice",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "experience.stale_days",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 0, max: 3_650 },
        default: "90",
    },
];
