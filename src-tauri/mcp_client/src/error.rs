//! Why a server can't be used, as a sentence and its remedy in both languages.

use std::time::Duration;

/// The failure of a server; its quoted words are cleaned and bounded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    #[error("The program {program} could not be started: {cause}")]
    NotStarted { program: String, cause: String },
    #[error("{} is no address of a server", .0)]
    Address(String),
    #[error("{} is not encrypted, and only this computer may be spoken to in the clear", .0)]
    InTheClear(String),
    #[error("{0} can't be sent as a header")]
    Header(String),
    #[error("The server ended{}", quoted(.said))]
    Ended { said: String },
    #[error("The server could not be reached: {0}")]
    Unreachable(String),
    #[error("The server did not answer within {} s{}", .after.as_secs(), quoted(.said))]
    Silent { after: Duration, said: String },
    #[error("The server wants a sign-in")]
    SignIn,
    #[error("The server refused: {0}")]
    Refused(String),
    #[error("The server's answer is longer than {} MB", crate::limits::MESSAGE_BYTES_MAX >> 20)]
    TooLong,
    #[error("The server answered what is no answer: {0}")]
    Strange(String),
    #[error("The server asks for something in the middle of the call, which is not supported: {0}")]
    Asks(&'static str),
    #[error("The server has failed {failures} times in a row and is left alone for {} s; the last time: {last}", .wait.as_secs().max(1))]
    Resting {
        failures: u32,
        wait: Duration,
        last: String,
    },
    #[error("The call was given up")]
    Cancelled,
    #[error("The server is closed")]
    Closed,
}

fn quoted(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!("; it said: {said}")
    }
}

impl McpError {
    /// One sentence without its period, `zh` or `en`.
    #[must_use]
    pub fn sentence(&self, language: &str) -> String {
        if language == "zh" {
            self.in_chinese()
        } else {
            self.to_string()
        }
    }

    fn in_chinese(&self) -> String {
        let said = |said: &str| {
            if said.is_empty() {
                String::new()
            } else {
                format!("；它说：{said}")
            }
        };
        match self {
            Self::NotStarted { program, cause } => format!("程序 {program} 启动不了：{cause}"),
            Self::Address(url) => format!("{url} 不是服务器的地址"),
            Self::InTheClear(url) => format!("{url} 没有加密，只有本机可以不加密"),
            Self::Header(name) => format!("{name} 不能作为请求头发送"),
            Self::Ended { said: words } => format!("服务器结束了{}", said(words)),
            Self::Unreachable(cause) => format!("连不上服务器：{cause}"),
            Self::Silent { after, said: words } => {
                format!("服务器 {} 秒内没有回答{}", after.as_secs(), said(words))
            }
            Self::SignIn => "服务器要求登录".to_owned(),
            Self::Refused(cause) => format!("服务器拒绝了：{cause}"),
            Self::TooLong => format!("服务器的回答超过 {} MB", crate::limits::MESSAGE_BYTES_MAX >> 20),
            Self::Strange(what) => format!("服务器的回答不合协议：{what}"),
            Self::Asks(what) => format!("服务器在调用中途要求 {what}，这还不支持"),
            Self::Resting { failures, wait, last } => format!(
                "服务器连续失败了 {failures} 次，{} 秒内不再启动；最近一次：{last}",
                wait.as_secs().max(1)
            ),
            Self::Cancelled => "调用被放弃了".to_owned(),
            Self::Closed => "服务器已关闭".to_owned(),
        }
    }

    /// The remedy, `zh` or `en`.
    #[must_use]
    pub fn hint(&self, language: &str) -> &'static str {
        let (chinese, english) = match self {
            Self::NotStarted { .. } => (
                "看看程序是否已安装，或写出它的完整路径",
                "Check that the program is installed, or give its full path",
            ),
            Self::Address(_) => ("地址以 https:// 开头", "An address begins with https://"),
            Self::InTheClear(_) => (
                "用 https:// 的地址，或本机的地址",
                "Use an address with https://, or one of this computer",
            ),
            Self::Header(_) => (
                "名字用字母、数字和 -，值里不要有换行",
                "Names have letters, digits and -, values no line breaks",
            ),
            Self::Ended { .. } | Self::Silent { .. } | Self::Resting { .. } => (
                "在终端里运行这条命令，看看它缺什么；老服务器加 --legacy",
                "Run its command in a terminal to see what it lacks; an old server may need --legacy",
            ),
            Self::Unreachable(_) => (
                "检查地址和网络，再试一次",
                "Check the address and the network, then try again",
            ),
            Self::SignIn => (
                "用 --header 给出它的密钥；还不支持网页登录",
                "Give its key with --header; sign-in in a browser is not supported yet",
            ),
            Self::Refused(_) | Self::Strange(_) | Self::Asks(_) | Self::TooLong => (
                "用 shidi mcp test 看看它的回答，或看它的说明",
                "See what it answers with shidi mcp test, or read its manual",
            ),
            Self::Cancelled | Self::Closed => ("再试一次", "Try again"),
        };
        if language == "zh" { chinese } else { english }
    }
}
