//! RTF: what documents of Word, WPS and LibreOffice say, and what can't make the reader run long.

use super::super::frame::Stop;
use super::read;
use proptest::prelude::*;
use shidi_protocol::Unreadable;

/// The lines of a document with this body.
fn lines(body: &str) -> Vec<String> {
    let whole = format!("{{\\rtf1\\ansi\\ansicpg936\\deff0 {body}}}");
    let (read, text) = read(whole.as_bytes(), "a.rtf");
    assert_eq!(read, Ok(()), "{text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn chinese_is_read_by_its_code_page_its_font_and_in_unicode() {
    let fonts = r"{\fonttbl{\f0\fnil\fcharset134 \'cb\'ce\'cc\'e5;}{\f1\fswiss\fcharset0 Arial;}{\f2\fcharset204 Arial;}}";
    let body = fonts.to_owned()
        + r"\f0\'b8\'b6\'bf\'ee\par
\f1\'b8\'b6\'bf\'ee, caf\'e9\par
\f2\'cf\'f0\plain \'b8\'b6\par
{\uc2\u20184\'b8\'b6\u27454\'bf\'ee\u8364\'80\'80}\uc1\u-10174?\u-8265?\u233 e\par";
    // In a western font, one lone letter beyond ASCII says that no pair of them is Chinese.
    assert_eq!(lines(&body), ["付款", "¸¶¿î, café", "Пр付", "付款€𠮷é"]);
    assert_eq!(lines(r"\'b8\'b6 \'bf\'ee"), ["付 款"]);
}

#[test]
fn groups_without_text_are_passed_over_and_so_is_what_is_hidden_or_deleted() {
    let body =
        r"{\*\generator X;}{\info{\title T}}{\stylesheet{\s1 heading 1;}}{\header top\par}{\pict\bin4 }}{{x}"
            .to_owned()
            + r"shown{\v secret}{\deleted gone}\-\~\_\{\}\par{\*\unknown{\par no}}";
    assert_eq!(lines(&body), ["shown -{}"]);
}

#[test]
fn headings_list_marks_rows_links_and_notes_are_written_as_markdown() {
    let body = r"{\fonttbl{\f0 A;}{\f5\fcharset2 Symbol;}}\pard\outlinelevel0 Title\par
{\listtext\pard\plain 1.\tab}\pard\ls1\ilvl0 first\par
{\listtext\pard\plain\f5\'b7\tab}\pard\ls2\ilvl1 inner\par
\trowd\pard\intbl a\cell b\par c\cell\row\pard after\par
see {\field{\*\fldinst{HYPERLINK "
        .to_owned()
        + "\"https://a.example/\""
        + r"}}{\fldrslt the terms}}\par
price{\footnote\pard\plain {\chftn} As agreed.} is{\*\atnauthor Li}{\*\annotation\pard too high} high\line next\par";
    assert_eq!(
        lines(&body),
        [
            "# Title",
            "1. first",
            "  - inner",
            "| a | b c |",
            "after",
            "see [the terms](https://a.example/)",
            "price[^1] is high",
            "next",
            "Notes:",
            "[^1]: As agreed.",
            "Comments:",
            "too high",
        ]
    );
}

#[test]
fn a_document_that_ends_early_is_read_as_far_as_it_goes() {
    for (whole, text) in [
        (r"{\rtf1 begun {\b bold", "begun bold\n"),
        (r"{\rtf1 a{\footnote b", "a[^1]\nNotes:\n[^1]: b\n"),
        (r"{\rtf1 a\'", "a\n"),
        (r"{\rtf1 a\par b}c\par", "a\nb\n"),
        (r"{\rtf1 a\par-b", "a\n-b\n"),
    ] {
        assert_eq!(
            read(whole.as_bytes(), "a.rtf"),
            (Ok(()), text.to_owned()),
            "{whole}"
        );
    }
}

#[test]
fn groups_nested_without_end_are_damage_and_no_text_is_nothing() {
    let deep = r"{\rtf1 ".to_owned() + &"{".repeat(100_000);
    let (found, _) = read(deep.as_bytes(), "a.rtf");
    assert!(
        matches!(found, Err(Stop::Refused(Unreadable::Broken, _))),
        "{found:?}"
    );
    let (found, _) = read(br"{\rtf1\par\par}", "a.rtf");
    assert!(
        matches!(found, Err(Stop::Refused(Unreadable::Empty, _))),
        "{found:?}"
    );
}

/// Pieces of RTF, in any order and number.
fn pieces() -> impl Strategy<Value = String> {
    let known = [
        "{",
        "}",
        "{",
        "}",
        r"\par ",
        r"\cell ",
        r"\row ",
        r"\intbl ",
        r"\pard ",
        r"\'b8",
        r"\'",
        r"\u-1?",
        r"\u55362 ",
        r"\uc16 ",
        r"\bin3 ",
        r"\bin-1 ",
        r"\*",
        r"\footnote ",
        r"\annotation ",
        r"\fldinst ",
        r"\fldrslt ",
        r"\fonttbl ",
        r"\f1 ",
        r"\fcharset134 ",
        r"\listtext ",
        r"\v ",
        r"\plain ",
        r"\ansicpg65001 ",
        r"\ilvl99999999999 ",
        r"\outlinelevel-9 ",
        "HYPERLINK \"https://a.b\"",
        "words",
        "\\",
        "\n",
    ];
    prop::collection::vec(prop::sample::select(known.to_vec()), 0..80).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_order_of_known_words_is_read_or_refused(body in pieces()) {
        let (read, _) = read(format!("{{\\rtf1{body}").as_bytes(), "a.rtf");
        prop_assert!(!matches!(read, Err(Stop::Unheard | Stop::Refused(Unreadable::Broken, _))));
    }

    #[test]
    fn any_bytes_behind_the_head_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (read, _) = read(&[br"{\rtf1".as_slice(), bytes.as_slice()].concat(), "a.rtf");
        prop_assert!(!matches!(read, Err(Stop::Unheard)));
    }

    #[test]
    fn text_in_unicode_comes_back_as_it_was(words in "[a-z文字𠮷é]{1,40}") {
        let units: String = words.encode_utf16().map(|unit| format!("\\u{}?", unit.cast_signed())).collect();
        let (_, text) = read(format!("{{\\rtf1 {units}\\par}}").as_bytes(), "a.rtf");
        prop_assert_eq!(text.trim_end(), words);
    }
}
