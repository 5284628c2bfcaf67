//! Tables and documents that programs make: what they say comes out of the file again, and nothing else does.

use super::*;
use calamine::{Data, Reader, Xlsx, open_workbook};
use proptest::prelude::*;
use std::io::Read;

fn made(desk: &Desk, tool: &str, args: Value) -> CallOutcome {
    let environment = Environment {
        permitted: Class::Write,
        ..desk.environment()
    };
    perform(&call(tool, args), &environment).unwrap()
}

/// The cells of a workbook's first sheet.
fn cells(path: &Path) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let range = workbook.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

fn part(path: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_workbook_has_numbers_as_numbers_dates_as_dates_and_no_formula() {
    let desk = Desk::new();
    let rows = json!([
        {"城市": "上海", "sum": 12.5, "on": "2026-11-25", "ok": true},
        {"城市": "=1+1", "sum": 3, "on": null, "ok": false, "more": [1, 2]},
    ]);
    let outcome = made(
        &desk,
        "files.write_table",
        json!({"path": "out.xlsx", "rows": rows}),
    );
    assert_eq!(outcome.data["rows"], 2);
    assert_eq!(outcome.data["columns"], 5);
    assert_eq!(outcome.summary, "out.xlsx · new, 2 rows");
    let path = desk.granted.join("out.xlsx");
    let cells = cells(&path);
    let texts = |row: usize| cells[row].iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(0), ["城市", "sum", "on", "ok", "more"]);
    assert_eq!(cells[1][1], Data::Float(12.5));
    assert!(
        matches!(&cells[1][2], Data::DateTime(day) if day.as_f64() > 46_000.0),
        "{:?}",
        cells[1][2]
    );
    assert_eq!(cells[1][3], Data::Bool(true));
    assert_eq!(cells[2][0], Data::String("=1+1".into()));
    assert_eq!(cells[2][4], Data::String("[1,2]".into()));
    assert!(
        !part(&path, "xl/worksheets/sheet1.xml").contains("<f>"),
        "no formula"
    );
}

#[test]
fn a_number_with_more_digits_than_a_workbook_has_is_shown_whole() {
    let desk = Desk::new();
    let rows = json!([[6_222_021_234_567_890_123_u64, "2026-11-25T09:30:00Z", "0012"]]);
    made(
        &desk,
        "files.write_table",
        json!({"path": "ids.xlsx", "rows": rows}),
    );
    let cells = cells(&desk.granted.join("ids.xlsx"));
    let texts: Vec<String> = cells[0].iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["6222021234567890123", "2026-11-25T09:30:00Z", "0012"]);
}

#[test]
fn a_table_of_text_is_quoted_and_marked_where_it_is_not_ascii() {
    let desk = Desk::new();
    let write = |path: &str, rows: Value| {
        made(
            &desk,
            "files.write_table",
            json!({"path": path, "rows": rows, "columns": ["a", "b"]}),
        )
    };
    write("plain.csv", json!([{"b": "x,\"y\"\nz", "a": 1}]));
    assert_eq!(
        fs::read_to_string(desk.granted.join("plain.csv")).unwrap(),
        "a,b\n1,\"x,\"\"y\"\"\nz\"\n"
    );
    write("zh.tsv", json!([["上海"]]));
    assert_eq!(
        fs::read_to_string(desk.granted.join("zh.tsv")).unwrap(),
        "\u{feff}a\tb\n上海\t\n"
    );
}

#[test]
fn what_is_no_table_or_has_no_known_ending_is_refused_in_one_sentence() {
    let desk = Desk::new();
    for (args, why) in [
        (
            json!({"path": "a.ods", "rows": [1]}),
            "must end with '.xlsx', '.csv' or '.tsv'",
        ),
        (
            json!({"path": "a.csv", "rows": [1]}),
            "row 0 is neither a dict nor a list",
        ),
        (
            json!({"path": "a.xlsx", "rows": [[1]], "sheet": "a/b"}),
            "can't be written",
        ),
    ] {
        let outcome = made(&desk, "files.write_table", args);
        let error = outcome.error.unwrap();
        assert!(error.message.contains(why), "{}", error.message);
    }
    let outcome = made(
        &desk,
        "files.write_document",
        json!({"path": "a.odt", "markdown": "# a"}),
    );
    let message = outcome.error.unwrap().message;
    assert!(message.contains("must end with '.docx' or '.pdf'"), "{message}");
}

