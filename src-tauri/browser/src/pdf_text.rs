//! The text of PDFs that browsers show: a browser gives the file, the reader of documents its text. Captures and programs
//! get that as they get a page's text.
//!
//! No parser of it runs here. A fetched file lies on the disk while it is read, in a folder of its own, and no longer.

use crate::Pages;
use crate::hands::OPEN;
use crate::limits::{PDF_FETCH_WAIT, PDF_LINE_CHARACTERS_MAX, PDF_LINES_FOUND_MAX, PDF_TEXT_BYTES_MAX};
use crate::pdfs::PdfFile;
use crate::reading::Unread;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::{Call, CallOutcome, Content, ContentKind, PageRef, PdfContent, PdfRead, Unreadable};
use shidi_space::errors::unreadable;
use shidi_space::home::Home;
use shidi_space::privacy::content_passed;
use shidi_space::space::reader_program;
use shidi_toolkits::{Attached, Body, Library, attach};
use std::io;
use std::path::{Path, PathBuf};

/// A companion's word for a file that is larger than it fetches.
const TOO_LARGE: &str = "too_large";

/// What a program is told that wants more of a PDF than its text.
const NOTHING_ELSE: &str =
    "This page is a PDF: read(), find(text=…) and open(url) work there, and nothing else of the page";

impl Pages {
    /// The text of a PDF that a browser shows, after the gate. `documents` is where texts of documents lie.
    ///
    /// # Errors
    /// Why there is none: the site does not give the file again, or it can't be read.
    pub async fn pdf_text(&self, page: &PageRef, documents: Option<PathBuf>) -> PdfRead {
        if let Some(known) = self.known_pdf(page) {
            return Ok(known);
        }
        let title = self.view(page).ok_or(Unreadable::Unreachable)?.title;
        let file = self.pdf_file(page, PDF_FETCH_WAIT).await.map_err(reason)?;
        // What a process that was killed leaves in this folder is removed at the next start.
        let folder = documents.ok_or(Unreadable::Failed)?.with_file_name("web");
        let reading = tokio::task::spawn_blocking(move || read_in(&folder, &file)).await;
        let text = reading.map_err(|cause| {
            tracing::warn!(%cause, "the reading of a PDF broke off");
            Unreadable::Failed
        })??;
        let content = content_passed(Content {
            kind: ContentKind::Pdf,
            title,
            site: page.site.clone(),
            text: text.text,
            cut: text.is_cut.then(|| "text".to_owned()),
            ..Content::default()
        });
        let read = PdfContent {
            content,
            pages: text.pages,
            bytes: text.bytes,
        };
        self.keep_pdf(page, &read);
        Ok(read)
    }

    /// What a call does in a PDF. `None` where the page is none, is not known now, or the call is the browser's to
    /// perform.
    pub async fn in_pdf(&self, page: &PageRef, call: &Call, home: &Home) -> Option<CallOutcome> {
        if !self.is_pdf(page) {
            return None;
        }
        let tell: fn(&PdfContent, &Call) -> CallOutcome = match call.method.as_str() {
            "read" => whole,
            "find" => found,
            OPEN => return None,
            _ => return Some(CallOutcome::failure("RuntimeError", NOTHING_ELSE)),
        };
        let asked = self.line_of_page(page);
        Some(match self.pdf_text(page, home.documents()).await {
            Ok(read) => tell(&read, call),
            // Its browser went away in the middle: the call waits for it as any other does.
            Err(_) if self.line_of_page(page) != asked => return None,
            Err(reason) => {
                let why = unreadable(Language::SOURCE, reason);
                let message = format!(
                    "The text of the PDF is not there: {why}. The user can save it and attach the file"
                );
                CallOutcome::failure("RuntimeError", message)
            }
        })
    }
}

fn reason(why: Unread) -> Unreadable {
    match why {
        Unread::Refused(why) if why == TOO_LARGE => Unreadable::Huge,
        Unread::Refused(_) | Unread::Closed => Unreadable::Unreachable,
        Unread::Silent => Unreadable::TimedOut,
    }
}

/// The text of a file.
struct Text {
    text: String,
    is_cut: bool,
    pages: u32,
    bytes: u64,
}

fn read_in(folder: &Path, file: &PdfFile) -> Result<Text, Unreadable> {
    let unkept = |cause: io::Error| {
        tracing::warn!(%cause, "a PDF can't be kept to be read");
        Unreadable::Failed
    };
    std::fs::create_dir_all(folder).map_err(unkept)?;
    let place = tempfile::tempdir_in(folder).map_err(unkept)?;
    let fetched = place.path().join("page.pdf");
    let path = match file {
        PdfFile::Fetched(bytes) => {
            std::fs::write(&fetched, bytes).map_err(unkept)?;
            fetched.as_path()
        }
        PdfFile::OnDisk(path) => path.as_path(),
    };
    let library = Library::new(place.path().join("read"), reader_program());
    let Attached { attachment, body } = attach(path, Some(&library), &mut |_, _| {});
    let document = match body {
        // The name says nothing: whatever else lies there is none of what the user looks at.
        Body::Document(document) if document.format() == "pdf" => document,
        Body::Document(_) | Body::Text | Body::Picture(_) | Body::Folder(_) => {
            return Err(Unreadable::Binary);
        }
        Body::Unreadable => return Err(attachment.reason.unwrap_or(Unreadable::Failed)),
    };
    let excerpt = document.excerpt(PDF_TEXT_BYTES_MAX).map_err(|cause| {
        tracing::warn!(%cause, "the text of a PDF is gone");
        Unreadable::Failed
    })?;
    Ok(Text {
        text: excerpt.text,
        is_cut: excerpt.more || document.is_cut(),
        pages: attachment.parts,
        bytes: attachment.bytes,
    })
}

