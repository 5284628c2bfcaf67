//! Settings of memory: what goes along with questions, what is learned from tasks, and how much is kept.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_MEMORY: &[Known] = &[
    Known {
        key: "memory.recall",
        group: SettingGroup::Memory,
        kind: Kind::Switch,
        default: "on",
        title: ("想起记下的事", "Recall by itself"),
        about: (
            "打开后，提问时会带上记忆里真正相关的几条，回答里能看到是哪几条；关着时，只有程序自己去查才用得到",
            "on: the few things remembered that really fit go along with a question, and the answer shows which; off: only programs that search get at them",
        ),
    },
    Known {
        key: "memory.learn",
        group: SettingGroup::Memory,
        kind: Kind::Choice(&[
            ("off", ("不记", "Nothing")),
            ("rules", ("按规则记", "By rules")),
            ("model", ("也请小模型记", "By the fast model, too")),
        ]),
        default: "model",
        title: ("任务结束后记什么", "What is learned from tasks"),
        about: (
            "不记（off）：什么都不自动记；按规则记（rules）：在本机按规则记下摘要和你说的事；也请小模型记（model）：另外请小模型整理，要先设好小模型，每个任务问一次，计入用量",
            "off: nothing by itself; rules: a summary and what you stated, found on this computer; model: the fast model, once one is set, is asked once per task as well, and counted",
        ),
    },
    Known {
        key: "memory.short_term_max",
        group: SettingGroup::Memory,
        kind: Kind::Number {
            min: 100,
            max: 10_000_000,
        },
        default: "20000",
        title: ("短期记忆最多几条", "Short-term records at most"),
        about: (
            "会话里的结果和要点最多留几条；超出时，从会话结束满 7 天的里面先忘最不重要的",
            "Results and key facts of sessions at most; 7 days after their session the least important go first when there are more",
        ),
    },
    Known {
        key: "memory.long_term_max",
        group: SettingGroup::Memory,
        kind: Kind::Number {
            min: 100,
            max: 10_000_000,
        },
        default: "100000",
        title: ("长期记忆最多几条", "Long-term records at most"),
        about: (
            "摘要、偏好、个人情况、知识点最多留几条；不会只因为旧就忘，超出时最不重要、最久没用的先忘，置顶的不忘",
            "Summaries, preferences, profile and knowledge points at most; nothing goes for its age alone; beyond it the least important and longest unused go first, pinned ones never",
        ),
    },
    Known {
        key: "memory.size_max_mb",
        group: SettingGroup::Memory,
        kind: Kind::Number { min: 1, max: 100_000 },
        default: "512",
        title: ("记忆最多多大（MB）", "Size of memory at most (MB)"),
        about: (
            "所有记忆的文字加起来最多多大，知识库不算；超出时按同样的次序忘",
            "Text of all that is remembered, knowledge bases apart; beyond it records go in the same order",
        ),
    },
];
