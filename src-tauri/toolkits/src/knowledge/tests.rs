//! The pieces of each kind of document, and that no text is lost between two pieces.

use super::records::Sheet;
use super::{Piece, cut};
use crate::attachments::Library;
use crate::error::ToolError;
use crate::limits::{PIECE_CHARS, SCRIPT_CHARS_MAX};
use proptest::prelude::*;
use serde_json::json;
use shidi_protocol::Unreadable;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Cuts a text file of the given name, without a reader.
fn try_pieces(name: &str, content: &str) -> Result<Vec<Piece>, ToolError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let library = Library::new(folder.path().join("read"), PathBuf::from("/nowhere"));
    let mut pieces = Vec::new();
    let cut = cut(&path, &library, &mut |_, _| {}, &mut |piece| {
        pieces.push(piece);
        ControlFlow::Continue(())
    })?;
    assert_eq!(cut.pieces, pieces.len() as u64);
    Ok(pieces)
}

fn pieces(name: &str, content: &str) -> Vec<Piece> {
    try_pieces(name, content).unwrap()
}

fn shown(pieces: &[Piece]) -> Vec<(&str, &str, &str)> {
    let shown = |piece: &'_ Piece| -> (usize, usize, usize) {
        (piece.heading.len(), piece.place.len(), piece.text.len())
    };
    assert!(pieces.iter().all(|piece| shown(piece).2 > 0));
    pieces
        .iter()
        .map(|piece| (piece.heading.as_str(), piece.place.as_str(), piece.text.as_str()))
        .collect()
}

#[test]
fn a_section_is_a_piece_that_knows_its_headings_and_its_line() {
    let text = "# 差旅制度\n总则。\n\n## 住宿\n上限 450 元。\n\n## 交通\n高铁二等座。\n### 出租车\n凭票。\n# Other\nEnd";
    assert_eq!(
        shown(&pieces("制度.md", text)),
        [
            ("差旅制度", "line 2", "总则。"),
            ("差旅制度 › 住宿", "line 5", "上限 450 元。"),
            ("差旅制度 › 交通", "line 8", "高铁二等座。"),
            ("差旅制度 › 交通 › 出租车", "line 10", "凭票。"),
            ("Other", "line 12", "End"),
        ]
    );
}

#[test]
fn a_heading_may_be_underlined_or_stand_in_the_front_matter() {
    let text = "---\ntitle: Handbook\n---\nIntro\n\nSetup\n=====\nRun it.\n\nLater\n-----\nStop it.";
    assert_eq!(
        shown(&pieces("a.md", text)),
        [
            ("Handbook", "line 4", "Intro"),
            ("Setup", "line 8", "Run it."),
            ("Setup › Later", "line 12", "Stop it."),
        ]
    );
}

#[test]
fn a_script_stays_whole_with_the_sentence_before_it() {
    let script: String = (0..60)
        .map(|line| format!("echo step {line} # not a heading\n\n"))
        .collect();
    let text = format!("# Deploy\nDo this:\n\n```sh\n# comment\n{script}```\n\nThen rest.");
    let pieces = pieces("a.md", &text);
    assert_eq!(pieces.len(), 2, "{pieces:?}");
    assert!(pieces[0].text.starts_with("Do this:") && pieces[0].text.ends_with("```"));
    assert_eq!(pieces[1].text, "Then rest.");
}

#[test]
fn a_long_table_is_cut_between_rows_and_keeps_its_head() {
    let rows: String = (0..60)
        .map(|row| format!("| part {row} | shelf number {row} in hall {row} |\n"))
        .collect();
    let pieces = pieces("a.md", &format!("# Stock\n| part | place |\n|---|---|\n{rows}"));
    assert!(pieces.len() > 2);
    for piece in &pieces {
        assert!(
            piece.text.starts_with("| part | place |\n|---|---|\n"),
            "{}",
            piece.text
        );
    }
}

#[test]
fn a_paragraph_without_end_is_cut_after_a_sentence() {
    let text = "这是一句话，说明了一件事。".repeat(300);
    let pieces = pieces("a.txt", &text);
    assert!(
        pieces
            .iter()
            .all(|piece| piece.text.ends_with('。') && piece.text.chars().count() <= PIECE_CHARS)
    );
    assert_eq!(
        pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(),
        text
    );
}

#[test]
fn what_says_of_itself_that_it_no_longer_holds_is_marked() {
    let text = "# 新规\n有效。\n# 旧规（已废弃）\n一。\n## 细则\n二。\n# Old API [deprecated]\nx\n# Note\n> **Deprecated:** use y";
    let marks: Vec<bool> = pieces("a.md", text)
        .iter()
        .map(|piece| piece.is_deprecated)
        .collect();
    assert_eq!(marks, [false, true, true, true, true]);
    let about = "# Deprecated functions and how we find them\nA list of deprecated things is kept.";
    assert!(pieces("b.md", "---\nstatus: deprecated\n---\nText")[0].is_deprecated);
    assert!(!pieces("c.md", about)[0].is_deprecated || about.starts_with("# Deprecated"));
}

#[test]
fn a_row_is_a_piece_whose_values_have_the_names_of_their_columns() {
    let text = "城市,收入,备注\n北京,1234,\"含税,\n已核\"\n上海,2345\n";
    let pieces = pieces("收入.csv", text);
    assert_eq!(
        shown(&pieces),
        [
            ("", "line 2", "城市: 北京\n收入: 1234\n备注: 含税,\n已核"),
            ("", "line 4", "城市: 上海\n收入: 2345"),
        ]
    );
    assert_eq!(json!(pieces[1].fields), json!({"城市": "上海", "收入": "2345"}));
}

