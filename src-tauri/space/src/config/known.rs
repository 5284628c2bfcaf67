//! The table of settings: what each may hold, where the settings page shows it, and its words in both languages.
//!
//! A setting that is not here does not exist. Reads and writes nothing.

mod experience;
mod forms;
mod memory;
mod privacy;
mod sampling;

use crate::words::Words;
use forms::{are_keys, is_address};
use shidi_protocol::{SettingChoice, SettingGroup, SettingKind, Worded};
use std::path::Path;

/// A text in Chinese and in English.
type Pair = (&'static str, &'static str);

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number {
        min: i64,
        max: i64,
    },
    /// Each value with its name.
    Choice(&'static [(&'static str, Pair)]),
    /// Absolute paths, separated by `:` on the command line.
    Paths,
    /// Keys pressed together, joined by `+`.
    Keys,
    /// Words or patterns, separated by `;`.
    List,
    /// `on` or `off`.
    Switch,
    /// An amount of money, not below zero.
    Amount,
    /// `system`, `none`, or the address of a proxy.
    Proxy,
    /// An `http` or `https` address.
    Address,
}

pub(super) struct Known {
    pub key: &'static str,
    pub group: SettingGroup,
    pub kind: Kind,
    pub default: &'static str,
    title: Pair,
    about: Pair,
}

