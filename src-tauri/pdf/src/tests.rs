//! Documents of the tests are read back as their bytes; what a reader finds in them is tested where a reader is.

use crate::blocks::Block;
use crate::flow::{rows, share};
use crate::limits::{CELL_SIZES, PART_CELL_SIZE};
use crate::table::{divided, shares};
use crate::words::{Language, Look, Words, wide_marks};
use crate::{MARKDOWN_BYTES_MAX, Pdf, PdfError, from_markdown, is_line_break, markdown, places};
use proptest::prelude::*;
use std::cell::Cell;

/// A system without fonts sets nothing and says so; the bounds hold there, too.
fn set(markdown: &str) -> Option<Pdf> {
    match from_markdown(markdown, "test", &|| false) {
        Ok(pdf) => Some(pdf),
        Err(PdfError::NoFonts | PdfError::NoLetters(_)) => {
            eprintln!("NOT RUN: no font of this system has the letters of this test");
            None
        }
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
    assert_eq!(from_markdown(&long, "test", &|| false), Err(PdfError::TooLong));
    let columns = "|a".repeat(40);
    let wide = format!("{columns}|\n{}|\n", "|-".repeat(40));
    if set("a").is_some() {
        let error = from_markdown(&wide, "test", &|| false).unwrap_err();
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
fn a_table_with_many_columns_has_smaller_letters_before_it_is_parted() {
    let room = 450.0;
    let whole = |columns: usize| vec![(0..columns).collect::<Vec<usize>>()];
    // Measures are in sizes of letters: a word of six, and a text of a few words.
    let column = (3.0, 12.0);
    assert_eq!(divided(&[column; 4], room), (CELL_SIZES[0], whole(4)));
    assert_eq!(divided(&[column; 10], room), (CELL_SIZES[1], whole(10)));
    assert_eq!(divided(&[column; 12], room), (CELL_SIZES[2], whole(12)));
    let (size, parts) = divided(&[column; 20], room);
    assert_eq!(size, PART_CELL_SIZE);
    assert!(
        parts.len() > 1 && parts.iter().all(|part| part[0] == 0),
        "{parts:?}"
    );
    let others: Vec<usize> = parts.iter().flat_map(|part| part[1..].to_vec()).collect();
    assert_eq!(others, (1..20).collect::<Vec<usize>>(), "each once, in order");
    let most = parts.iter().map(Vec::len).max();
    assert!(most.is_some_and(|most| (10..=12).contains(&most)), "{parts:?}");
}

#[test]
fn one_endless_word_parts_no_table_and_no_room_still_has_two_columns() {
    let (size, parts) = divided(&[(2.0, 9.0), (300.0, 300.0), (1.0, 30.0)], 450.0);
    assert_eq!((size, parts), (CELL_SIZES[0], vec![vec![0, 1, 2]]));
    let (_, parts) = divided(&[(9.0, 9.0), (9.0, 9.0), (9.0, 9.0)], 20.0);
    assert_eq!(parts, [[0, 1], [0, 2]]);
    assert_eq!(divided(&[(900.0, 900.0)], 20.0).1, [[0]]);
}

#[test]
fn every_column_of_a_wide_table_is_on_a_page() {
    let row = |word: &str, columns: usize| -> String {
        let cells: Vec<String> = (0..columns).map(|column| format!("{word}{column}")).collect();
        format!("|{}|\n", cells.join("|"))
    };
    for columns in [12, 20, 24] {
        let lines = "|-".repeat(columns);
        let markdown = format!("{}{lines}|\n{}", row("Heading", columns), row("amount ", columns));
        let Some(pdf) = set(&markdown) else { return };
        assert_eq!((pdf.pages, pdf.missing), (1, 0), "{columns}");
    }
}

#[test]
fn a_break_in_html_ends_a_line_and_nothing_else_of_html_does() {
    for html in ["<br>", "<BR/>", "<br />", "<br class=\"wide\">\n"] {
        assert!(is_line_break(html), "{html}");
    }
    for html in ["<b>", "<brand>", "br", "", "<", "<!--br-->", "<br /> two <b>"] {
        assert!(!is_line_break(html), "{html}");
    }
    let document = markdown::read("|a|b|\n|-|-|\n|one<br>two|`<br>`|\n");
    let [Block::Table(table)] = document.blocks.as_slice() else {
        panic!("{:?}", document.blocks);
    };
    assert_eq!(table.rows[0][0].text, "one\ntwo");
    assert_eq!(table.rows[0][1].text, "<br>", "code stands as it was typed");
    let document = markdown::read("one<br/>\ntwo <b>three</b><br>\n\n<br>\n");
    let [Block::Paragraph(words)] = document.blocks.as_slice() else {
        panic!("{:?}", document.blocks);
    };
    assert_eq!(words.text, "one\ntwo <b>three</b>");
}

#[test]
fn a_text_that_nobody_waits_for_any_more_is_set_no_further() {
    let paragraphs = "A paragraph.\n\n".repeat(5_000);
    let table = format!("|a|\n|-|\n{}", "|b|\n".repeat(5_000));
    let endless = "word ".repeat(200_000);
    for markdown in [paragraphs, table, endless] {
        let asked = Cell::new(0);
        let is_stopped = || {
            asked.set(asked.get() + 1);
            asked.get() > 10
        };
        match from_markdown(&markdown, "long", &is_stopped) {
            Err(PdfError::NoFonts | PdfError::NoLetters(_)) => {
                eprintln!("NOT RUN: this system has no fonts");
                return;
            }
            other => assert_eq!(other, Err(PdfError::Stopped)),
        }
        assert_eq!(asked.get(), 11, "nothing is set after that");
    }
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
        match from_markdown(&markdown, "any", &|| false) {
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
