//! Settings of what is learned from runs.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_EXPERIENCE: &[Known] = &[
    Known {
        key: "experience.collect",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    Known {
        key: "experience.use",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    Known {
        key: "experience.votes",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 1, max: 9 },
        default: "3",
    },
    Known {
        key: "experience.votes_suffice",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    Known {
        key: "experience.stale_days",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 0, max: 3_650 },
        default: "90",
    },
];