#[test]
fn a_document_has_its_headings_lists_tables_links_and_code_as_such() {
    let desk = Desk::new();
    let markdown = "# 周报\n\nA **bold** and *soft* word, a [link](https://example.com/?a=1&b=2).\n\n\
        1. one\n2. two\n   - inner\n\n| city | sum |\n|---|--:|\n| 上海 | 12 |\n\n\
        ```\nlet x = 1 < 2;\n```\n\n> quoted\n";
    made(
        &desk,
        "files.write_document",
        json!({"path": "out.docx", "markdown": markdown}),
    );
    let path = desk.granted.join("out.docx");
    let body = part(&path, "word/document.xml");
    for piece in [
        "w:val=\"Heading1\"",
        "周报",
        "<w:b />",
        "<w:i />",
        "<w:numPr>",
        "<w:tbl>",
        "上海",
        "w:jc w:val=\"right\"",
        "let x = 1 &lt; 2;",
        "<w:hyperlink",
    ] {
        assert!(body.contains(piece), "{piece} in {body}");
    }
    assert!(part(&path, "word/_rels/document.xml.rels").contains("https://example.com/?a=1&amp;b=2"));
}

#[test]
fn a_pdf_is_told_of_with_its_pages_and_what_is_not_in_it() {
    let desk = Desk::new();
    let outcome = made(
        &desk,
        "files.write_document",
        json!({"path": "out.pdf", "markdown": "# a\n\n![a curve](a.png) \u{378}\n"}),
    );
    // A system without fonts has its remedy instead.
    if let Some(error) = &outcome.error {
        assert!(error.message.contains("the user installs"), "{}", error.message);
        eprintln!("NOT RUN: {}", error.message);
        return;
    }
    assert_eq!(
        outcome.summary,
        "out.pdf · new, 1 page, 1 letter that no font here has, 1 picture as words"
    );
    assert_eq!(
        (&outcome.data["pages"], &outcome.data["missing"]),
        (&json!(1), &json!(1))
    );
    assert!(
        fs::read(desk.granted.join("out.pdf"))
            .unwrap()
            .starts_with(b"%PDF-")
    );
}

#[test]
fn a_break_in_html_is_one_in_a_document_too() {
    let desk = Desk::new();
    let args = json!({"path": "out.docx", "markdown": "| a |\n|---|\n| one<br>two <b> |\n"});
    made(&desk, "files.write_document", args);
    let body = part(&desk.granted.join("out.docx"), "word/document.xml");
    assert!(body.contains("<w:br") && !body.contains("&lt;br"), "{body}");
    assert!(
        body.contains("&lt;b&gt;"),
        "other HTML stands as it was written: {body}"
    );
}

#[test]
fn a_pdf_is_typeset_no_further_when_its_run_is_stopped() {
    let desk = Desk::new();
    let environment = Environment {
        permitted: Class::Write,
        cancellation: Cancellation::new(|| true),
        ..desk.environment()
    };
    let args = json!({"path": "long.pdf", "markdown": "a paragraph\n\n".repeat(1_000)});
    let outcome = perform(&call("files.write_document", args), &environment).unwrap();
    let message = outcome.error.unwrap().message;
    if message.contains("the user installs") {
        eprintln!("NOT RUN: {message}");
        return;
    }
    assert!(message.contains("was stopped"), "{message}");
    assert!(!desk.granted.join("long.pdf").exists());
}

#[test]
fn what_no_page_has_room_for_is_refused_with_the_remedy() {
    let desk = Desk::new();
    let markdown = format!("{}|\n{}|\n", "| a ".repeat(30), "|---".repeat(30));
    let outcome = made(
        &desk,
        "files.write_document",
        json!({"path": "wide.pdf", "markdown": markdown}),
    );
    let message = outcome.error.unwrap().message;
    assert!(
        message.contains(".xlsx") || message.contains("the user installs"),
        "{message}"
    );
    assert!(!desk.granted.join("wide.pdf").exists());
}

proptest! {
    #[test]
    fn any_rows_and_any_markdown_become_a_file_that_opens(
        rows in prop::collection::vec(prop::collection::vec("\\PC{0,12}", 0..5), 0..6),
        markdown in "(\\PC|\n|\u{b}|\u{0}|[#*>|`\\[\\]()-]){0,80}",
    ) {
        let desk = Desk::new();
        let outcome = made(&desk, "files.write_table", json!({"path": "any.xlsx", "rows": rows}));
        prop_assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let known = cells(&desk.granted.join("any.xlsx")).len();
        prop_assert!(known <= rows.len());
        let outcome = made(&desk, "files.write_document", json!({"path": "any.docx", "markdown": markdown}));
        prop_assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let body = part(&desk.granted.join("any.docx"), "word/document.xml");
        let mut reader = quick_xml::Reader::from_str(&body);
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(_) => {}
                Err(cause) => prop_assert!(false, "{cause} in {body}"),
            }
        }
    }
}
