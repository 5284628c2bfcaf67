//! Settings of what may be looked at, and of what goes elsewhere.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_PRIVACY: &[Known] = &[
    Known {
        key: "otlp.endpoint",
        group: SettingGroup::Privacy,
        kind: Kind::Address,
        default: "",
    },
    Known {
        key: "otlp.content",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    Known {
        key: "privacy.sensing",
        group: SettingGroup::Privacy,
        kind: Kind::Choice(&["on", "paused"]),
        default: "on",
    },
    Known {
        key: "privacy.apps",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_APPS,
    },
    Known {
        key: "privacy.titles",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_TITLES,
    },
    Known {
        key: "privacy.sites",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_SITES,
    },
    Known {
        key: "privacy.page",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    Known {
        key: "privacy.selection",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    Known {
        key: "privacy.accessibility",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    Known {
        key: "privacy.ocr",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    Known {
        key: "privacy.clipboard",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    Known {
        key: "mcp.serve",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
];
