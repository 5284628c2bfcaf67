//! Settings of searching the web: whom to ask, and where.

use super::{Kind, SettingGroup, SettingSpec};

pub(super) const OF_SEARCH: &[SettingSpec] = &[
    SettingSpec {
        key: "search.provider",
        group: SettingGroup::Search,
        kind: Kind::Choice(&["none", "searxng", "brave", "tavily", "bing"]),
        default: "none",
    },
    SettingSpec {
        key: "search.url",
        group: SettingGroup::Search,
        kind: Kind::Address("http://localhost:8888"),
        default: "",
    },
];
