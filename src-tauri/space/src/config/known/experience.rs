//! Settings of what is learned from runs.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_EXPERIENCE: &[Known] = &[
    Known {
        key: "experience.collect",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
        title: ("从任务里总结经验", "Learn from tasks"),
        about: (
            "打开后，先失败后做成、没做成和做得好的任务会留下候选经验，等你审核；没审核的从不使用",
            "on: tasks that failed and then worked, were given up, or went well leave candidates for your review; \
             what is not reviewed is never used",
        ),
    },
    Known {
        key: "experience.use",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "on",
        title: ("使用审核过的经验", "Use reviewed experiences"),
        about: (
            "打开后，合适的几条经验会作为例子随问题发给模型",
            "on: the few that fit go to the model as examples",
        ),
    },
    Known {
        key: "experience.votes",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 1, max: 9 },
        default: "3",
        title: ("每条候选请模型投几票", "Votes of models on a candidate"),
        about: (
            "只在你要求投票时才问；没有小模型就问主模型",
            "Asked only when you want votes; the main model where no fast one is set",
        ),
    },
    Known {
        key: "experience.votes_suffice",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
        title: ("票数够就算通过", "Votes suffice"),
        about: (
            "打开后，多数票赞成的候选不用你审核就通过；读过外来内容的任务留下的候选除外",
            "on: a candidate with most votes for it is approved without your review, unless its task had read outside content",
        ),
    },
    Known {
        key: "experience.stale_days",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 0, max: 3_650 },
        default: "90",
        title: ("多少天不用就过期", "Days until unused ones expire"),
        about: (
            "这么多天没用上、也没审核的经验就过期；0 表示从不过期",
            "Experiences that nobody used or reviewed for so many days expire; 0 keeps them",
        ),
    },
];
