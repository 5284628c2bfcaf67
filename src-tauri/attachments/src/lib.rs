//! Makes context of what comes with a question: attached files, and a snapshot given with `--context`.
//!
//! A short attachment is sent whole. Of a long one the model gets the beginning, an outline and the way to the rest.
//! Programs search and read the rest. The same words are what a chip shows before anything is sent.

mod examination;
mod inspect;
mod limits;

pub use examination::check_reader;
pub use inspect::inspect;

use crate::limits::{
    HEAD_LINE_BYTES, HEAD_TOKENS_MAX, OUTLINE_LINES, PREVIEW_CHARACTERS, WHOLE_BYTES_MAX, WHOLE_TOKENS_MAX,
};
use serde::Deserialize;
use shidi_agent::Notice;
use shidi_locales::Language;
use shidi_protocol::{
    Ask, Attachment, AttachmentUnit, ContextPiece, ErrorCode, SentAs, Unreadable, UserError,
};
use shidi_space::blob_store::address_of;
use shidi_space::errors::{error, unreadable};
use shidi_toolkits::limits::PICTURE_SENT_SIDE_MAX;
use shidi_toolkits::{Attached, Body, Document, Excerpt, Library, PictureFacts, ToolError, Tree};
use std::path::Path;

/// What was gathered for one question.
#[derive(Default)]
pub struct Gathered {
    pub surroundings: Vec<ContextPiece>,
    pub attachments: Vec<Attachment>,
    /// What could not be read, and why: the answer comes without it.
    pub notices: Vec<Notice>,
}

/// A sensory snapshot as `--context` takes it. Unknown fields are refused with their name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    #[serde(default)]
    app: String,
    #[serde(default)]
    title: String,
    url: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    selection: String,
}

/// Gathers everything that goes with `ask`. A file that can't be read stays visible, with the reason. Documents may
/// take seconds to be read: to be called where that may be.
///
/// # Errors
/// A snapshot that is none.
pub fn gather(ask: &Ask, library: Option<&Library>, language: Language) -> Result<Gathered, UserError> {
    let mut gathered = Gathered::default();
    for path in &ask.files {
        let attached = shidi_toolkits::attach(Path::new(path), library, &mut |_, _| {});
        let (sent, attachment) = described(attached);
        gathered
            .surroundings
            .push(piece("file", Path::new(path), &attachment, sent));
        if let Some(reason) = attachment.reason {
            gathered.notices.push(left_out(&attachment, reason, language));
        } else {
            gathered.attachments.push(Attachment {
                preview: String::new(),
                thumbnail: None,
                ..attachment
            });
        }
    }
    gathered.surroundings.extend(piped(ask));
    if let Some(context) = &ask.context {
        let snapshot: Snapshot = serde_json::from_value(context.clone()).map_err(|cause| {
            error(
                ErrorCode::Input,
                language.attachments().context_unreadable(cause),
                language.attachments().context_fields(),
            )
        })?;
        gathered.surroundings.extend(seen(snapshot));
    }
    Ok(gathered)
}

/// What a file of a work folder says about the work there; `None` where it can't be read.
pub fn project_file(path: &Path, library: Option<&Library>) -> Option<ContextPiece> {
    let (sent, attachment) = described(shidi_toolkits::attach(path, library, &mut |_, _| {}));
    let piece = piece("project", path, &attachment, sent);
    attachment.reason.is_none().then_some(piece)
}

fn piece(source: &str, path: &Path, attachment: &Attachment, sent: String) -> ContextPiece {
    ContextPiece {
        source: source.to_owned(),
        title: attachment.name.clone(),
        url: address_of(path),
        text: sent,
        // Also of what could not be read: whoever made it chose its name.
        untrusted: true,
    }
}

fn left_out(attachment: &Attachment, reason: Unreadable, language: Language) -> Notice {
    let detail = attachment.detail.as_deref();
    let detail = detail.map_or_else(String::new, |detail| format!(" ({detail})"));
    Notice {
        source: "file".to_owned(),
        text: language.attachments().answer_comes_without(
            detail,
            &attachment.name,
            unreadable(language, reason),
        ),
    }
}

/// What was piped in, which is data; where nothing else is asked, that the question came so.
fn piped(ask: &Ask) -> Option<ContextPiece> {
    let piped = ask.piped.as_ref()?;
    let text = match ask.asks_what_was_piped() {
        true => "The question was piped in: the user may not have written it.",
        false => piped.as_str(),
    };
    Some(ContextPiece {
        source: "stdin".to_owned(),
        title: "piped in".to_owned(),
        url: None,
        text: text.to_owned(),
        untrusted: true,
    })
}

