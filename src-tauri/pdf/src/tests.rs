//! Documents of the tests are read back as their bytes; what a reader finds in them is tested where a reader is.

use crate::flow::{rows, share};
use crate::table::shares;
use crate::words::{Language, Look, Words, wide_marks};
use crate::{MARKDOWN_BYTES_MAX, Pdf, PdfError, from_markdown, markdown, places};
use proptest::prelude::*;

/// A system without fonts sets nothing and says so; the bounds hold there, too.
fn set(markdown: &str) -> Option<Pdf> {
    match from_markdown(markdown, "test") {
        Ok(pdf) => Some(pdf),
        Err(PdfError::NoFonts | PdfError::NoLetters(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn the_same_text_becomes_the_same_bytes() {
    let markdown = "# 周报\n\nA **bold** word, [a link](https://example.com).\n\n|a|b|\n|-|-|\n|1|2|\n";
    let Some(pdf) = set(markdown) else { return };
    assert!(pdf.bytes.starts_with(b"%PDF-1.7"));
    assert_eq!((pdf.pages, pdf.missing), (1, 0));
    assert_eq!(set(markdown), Some(pdf));
}

#[test]
fn a_page_that_is_full_is_followed_by_another() {
    let Some(pdf) = set(&"A paragraph.\n\n".repeat(100)) else {
        return;
    };
    assert!((3..=6).contains(&pdf.pages), "{}", pdf.pages);
}

#[test]
fn more_than_is_set_at_once_is_refused_with_a_remedy() {
    let long = "a".repeat(MARKDOWN_BYTES_MAX + 1);
    assert_eq!(from_markdown(&long, "test"), Err(PdfError::TooLong));
    let columns = "|a".repeat(40);
    let wide = format!("{columns}|\n{}|\n", "|-".repeat(40));
    if set("a").is_some() {
        let error = from_markdown(&wide, "test").unwrap_err();
        assert_eq!(error, PdfError::TooWide(40));
        assert!(error.to_string().contains(".xlsx"));
    }
}

#[test]
fn a_letter_that_no_font_has_is_counted() {
    // Never assigned by the standard.
    let Some(pdf) = set("a \u{378} b \u{379}") else {
        return;
    };
    assert_eq!(pdf.missing, 2);
}

#[test]
fn a_picture_stands_as_its_description() {
    let document = markdown::read("![the curve](a/b.png) and ![](c/d.png)");
    assert_eq!(document.pictures, 2);
    let text = format!("{:?}", document.blocks);
    assert!(text.contains("the curve and [d.png]"), "{text}");
}

#[test]
fn only_pages_and_mailboxes_are_linked() {
    assert_eq!(
        places::address("HTTPS://a.b/ü c").unwrap(),
        "HTTPS://a.b/%C3%BC%20c"
    );
    assert!(places::address("mailto:a@b.c").is_some());
    for other in ["javascript:alert(1)", "file:///etc/passwd", "a/b.md", "#top", ""] {
        assert_eq!(places::address(other), None, "{other}");
    }
}

#[test]
fn a_line_break_between_chinese_letters_is_no_space() {
    let text = |markdown: &str| format!("{:?}", markdown::read(markdown).blocks);
    assert!(text("上海\n杭州").contains("上海杭州"));
    assert!(text("one\ntwo").contains("one two"));
    assert!(text("上海\ntwo").contains("上海 two"));
}

#[test]
fn marks_beside_chinese_letters_are_wide() {
    let found = |text: &str| -> Vec<String> {
        wide_marks(text)
            .into_iter()
            .map(|range| text[range].to_owned())
            .collect()
    };
    assert_eq!(found("他说：“好”——no “x” …"), ["“", "”——"]);
    assert!(found("it’s “so” — well…").is_empty());
}

#[test]
fn the_language_is_told_by_the_letters() {
    assert_eq!(Language::of("plain"), Language::Unknown);
    assert_eq!(
        Language::of("周报 of ひ 人人人人人人人人人人人"),
        Language::Chinese
    );
    assert_eq!(Language::of("これは日本語です"), Language::Japanese);
    assert_eq!(Language::of("한국어 漢"), Language::Korean);
}

#[test]
fn no_line_of_a_paragraph_stands_alone() {
    assert_eq!(share(5, 9, false), 5);
    assert_eq!(share(5, 1, false), 0, "alone at the end");
    assert_eq!(share(5, 4, false), 3, "alone at the beginning");
    assert_eq!(share(3, 2, false), 0);
    assert_eq!(share(9, 4, false), 4);
    assert_eq!(share(9, 0, true), 1, "a page always takes something");
    assert_eq!(rows(30.0, 15.0), 2);
}

#[test]
fn columns_share_the_width_by_what_stands_in_them() {
    assert_eq!(
        shares(&[(10.0, 20.0), (10.0, 30.0)], 100.0),
        [20.5, 30.5],
        "all on one line"
    );
    let uneven = shares(&[(10.0, 20.0), (10.0, 90_000.0)], 100.0);
    assert!(
        (uneven[0] - 20.5).abs() < 0.1,
        "what is short stays whole: {uneven:?}"
    );
    let wide = shares(&[(1.0, 400.0), (1.0, 40_000.0), (1.0, 9.0)], 500.0);
    assert!(wide[0] > 100.0 && wide[1] > wide[0], "{wide:?}");
    assert!((wide.iter().sum::<f32>() - 500.0).abs() < 1.0, "{wide:?}");
    let words = shares(&[(500.0, 500.0), (20.0, 30.0)], 100.0);
    assert!(
        (words[1] - 30.5).abs() < 0.1 && (words[0] - 69.5).abs() < 0.1,
        "{words:?}"
    );
}

#[test]
fn a_long_paragraph_is_set_in_pieces_that_keep_all_of_it() {
    let mut words = Words::default();
    let bold = Look {
        is_bold: true,
        ..Look::default()
    };
    for at in 0..4_000 {
        words.push("一段话 ", if at % 3 == 0 { bold } else { Look::default() });
    }
    let pieces = words.pieces();
    assert!(pieces.len() > 1);
    assert_eq!(
        pieces.iter().map(|(text, _)| *text).collect::<String>(),
        words.text
    );
    let looked: usize = pieces
        .iter()
        .flat_map(|(_, looks)| looks)
        .map(|(range, _)| range.len())
        .sum();
    assert_eq!(
        looked,
        words.looks.iter().map(|(range, _)| range.len()).sum::<usize>()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_markdown_becomes_a_file(markdown in "(\\PC|\n|\u{b}|\u{0}|\t|[#*>|`\\[\\]()!~0-9 -]){0,200}") {
        match from_markdown(&markdown, "any") {
            Ok(pdf) => prop_assert!(pdf.bytes.starts_with(b"%PDF-")),
            Err(PdfError::NoFonts | PdfError::NoLetters(_) | PdfError::TooWide(_)) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

#[test]
fn deep_nesting_ends_at_a_bound() {
    for markdown in [
        ">".repeat(50_000),
        "- ".repeat(20_000),
        format!("{}a", "> - ".repeat(5_000)),
    ] {
        assert!(markdown::read(&markdown).blocks.len() < 10);
        set(&markdown);
    }
}
