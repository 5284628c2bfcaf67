//! The runtime's own sentences in both languages: what broke, and what to do.

use shidi_protocol::{ErrorCode, Unreadable, UserError};

/// The language of sentences: that of the option, else of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    Chinese,
    English,
}

impl Words {
    /// The language named `zh…` or `en…`; without a name that of `LC_ALL`, `LC_MESSAGES`, `LANG`.
    #[must_use]
    pub fn of(language: Option<&str>) -> Self {
        let from_environment = || {
            let names = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
            names
                .filter_map(|name| std::env::var(name).ok())
                .find(|value| !value.is_empty())
        };
        let name = language
            .map(str::to_owned)
            .or_else(from_environment)
            .unwrap_or_default();
        if name.starts_with("zh") {
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

    #[must_use]
    pub fn pick<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

/// A sentence with its remedy.
pub fn error(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> UserError {
    UserError::new(code, message).hint(hint)
}

/// An error of ours that no user can mend.
pub fn internal(words: Words, detail: &str) -> UserError {
    error(
        ErrorCode::Internal,
        format!(
            "{}: {detail}",
            words.pick("师弟自己出了错", "Shidi made a mistake")
        ),
        words.pick(
            "重新启动再试；前面的内容都保留着",
            "Start it again and retry: what came before is kept",
        ),
    )
}

/// Why something attached can't be read.
#[must_use]
pub fn unreadable(words: Words, reason: Unreadable) -> &'static str {
    match reason {
        Unreadable::Missing => words.pick("没有这个文件", "there is no such file"),
        Unreadable::Forbidden => words.pick("没有权限读它", "its permissions forbid reading it"),
        Unreadable::Special => words.pick("它是管道、套接字或设备", "it is a pipe, socket or device"),
        Unreadable::Binary => words.pick(
            "既不是文本、图片，也不是能读的文档",
            "it is neither text, nor a picture, nor a document that can be read",
        ),
        Unreadable::Empty => words.pick("里面没有内容", "there is nothing in it"),
        Unreadable::Locked => words.pick(
            "有密码保护；请附上解锁后的副本",
            "it is protected by a password; attach an unlocked copy",
        ),
        Unreadable::Broken => words.pick("文件已损坏", "it is damaged"),
        Unreadable::Huge => words.pick("太大，读不了", "it is too large to be read"),
        Unreadable::NoText => words.pick("页面里只有图像，没有文字", "its pages hold pictures, but no text"),
        Unreadable::TimedOut => words.pick("读取超时", "reading it took too long"),
        Unreadable::Unreachable => words.pick(
            "网址没有给出可读的内容",
            "its address did not answer with anything to read",
        ),
        Unreadable::Failed => words.pick("磁盘或系统出错", "the disk or the system failed"),
    }
}