/// In the order in which the settings page and `shidi config list` show them.
const KNOWN: &[Known] = &[
    Known {
        key: "first_run",
        group: SettingGroup::General,
        kind: Kind::Choice(&[("pending", ("还没做", "To do")), ("done", ("做过了", "Done"))]),
        default: "pending",
        title: ("首次打开", "First run"),
        about: (
            "选“还没做”，下次打开面板时会再显示引导",
            "“To do” shows it again the next time the panel opens",
        ),
    },
    Known {
        key: "ball",
        group: SettingGroup::General,
        kind: Kind::Choice(&[("shown", ("显示", "Shown")), ("hidden", ("隐藏", "Hidden"))]),
        default: "shown",
        title: ("悬浮球", "Ball"),
        about: ("要不要显示悬浮球", "Whether the ball is shown"),
    },
    Known {
        key: "language",
        group: SettingGroup::Look,
        kind: Kind::Choice(&[
            ("system", ("跟随系统", "As the system")),
            ("zh", ("简体中文", "简体中文")),
            ("en", ("English", "English")),
        ]),
        default: "system",
        title: ("语言", "Language"),
        about: ("界面语言", "Language of the interface"),
    },
    Known {
        key: "theme",
        group: SettingGroup::Look,
        kind: Kind::Choice(&[
            ("system", ("跟随系统", "As the system")),
            ("light", ("浅色", "Light")),
            ("dark", ("深色", "Dark")),
        ]),
        default: "system",
        title: ("外观", "Appearance"),
        about: ("明暗主题", "Light or dark theme"),
    },
    Known {
        key: "hotkey",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+Space",
        title: ("唤出面板", "Summon"),
        about: ("唤出面板的快捷键", "Hotkey that summons the panel"),
    },
    Known {
        key: "hotkey_screen",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+S",
        title: ("问屏幕", "Ask about the screen"),
        about: ("问屏幕的快捷键", "Hotkey that asks about the screen"),
    },
    Known {
        key: "hotkey_pause",
        group: SettingGroup::Keys,
        kind: Kind::Keys,
        default: "Ctrl+Alt+P",
        title: ("暂停感知", "Pause sensing"),
        about: (
            "暂停或恢复感知的快捷键",
            "Hotkey that pauses sensing, or resumes it",
        ),
    },
    Known {
        key: "autostart",
        group: SettingGroup::General,
        kind: Kind::Switch,
        default: "off",
        title: ("登录时启动", "Start at login"),
        about: ("登录系统时自动启动师弟", "Whether Shidi starts at login"),
    },
    Known {
        key: "provider",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("服务商", "Provider"),
        about: (
            "模型服务商：openai、dashscope、deepseek、ollama……空着就是离线应答",
            "Provider of models: openai, dashscope, deepseek, ollama, …; empty means the offline planner",
        ),
    },
    Known {
        key: "model",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("模型", "Model"),
        about: ("写代码和回答用的模型", "Model that thinks and writes code"),
    },
    Known {
        key: "model_url",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("模型地址", "Model address"),
        about: (
            "OpenAI 兼容的地址，代替服务商自己的",
            "OpenAI-compatible base address in place of the provider's own",
        ),
    },
    Known {
        key: "role.fast",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("小模型", "Fast model"),
        about: (
            "做摘要和抽取的小模型；可写成 服务商:模型",
            "Small model for summaries and extraction; PROVIDER:MODEL for another provider's",
        ),
    },
    Known {
        key: "role.coder",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("写代码的模型", "Coding model"),
        about: (
            "写程序和接着程序往下做的模型，不设就用上面的模型；可写成 服务商:模型",
            "Writes programs and goes on with their results, if not the one above; PROVIDER:MODEL for another provider's",
        ),
    },
    Known {
        key: "role.general",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("通用模型", "General model"),
        about: (
            "不用写程序的问题由它回答。设了就先问它；要写程序时，这次任务改由写代码的模型做，多问一次。可写成 服务商:模型",
            "Answers what needs no program. Once set it is asked first; where it wants a program, the coding model takes the task over, at the price of one more request. PROVIDER:MODEL for another provider's",
        ),
    },
    Known {
        key: "role.vision",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("看图的模型", "Vision model"),
        about: (
            "主模型看不了图时，带图的问题交给它；可写成 服务商:模型",
            "Gets questions with pictures when the model above can't see; PROVIDER:MODEL for another provider's",
        ),
    },
    Known {
        key: "role.embedding",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("向量模型", "Embedding model"),
        about: (
            "按意思找记忆，不只按字词，如 ollama:bge-m3；设了它，说过的话、记下的事和知识库会发给这家服务商，已有的也发；不设就只按字词找",
            "Finds memories by meaning, not by words alone, such as ollama:bge-m3. Once set, what was said, remembered and put into knowledge bases is sent to that provider, also what is there already; unset: words alone",
        ),
    },
    Known {
        key: "fallback",
        group: SettingGroup::Models,
        kind: Kind::Text,
        default: "",
        title: ("替补模型", "Stand-in models"),
        about: (
            "连不上时依次改问谁，用逗号隔开，如 deepseek:,ollama:qwen3；自己的地址写成 qwen3@http://10.0.0.5:8000/v1",
            "Asked in turn when the model can't be reached, separated by commas: deepseek:,ollama:qwen3; an address of your own: qwen3@http://10.0.0.5:8000/v1",
        ),
    },
    Known {
        key: "proxy",
        group: SettingGroup::Models,
        kind: Kind::Proxy,
        default: "system",
        title: ("代理", "Proxy"),
        about: (
            "写 system 就跟随环境变量和系统，写 none 就不用代理，也可以写一个地址，如 http://127.0.0.1:7890；本机的服务从不走代理",
            "system follows the environment, none goes straight, or an address such as http://127.0.0.1:7890; servers on this machine are never reached through one",
        ),
    },
    Known {
        key: "format",
        group: SettingGroup::Models,
        kind: Kind::Choice(&[
            ("auto", ("按模型", "As the model likes")),
            ("fenced", ("代码块", "Code block")),
            ("tool", ("原生工具调用", "Native tool call")),
            ("json", ("逐个工具调用", "One call per tool")),
            ("relay", ("纯文本转达", "Text relay")),
            ("fim", ("填中间", "Fill in the middle")),
        ]),
        default: "auto",
        title: ("动作格式", "Action format"),
        about: (
            "模型用什么写法做事。按模型（auto）：照模型的档案选；代码块（fenced）：程序写在代码块里；原生工具调用（tool）：程序写在工具调用里；逐个工具调用（json）：每个工具单独调用；纯文本转达（relay）：用 to_user / to_sys；填中间（fim）：先想，再填程序的中间",
            "Action format: auto as the model's profile says, fenced code block, tool for programs in a tool call, json for one call per tool, relay for plain to_user / to_sys, fim for a thought first and then the middle of a program",
        ),
    },
    Known {
        key: "mode",
        group: SettingGroup::Permissions,
        kind: Kind::Choice(&[
            ("ask", ("每次都问", "Always ask")),
            ("risky", ("有风险才问", "Ask when risky")),
            ("trust", ("信任会话", "Trust the session")),
        ]),
        default: "risky",
        title: ("什么时候问你", "When to ask you"),
        about: (
            "新会话照这样开始，每个会话可以另选",
            "Where new sessions begin; each may choose otherwise",
        ),
    },
    Known {
        key: "folders",
        group: SettingGroup::Permissions,
        kind: Kind::Paths,
        default: "",
        title: ("授权的文件夹", "Granted folders"),
        about: (
            "任务可以在里面读、改文件，运行隔离起来的命令",
            "Where tasks may read and change files, and run confined commands",
        ),
    },
    Known {
        key: "max_rounds",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 1, max: 100 },
        default: "12",
        title: ("最多几轮", "Rounds"),
        about: ("一个任务最多几轮", "Most rounds of one task"),
    },
    Known {
        key: "check_answers",
        group: SettingGroup::Limits,
        kind: Kind::Switch,
        default: "off",
        title: ("交付前检查", "Check answers"),
        about: (
            "多轮任务的回答先由小模型检查；要先设好小模型",
            "The fast model, once one is set, checks answers of longer work",
        ),
    },
    Known {
        key: "task_tokens",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 0,
            max: 1_000_000_000,
        },
        default: "0",
        title: ("每个任务的 token 上限", "Tokens of one task"),
        about: (
            "一个任务最多用多少 token，到了就停下并说明；0 不限",
            "Most tokens of one task, which then stops and says so; 0 sets no limit",
        ),
    },
    Known {
        key: "task_usd",
        group: SettingGroup::Limits,
        kind: Kind::Amount,
        default: "0",
        title: ("每个任务的花费上限（美元）", "Dollars of one task"),
        about: (
            "一个任务最多花多少美元，按价目表估算；0 不限",
            "Most US dollars of one task, estimated by the price table; 0 sets no limit",
        ),
    },
    Known {
        key: "task_minutes",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 0, max: 10_000 },
        default: "0",
        title: ("每个任务的时间上限（分钟）", "Minutes of one task"),
        about: (
            "一个任务最多做多少分钟，等你的时间不算；0 不限",
            "Most minutes of work on one task, waiting for you left out; 0 sets no limit",
        ),
    },
    Known {
        key: "context_window",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 4_000,
            max: 4_000_000,
        },
        default: "",
        title: ("模型窗口", "Model's window"),
        about: (
            "模型的上下文窗口有多少 token；空着就按模型的档案，不认识的按 64000",
            "Tokens of the model's window; empty takes what is known of the model, else 64000",
        ),
    },
    Known {
        key: "budget_tokens",
        group: SettingGroup::Limits,
        kind: Kind::Number {
            min: 0,
            max: 1_000_000_000,
        },
        default: "0",
        title: ("每天的 token 上限", "Tokens per day"),
        about: (
            "一天最多用多少 token，进出都算；0 不限",
            "Most tokens of a day, in and out; 0 sets no limit",
        ),
    },
    Known {
        key: "budget_usd",
        group: SettingGroup::Limits,
        kind: Kind::Amount,
        default: "0",
        title: ("每天的花费上限（美元）", "Dollars per day"),
        about: (
            "一天最多花多少美元，按价目表估算，没有价格的模型不算；0 不限",
            "Most US dollars of a day, estimated by the price table; models without a price don't count; 0 sets no limit",
        ),
    },
    Known {
        key: "idle_timeout_s",
        group: SettingGroup::Limits,
        kind: Kind::Number { min: 5, max: 3_600 },
        default: "120",
        title: ("等模型多少秒", "Wait for the model"),
        about: (
            "模型多少秒没有动静就放弃",
            "Seconds of silence after which a model is given up",
        ),
    },
    Known {
        key: "trace_days",
        group: SettingGroup::Privacy,
        kind: Kind::Number { min: 0, max: 3_650 },
        default: "30",
        title: ("轨迹保留几天", "Days that traces are kept"),
        about: (
            "任务的每一步（发出的提示词、调用、花费）在本机保留几天，密钥会遮盖；0 不保留",
            "Days that the steps of tasks (prompts as sent, calls, cost) are kept on this computer, secrets redacted; 0 keeps none",
        ),
    },
];

