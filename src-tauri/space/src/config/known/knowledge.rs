//! The setting of knowledge bases: what goes along with questions.

use super::{Kind, SettingGroup, SettingSpec};

pub(super) const OF_KNOWLEDGE: &[SettingSpec] = &[SettingSpec {
    key: "knowledge.recall",
    group: SettingGroup::Memory,
    kind: Kind::Switch,
    default: "on",
}];
