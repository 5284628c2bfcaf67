//! The shell's own messages to the user, in Chinese and English.
//!
//! Only for windows, keys and starting up; the runtime and the pages word everything about questions and answers.

use crate::hotkey::Action;
use crate::menu::Deed;
use crate::mood::Mood;
use crate::notices::Notice;
use crate::picker::Wanted;

/// The user's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

impl Language {
    /// The language of the environment: `LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set.
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

    /// The text for this language.
    #[must_use]
    pub fn pick<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

/// The accessible name of the ball, which tells the mood.
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

/// The workbench's title.
#[must_use]
pub fn workbench_title(language: Language) -> &'static str {
    language.pick("师弟工作台", "Shidi workbench")
}

/// The text of a menu line.
#[must_use]
pub fn menu(deed: &Deed, language: Language) -> String {
    let text = match deed {
        Deed::Waiting { cards } => {
            return match language {
                Language::Chinese => format!("看等你的 {cards} 件…"),
                Language::English if *cards == 1 => "Show what waits for you…".to_owned(),
                Language::English => format!("Show the {cards} cards that wait for you…"),
            };
        }
        Deed::Open => language.pick("打开", "Open"),
        Deed::OpenAgain => language.pick(
            "面板几次意外关闭，再打开试试",
            "The panel stopped several times: open it again",
        ),
        Deed::AskScreen => language.pick("问屏幕", "Ask about the screen"),
        Deed::NewSession => language.pick("新会话", "New session"),
        Deed::Pause => language.pick("暂停感知", "Pause sensing"),
        Deed::Resume => language.pick("恢复感知", "Resume sensing"),
        Deed::Workbench => language.pick("工作台", "Workbench"),
        Deed::Settings => language.pick("设置", "Settings"),
        Deed::Quit => language.pick("退出", "Quit"),
    };
    text.to_owned()
}

/// An action's name, for the desktop's list of keys.
#[must_use]
pub fn action(action: Action, language: Language) -> &'static str {
    match action {
        Action::Summon => language.pick("唤出或隐藏师弟", "Show or hide Shidi"),
        Action::AskScreen => language.pick("问屏幕", "Ask about the screen"),
        Action::Pause => language.pick("暂停或恢复感知", "Pause or resume sensing"),
    }
}

/// The error that there is no display for windows.
#[must_use]
pub fn no_display(language: Language) -> &'static str {
    language.pick(
        "没有可用的显示（DISPLAY 或 WAYLAND_DISPLAY）。请在桌面里启动，或在终端用 shidi ask",
        "There is no display (DISPLAY or WAYLAND_DISPLAY). Start Shidi in a desktop session, or use shidi ask in a terminal",
    )
}

/// The error that another program has the keys.
#[must_use]
pub fn hotkey_taken(keys: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("{keys} 已被另一个程序占用。它一放开就归师弟，或在设置里换一个快捷键")
        }
        Language::English => format!(
            "{keys} is taken by another program. Shidi takes it as soon as that one gives it up; or choose other keys in the settings"
        ),
    }
}

/// The error that this kind of desktop gives no keys to programs.
#[must_use]
pub fn hotkey_impossible(keys: &str, command: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("这个桌面（Wayland）不让程序占用 {keys}。在系统设置里把 {command} 绑定到快捷键")
        }
        Language::English => format!(
            "This desktop (Wayland) lets no program take {keys}. Bind {command} to keys in the system settings"
        ),
    }
}

/// The error that the configured text names no keys.
#[must_use]
pub fn hotkey_unreadable(keys: &str, setting: &str, reason: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("{setting} 不能是 {keys}（{reason}）。写成 Ctrl+Alt+Space 这样")
        }
        Language::English => {
            format!("{setting} can't be {keys} ({reason}). Write it like Ctrl+Alt+Space")
        }
    }
}

/// The error that two actions have the same keys.
#[must_use]
pub fn hotkey_twice(keys: &str, setting: &str, language: Language) -> String {
    match language {
        Language::Chinese => format!("{keys} 已经用在别处。给 {setting} 换一个快捷键"),
        Language::English => format!("{keys} already does something else. Choose other keys for {setting}"),
    }
}

/// The error that the display or the portal refused the keys.
#[must_use]
pub fn hotkey_failed(keys: &str, command: &str, reason: &str, language: Language) -> String {
    match language {
        Language::Chinese => {
            format!("{keys} 没有注册成功（{reason}）。在系统设置里把 {command} 绑定到快捷键")
        }
        Language::English => {
            format!(
                "{keys} could not be registered ({reason}). Bind {command} to keys in the system settings"
            )
        }
    }
}

/// The text of a notification.
#[must_use]
pub fn notice(notice: Notice, language: Language) -> &'static str {
    match notice {
        Notice::Approval => language.pick("等你批准", "Waits for your approval"),
        Notice::Question => language.pick("有个问题等你回答", "Has a question for you"),
        Notice::Answered => language.pick("答好了", "The answer is ready"),
        Notice::Failed => language.pick("没做成", "Did not work out"),
        Notice::JobEnded => language.pick("后台任务做完了", "A background job is done"),
        Notice::JobFailed => language.pick("后台任务没做成", "A background job failed"),
        Notice::Browser => language.pick("有个浏览器要连接", "A browser wants to connect"),
        Notice::PanelLost => language.pick(
            "面板几次意外关闭，已停下，会话都在。再唤出一次试试；还不行就退出师弟再启动",
            "The panel stopped several times and was closed; your sessions are kept. Summon Shidi to try again; if that does not help, quit and start it anew",
        ),
    }
}

/// The hint while the user chooses a part of the screen.
#[must_use]
pub fn region_hint(language: Language) -> &'static str {
    language.pick(
        "拖出一块 · 方向键移动，Shift 加方向键改大小 · Enter 用这块 · Esc 取消",
        "Drag a rectangle · arrows move it, Shift and arrows resize · Enter takes it · Esc leaves",
    )
}

/// The error that another look is under way.
#[must_use]
pub fn looks_already(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("正在看屏幕", "等这一次看完"),
        Language::English => ("The screen is being looked at", "Wait until that is done"),
    }
}

/// The error that a look took too long.
#[must_use]
pub fn look_took_too_long(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("看屏幕花的时间太长，没有结果", "再试一次，或附上一张截图文件"),
        Language::English => (
            "Looking at the screen took too long",
            "Try again, or attach a picture file",
        ),
    }
}

/// The error that the program is closing.
#[must_use]
pub fn closing(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("师弟正在退出", "再启动一次"),
        Language::English => ("Shidi is closing", "Start it again"),
    }
}

/// The error that a program without windows holds the data folder.
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

/// The error that links of this kind are not opened.
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

/// The error that no program opens the link.
#[must_use]
pub fn link_failed(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Chinese => ("链接没有打开", "复制链接，在浏览器里打开"),
        Language::English => ("The link could not be opened", "Copy it and open it in a browser"),
    }
}

/// Title of the file picker.
#[must_use]
pub fn pick_title(language: Language, wanted: &Wanted) -> &'static str {
    match wanted {
        Wanted::Files => language.pick("选择文件", "Choose files"),
        Wanted::Folder => language.pick("选择文件夹", "Choose a folder"),
        Wanted::NewFile(_) => language.pick("保存为", "Save as"),
    }
}