/// All settings, in the order in which they are shown.
pub(super) fn all() -> impl Iterator<Item = &'static Known> {
    KNOWN
        .iter()
        .chain(privacy::OF_PRIVACY)
        .chain(experience::OF_EXPERIENCE)
        .chain(memory::OF_MEMORY)
        .chain(sampling::OF_SAMPLING)
}

impl Known {
    pub(super) fn named(key: &str) -> Option<&'static Known> {
        all().find(|known| known.key == key)
    }

    pub(super) fn title(&self) -> Worded {
        worded(self.title)
    }

    pub(super) fn about(&self) -> Worded {
        worded(self.about)
    }

    pub(super) fn doc(&self, words: Words) -> String {
        words.pick(self.about.0, self.about.1).to_owned()
    }
}

impl Kind {
    /// The same for a page.
    pub(super) fn shown(self) -> SettingKind {
        match self {
            Self::Text | Self::Amount | Self::Proxy | Self::Address => SettingKind::Text,
            Self::Number { min, max } => SettingKind::Number { min, max },
            Self::Choice(values) => SettingKind::Choice {
                values: values
                    .iter()
                    .map(|(value, title)| SettingChoice {
                        value: (*value).to_owned(),
                        title: worded(*title),
                    })
                    .collect(),
            },
            Self::Paths => SettingKind::Paths,
            Self::Keys => SettingKind::Keys,
            Self::List => SettingKind::List,
            Self::Switch => SettingKind::Switch,
        }
    }

