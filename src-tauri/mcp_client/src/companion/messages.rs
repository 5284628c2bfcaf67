//! The messages between a browser and Shidi, one JSON object each.
//!
//! An unreadable message is ignored. Texts are cut to their bounds, and a tool that is out of bounds is left
//! out. The rest of the page still counts.

use super::form_use::UsedForm;
use crate::limits::{
    CONTENT_PIECE_BYTES_MAX, CONTENT_PIECES_MAX, ERROR_CHARACTERS_MAX, PAGE_ADDRESS_BYTES_MAX,
    PAGE_TITLE_CHARACTERS, PAGE_TOOLS_MAX, PDF_PIECE_BYTES_MAX, PDF_PIECES_MAX, RESULT_CHARACTERS_MAX,
    SCHEMA_BYTES_MAX, TOOL_DOC_CHARACTERS, TOOL_NAME_BYTES_MAX, WORD_BYTES_MAX,
};
use crate::text::paragraph;
use crate::tool::{Hints, Tool, Way};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_protocol::JsonMap;

/// A message from a browser.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBrowser {
    /// The first message on every connection.
    Hello {
        version: u32,
        browser: String,
        #[serde(default)]
        token: Option<String>,
    },
    /// The page that the user looks at; sent whenever a fact about the page changes.
    Page(OpenPage),
    /// The user looks at a private page, or at no page of the web.
    NoPage,
    /// A reported page is not open any more.
    Gone { tab: i64, document: String },
    /// Somebody acted in a page after it was read: what was read may stand there no longer.
    Acted { tab: i64, document: String },
    /// The result of a page's tool.
    Returned {
        call: String,
        #[serde(default)]
        value: Value,
    },
    /// Why a call gave no result.
    Failed { call: String, message: String },
    /// The browser's user no longer wants it to be let in.
    Forget,
    /// The browser does not know a call that Shidi asked about.
    Unknown { call: String },
    /// A page has worked on a call since before this connection.
    Running { call: String },
    /// A piece of what a page holds; the pieces together are the JSON of a [`Content`].
    Content(ToldPiece),
    /// What its user chose in a form of a site on which that is noticed.
    Used {
        tab: i64,
        document: String,
        #[serde(flatten)]
        used: UsedForm,
    },
    /// Why a page or the file of a PDF was not read.
    NotRead { ask: String, message: String },
    /// A piece of the file of a PDF, in Base64; the pieces together are the file.
    PdfPiece(ToldPiece),
}

/// A piece of an answer that takes several messages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ToldPiece {
    pub ask: String,
    pub index: usize,
    pub count: usize,
    pub piece: String,
}

/// A page as its browser describes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OpenPage {
    pub tab: i64,
    /// The id of the loaded document; each load has another.
    pub document: String,
    pub url: String,
    #[serde(default)]
    pub title: String,
    /// Whether the page's window has the focus.
    #[serde(default = "yes")]
    pub focused: bool,
    #[serde(default)]
    pub tools: Vec<OfferedTool>,
    /// Whether the browser shows a PDF there, by a program of its own.
    #[serde(default)]
    pub pdf: bool,
}

fn yes() -> bool {
    true
}

/// A tool that a page offers; all its texts are the page's own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OfferedTool {
    pub name: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub schema: Value,
    #[serde(default)]
    pub reads_only: bool,
}

/// A message from Shidi.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBrowser {
    /// The browser isn't known yet: it shows this code, and the user compares both codes.
    Pair {
        code: String,
    },
    /// The token by which the browser identifies itself from now on.
    Paired {
        token: String,
    },
    Welcome,
    /// The browser is refused; Shidi sends nothing more.
    Refused {
        reason: Refusal,
    },
    /// What the user decided about the site of the page in front: whether programs may call its tools.
    Site {
        site: String,
        allowed: bool,
        /// Whether what its user chooses in forms is noticed there.
        learn: bool,
    },
    /// Has a page read as it is now; nothing of the reading is kept by the browser.
    Read {
        ask: String,
        tab: i64,
        document: String,
        site: String,
    },
    /// Has the file of a PDF fetched once more, as the page itself would fetch it.
    ReadPdf {
        ask: String,
        tab: i64,
        document: String,
        site: String,
    },
    /// Performs a call once, however often the message comes. `own` calls are performed by the companion itself.
    Call {
        call: String,
        tab: i64,
        document: String,
        site: String,
        tool: String,
        arguments: JsonMap,
        own: bool,
    },
    /// Asks for the result of a call that the browser may have got before; performs nothing anew.
    Again {
        call: String,
        tab: i64,
        document: String,
        site: String,
    },
    /// Nobody waits for the call any more.
    Cancel {
        call: String,
    },
    /// The call's result is on record at Shidi.
    Settled {
        call: String,
    },
}

