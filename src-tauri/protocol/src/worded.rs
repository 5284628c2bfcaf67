//! A text for people that crosses to whoever shows it in every language at once.
//!
//! Windows change their language while the program runs, and what is kept is read later, in another one. A language is one
//! more entry here, and no type changes.

use serde::{Deserialize, Serialize};
use shidi_locales::Language;
use std::collections::BTreeMap;
use std::fmt;
use ts_rs::TS;

/// A sentence of ours in every language of the catalogue, or another party's words, which are in none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[ts(export)]
pub enum Worded {
    /// By the codes of the languages.
    Ours(BTreeMap<String, String>),
    Theirs(String),
}

impl Worded {
    /// What is said in each language of the catalogue.
    pub fn of<T: Into<String>>(say: impl Fn(Language) -> T) -> Self {
        let texts = Language::ALL
            .iter()
            .map(|language| (language.code().to_owned(), say(*language).into()));
        Self::Ours(texts.collect())
    }

    /// Another party's words, as they are.
    pub fn theirs(text: impl Into<String>) -> Self {
        Self::Theirs(text.into())
    }

    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self, Self::Ours(_))
    }

    /// The text in that language. What was kept before the catalogue had it is read in the source language.
    #[must_use]
    pub fn text(&self, language: Language) -> &str {
        match self {
            Self::Theirs(text) => text,
            Self::Ours(texts) => texts
                .get(language.code())
                .or_else(|| texts.get(Language::SOURCE.code()))
                .map_or("", String::as_str),
        }
    }

    /// The same with every text changed, such as shortened.
    #[must_use]
    pub fn map(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Theirs(text) => Self::Theirs(change(&text)),
            Self::Ours(texts) => {
                let changed = texts.into_iter().map(|(code, text)| (code, change(&text)));
                Self::Ours(changed.collect())
            }
        }
    }
}

impl Default for Worded {
    fn default() -> Self {
        Self::Theirs(String::new())
    }
}

/// For logs and traces, which are in the source language.
impl fmt::Display for Worded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(Language::SOURCE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_of_ours_is_there_in_every_language_of_the_catalogue() {
        let cancelled = Worded::of(|language| language.models().cancelled());
        for language in Language::ALL {
            assert_eq!(cancelled.text(*language), language.models().cancelled());
        }
        let Worded::Ours(texts) = &cancelled else {
            panic!("{cancelled:?}")
        };
        assert_eq!(texts.len(), Language::ALL.len());
    }

    #[test]
    fn another_partys_words_are_the_same_in_every_language() {
        let said = Worded::theirs("401 invalid_api_key");
        for language in Language::ALL {
            assert_eq!(said.text(*language), "401 invalid_api_key");
        }
        let kept = serde_json::to_string(&said).unwrap();
        assert_eq!(kept, r#""401 invalid_api_key""#);
        assert_eq!(serde_json::from_str::<Worded>(&kept).unwrap(), said);
    }

    #[test]
    fn what_was_kept_before_a_language_came_is_read_in_the_source_language() {
        let kept = format!(r#"{{"{}": "cancelled"}}"#, Language::SOURCE.code());
        let kept: Worded = serde_json::from_str(&kept).unwrap();
        for language in Language::ALL {
            assert_eq!(kept.text(*language), "cancelled");
        }
        assert_eq!(kept.to_string(), "cancelled");
    }

    #[test]
    fn what_is_changed_is_changed_in_every_language() {
        let loud = Worded::of(|language| language.models().cancelled()).map(str::to_uppercase);
        assert_eq!(loud.to_string(), "CANCELLED");
        assert!(loud.is_ours());
        assert_eq!(Worded::theirs("no").map(str::to_uppercase), Worded::theirs("NO"));
    }
}