    /// What a value must be when `value` is none of it; an empty one always fits.
    pub(super) fn refusal(self, value: &str, words: Words) -> Option<String> {
        if value.is_empty() {
            return None;
        }
        match self {
            Self::Text | Self::List => None,
            Self::Paths if split_paths(value).all(|path| Path::new(path).is_absolute()) => None,
            Self::Paths => Some(words.pick("绝对路径", "absolute paths").to_owned()),
            Self::Number { min, max } => {
                let fits = value
                    .parse::<i64>()
                    .is_ok_and(|number| (min..=max).contains(&number));
                (!fits).then(|| format!("{min}–{max}"))
            }
            Self::Choice(values) => {
                let fits = values.iter().any(|(known, _)| *known == value);
                (!fits).then(|| {
                    values
                        .iter()
                        .map(|(known, _)| *known)
                        .collect::<Vec<_>>()
                        .join(" | ")
                })
            }
            Self::Switch => (!matches!(value, "on" | "off")).then(|| "on | off".to_owned()),
            Self::Amount => {
                let fits = value
                    .parse::<f64>()
                    .is_ok_and(|amount| amount.is_finite() && amount >= 0.0);
                (!fits).then(|| words.pick("一个数，如 1.5", "a number such as 1.5").to_owned())
            }
            Self::Proxy => shidi_models::Proxy::named(value).is_err().then(|| {
                words
                    .pick(
                        "system、none，或一个地址，如 http://127.0.0.1:7890 或 socks5h://127.0.0.1:1080",
                        "system, none, or an address such as http://127.0.0.1:7890 or socks5h://127.0.0.1:1080",
                    )
                    .to_owned()
            }),
            Self::Address => (!is_address(value)).then(|| {
                words
                    .pick(
                        "http 或 https 地址，如 http://localhost:4318",
                        "an http or https address such as http://localhost:4318",
                    )
                    .to_owned()
            }),
            Self::Keys => (!are_keys(value)).then(|| {
                words
                    .pick(
                        "Ctrl、Alt、Shift、Super 里至少一个，加一个键，如 Ctrl+Alt+Space",
                        "at least one of Ctrl, Alt, Shift, Super and one key, such as Ctrl+Alt+Space",
                    )
                    .to_owned()
            }),
        }
    }
}

/// The paths in a value of [`Kind::Paths`].
pub(super) fn split_paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(':').map(str::trim).filter(|path| !path.is_empty())
}

/// The entries of a value of [`Kind::List`].
pub(super) fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|entry| !entry.is_empty())
}

fn worded((zh, en): Pair) -> Worded {
    Worded {
        zh: zh.to_owned(),
        en: en.to_owned(),
    }
}

#[cfg(test)]
mod tests;
