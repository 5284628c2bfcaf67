//! Properties of the readers: any input comes back as text or as a reason.

mod opendocument;
mod rich_text;

use super::frame::{Findings, Frame, Stop};
use super::reader::extract;
use proptest::prelude::*;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads `bytes` as a reader does, in this process.
fn read(bytes: &[u8], name: &str) -> (Result<(), Stop>, String) {
    let mut text = String::new();
    let read = read_frames(bytes, name, &mut |frame| {
        if let Frame::Text { text: piece } = frame {
            text.push_str(&piece);
        }
    });
    (read, text)
}

/// The same for all that a reader tells.
fn read_frames(bytes: &[u8], name: &str, take: &mut dyn FnMut(Frame)) -> Result<(), Stop> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let mut tell = |frame: Frame| {
        take(frame);
        Ok(())
    };
    let mut findings = Findings::new(&mut tell);
    let read = extract(file, Path::new(name), &mut findings);
    findings.flush().unwrap();
    read
}

fn archive(member: &str, content: &[u8]) -> Vec<u8> {
    archive_of(&[(member, content)])
}

fn archive_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (member, content) in members {
        archive.start_file(*member, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn docx(body: &str) -> Vec<u8> {
    let whole = format!("<w:document xmlns:w=\"W\"><w:body>{body}</w:body></w:document>");
    archive("word/document.xml", whole.as_bytes())
}

/// Tags that the reader of DOCX knows, in any order and number.
fn tags() -> impl Strategy<Value = String> {
    let known = [
        "<w:p>",
        "</w:p>",
        "<w:t>",
        "</w:t>",
        "<w:tbl>",
        "</w:tbl>",
        "<w:tr>",
        "</w:tr>",
        "<w:tc>",
        "</w:tc>",
        "<w:tab/>",
        "<w:br w:type=\"page\"/>",
        "<w:br/>",
        "<w:del>",
        "</w:del>",
        "<w:pStyle w:val=\"Heading3\"/>",
        "&amp;",
        "&x;",
        "字",
    ];
    prop::collection::vec(prop::sample::select(known.to_vec()), 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_order_of_known_tags_is_read_or_refused(body in tags()) {
        let (read, _) = read(&docx(&body), "a.docx");
        prop_assert!(!matches!(read, Err(Stop::Unheard)));
    }

    #[test]
    fn every_paragraph_of_a_document_is_a_line(lines in prop::collection::vec("[a-z文字 ]{1,30}", 1..20)) {
        let body: String = lines.iter().map(|line| format!("<w:p><w:r><w:t>x{line}</w:t></w:r></w:p>")).collect();
        let (_, text) = read(&docx(&body), "a.docx");
        let wanted: Vec<String> = lines.iter().map(|line| format!("x{line}").trim_end().to_owned()).collect();
        prop_assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn any_bytes_in_an_archive_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for member in ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml", "mimetype"] {
            let (read, _) = read(&archive(member, &bytes), "a.zip");
            prop_assert!(read.is_err() || member == "word/document.xml");
        }
    }

    #[test]
    fn any_page_is_read_or_refused(body in "(<(/?)(p|div|b|table|td|script|h1|ul|li|!--)>|[a-z文&; ]){0,80}") {
        let (read, _) = read(format!("<!doctype html>{body}").as_bytes(), "a.html");
        prop_assert!(!matches!(read, Err(Stop::Unheard)));
    }
}

/// A PDF as we write them, read as a stranger's; nothing where a system has no fonts for it.
fn typeset(markdown: &str) -> Option<(usize, String)> {
    let made = match shidi_pdf::from_markdown(markdown, "made", &|| false) {
        Ok(made) => made,
        Err(error) => {
            assert!(error.to_string().contains("the user installs"), "{error}");
            eprintln!("NOT RUN: {error}");
            return None;
        }
    };
    let (read, text) = read(&made.bytes, "made.pdf");
    assert!(read.is_ok());
    Some((made.pages, text))
}

#[test]
fn a_pdf_says_what_its_markdown_says_in_chinese_too() {
    let markdown = "# 周报\n\n本周完成了**三件事**：报告、评审与上线。A [link](https://example.com) 与 `code`。\n\n\
        1. 第一件\n2. second\n   - inner\n\n| 城市 | sum |\n|---|--:|\n| 上海 | 12 |\n\n\
        ```\nlet x = 1 < 2;\n```\n\n> quoted\n\n![图](a.png)\n";
    let Some((_, text)) = typeset(markdown) else {
        return;
    };
    let mut from = 0;
    for piece in [
        "周报",
        "本周完成了三件事：报告、评审与上线。A link 与 code。",
        "第一件",
        "second",
        "inner",
        "城市",
        "上海",
        "12",
        "let x = 1 < 2;",
        "quoted",
        "图",
    ] {
        let at = text[from..].find(piece);
        assert!(at.is_some(), "{piece} in its order in {text}");
        from += at.unwrap_or_default();
    }
}

#[test]
fn a_table_over_pages_has_its_head_on_each() {
    let rows: String = (0..120)
        .map(|number| format!("| {number} | name {number} |\n"))
        .collect();
    let Some((pages, text)) = typeset(&format!("| Number | Name |\n|---|---|\n{rows}")) else {
        return;
    };
    assert!(pages > 1, "{pages}");
    assert_eq!(text.matches("Number").count(), pages, "{text}");
    assert!(text.contains("name 0") && text.contains("name 119"));
}