/// What is sent of something attached, and the attachment with everything that a chip says about that.
pub fn described(attached: Attached) -> (String, Attachment) {
    let Attached { mut attachment, body } = attached;
    let (sent, how) = match &body {
        Body::Text => text(&attachment),
        Body::Document(document) => long(&attachment, document),
        Body::Picture(picture) => {
            let PictureFacts { width, height, .. } = picture;
            let words = format!(
                "path: {}\n{} picture, {width} × {height} pixels",
                attachment.path, attachment.format
            );
            (words, SentAs::Image)
        }
        Body::Folder(tree) => folder(&attachment, tree),
        Body::Unreadable => {
            let reason = attachment.reason.map_or("it could not be read", |reason| {
                unreadable(Language::SOURCE, reason)
            });
            (
                format!("path: {}\nnot readable: {reason}", attachment.path),
                SentAs::None,
            )
        }
    };
    attachment.how = how;
    attachment.tokens = shidi_agent::estimate_tokens(&sent)
        + match &body {
            Body::Picture(picture) => picture_tokens(picture),
            Body::Text | Body::Document(_) | Body::Folder(_) | Body::Unreadable => 0,
        };
    attachment.preview = sent.chars().take(PREVIEW_CHARACTERS).collect();
    attachment.preview_cut = attachment.preview.len() < sent.len();
    (sent, attachment)
}

/// Large models count about one token per 750 pixels of what they look at.
fn picture_tokens(picture: &PictureFacts) -> u32 {
    let side = f64::from(PICTURE_SENT_SIDE_MAX);
    let scale = (side / f64::from(picture.width.max(picture.height).max(1))).min(1.0);
    let pixels = f64::from(picture.width) * f64::from(picture.height) * scale * scale;
    (pixels / 750.0).ceil() as u32
}

/// A text or a document on its way into the prompt. The attachment goes whole, or its beginning goes with the way to
/// the rest.
struct Telling<'a> {
    attachment: &'a Attachment,
    /// `12 pages`, `340 lines`.
    extent: String,
    /// How an answer cites a place in it.
    cited: String,
    excerpt: Result<Excerpt, ToolError>,
    /// Only the beginning of the file was read at all.
    cut: bool,
    outline: String,
    whole_bytes: u64,
}

impl Telling<'_> {
    fn told(self) -> (String, SentAs) {
        let Attachment {
            path, bytes, format, ..
        } = self.attachment;
        let head = format!("path: {path}\n{format}, {}, {bytes} bytes", self.extent);
        let Ok(excerpt) = self.excerpt else {
            return (
                format!("{head}\nnot readable: the disk or the system failed"),
                SentAs::None,
            );
        };
        let cited = self.cited;
        let cut = if self.cut {
            "\nOnly its beginning could be read: it is too large."
        } else {
            ""
        };
        let whole = !excerpt.more && shidi_agent::estimate_tokens(&excerpt.text) <= WHOLE_TOKENS_MAX;
        if whole {
            let text = excerpt.text.trim_end();
            return (
                format!("{head}. Cite places as {cited}.{cut}\n---\n{text}"),
                SentAs::Whole,
            );
        }
        let tokens = self.whole_bytes / 4;
        let beginning = beginning(&excerpt.text);
        let outline = if self.outline.is_empty() {
            String::new()
        } else {
            format!("\nOutline:\n{}", self.outline)
        };
        let words = format!(
            "{head}. Too long to be shown whole (about {tokens} tokens).{cut}\n\
             Look for what the question is about: await files.find(text=\"…\", path={path:?}); read on: \
             await files.read(path={path:?}, …); all headings: await files.outline(path={path:?}). \
             Cite places as {cited}.{outline}\n\
             --- its beginning\n{}\n… it goes on",
            beginning.trim_end()
        );
        (words, SentAs::Indexed)
    }
}

/// The first lines, as many as [`HEAD_TOKENS_MAX`] allows.
fn beginning(text: &str) -> String {
    let mut head = String::new();
    for line in text.lines() {
        let end = line.floor_char_boundary(HEAD_LINE_BYTES);
        let line = line.get(..end).unwrap_or(line);
        if shidi_agent::estimate_tokens(&head) + shidi_agent::estimate_tokens(line) > HEAD_TOKENS_MAX {
            break;
        }
        head.push_str(line);
        head.push('\n');
    }
    head
}

fn text(attachment: &Attachment) -> (String, SentAs) {
    let path = Path::new(&attachment.path);
    let unit = if attachment.unit == AttachmentUnit::Row {
        "rows"
    } else {
        "lines"
    };
    Telling {
        attachment,
        extent: format!("{} {unit}", attachment.lines),
        cited: format!("[{} line 3]", attachment.name),
        excerpt: shidi_toolkits::excerpt(path, WHOLE_BYTES_MAX),
        cut: false,
        outline: String::new(),
        whole_bytes: attachment.bytes,
    }
    .told()
}

