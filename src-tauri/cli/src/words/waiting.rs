//! The command line's words during the wait for a model, and about an answer that another one replaces.

use super::Words;
use shidi_protocol::{FailureKind, Wait};

impl Words {
    #[must_use]
    pub fn version(self, (at, of): (usize, usize)) -> String {
        self.said.version_of(at, of)
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
                    detail => self.said.wait_detail(detail),
                };
                self.said.asking_again(left, said, why)
            }
            Wait::Prompt { read, total } => {
                let share = u64::from(*read) * 100 / u64::from((*total).max(1));
                self.said.model_reads_prompt(share, total)
            }
            Wait::Loading => self.said.model_is_loaded().to_owned(),
        }
    }

    fn why_later(self, reason: FailureKind, provider: &str) -> String {
        match reason {
            FailureKind::RateLimited => self.said.provider_limits(provider),
            FailureKind::Overloaded => self.said.provider_busy(provider),
            FailureKind::Unreachable => self.said.provider_unreachable(provider),
            FailureKind::Cut => self.said.provider_broke_off(provider),
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
            | FailureKind::Unserved
            | FailureKind::Cancelled => self.said.provider_failed(provider),
        }
    }
}