#[test]
fn a_row_of_a_sheet_is_cited_by_sheet_and_row() {
    let mut found = Vec::new();
    let mut take = |piece: Piece| {
        found.push(piece);
        ControlFlow::Continue(())
    };
    let place = |line: u64, _: &str| format!("at {line}");
    let mut sheet = Sheet::new(&place, &mut take);
    for (number, line) in [
        "[sheet 1] 员工",
        "1 | 姓名 | 部门",
        "3 | 李雷 | 财务",
        "[sheet 2] B",
        "1 | x",
        "2 | 7",
    ]
    .iter()
    .enumerate()
    {
        assert!(sheet.line(number as u64 + 1, line).is_continue());
    }
    assert_eq!(shown(&found)[0].2, "姓名: 李雷\n部门: 财务");
    assert_eq!(
        (found[0].place.as_str(), found[1].place.as_str()),
        ("at 3", "at 6")
    );
    assert_eq!(found[1].text, "x: 7");
}

#[test]
fn json_gives_a_piece_for_each_record_in_every_form_it_comes_in() {
    let list = r#"[{"q": "退款", "a": "七天"}, {"q": "old", "status": "deprecated"}, "plain", 7]"#;
    let found = pieces("faq.json", list);
    assert_eq!(shown(&found)[0], ("", "record 1", "q: 退款\na: 七天"));
    assert_eq!(
        found.iter().map(|piece| piece.is_deprecated).collect::<Vec<_>>(),
        [false, true, false, false]
    );
    let named = r#"{"refund": {"days": 7}, "list": [{"a": 1}, {"a": 2}], "version": 3}"#;
    assert_eq!(
        shown(&pieces("a.json", named)),
        [
            ("refund", "record 1", "days: 7"),
            ("list", "record 2", "a: 1"),
            ("list", "record 3", "a: 2"),
            ("", "record 4", "version: 3"),
        ]
    );
    let lines = "{\"a\": {\"b\": 1}}\n{\"a\": 2}\n\n";
    assert_eq!(pieces("a.jsonl", lines).len(), 2);
}

#[test]
fn broken_json_is_refused_with_its_line() {
    let error = try_pieces("a.json", "[{\"a\": 1},\n {\"b\": }]").unwrap_err();
    assert_eq!(error.reason(), Unreadable::Broken);
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn a_function_is_a_piece_with_the_comment_above_it() {
    let python = "import os\nimport sys\n\nLIMIT = 3\n\n# Adds.\ndef add(a, b):\n    c = a\n\n    return c + b\n\n\nclass Shop:\n    \
                  def sell(self):\n        pass\n";
    assert_eq!(
        shown(&pieces("a.py", python)),
        [
            ("import os", "line 1", "import os\nimport sys\n\nLIMIT = 3"),
            (
                "def add(a, b)",
                "line 6",
                "# Adds.\ndef add(a, b):\n    c = a\n\n    return c + b"
            ),
            (
                "class Shop",
                "line 13",
                "class Shop:\n    def sell(self):\n        pass"
            ),
        ]
    );
    let rust = "/// Old.\n#[deprecated]\npub fn old() {\n    work();\n}\n\nfn new() {}\n";
    let found = pieces("a.rs", rust);
    assert_eq!(
        found.iter().map(|piece| piece.is_deprecated).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn the_same_words_have_the_same_fingerprint_whatever_their_form() {
    let of = |text: &str| {
        Piece {
            text: text.to_owned(),
            ..Piece::default()
        }
        .fingerprint()
    };
    assert_eq!(of("Refund within ７ days."), of("refund  within\n7 days"));
    assert_ne!(of("Refund within 7 days"), of("Refund within 8 days"));
    assert_ne!(of("付款期限三十天"), of("付款期限四十天"));
}

#[test]
fn an_empty_a_missing_and_a_binary_file_are_refused() {
    assert!(matches!(try_pieces("a.md", ""), Err(ToolError::Unread { .. })));
    assert!(matches!(
        try_pieces("a.md", "\u{1}\0\0\0\u{2}"),
        Err(ToolError::Binary(..))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_word_of_a_text_is_lost_or_made_up(text in "([a-z#`|~=.\\- \n。，一二三]{0,12}\n?){0,60}") {
        let text = format!("x\n{text}");
        let words = |text: &str| -> Vec<String> {
            let mut words: Vec<String> = text
                .split(|character: char| !character.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect();
            words.sort();
            words.dedup();
            words
        };
        let pieces = pieces("a.md", &text);
        let all: String = pieces.iter().map(|piece| format!("{} {} ", piece.heading, piece.text)).collect();
        // A heading with no text below may be dropped, but no word is made up.
        let known = words(&text);
        for word in words(&all) {
            prop_assert!(known.contains(&word), "{word} is made up");
        }
        for piece in &pieces {
            prop_assert!(piece.text.chars().count() <= SCRIPT_CHARS_MAX + PIECE_CHARS + 100);
            prop_assert!(!piece.text.trim().is_empty());
        }
        for line in text.lines().filter(|line| line.starts_with(|first: char| first.is_alphabetic())) {
            for word in words(line) {
                prop_assert!(all.contains(&word), "{word} is lost");
            }
        }
    }

    #[test]
    fn records_and_programs_of_any_form_end_without_a_panic(text in "\\PC{0,300}", ending in "json|jsonl|csv|tsv|py|rs|txt") {
        let _result = try_pieces(&format!("a.{ending}"), &text);
    }
}
