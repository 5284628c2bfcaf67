//! Settings of the model file on this computer: which file, who serves it, and with how much of the computer.

use super::{Kind, SettingGroup, SettingSpec};

const fn of_models(key: &'static str, kind: Kind, default: &'static str) -> SettingSpec {
    SettingSpec {
        key,
        group: SettingGroup::Models,
        kind,
        default,
    }
}

pub(super) const OF_LOCAL_MODEL: &[SettingSpec] = &[
    of_models("local_model.file", Kind::Text, ""),
    of_models("local_model.program", Kind::Text, ""),
    of_models("local_model.folder", Kind::Text, ""),
    of_models("local_model.mirror", Kind::Text, ""),
    of_models(
        "local_model.idle_minutes",
        Kind::Number { min: 0, max: 1_440 },
        "10",
    ),
    of_models(
        "local_model.context",
        Kind::Number {
            min: 0,
            max: 1_000_000,
        },
        "0",
    ),
    of_models("local_model.threads", Kind::Number { min: 0, max: 256 }, "0"),
];
