//! What a failure of the store means to the user, in their language: what broke, and what to do about it.

use crate::StoreError;
use shidi_protocol::{ErrorCode, UserError};

impl StoreError {
    /// The failure as it is shown; `language` is `zh` or, for everything else, English.
    #[must_use]
    pub fn user_error(&self, language: &str) -> UserError {
        let (message, hint) = if language == "zh" {
            self.chinese()
        } else {
            self.english()
        };
        UserError::new(self.code(), message).hint(hint)
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::Newer { .. } => ErrorCode::NewerData,
            Self::Ambiguous { .. } => ErrorCode::Input,
            Self::Refused { .. } | Self::TooLarge | Self::Closed => ErrorCode::Internal,
            Self::Earlier { source } => source.code(),
            Self::ReadOnly { .. }
            | Self::Full
            | Self::Locked { .. }
            | Self::Busy { .. }
            | Self::Damaged { .. }
            | Self::Unreadable { .. }
            | Self::Folder { .. }
            | Self::Sqlite { .. } => ErrorCode::Storage,
        }
    }

    fn english(&self) -> (String, String) {
        let hint = match self {
            Self::Newer { .. } => "Update Shidi, or name another folder with --data-dir",
            Self::ReadOnly { .. } => "Allow writing there, or name another folder with --data-dir",
            Self::Full => "Free some space on that disk, then try again; nothing that was confirmed is lost",
            Self::Locked { .. } => "Close the other Shidi, or name another folder with --data-dir",
            Self::Busy { .. } => "Close the program that has the database open, then try again",
            Self::Damaged { .. } | Self::Unreadable { .. } => {
                "Run `shidi doctor --rescue`: it takes over what can be read and keeps the damaged file under a dated name"
            }
            Self::Ambiguous { .. } => "Give more digits of the id",
            Self::Earlier { source } => &source.english().1,
            Self::Folder { .. } | Self::Sqlite { .. } => "Check that disk, then run `shidi doctor`",
            Self::Refused { .. } | Self::TooLarge | Self::Closed => {
                "Start Shidi again; if it comes back, please report it"
            }
        };
        let message = match std::error::Error::source(self) {
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        };
        (message, hint.to_owned())
    }

    fn chinese(&self) -> (String, String) {
        let (message, hint) = match self {
            Self::Newer { found, known } => (
                format!("数据由更新的版本写入（格式 {found}，本版本最高支持 {known}）"),
                "请更新师弟，或用 --data-dir 指定另一个文件夹",
            ),
            Self::ReadOnly { path } => (
                format!("{} 不可写", path.display()),
                "请允许写入，或用 --data-dir 指定另一个文件夹",
            ),
            Self::Full => (
                "磁盘空间已满".to_owned(),
                "请腾出空间后重试；已确认的内容没有丢失",
            ),
            Self::Locked { path } => (
                format!("{} 正被另一个师弟使用", path.display()),
                "请关闭另一个师弟，或用 --data-dir 指定另一个文件夹",
            ),
            Self::Busy { path } => (
                format!("{} 被另一个程序占用", path.display()),
                "请关闭打开该数据库的程序后重试",
            ),
            Self::Damaged { path, detail } => (
                format!("{} 已损坏：{detail}", path.display()),
                "请运行 `shidi doctor --rescue`：读得出的都会搬进新数据库，损坏的文件改名保留",
            ),
            Self::Unreadable { detail } => (
                format!("有一行数据无法读取：{detail}"),
                "请运行 `shidi doctor --rescue`：读得出的都会搬进新数据库，损坏的文件改名保留",
            ),
            Self::Ambiguous { text, matches } => {
                (format!("“{text}” 对应 {matches} 个编号"), "请多给几位编号")
            }
            Self::Earlier { source } => return ("之前的一次写入丢失".to_owned(), source.chinese().1),
            Self::Folder { path, source } => (
                format!("{} 无法使用：{source}", path.display()),
                "请检查磁盘，然后运行 `shidi doctor`",
            ),
            Self::Sqlite { path, source } => (
                format!("{} 出错：{source}", path.display()),
                "请检查磁盘，然后运行 `shidi doctor`",
            ),
            Self::Refused { detail } => (
                format!("写入与已有数据矛盾：{detail}"),
                "请重新启动师弟；如果再次出现，请报告",
            ),
            Self::TooLarge => (
                "文本过长，无法保存".to_owned(),
                "请重新启动师弟；如果再次出现，请报告",
            ),
            Self::Closed => ("存储已关闭".to_owned(), "请重新启动师弟；如果再次出现，请报告"),
        };
        (message, hint.to_owned())
    }
}