/// Why a browser is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The browser speaks another version.
    Version,
    /// The user does not want the browser.
    Declined,
    /// The browser was let in once, and is no longer.
    Forgotten,
}

impl FromBrowser {
    /// A browser's message within its bounds; `None` when it can't be understood.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let heard = serde_json::from_str(line).ok()?;
        Some(match heard {
            Self::Hello {
                version,
                browser,
                token,
            } => Self::Hello {
                version,
                browser: paragraph(&browser, PAGE_TITLE_CHARACTERS),
                token: token.filter(|token| is_word(token)),
            },
            Self::Page(page) => match page.bounded() {
                Some(page) => Self::Page(page),
                // The page in front is unknown, so the last known one no longer counts.
                None => Self::NoPage,
            },
            Self::Gone { ref document, .. } | Self::Acted { ref document, .. } if !is_word(document) => {
                return None;
            }
            Self::Used { tab, document, used } if is_word(&document) => Self::Used {
                tab,
                document,
                used: used.bounded()?,
            },
            Self::Used { .. } => return None,
            Self::Returned { ref call, .. }
            | Self::Failed { ref call, .. }
            | Self::Unknown { ref call }
            | Self::Running { ref call }
                if !is_word(call) =>
            {
                return None;
            }
            Self::Content(ref told) if !told.fits(CONTENT_PIECES_MAX, CONTENT_PIECE_BYTES_MAX) => {
                return None;
            }
            Self::PdfPiece(ref told) if !told.fits(PDF_PIECES_MAX, PDF_PIECE_BYTES_MAX) => return None,
            Self::NotRead { ref ask, .. } if !is_word(ask) => return None,
            Self::NotRead { ask, message } => Self::NotRead {
                ask,
                message: paragraph(&message, ERROR_CHARACTERS_MAX),
            },
            Self::Returned { call, value } if is_too_long(&value) => Self::Failed {
                call,
                message: "The result is too long".to_owned(),
            },
            Self::Failed { call, message } => Self::Failed {
                call,
                message: paragraph(&message, ERROR_CHARACTERS_MAX),
            },
            Self::NoPage
            | Self::Forget
            | Self::Gone { .. }
            | Self::Acted { .. }
            | Self::Returned { .. }
            | Self::Unknown { .. }
            | Self::Running { .. }
            | Self::Content(_)
            | Self::PdfPiece(_) => heard,
        })
    }
}

impl ToldPiece {
    fn fits(&self, pieces_max: usize, bytes_max: usize) -> bool {
        is_word(&self.ask)
            && self.index < self.count
            && self.count <= pieces_max
            && self.piece.len() <= bytes_max
    }
}

impl OpenPage {
    fn bounded(self) -> Option<Self> {
        if !is_word(&self.document) || self.url.len() > PAGE_ADDRESS_BYTES_MAX {
            return None;
        }
        let tools = self.tools.into_iter().filter(OfferedTool::is_bounded);
        Some(Self {
            title: paragraph(&self.title, PAGE_TITLE_CHARACTERS),
            tools: tools.take(PAGE_TOOLS_MAX).collect(),
            ..self
        })
    }
}

impl OfferedTool {
    fn is_bounded(&self) -> bool {
        let name = &self.name;
        !name.is_empty() && name.len() <= TOOL_NAME_BYTES_MAX && !name.chars().any(char::is_control)
    }

    /// The tool in the form in which programs are offered it.
    #[must_use]
    pub fn tool(&self) -> Tool {
        let said = if self.description.is_empty() {
            &self.title
        } else {
            &self.description
        };
        let is_schema = self.schema.is_object() && self.schema.to_string().len() <= SCHEMA_BYTES_MAX;
        Tool {
            name: self.name.clone(),
            doc: paragraph(said, TOOL_DOC_CHARACTERS),
            schema: if is_schema {
                self.schema.clone()
            } else {
                Value::Object(JsonMap::new())
            },
            structured: false,
            output: serde_json::Value::Null,
            hints: Hints {
                reads_only: Some(self.reads_only),
                ..Hints::default()
            },
            way: Way::Tool,
        }
    }
}

