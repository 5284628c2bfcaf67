//! Why a search brought nothing, as one sentence with its remedy.
//!
//! Of what a provider says against a request only its numbers and codes are looked at. A provider's own words are
//! never repeated: some repeat the key.

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;
use shidi_locales::Language;
use shidi_models::KeyError;
use shidi_space::config::settings::SearchProvider;

/// The header by which Brave says when each of its periods begins anew, the shortest first.
const BRAVE_RESET: &str = "x-ratelimit-reset";

/// Why there are no results.
#[derive(Debug)]
pub(crate) enum NoSearch {
    /// No provider is chosen.
    NotSet,
    /// The provider has no address of its own, and none is set.
    NoAddress(&'static str),
    NoKey(&'static str),
    Keys(KeyError),
    KeyRefused(&'static str),
    /// The key is right, and what it allows is used up.
    UsedUp(&'static str),
    /// The seconds to wait, where the provider tells them.
    TooOften(&'static str, Option<u64>),
    /// The provider does not take this query.
    QueryRefused(&'static str, u16),
    /// A SearXNG whose operator has not switched on answers for programs.
    NoJson,
    /// What answers there is another thing.
    OtherAnswer(&'static str, String),
    /// No answer, or that of a server in trouble.
    Failed(String),
}

impl NoSearch {
    /// What went wrong and what to do, in one sentence.
    pub(crate) fn sentence(&self, language: Language) -> String {
        let say = language.web();
        match self {
            Self::NotSet => say.search_not_set().to_owned(),
            Self::NoAddress(name) => say.search_no_address(name),
            Self::NoKey(name) => say.search_no_key(name),
            Self::Keys(cause) => cause.sentence(language),
            Self::KeyRefused(name) => say.search_key_refused(name),
            Self::UsedUp(name) => say.search_used_up(name),
            Self::TooOften(name, Some(seconds)) => say.search_too_often(name, seconds),
            Self::TooOften(name, None) => say.search_too_often_later(name),
            Self::QueryRefused(name, status) => say.search_query_refused(name, status),
            Self::NoJson => say.search_no_json().to_owned(),
            Self::OtherAnswer(name, why) => say.search_other_answer(name, why),
            Self::Failed(why) => say.search_failed(why),
        }
    }

    /// The error that a program gets.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NotSet
            | Self::NoAddress(_)
            | Self::NoKey(_)
            | Self::Keys(_)
            | Self::KeyRefused(_)
            | Self::UsedUp(_)
            | Self::NoJson
            | Self::OtherAnswer(..) => "RuntimeError",
            Self::QueryRefused(..) => "ValueError",
            Self::TooOften(..) | Self::Failed(_) => "ConnectionError",
        }
    }

    /// Whether the sentence holds nothing but words of ours and numbers.
    pub(crate) fn is_own(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }
}

/// Why an answer of that status brings no results.
pub(super) fn of(provider: SearchProvider, status: u16, headers: &HeaderMap, body: &[u8]) -> NoSearch {
    let name = provider.name();
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    let has_key = super::is_key(name);
    match status {
        403 if !has_key => NoSearch::NoJson,
        // So Bing's shape tells that days or months are used up; with 429 the same code tells of seconds.
        403 if code(&said) == "RateLimitExceeded" => NoSearch::UsedUp(name),
        401 | 403 if has_key && is_used_up(&said) => NoSearch::UsedUp(name),
        401 | 403 if has_key => NoSearch::KeyRefused(name),
        // So Brave says that a key is none.
        422 if code(&said) == "SUBSCRIPTION_TOKEN_INVALID" => NoSearch::KeyRefused(name),
        // The last two are Tavily's own numbers for the limits of a plan.
        402 | 432 | 433 => NoSearch::UsedUp(name),
        429 if is_used_up(&said) => NoSearch::UsedUp(name),
        429 => NoSearch::TooOften(name, wait(headers)),
        400 | 414 | 422 => NoSearch::QueryRefused(name, status),
        300..=399 | 404 | 405 | 410 => NoSearch::OtherAnswer(name, format!("HTTP {status}")),
        _ => NoSearch::Failed(format!("HTTP {status}")),
    }
}

/// The code of an error, where its provider has one.
fn code(said: &Value) -> &str {
    let code = said.pointer("/error/code").and_then(Value::as_str);
    code.or_else(|| said.pointer("/errors/0/code").and_then(Value::as_str))
        .unwrap_or_default()
}

/// Whether the quota of days or months is used up, and not the rate of seconds. Brave's figures tell it, or the sentence
/// of a gateway before that.
fn is_used_up(said: &Value) -> bool {
    let figure = |name: &str| {
        said.pointer("/error/meta")
            .and_then(|meta| meta.get(name)?.as_u64())
    };
    let quota = figure("quota_limit").filter(|limit| *limit > 0);
    let is_full = quota.is_some_and(|limit| figure("quota_current").is_some_and(|now| now >= limit));
    let sentence = said.pointer("/error/message").and_then(Value::as_str);
    let speaks_of_it = sentence.is_some_and(|words| words.to_ascii_lowercase().contains("quota"));
    is_full || speaks_of_it
}

/// The seconds to wait, by the header that all have, or by Brave's.
fn wait(headers: &HeaderMap) -> Option<u64> {
    let first = |name: &str| -> Option<u64> {
        let value = headers.get(name)?.to_str().ok()?;
        value.split(',').next()?.trim().parse().ok()
    };
    first(RETRY_AFTER.as_str()).or_else(|| first(BRAVE_RESET))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;
    use serde_json::json;

    fn told(provider: SearchProvider, status: u16, body: &Value) -> String {
        let refusal = of(provider, status, &HeaderMap::new(), body.to_string().as_bytes());
        format!("{refusal:?}")
    }

    #[test]
    fn each_providers_refusals_are_told_apart() {
        let none = Value::Null;
        let token = json!({"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422}});
        let full =
            json!({"error": {"code": "RATE_LIMITED", "meta": {"quota_limit": 2000, "quota_current": 2000}}});
        let fast =
            json!({"error": {"code": "RATE_LIMITED", "meta": {"quota_limit": 2000, "quota_current": 15}}});
        let volume = json!({"error": {"code": "403", "message": "Out of call volume quota."}});
        let limited = json!({"_type": "ErrorResponse", "errors": [{"code": "RateLimitExceeded"}]});
        for (provider, status, body, expected) in [
            (SearchProvider::Brave, 422, &token, "KeyRefused(\"brave\")"),
            (SearchProvider::Brave, 422, &none, "QueryRefused(\"brave\", 422)"),
            (SearchProvider::Brave, 429, &full, "UsedUp(\"brave\")"),
            (SearchProvider::Brave, 429, &fast, "TooOften(\"brave\", None)"),
            (SearchProvider::Tavily, 401, &none, "KeyRefused(\"tavily\")"),
            (SearchProvider::Tavily, 432, &none, "UsedUp(\"tavily\")"),
            (
                SearchProvider::Tavily,
                400,
                &none,
                "QueryRefused(\"tavily\", 400)",
            ),
            (SearchProvider::Bing, 401, &none, "KeyRefused(\"bing\")"),
            (SearchProvider::Bing, 403, &volume, "UsedUp(\"bing\")"),
            (SearchProvider::Bing, 403, &limited, "UsedUp(\"bing\")"),
            (SearchProvider::Bing, 429, &limited, "TooOften(\"bing\", None)"),
            (SearchProvider::Bing, 403, &none, "KeyRefused(\"bing\")"),
            (
                SearchProvider::Bing,
                410,
                &none,
                "OtherAnswer(\"bing\", \"HTTP 410\")",
            ),
            (SearchProvider::Searxng, 403, &none, "NoJson"),
            (
                SearchProvider::Searxng,
                302,
                &none,
                "OtherAnswer(\"searxng\", \"HTTP 302\")",
            ),
            (SearchProvider::Searxng, 503, &none, "Failed(\"HTTP 503\")"),
        ] {
            assert_eq!(told(provider, status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn the_wait_is_the_providers_own() {
        let mut headers = HeaderMap::new();
        assert_eq!(wait(&headers), None);
        headers.insert(BRAVE_RESET, HeaderValue::from_static("1, 1419704"));
        assert_eq!(wait(&headers), Some(1));
        headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        assert_eq!(wait(&headers), Some(5));
        headers.insert(
            RETRY_AFTER,
            HeaderValue::from_static("Wed, 21 Oct 2026 07:28:00 GMT"),
        );
        assert_eq!(wait(&headers), Some(1), "a date is left to the other");
    }

    #[test]
    fn every_refusal_is_one_sentence_in_each_language() {
        for refusal in [
            NoSearch::NotSet,
            NoSearch::NoAddress("bing"),
            NoSearch::NoKey("brave"),
            NoSearch::KeyRefused("brave"),
            NoSearch::UsedUp("brave"),
            NoSearch::TooOften("brave", Some(5)),
            NoSearch::TooOften("brave", None),
            NoSearch::QueryRefused("brave", 422),
            NoSearch::NoJson,
            NoSearch::OtherAnswer("brave", "HTTP 404".to_owned()),
            NoSearch::Failed("HTTP 503".to_owned()),
        ] {
            for language in [Language::En, Language::Zh] {
                let sentence = refusal.sentence(language);
                assert!(!sentence.is_empty() && !sentence.contains('\n'), "{refusal:?}");
                assert!(!sentence.contains("{{"), "{sentence}");
            }
        }
    }
}
