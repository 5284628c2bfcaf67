//! Decides when a request is worth repeating, and after how long.
//!
//! Failures before an answer's first piece and cut answers both come here. The pause doubles and is jittered,
//! so that many clients of a struggling server don't return together. A server's own `Retry-After` is the
//! shortest pause.

use super::Timeouts;
use super::transport::Refused;
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;
use shidi_protocol::{FailureKind, ModelFailure};
use std::time::Duration;

/// A failed attempt, and the remedy that may help.
#[derive(Debug)]
pub(crate) struct Setback {
    pub failure: ModelFailure,
    pub remedy: Remedy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    None,
    /// The server refused a field of the request by name.
    OtherDialect,
    Wait {
        /// The pause that the server asked for.
        asked: Option<Duration>,
        reason: WaitReason,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitReason {
    Unconnected,
    /// The server answered with an error, or broke off.
    Struggling,
    /// The server still reads its model from the disk, as llama.cpp's says: another attempt costs it nothing.
    Loading,
}

/// Words of a server that reads its model from the disk, in small letters.
const LOADING: &str = "loading model";

/// The pauses between the attempts of one request.
pub(crate) struct Pauses {
    backoff: ExponentialBackoff,
    patience: Timeouts,
    attempts: usize,
    /// How long the server's loading was waited for.
    loading: Duration,
}

impl Pauses {
    pub(crate) fn new(patience: Timeouts) -> Self {
        let backoff = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(patience.pause_ms))
            .with_max_delay(Duration::from_millis(patience.pause_max_ms))
            .with_max_times(patience.attempts)
            .with_jitter()
            .build();
        Self {
            backoff,
            patience,
            attempts: 1,
            loading: Duration::ZERO,
        }
    }

    /// The pause before the next attempt; `None` when the request is given up.
    pub(crate) fn next(&mut self, asked: Option<Duration>, reason: WaitReason) -> Option<Duration> {
        let most = match reason {
            WaitReason::Unconnected => self.patience.connect_attempts,
            WaitReason::Struggling => self.patience.attempts,
            WaitReason::Loading => return self.next_while_loading(),
        };
        let asked = asked.unwrap_or_default();
        if self.attempts >= most || asked > Duration::from_millis(self.patience.asked_pause_max_ms) {
            return None;
        }
        self.attempts += 1;
        self.backoff.next().map(|own| own.max(asked))
    }

    /// Equal pauses, as long as a large file takes from a slow disk.
    fn next_while_loading(&mut self) -> Option<Duration> {
        let pause = Duration::from_millis(self.patience.loading_pause_ms);
        if self.loading >= Duration::from_millis(self.patience.loading_ms) {
            return None;
        }
        self.loading += pause;
        Some(pause)
    }
}

/// The remedy for an answer with an error status.
pub(crate) fn remedy(status: u16, headers: &HeaderMap, refused: &Refused) -> Remedy {
    let wait = Remedy::Wait {
        asked: retry_after(headers).or(refused.asked_pause),
        reason: WaitReason::Struggling,
    };
    let is_loading = || {
        refused
            .failure
            .detail
            .to_string()
            .to_lowercase()
            .contains(LOADING)
    };
    match refused.failure.kind {
        FailureKind::Overloaded if is_loading() => Remedy::Wait {
            asked: None,
            reason: WaitReason::Loading,
        },
        FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Timeout => wait,
        FailureKind::Refused if status == 409 || status >= 500 => wait,
        FailureKind::Refused => Remedy::OtherDialect,
        FailureKind::Unreachable
        | FailureKind::Key
        | FailureKind::NoKey
        | FailureKind::KeysLocked
        | FailureKind::Budget
        | FailureKind::Quota
        | FailureKind::Cut
        | FailureKind::ContextLength
        | FailureKind::NoSuchModel
        | FailureKind::Malformed
        | FailureKind::Unserved
        | FailureKind::Cancelled => Remedy::None,
    }
}

/// Reads `Retry-After` in seconds or as a date, and OpenAI's `retry-after-ms`.
///
/// A date is compared with the server's own `Date`, so the user's clock does not matter.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    };
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let after = text("retry-after")?;
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let parser = DateTimeParser::new();
    let then = parser.parse_timestamp(after).ok()?;
    let now = parser.parse_timestamp(text("date")?).ok()?;
    Duration::try_from(then.duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("name"), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn retry_after_is_read_in_all_its_forms() {
        assert_eq!(
            retry_after(&headers(&[("retry-after", "2")])),
            Some(Duration::from_secs(2))
        );
        assert_eq!(
            retry_after(&headers(&[("retry-after", "0.5")])),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            retry_after(&headers(&[("retry-after-ms", "120"), ("retry-after", "9")])),
            Some(Duration::from_millis(120))
        );
        let dated = [
            ("retry-after", "Fri, 20 Nov 2026 10:00:07 GMT"),
            ("date", "Fri, 20 Nov 2026 10:00:00 GMT"),
        ];
        assert_eq!(retry_after(&headers(&dated)), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers(&[("retry-after", "soon")])), None);
        assert_eq!(retry_after(&headers(&[("retry-after", "-3")])), None);
    }

    #[test]
    fn pauses_grow_end_and_respect_what_the_server_asks() {
        let patience = Timeouts {
            pause_ms: 100,
            pause_max_ms: 1000,
            ..Timeouts::default()
        };
        let mut pauses = Pauses::new(patience);
        let first = pauses.next(None, WaitReason::Struggling).expect("a first pause");
        assert!(
            first >= Duration::from_millis(100) && first < Duration::from_millis(250),
            "{first:?}"
        );
        assert_eq!(
            pauses.next(Some(Duration::from_secs(9)), WaitReason::Struggling),
            Some(Duration::from_secs(9))
        );
        assert!(pauses.next(None, WaitReason::Struggling).is_some());
        assert_eq!(
            pauses.next(None, WaitReason::Struggling),
            None,
            "four attempts in all"
        );
        let mut pauses = Pauses::new(patience);
        assert_eq!(
            pauses.next(Some(Duration::from_secs(3600)), WaitReason::Struggling),
            None
        );
        let mut pauses = Pauses::new(patience);
        assert!(pauses.next(None, WaitReason::Unconnected).is_some());
        assert!(pauses.next(None, WaitReason::Unconnected).is_some());
        assert_eq!(
            pauses.next(None, WaitReason::Unconnected),
            None,
            "three attempts in all"
        );
    }

    #[test]
    fn a_server_that_loads_its_model_is_waited_for_beside_all_attempts_and_not_for_ever() {
        let patience = Timeouts {
            loading_pause_ms: 1_000,
            loading_ms: 3_000,
            ..Timeouts::default()
        };
        let mut pauses = Pauses::new(patience);
        for _ in 0..3 {
            assert_eq!(
                pauses.next(None, WaitReason::Loading),
                Some(Duration::from_secs(1))
            );
        }
        assert_eq!(pauses.next(None, WaitReason::Loading), None);
        assert!(pauses.next(None, WaitReason::Struggling).is_some());
    }
}
