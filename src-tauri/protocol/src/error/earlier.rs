//! Reads why a model gave no answer, also in the form of before its detail came in every language.
//!
//! Rows of runs, states of the mind and session files of that time hold `detail` in English. `detail_zh` stands beside
//! it where the sentence is ours.

use super::ModelTrouble;
use crate::{FailureKind, Worded};
use serde::{Deserialize, Deserializer};
use shidi_locales::Language;

/// The language that had a field of its own.
const BESIDE_ENGLISH: &str = "zh";

#[derive(Deserialize)]
struct EitherForm {
    kind: FailureKind,
    provider: String,
    title: String,
    detail: Worded,
    #[serde(default)]
    detail_zh: Option<String>,
}

impl<'de> Deserialize<'de> for ModelTrouble {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let EitherForm {
            kind,
            provider,
            title,
            detail,
            detail_zh,
        } = EitherForm::deserialize(deserializer)?;
        let detail = match (detail, detail_zh) {
            (Worded::Theirs(english), Some(other)) => Worded::Ours(
                [(Language::SOURCE.code(), english), (BESIDE_ENGLISH, other)]
                    .map(|(code, text)| (code.to_owned(), text))
                    .into(),
            ),
            (detail, _) => detail,
        };
        Ok(Self {
            kind,
            provider,
            title,
            detail,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UserError;

    /// An error as runs of before kept it.
    fn kept(detail: &str) -> UserError {
        let text = format!(
            r#"{{"code": "model", "message": "ollama can’t be reached", "hint": null,
                "model": {{"kind": "unreachable", "provider": "ollama", "title": "Ollama", {detail}}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn detail(error: &UserError) -> &Worded {
        &error.model.as_ref().unwrap().detail
    }

    #[test]
    fn a_sentence_of_ours_is_read_in_both_languages_that_it_was_kept_in() {
        let error = kept(r#""detail": "no server listens there", "detail_zh": "那里没有服务在听""#);
        assert_eq!(detail(&error).text(Language::named("zh")), "那里没有服务在听");
        assert_eq!(
            detail(&error).text(Language::named("en")),
            "no server listens there"
        );
        assert!(detail(&error).is_ours());
    }

    #[test]
    fn a_providers_words_stay_in_no_language() {
        let error = kept(r#""detail": "401 invalid_api_key""#);
        assert_eq!(detail(&error), &Worded::theirs("401 invalid_api_key"));
    }

    #[test]
    fn what_is_kept_today_is_read_as_it_was_written() {
        for detail in [
            Worded::theirs("503"),
            Worded::of(|language| language.models().cancelled()),
        ] {
            let written = UserError {
                model: Some(Box::new(ModelTrouble {
                    kind: FailureKind::Unreachable,
                    provider: "ollama".to_owned(),
                    title: "Ollama".to_owned(),
                    detail,
                })),
                ..kept(r#""detail": """#)
            };
            let text = serde_json::to_string(&written).unwrap();
            assert!(!text.contains("detail_"), "{text}");
            assert_eq!(serde_json::from_str::<UserError>(&text).unwrap(), written);
        }
    }
}