/// The whole text, in the form of any other page.
fn whole(read: &PdfContent, _: &Call) -> CallOutcome {
    let PdfContent { content, pages, .. } = read;
    let data = json!({
        "title": content.title,
        "kind": content.kind,
        "language": content.language,
        "text": content.text,
        "links": [],
        "fields": [],
        "buttons": [],
        "pages": pages,
        "cut": content.cut,
    });
    CallOutcome::success(data, format!("{} · {pages} pages", content.title))
}

/// The lines with a text, each with its page, in the form of elements.
fn found(read: &PdfContent, call: &Call) -> CallOutcome {
    let wanted = [call.text("text"), call.text("name")].map(|text| text.trim().to_lowercase());
    let Some(wanted) = wanted.iter().find(|text| !text.is_empty()) else {
        return CallOutcome::failure(
            "ValueError",
            "A PDF has no elements: find(text=…) finds its lines",
        );
    };
    let mut page = String::new();
    let mut lines = Vec::new();
    for line in read.content.text.lines() {
        if let Some(number) = page_mark(line) {
            page = number.to_owned();
        } else if line.to_lowercase().contains(wanted) {
            let name: String = line.trim().chars().take(PDF_LINE_CHARACTERS_MAX).collect();
            lines.push(json!({"ref": "", "role": "line", "name": name, "value": page, "states": []}));
        }
        if lines.len() == PDF_LINES_FOUND_MAX {
            break;
        }
    }
    let summary = format!("{} · {} lines", read.content.title, lines.len());
    CallOutcome::success(Value::Array(lines), summary)
}

/// `p. 3`, where a line begins the third page.
fn page_mark(line: &str) -> Option<&str> {
    let mark = line.strip_prefix('[')?.strip_suffix(']')?;
    let number = mark.strip_prefix("p. ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::JsonMap;

    fn call(arguments: &Value) -> Call {
        let call =
            json!({"id": 1, "exec": 1, "toolkit": "page", "method": "find", "args": arguments, "line": 1});
        serde_json::from_value(call).unwrap()
    }

    fn paper() -> PdfContent {
        PdfContent {
            content: Content {
                title: "Tides".to_owned(),
                text: "[p. 1]\nThe ferry\n[p. 2]\nNo FERRY today\n[p. x]\nthe ferry of [p. 9]".to_owned(),
                ..Content::default()
            },
            pages: 2,
            bytes: 9,
        }
    }

    #[test]
    fn lines_of_a_pdf_are_found_with_their_pages() {
        let lines = found(&paper(), &call(&json!({"text": " ferry"}))).data;
        let told: Vec<(&str, &str)> = lines
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (line["value"].as_str().unwrap(), line["name"].as_str().unwrap()))
            .collect();
        let expected = [
            ("p. 1", "The ferry"),
            ("p. 2", "No FERRY today"),
            ("p. 2", "the ferry of [p. 9]"),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn elements_of_a_pdf_are_not_looked_for_and_its_text_is_told_whole() {
        let nothing = call(&Value::Object(JsonMap::new()));
        assert!(!found(&paper(), &nothing).ok());
        let told = whole(&paper(), &nothing).data;
        assert_eq!((&told["pages"], &told["title"]), (&json!(2), &json!("Tides")));
        assert!(told["text"].as_str().unwrap().contains("No FERRY today"));
    }

    #[test]
    fn what_lies_at_the_path_of_a_pdf_and_is_none_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes.pdf");
        std::fs::write(&notes, "my own notes").unwrap();
        let read = |path: &Path| read_in(&folder.path().join("web"), &PdfFile::OnDisk(path.to_owned())).err();
        assert_eq!(read(&notes), Some(Unreadable::Binary));
        assert_eq!(read(folder.path()), Some(Unreadable::Binary));
        assert_eq!(
            read(&folder.path().join("missing.pdf")),
            Some(Unreadable::Missing)
        );
        let left = std::fs::read_dir(folder.path().join("web")).unwrap().count();
        assert_eq!(left, 0, "nothing stays of what was read");
    }

    #[test]
    fn what_a_browser_says_of_a_file_becomes_a_reason() {
        assert_eq!(reason(Unread::Refused(TOO_LARGE.to_owned())), Unreadable::Huge);
        assert_eq!(
            reason(Unread::Refused("not_given".to_owned())),
            Unreadable::Unreachable
        );
        assert_eq!(reason(Unread::Silent), Unreadable::TimedOut);
    }
}