fn long(attachment: &Attachment, document: &Document) -> (String, SentAs) {
    let name = &attachment.name;
    let (unit, cited) = match attachment.unit {
        AttachmentUnit::Page => ("pages", format!("[{name} p. 3]")),
        AttachmentUnit::Slide => ("slides", format!("[{name} slide 3]")),
        AttachmentUnit::Sheet => ("sheets", format!("[{name} SHEET!3]")),
        AttachmentUnit::Line | AttachmentUnit::Row | AttachmentUnit::File => {
            ("lines", format!("[{name} line 3]"))
        }
    };
    Telling {
        attachment,
        extent: format!("{} {unit}", attachment.parts),
        cited,
        excerpt: document.excerpt(WHOLE_BYTES_MAX),
        cut: document.is_cut(),
        outline: outline(document),
        whole_bytes: document.bytes(),
    }
    .told()
}

/// The titles of some of the parts, spread over all of it.
fn outline(document: &Document) -> String {
    let parts = document.parts();
    let step = parts.len().div_ceil(OUTLINE_LINES).max(1);
    let lines = parts.iter().step_by(step).map(|part| {
        let place = document.place(u64::from(part.line), "");
        format!("{place}: {}", part.title)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn folder(attachment: &Attachment, tree: &Tree) -> (String, SentAs) {
    let Attachment { path, .. } = attachment;
    let more = if tree.cut {
        format!(
            "\n… and more: await files.list(path={path:?}, depth=3), await files.glob(pattern=\"**/*\", path={path:?})"
        )
    } else {
        String::new()
    };
    let words = format!(
        "path: {path}\nfolder, {} files, {} bytes. Look for what the question is about: \
         await files.find(text=\"…\", path={path:?}).\n---\n{}{more}",
        tree.files,
        tree.bytes,
        tree.text.trim_end()
    );
    (words, SentAs::Indexed)
}

fn seen(snapshot: Snapshot) -> Vec<ContextPiece> {
    let Snapshot {
        app,
        title,
        url,
        text,
        selection,
    } = snapshot;
    let mut seen = Vec::new();
    let is_named = !title.is_empty() || url.is_some();
    if !text.is_empty() || is_named || selection.is_empty() {
        seen.push(ContextPiece {
            source: "page".to_owned(),
            title: if title.is_empty() { app } else { title },
            url,
            text,
            untrusted: true,
        });
    }
    if !selection.is_empty() {
        // The user's own selection does not taint (DESIGN §8). Title and address are the page's, and stay with it.
        seen.push(ContextPiece {
            source: "selection".to_owned(),
            title: String::new(),
            url: None,
            text: selection,
            untrusted: false,
        });
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn gathered(ask: &Ask) -> Vec<ContextPiece> {
        gather(ask, None, Language::En).unwrap().surroundings
    }

    #[test]
    fn a_selection_is_the_users_and_title_and_address_beside_it_are_the_pages() {
        let of = |context: serde_json::Value| {
            gathered(&Ask {
                context: Some(context),
                ..Ask::default()
            })
        };
        let alone = of(json!({"app": "browser", "selection": "these words"}));
        assert_eq!(alone.len(), 1);
        assert!(!alone[0].untrusted && alone[0].text == "these words");
        for beside in ["title", "url", "text"] {
            let pieces = of(json!({"app": "browser", "selection": "these words", beside: "run this"}));
            let [page, selection] = pieces.as_slice() else {
                panic!("{beside}: {pieces:?}");
            };
            assert!(
                page.untrusted && format!("{page:?}").contains("run this"),
                "{page:?}"
            );
            assert!(!format!("{selection:?}").contains("run this"), "{selection:?}");
        }
    }

    #[test]
    fn what_can_not_be_read_and_what_is_piped_in_is_a_strangers_too() {
        let pieces = gathered(&Ask {
            files: vec!["/nowhere/run this.txt".to_owned()],
            piped: Some("run that".to_owned()),
            text: "why?".to_owned(),
            ..Ask::default()
        });
        assert!(
            pieces.len() == 2 && pieces.iter().all(|piece| piece.untrusted),
            "{pieces:?}"
        );
        let alone = Ask {
            piped: Some("what is six times seven?".to_owned()),
            ..Ask::default()
        };
        assert_eq!(alone.question(), "what is six times seven?");
        let [piece] = gathered(&alone).try_into().unwrap();
        assert!(
            piece.untrusted && !piece.text.contains("six"),
            "it is said once: {piece:?}"
        );
    }
}
