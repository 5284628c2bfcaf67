//! What is told to people about looking, in both languages: refusals with their way out, troubles, notices.

use shidi_protocol::{ErrorCode, UserError};
use shidi_senses::{Reason, SenseError};
use shidi_space::words::{Words, error};

/// Why nothing was kept.
pub fn refused(words: Words, reason: Reason, app: &str) -> String {
    let app = if app.is_empty() {
        words.pick("这个程序", "This program")
    } else {
        app
    };
    match reason {
        Reason::Paused => words
            .pick(
                "感知已暂停，没有看屏幕；恢复：shidi sense --resume",
                "Sensing is paused, so nothing was looked at; go on with shidi sense --resume",
            )
            .to_owned(),
        Reason::OwnWindow => words
            .pick("师弟不看自己的窗口", "Shidi doesn't look at its own windows")
            .to_owned(),
        Reason::App => match words {
            Words::Chinese => format!("{app} 在不看的程序里（设置 privacy.apps）"),
            Words::English => format!("{app} is one of the programs never looked at (setting privacy.apps)"),
        },
        Reason::Title => match words {
            Words::Chinese => format!("{app} 这个窗口的标题在不看的名单里（设置 privacy.titles）"),
            Words::English => {
                format!("The title of this window of {app} is one never looked at (setting privacy.titles)")
            }
        },
        Reason::Site => words
            .pick(
                "这个网站在不看的名单里（设置 privacy.sites）",
                "This site is one never looked at (setting privacy.sites)",
            )
            .to_owned(),
    }
}

pub fn nothing_in_front(words: Words) -> String {
    words.pick("前面没有窗口", "No window is in front").to_owned()
}

/// Trouble of the senses, with its remedy.
pub fn explain(words: Words, cause: &SenseError) -> UserError {
    let say = |chinese: &str, english: &str, hint: (&str, &str)| {
        error(
            ErrorCode::System,
            words.pick(chinese, english),
            words.pick(hint.0, hint.1),
        )
    };
    let attach = ("可以附上一张截图文件", "Attach a picture file instead");
    match cause {
        SenseError::NoDisplay => say(
            "这里没有图形界面，看不了屏幕",
            "There is no display here, so there is no screen to look at",
            (
                "在桌面会话里运行，或附上一张截图文件",
                "Run it in a desktop session, or attach a picture file",
            ),
        ),
        SenseError::Wayland => say(
            "Wayland 不说哪个窗口在哪里，没法把不该看的涂黑，所以不截屏",
            "Wayland doesn't say which window is where, so excluded ones can't be blacked out and nothing is captured",
            attach,
        ),
        SenseError::NotHere => say(
            "这个系统上还看不了屏幕",
            "Looking at the screen is not there yet on this system",
            attach,
        ),
        SenseError::NothingInFront => say(
            "前面没有窗口",
            "No window is in front",
            ("先点一下要看的窗口", "Click the window that you mean first"),
        ),
        SenseError::OffScreen => say(
            "这一块不在屏幕上",
            "That part is not on the screen",
            ("选屏幕里的一块", "Choose a part of the screen"),
        ),
        SenseError::Display(detail) | SenseError::Picture(detail) | SenseError::Recognising(detail) => error(
            ErrorCode::System,
            format!(
                "{}: {detail}",
                words.pick("没看成屏幕", "The screen could not be looked at")
            ),
            words.pick(
                "再试一次，或附上一张截图文件",
                "Try again, or attach a picture file",
            ),
        ),
    }
}

/// A view that is not kept any more.
pub fn gone(words: Words) -> UserError {
    error(
        ErrorCode::NotFound,
        words.pick(
            "看到的屏幕已经放手了（不发送的只留两分钟）",
            "What was seen of the screen was let go: unsent it is kept for two minutes",
        ),
        words.pick("再看一次", "Look again"),
    )
}

/// Too many views with one question.
pub fn too_many(words: Words, most: usize) -> UserError {
    error(
        ErrorCode::Input,
        match words {
            Words::Chinese => format!("一个问题最多带 {most} 张截图"),
            Words::English => format!("A question takes at most {most} views of the screen"),
        },
        words.pick("去掉几张", "Remove some"),
    )
}

/// What the user is told when a picture can't go to the model; `None` is the offline planner.
pub fn no_pictures(words: Words, model: Option<&str>, has_words: bool) -> String {
    let model = match (words, model) {
        (Words::Chinese, Some(model)) => format!("模型 {model} "),
        (Words::English, Some(model)) => format!("The model {model}"),
        (Words::Chinese, None) => "离线应答".to_owned(),
        (Words::English, None) => "The offline planner".to_owned(),
    };
    match (words, has_words) {
        (Words::Chinese, true) => format!("{model}看不了图：只发了程序名、窗口标题和识别出的文字"),
        (Words::Chinese, false) => format!("{model}看不了图：只发了程序名和窗口标题"),
        (Words::English, true) => format!(
            "{model} takes no pictures: only the program, the window's title and the recognised words were sent"
        ),
        (Words::English, false) => {
            format!("{model} takes no pictures: only the program and the window's title were sent")
        }
    }
}

/// What the user is told when a browser's window that nothing vouches for was sent.
pub fn may_be_private(words: Words) -> String {
    words
        .pick(
            "发出的截图里可能有隐私窗口",
            "What was sent may show a private window",
        )
        .to_owned()
}

/// What the user is told when the context that came along was kept back.
pub fn kept_back(words: Words, reason: Reason) -> String {
    let why = refused(words, reason, "");
    match words {
        Words::Chinese => format!("没有发送页面上下文：{why}"),
        Words::English => format!("The context was not sent: {why}"),
    }
}
