//! How text is cut, and that a query is never syntax.

use super::excerpt::around;
use super::query::{expression, parts, terms};
use super::words::{TermKind, cut};
use proptest::prelude::*;

fn cut_texts(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    cut(text, |term| texts.push(term.text));
    texts
}

#[test]
fn english_words_meet_in_their_stem() {
    for (left, right) in [
        ("running", "run"),
        ("runs", "Run"),
        ("stopped", "stops"),
        ("making", "make"),
        ("stories", "story"),
        ("boxes", "box"),
        ("passwords", "PASSWORD"),
        ("rotated", "rotate"),
        ("policies", "policy"),
        ("classes", "class"),
    ] {
        assert_eq!(cut_texts(left), cut_texts(right), "{left} {right}");
    }
    for word in ["string", "speed", "this", "bus", "red", "thing", "status", "add"] {
        assert_eq!(cut_texts(word), [word]);
    }
}

#[test]
fn unspaced_scripts_are_cut_into_pairs_and_characters() {
    assert_eq!(
        cut_texts("我喜欢猫。"),
        ["我喜", "我", "喜欢", "喜", "欢猫", "欢", "猫"]
    );
    assert_eq!(cut_texts("猫"), ["猫"]);
    assert_eq!(
        cut_texts("用Python写脚本"),
        ["用", "python", "写脚", "写", "脚本", "脚", "本"]
    );
    assert_eq!(terms("猫 狗狗"), ["猫", "狗狗"]);
}

#[test]
fn a_name_is_found_by_what_it_is_put_together_of() {
    assert_eq!(cut_texts("refreshToken"), ["refreshtoken", "refresh", "token"]);
    assert_eq!(
        cut_texts("HTTPServer2024"),
        ["httpserver2024", "http", "server", "2024"]
    );
    assert_eq!(cut_texts("PASSWORD"), ["password"]);
    assert_eq!(cut_texts("Word"), ["word"]);
    assert_eq!(cut_texts("v2"), ["v2"], "single characters tell nothing");
    assert_eq!(cut_texts("2024年"), ["2024", "年"]);
    assert_eq!(
        parts("maxRetries of port8080"),
        ["max", "retri", "of", "port", "8080"]
    );
    assert_eq!(terms("refreshToken"), ["refreshtoken"]);
}

#[test]
fn width_case_and_accents_do_not_matter() {
    assert_eq!(cut_texts("ＡＢＣ１２３"), ["abc123", "abc", "123"]);
    assert_eq!(cut_texts("Café"), cut_texts("cafe\u{301}"));
    assert_eq!(cut_texts("ÜBER"), ["uber"]);
}

#[test]
fn a_term_knows_where_it_stood() {
    let text = "a ﬁne 我们";
    let mut places = Vec::new();
    cut(text, |term| {
        places.push((text[term.start..term.end].to_owned(), term.kind))
    });
    assert_eq!(
        places,
        [
            ("a".to_owned(), TermKind::Word),
            ("ﬁne".to_owned(), TermKind::Word),
            ("我们".to_owned(), TermKind::Pair),
            ("我".to_owned(), TermKind::Character),
            ("们".to_owned(), TermKind::Character)
        ]
    );
}

#[test]
fn an_excerpt_is_the_stretch_with_most_of_the_terms() {
    let text = format!(
        "{} alpha {} alpha then beta here {}",
        "x ".repeat(300),
        "y ".repeat(300),
        "z ".repeat(300)
    );
    let excerpt = around(&text, &["alpha".to_owned(), "beta".to_owned()]);
    assert!(excerpt.starts_with('…') && excerpt.ends_with('…'));
    assert!(excerpt.contains("alpha then beta here"), "{excerpt}");
    assert_eq!(around("short", &["none".to_owned()]), "short");
}

proptest! {
    #[test]
    fn cutting_and_showing_any_text_ends_well(text in "\\PC{0,400}", needle in "\\PC{0,40}") {
        let wanted = terms(&needle);
        cut(&text, |term| {
            assert!(text.is_char_boundary(term.start) && text.is_char_boundary(term.end));
            assert!(term.start < term.end && !term.text.contains([' ', '"']));
        });
        let excerpt = around(&text, &wanted);
        assert!(excerpt.chars().count() <= 162);
        for found in super::passages::passages(&text, &needle, 5, super::passages::Breadth::Wide) {
            for line in found.text.lines().filter(|line| *line != "…") {
                assert!(text.contains(line), "{line:?}");
            }
        }
    }

    #[test]
    fn a_query_is_quoted_terms_and_nothing_else(text in "[\"*():^+a-c猫 \\-]{0,60}|\\PC{0,60}") {
        let expression = expression(&terms(&text));
        for part in expression.split(" OR ").filter(|part| !part.is_empty()) {
            let inner = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            assert!(inner.is_some_and(|inner| !inner.contains('"')), "{expression}");
        }
    }
}
