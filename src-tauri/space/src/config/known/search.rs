//! Settings of searching the web: whom to ask, and where.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_SEARCH: &[Known] = &[
    Known {
        key: "search.provider",
        group: SettingGroup::Search,
        kind: Kind::Choice(&["none", "searxng", "brave", "tavily", "bing"]),
        default: "none",
    },
    Known {
        key: "search.url",
        group: SettingGroup::Search,
        kind: Kind::Address,
        default: "",
    },
];
