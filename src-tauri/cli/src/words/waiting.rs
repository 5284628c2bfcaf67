//! What the command line says while a model is waited for, and of an answer that another one replaces.

use super::Words;
use shidi_protocol::{FailureKind, Wait};

impl Words {
    #[must_use]
    pub fn thinking(self, seconds: u64) -> String {
        self.pick(format!("在想，已 {seconds} 秒"), format!("Thinking, {seconds} s"))
    }

    #[must_use]
    pub fn awaits_model(self) -> &'static str {
        self.pick("等模型读完问题", "waiting for the model to read the prompt")
    }

    #[must_use]
    pub fn version(self, (at, of): (usize, usize)) -> String {
        self.pick(
            format!("（第 {at} 版，共 {of} 版）"),
            format!("(version {at} of {of})"),
        )
    }

    /// An answer that does not count, by its first line.
    #[must_use]
    pub fn withdrawn(self, gist: &str) -> String {
        self.pick(format!("（撤回的回答：{gist}）"), format!("(taken back: {gist})"))
    }

    #[must_use]
    pub fn is_withdrawn(self) -> &'static str {
        self.pick(
            "上面的回答撤回了，另答如下",
            "The answer above is taken back; another one follows",
        )
    }

    /// Of words that are in a pipe already and turned out to be no answer.
    #[must_use]
    pub fn not_the_answer(self, lines: usize) -> String {
        self.pick(
            format!("〔上面 {lines} 行不是最后的回答〕"),
            match lines {
                1 => "[The line above is not the final answer]".to_owned(),
                lines => format!("[The {lines} lines above are not the final answer]"),
            },
        )
    }

    /// What is waited for, over in `left` seconds where that is known.
    #[must_use]
    pub fn awaiting(self, wait: &Wait, left: u64) -> String {
        match wait {
            Wait::Provider {
                reason,
                provider,
                detail,
                ..
            } => {
                let why = self.why_later(*reason, provider);
                let said = match detail.as_str() {
                    "" => String::new(),
                    detail => self.pick(format!("（{detail}）"), format!(" ({detail})")),
                };
                self.pick(
                    format!("{why}{said}，{left} 秒后再问"),
                    format!("{why}{said}; asking again in {left} s"),
                )
            }
            Wait::Prompt { read, total } => {
                let share = u64::from(*read) * 100 / u64::from((*total).max(1));
                self.pick(
                    format!("模型在读问题，{share}%（{total} 词元）"),
                    format!("the model reads the prompt, {share} % of {total} tokens"),
                )
            }
        }
    }

    fn why_later(self, reason: FailureKind, provider: &str) -> String {
        match reason {
            FailureKind::RateLimited => self.pick(
                format!("{provider} 限制了提问的次数"),
                format!("{provider} limits how often it is asked"),
            ),
            FailureKind::Overloaded => {
                self.pick(format!("{provider} 太忙"), format!("{provider} is too busy"))
            }
            FailureKind::Unreachable => self.pick(
                format!("{provider} 连不上"),
                format!("{provider} can't be reached"),
            ),
            FailureKind::Cut => self.pick(
                format!("{provider} 的回答断在半路"),
                format!("The answer of {provider} broke off"),
            ),
            FailureKind::ServerError
            | FailureKind::Key
            | FailureKind::NoKey
            | FailureKind::KeysLocked
            | FailureKind::Budget
            | FailureKind::Quota
            | FailureKind::Timeout
            | FailureKind::ContextLength
            | FailureKind::NoSuchModel
            | FailureKind::Malformed
            | FailureKind::Refused
            | FailureKind::Cancelled => self.pick(format!("{provider} 出错了"), format!("{provider} failed")),
        }
    }
}
