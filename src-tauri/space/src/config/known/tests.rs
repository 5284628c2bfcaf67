//! Promises of the table of settings.

use super::*;

mod guide;

#[test]
fn every_setting_has_words_in_both_languages_and_a_default_that_it_takes() {
    for known in all() {
        for language in Language::ALL {
            for name in known.names() {
                assert!(language.settings().text(&name).is_some(), "{name}");
            }
        }
        assert_eq!(
            known.kind.refusal(known.default, Language::En),
            None,
            "{}",
            known.key
        );
        assert_eq!(all().filter(|other| other.key == known.key).count(), 1);
    }
}

#[test]
fn the_catalogue_words_no_setting_that_does_not_exist() {
    let names: Vec<String> = all().flat_map(SettingSpec::names).collect();
    for (name, _) in Language::SOURCE.settings().all() {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn a_decimal_is_a_number_within_its_bounds_or_nothing() {
    let kind = Kind::Decimal { min: -2, max: 2 };
    for fits in ["", "0", "-2", "2", "0.25", "-1.5"] {
        assert_eq!(kind.refusal(fits, Language::En), None, "{fits}");
    }
    for none in ["2.01", "-3", "NaN", "inf", "much", "1,5"] {
        let wanted = kind.refusal(none, Language::En);
        assert_eq!(wanted.as_deref(), Some("a number from -2 to 2"), "{none}");
    }
    let seed = SettingSpec::named("seed.coder").unwrap().kind;
    assert_eq!(
        seed.refusal("-1", Language::En).as_deref(),
        Some("a whole number from 0 to 4294967295")
    );
}

#[test]
fn a_switch_takes_all_usual_words_in_any_case_and_keeps_on_or_off() {
    let switches = all().filter(|known| known.kind == Kind::Switch);
    assert!(switches.count() > 10);
    for (words, wanted) in [
        (["on", "TRUE", "Yes", "1", " true "], "on"),
        (["off", "False", "NO", "0", "fAlse"], "off"),
    ] {
        for word in words {
            assert_eq!(Kind::Switch.refusal(word, Language::En), None, "{word}");
            assert_eq!(Kind::Switch.kept(word), wanted, "{word}");
        }
    }
    for none in ["maybe", "2", "o n", "onn"] {
        for language in Language::ALL {
            let wanted = Kind::Switch.refusal(none, *language).unwrap();
            for word in ["on", "off", "true", "false", "yes", "no", "1", "0"] {
                assert!(wanted.contains(word), "{word}: {wanted}");
            }
        }
    }
    // Of other kinds the words are values of their own.
    assert_eq!(Kind::Text.kept("true"), "true");
    assert_eq!(Kind::Number { min: 0, max: 9 }.kept("1"), "1");
}

#[test]
fn what_may_be_refused_has_an_example_that_fits() {
    for known in all() {
        let example = known.example();
        assert_eq!(
            known.kind.refusal(&example, Language::SOURCE),
            None,
            "{}",
            known.key
        );
        let takes_all = matches!(known.kind, Kind::Text | Kind::List);
        assert!(takes_all || !example.is_empty(), "{}", known.key);
    }
}

#[test]
fn keys_are_modifiers_and_one_key() {
    for fits in ["Ctrl+Alt+Space", "super + k", "Shift+F5", "Cmd+Option+1"] {
        assert_eq!(Kind::Keys.refusal(fits, Language::En), None, "{fits}");
    }
    for none in ["Space", "Ctrl", "Ctrl+", "Ctrl+Alt", "a+b", "Ctrl+Space+", "+"] {
        assert!(Kind::Keys.refusal(none, Language::En).is_some(), "{none}");
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
            Kind::Choice(_) | Kind::Language => known.kind.values(),
            Kind::Text
            | Kind::Number { .. }
            | Kind::Decimal { .. }
            | Kind::Paths
            | Kind::Keys
            | Kind::List
            | Kind::Amount
            | Kind::Proxy
            | Kind::Address(_)
            | Kind::Hours => Vec::new(),
        };
        let about = known.doc(Language::Zh);
        let named = latin(&about).into_iter().find(|word| values.contains(word));
        assert_eq!(named, None, "{}: {}", known.key, about);
    }
}

impl SettingSpec {
    /// Every name by which the catalogue words this setting.
    fn names(&self) -> Vec<String> {
        let choices = match self.kind {
            Kind::Language => vec!["system"],
            _ => self.kind.values(),
        };
        let choices = choices.iter().map(|value| format!("{} = {value}", self.key));
        [self.key.to_owned(), self.about_name()]
            .into_iter()
            .chain(choices)
            .collect()
    }
}
