//! Settings of what may be looked at, and of what goes elsewhere.

use super::{Kind, SettingGroup, SettingSpec};

pub(super) const OF_PRIVACY: &[SettingSpec] = &[
    SettingSpec {
        key: "otlp.endpoint",
        group: SettingGroup::Privacy,
        kind: Kind::Address("http://localhost:4318"),
        default: "",
    },
    SettingSpec {
        key: "otlp.content",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "privacy.sensing",
        group: SettingGroup::Privacy,
        kind: Kind::Choice(&["on", "paused"]),
        default: "on",
    },
    SettingSpec {
        key: "privacy.apps",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_APPS,
    },
    SettingSpec {
        key: "privacy.titles",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_TITLES,
    },
    SettingSpec {
        key: "privacy.sites",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_SITES,
    },
    SettingSpec {
        key: "privacy.window",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "privacy.page",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "privacy.selection",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
    },
    SettingSpec {
        key: "privacy.accessibility",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "privacy.ocr",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "privacy.clipboard",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "privacy.suggest",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
    SettingSpec {
        key: "mcp.serve",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
    },
];
