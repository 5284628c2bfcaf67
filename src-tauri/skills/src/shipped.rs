//! The skills that come with the program: their texts are compiled in, in each language that has one.

use crate::front_matter::{self, SkillText};
use shidi_locales::Language;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A skill that ships.
#[derive(Debug)]
pub struct Shipped {
    pub name: &'static str,
    /// In the source language.
    text: &'static str,
    /// In others, by their codes.
    others: &'static [(&'static str, &'static str)],
}

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Their texts, by name and code; read once.
static TEXTS: LazyLock<BTreeMap<(&str, &str), SkillText>> = LazyLock::new(|| {
    let texts = SHIPPED.iter().flat_map(|one| {
        one.in_languages().filter_map(|(code, text)| {
            let read = front_matter::parse(text.as_bytes(), one.name).ok()?;
            Some(((one.name, code), read))
        })
    });
    texts.collect()
});

/// All of them, in the order of names.
pub fn all() -> impl Iterator<Item = &'static Shipped> {
    SHIPPED.iter()
}

impl Shipped {
    /// Its text in a language, or in the source language.
    #[must_use]
    pub fn text(&self, language: Language) -> Option<&'static SkillText> {
        let in_language = |code| TEXTS.get(&(self.name, code));
        in_language(language.code()).or_else(|| in_language(Language::SOURCE.code()))
    }

    fn in_languages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let source = (Language::SOURCE.code(), self.text);
        std::iter::once(source).chain(self.others.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::tokens;
    use shidi_space::scan::scan;
    use std::path::Path;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");
    /// Tokens of a body that a small model still follows.
    const TOKENS_MAX: u32 = 700;

    #[test]
    fn every_skill_that_ships_abides_by_the_specification_in_every_language_and_has_an_evaluation() {
        assert!(all().count() >= 10);
        for one in all() {
            let codes: Vec<&str> = one.in_languages().map(|(code, _)| code).collect();
            for language in Language::ALL {
                assert!(codes.contains(&language.code()), "{} in {language:?}", one.name);
                let text = one.text(*language).expect("a skill");
                assert_eq!(
                    (text.name.as_str(), text.notes.as_slice()),
                    (one.name, [].as_slice())
                );
                let tokens = tokens::estimate(&text.body);
                assert!(tokens <= TOKENS_MAX, "{}: {tokens} tokens", one.name);
            }
            for (code, text) in one.in_languages() {
                assert_eq!(scan(text), [], "{} in {code}", one.name);
            }
            let suite = Path::new(FOLDER).join(one.name).join("evaluation.yaml");
            assert!(suite.is_file(), "{} has no evaluation", one.name);
        }
    }
}
