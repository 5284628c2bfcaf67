//! What the shell itself says to the user, in Chinese and English.
//!
//! Only windows, keys and starting up; everything about questions and answers is said by the runtime or the pages.

use crate::mood::Mood;

/// The user's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

impl Language {
    /// The language of the surroundings: `LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set.
    #[must_use]
    pub fn of_environment() -> Self {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.is_empty());
        named.map_or(Self::English, |value| Self::of_locale(&value))
    }

    /// The language of a locale name or of `--lang`.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        if locale.to_ascii_lowercase().starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// `zh` or `en`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.pick("zh", "en")
    }

    /// The right one of two texts.
    #[must_use]
    pub fn pick<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

/// The accessible name of the ball: it carries the mood.
#[must_use]
pub fn ball_name(mood: Mood, language: Language) -> String {
    let state = match mood {
        Mood::Idle => language.pick("空闲", "idle").to_owned(),
        Mood::Looking => language.pick("在看", "looking").to_owned(),
        Mood::Thinking(progress) => match (progress.percent(), language) {
            (None, Language::Chinese) => "在想".to_owned(),
            (None, Language::English) => "thinking".to_owned(),
            (Some(percent), Language::Chinese) => format!("在想，{percent}%"),
            (Some(percent), Language::English) => format!("thinking, {percent}%"),
        },
        Mood::NeedsYou { cards } => match language {
            Language::Chinese => format!("等你，{cards} 件"),
            Language::English => format!("needs you, {cards} waiting"),
        },
        Mood::Suggests => language.pick("有建议", "suggestion").to_owned(),
        Mood::Error => language.pick("出错", "error").to_owned(),
        Mood::Paused => language.pick("已暂停", "paused").to_owned(),
        Mood::Dropping => language.pick("松手附上", "drop file").to_owned(),
    };
    match language {
        Language::Chinese => format!("师弟：{state}"),
        Language::English => format!("Shidi: {state}"),
    }
}

/// The panel's title, for window lists and screen readers.
#[must_use]
pub fn panel_title(language: Language) -> &'static str {
    language.pick("师弟", "Shidi")
}

/// Menu of the ball: opens the panel.
#[must_use]
pub fn menu_open(language: Language) -> &'static str {
    language.pick("打开", "Open")
}

/// Menu of the ball: ends the program.
#[must_use]
pub fn menu_quit(language: Language) -> &'static str {
    language.pick("退出", "Quit")
}

/// There is no display to put windows on.
#[must_use]
pub fn no_display(language: Language) -> &'static str {
    language.pick(
        "没有可用的显示（DISPLAY 或 WAYLAND_DISPLAY）。请在桌面里启动，或在终端用 shidi ask",
        "There is no display (DISPLAY or WAYLAND_DISPLAY). Start Shidi in a desktop session, or use shidi ask in a terminal",
    )
}

/// Another program has the keys.
#[must_use]
pub fn hotkey_taken(keys: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("{keys} 已被另一个程序占用。把 shidi toggle 绑定到系统设置里的另一个快捷键")
        }
        Language::English => {
            format!(
                "{keys} is taken by another program. Bind shidi toggle to another key in the system settings"
            )
        }
    }
}

/// This kind of desktop lets no program take keys.
#[must_use]
pub fn hotkey_impossible(keys: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("这个桌面（Wayland）不让程序占用 {keys}。在系统设置里把 shidi toggle 绑定到快捷键")
        }
        Language::English => {
            format!(
                "This desktop (Wayland) lets no program take {keys}. Bind shidi toggle to a key in the system settings"
            )
        }
    }
}

/// The display said no, for whatever reason.
#[must_use]
pub fn hotkey_failed(keys: &str, reason: &str, language: Language) -> String {
    match language {
        Language::Chinese => format!("{keys} 没有注册成功（{reason}）。把 shidi toggle 绑定到系统快捷键"),
        Language::English => {
            format!(
                "{keys} could not be registered ({reason}). Bind shidi toggle to a key in the system settings"
            )
        }
    }
}

/// The data folder belongs to a program without windows.
#[must_use]
pub fn folder_busy(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => (
            "另一个 shidi 命令正在使用数据目录",
            "等它结束后再启动，或用 --data-dir 换一个目录",
        ),
        Language::English => (
            "Another shidi command is using the data folder",
            "Start again when it has ended, or choose another folder with --data-dir",
        ),
    }
}

/// The link is of a kind that is not opened.
#[must_use]
pub fn link_refused(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("这种链接不会打开", "只打开 http、https 和 mailto 链接"),
        Language::English => (
            "Links of this kind are not opened",
            "Only http, https and mailto links are",
        ),
    }
}

/// No program takes the link.
#[must_use]
pub fn link_failed(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("链接没有打开", "复制链接，在浏览器里打开"),
        Language::English => ("The link could not be opened", "Copy it and open it in a browser"),
    }
}

/// Title of the file picker.
#[must_use]
pub fn pick_title(language: Language) -> &'static str {
    language.pick("附上文件", "Attach files")
}
