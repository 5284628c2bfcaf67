//! Promises of the table of settings.

use super::*;

#[test]
fn every_setting_has_words_in_both_languages_and_a_default_that_it_takes() {
    for known in all() {
        for text in [known.title.0, known.title.1, known.about.0, known.about.1] {
            assert!(!text.trim().is_empty(), "{}", known.key);
        }
        assert_eq!(
            known.kind.refusal(known.default, Words::English),
            None,
            "{}",
            known.key
        );
        assert_eq!(all().filter(|other| other.key == known.key).count(), 1);
    }
}

#[test]
fn keys_are_modifiers_and_one_key() {
    for fits in ["Ctrl+Alt+Space", "super + k", "Shift+F5", "Cmd+Option+1"] {
        assert_eq!(Kind::Keys.refusal(fits, Words::English), None, "{fits}");
    }
    for none in ["Space", "Ctrl", "Ctrl+", "Ctrl+Alt", "a+b", "Ctrl+Space+", "+"] {
        assert!(Kind::Keys.refusal(none, Words::English).is_some(), "{none}");
    }
}

/// The Latin words of a text outside of its parentheses.
fn latin(text: &str) -> Vec<&str> {
    let outside = text
        .split('（')
        .map(|part| part.split_once('）').map_or(part, |(_, outside)| outside));
    outside
        .flat_map(|part| part.split(|sign: char| !sign.is_ascii_alphabetic()))
        .collect()
}

#[test]
fn chinese_texts_name_what_is_chosen_as_the_page_does() {
    for known in all() {
        let values: Vec<&str> = match known.kind {
            Kind::Switch => vec!["on", "off"],
            Kind::Choice(values) => values.iter().map(|(value, _)| *value).collect(),
            Kind::Text
            | Kind::Number { .. }
            | Kind::Paths
            | Kind::Keys
            | Kind::List
            | Kind::Amount
            | Kind::Proxy
            | Kind::Address => Vec::new(),
        };
        let named = latin(known.about.0)
            .into_iter()
            .find(|word| values.contains(word));
        assert_eq!(named, None, "{}: {}", known.key, known.about.0);
    }
}
