//! Properties of the readers: any input comes back as text or as a reason.

use super::frame::{Findings, Frame, Stop};
use super::reader::extract;
use proptest::prelude::*;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads `bytes` as a reader does, in this process.
fn read(bytes: &[u8], name: &str) -> (Result<(), Stop>, String) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let mut text = String::new();
    let mut tell = |frame: Frame| {
        if let Frame::Text { text: piece } = frame {
            text.push_str(&piece);
        }
        Ok(())
    };
    let mut findings = Findings::new(&mut tell);
    let read = extract(file, Path::new(name), &mut findings);
    findings.flush().unwrap();
    (read, text)
}

fn archive(member: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file(member, SimpleFileOptions::default()).unwrap();
    archive.write_all(content).unwrap();
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