/// Whether a text is fit as an id that one of both sides has given.
fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty() && text.len() <= WORD_BYTES_MAX && text.bytes().all(fits)
}

fn is_too_long(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() > 4 * RESULT_CHARACTERS_MAX,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::Array(_) | Value::Object(_) => value.to_string().len() > 4 * RESULT_CHARACTERS_MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_out_of_bounds_is_cut_or_left_out() {
        let long = "x".repeat(5_000);
        let page = serde_json::json!({
            "type": "page", "tab": 1, "document": "d-1", "url": "https://a.example/", "title": long,
            "tools": [{"name": ""}, {"name": "steer\u{1b}[2J"}, {"name": long}, {"name": "fine", "schema": "none"}],
        });
        let Some(FromBrowser::Page(page)) = FromBrowser::read(&page.to_string()) else {
            panic!("a page was told of")
        };
        assert!(page.title.chars().count() <= PAGE_TITLE_CHARACTERS + 1);
        let names: Vec<&str> = page.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["fine"]);
        assert!(page.tools[0].tool().schema.is_object());
    }

    #[test]
    fn a_page_that_can_not_be_named_leaves_no_page_in_front() {
        let page = r#"{"type":"page","tab":1,"document":"","url":"https://a.example/"}"#;
        assert_eq!(FromBrowser::read(page), Some(FromBrowser::NoPage));
    }

    #[test]
    fn a_piece_of_a_pdf_is_heard_within_its_bounds_alone() {
        let said = |ask: &str, index: usize, count: usize, bytes: usize| {
            let piece = "A".repeat(bytes);
            let said = serde_json::json!({"type": "pdf_piece", "ask": ask, "index": index, "count": count, "piece": piece});
            FromBrowser::read(&said.to_string()).is_some()
        };
        assert!(said(
            "pdf-1",
            PDF_PIECES_MAX - 1,
            PDF_PIECES_MAX,
            PDF_PIECE_BYTES_MAX
        ));
        assert!(!said("pdf-1", 2, 2, 4));
        assert!(!said("pdf-1", 0, PDF_PIECES_MAX + 1, 4));
        assert!(!said("pdf-1", 0, 1, PDF_PIECE_BYTES_MAX + 1));
        assert!(!said("pdf 1", 0, 1, 4));
    }

    #[test]
    fn names_of_calls_are_words_alone() {
        let said = r#"{"type":"returned","call":"../../x y","value":1}"#;
        assert_eq!(FromBrowser::read(said), None);
        let said = r#"{"type":"returned","call":"0190-a.7"}"#;
        let value = Value::Null;
        let call = "0190-a.7".to_owned();
        assert_eq!(
            FromBrowser::read(said),
            Some(FromBrowser::Returned { call, value })
        );
    }

    #[test]
    fn what_is_not_understood_says_nothing() {
        for said in [
            "",
            "{}",
            "[]",
            "null",
            r#"{"type":"more"}"#,
            r#"{"type":"hello"}"#,
            "{\"type\":",
        ] {
            assert_eq!(FromBrowser::read(said), None, "{said}");
        }
    }

    proptest! {
        #[test]
        fn what_can_be_read_stays_within_its_bounds(title in "\\PC{0,400}", document in "\\PC{0,200}") {
            let said = serde_json::json!({"type": "page", "tab": 1, "url": "https://a.example", "title": title, "document": document});
            match FromBrowser::read(&said.to_string()) {
                Some(FromBrowser::Page(page)) => prop_assert!(is_word(&page.document) && page.title.chars().count() <= PAGE_TITLE_CHARACTERS + 1),
                heard => prop_assert_eq!(heard, Some(FromBrowser::NoPage)),
            }
        }

        #[test]
        fn no_line_brings_the_reader_down(line in "\\PC*") {
            prop_assert!(FromBrowser::read(&line).is_none_or(|heard| heard == FromBrowser::NoPage));
        }
    }
}
