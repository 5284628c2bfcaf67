//! Settings of how freely models choose their words.

use super::{Kind, Known, Pair};
use shidi_protocol::SettingGroup;

const CHOICES: &[(&str, Pair)] = &[
    ("auto", ("按模型", "As suits the model")),
    ("server", ("由服务器定", "As the server has it")),
    ("0", ("0", "0")),
    ("0.1", ("0.1", "0.1")),
    ("0.2", ("0.2", "0.2")),
    ("0.4", ("0.4", "0.4")),
    ("0.6", ("0.6", "0.6")),
    ("0.8", ("0.8", "0.8")),
    ("1", ("1", "1")),
];

const fn temperature(key: &'static str, title: Pair, about: Pair) -> Known {
    Known {
        key,
        group: SettingGroup::Models,
        kind: Kind::Choice(CHOICES),
        default: "auto",
        title,
        about,
    }
}

pub(super) const OF_SAMPLING: &[Known] = &[
    temperature(
        "temperature.coder",
        ("写代码的温度", "Temperature for programs"),
        (
            "越低越稳，越高越多变；“按模型”一般是 0.2，模型不收温度就不发",
            "Lower is steadier, higher more varied; “As suits the model” is mostly 0.2, and none is sent to models that take none",
        ),
    ),
    temperature(
        "temperature.general",
        ("其余问题的温度", "Temperature for everything else"),
        (
            "越低越稳，越高越多变；“按模型”一般是 0.6",
            "Lower is steadier, higher more varied; “As suits the model” is mostly 0.6",
        ),
    ),
    temperature(
        "temperature.fast",
        ("小模型的温度", "Temperature of the fast model"),
        (
            "越低越稳，越高越多变；“按模型”一般是 0.2",
            "Lower is steadier, higher more varied; “As suits the model” is mostly 0.2",
        ),
    ),
];
