//! Settings of what may be looked at, and of what goes elsewhere.

use super::{Kind, Known, SettingGroup};

pub(super) const OF_PRIVACY: &[Known] = &[
    Known {
        key: "otlp.endpoint",
        group: SettingGroup::Privacy,
        kind: Kind::Address,
        default: "",
        title: ("轨迹发到哪里（OTLP）", "Send traces to (OTLP)"),
        about: (
            "空着就不外发；填一个 OTLP/HTTP 地址，如 http://localhost:4318，每一步结束后也发给它",
            "Empty sends nothing; an OTLP/HTTP address such as http://localhost:4318 gets every step too",
        ),
    },
    Known {
        key: "otlp.content",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
        title: ("外发内容", "Send what was said"),
        about: (
            "关着时只发时间、用量和名字；打开后，提示词、程序、参数和结果也发，密钥会遮盖",
            "off: only times, tokens and names; on: prompts, programs, arguments and results too, secrets redacted",
        ),
    },
    Known {
        key: "privacy.sensing",
        group: SettingGroup::Privacy,
        kind: Kind::Choice(&[("on", ("开着", "On")), ("paused", ("暂停", "Paused"))]),
        default: "on",
        title: ("感知", "Sensing"),
        about: (
            "暂停时，师弟什么都不看：不看窗口，不截屏",
            "While paused Shidi looks at nothing: no windows, no screen",
        ),
    },
    Known {
        key: "privacy.apps",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_APPS,
        title: ("不看的程序", "Programs never looked at"),
        about: (
            "名字里有这些词的程序不看，截屏时涂黑；用 ; 隔开，* 代表任意字，写 none 就一个都不排除",
            "Programs with one of these words in their name are never looked at, and blacked out of pictures; \
             separated by ;, * stands for anything, none for no word at all",
        ),
    },
    Known {
        key: "privacy.titles",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_TITLES,
        title: ("不看的窗口标题", "Titles never looked at"),
        about: (
            "标题里有这些词的窗口不看，截屏时涂黑；写法同“不看的程序”（privacy.apps）",
            "Windows with one of these words in their title are never looked at, and blacked out of pictures; \
             written as privacy.apps",
        ),
    },
    Known {
        key: "privacy.sites",
        group: SettingGroup::Privacy,
        kind: Kind::List,
        default: shidi_senses::WORDS_SITES,
        title: ("不看的网站", "Sites never looked at"),
        about: (
            "这些网站和它们的子域名的页面不看；写法同“不看的程序”（privacy.apps）",
            "Pages of these sites and their subdomains are never looked at; written as privacy.apps",
        ),
    },
    Known {
        key: "privacy.ocr",
        group: SettingGroup::Privacy,
        kind: Kind::Switch,
        default: "off",
        title: ("识别屏幕文字", "Recognise words on the screen"),
        about: (
            "打开后，看不了图的模型会收到屏幕上识别出的文字（要装 tesseract）",
            "on: a model that takes no pictures gets the words recognised on the screen (needs tesseract)",
        ),
    },
];
