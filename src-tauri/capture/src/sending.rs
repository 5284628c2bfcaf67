//! Sends the seen content with a question: as a picture to a model that takes pictures, else as words. Only now the
//! content reaches the disk, and the ledger.

use crate::Capture;
use crate::content::{self, Sensed};
use crate::held::is_stale;
use crate::ledger::record;
use crate::limits::EARLIER_PICTURES_MAX;
use crate::{KeptView, Recognised, data_url, sentences, verdict};
use serde_json::Value;
use shidi_agent::Notice;
use shidi_models::Model;
use shidi_protocol::{
    Ask, Attachment, ContentPart, ContentSource, ContextPiece, ErrorCode, LookAt, LookOutcome, LookRecord,
    RunId, ScreenSentAs, ScreenView, SentAs, SessionId, UserError, reply,
};
use shidi_senses::{FrontWindow, Gate, Rules, Verdict};
use shidi_space::blob_store::{self, Owner, Unkept};
use shidi_space::clock;
use shidi_space::errors::error;
use shidi_space::limits::PICTURES_MAX;
use shidi_store::{BlobPurpose, Write};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the model reads before the text of a page in which somebody acted since.
const STALE: &str = "(Somebody acted in the page after it was read, so it may look different now.)\n";

/// Whether a model is known to take pictures; one that nobody knows gets words, which no model refuses.
fn takes_pictures(model: &dyn Model) -> bool {
    model.profile().vision == Some(true)
}

/// What goes with a question.
#[derive(Default)]
pub struct Sent {
    pub surroundings: Vec<ContextPiece>,
    pub attachments: Vec<Attachment>,
    pub notices: Vec<Notice>,
    /// Long texts by their handles, which the task searches.
    pub searched: Vec<(String, String)>,
}

/// Views that are about to be sent.
pub struct Taken {
    views: Vec<View>,
}

enum View {
    Fresh {
        id: String,
        kept: Arc<KeptView>,
        recognised: Option<Recognised>,
    },
    /// One that was sent before: the same question is asked again.
    Stored(LookRecord),
}

/// Takes the views of a question. Words that are still being recognised, and a PDF that is being read, are waited for.
///
/// # Errors
/// A view that was let go, or too many.
pub async fn take(capture: &Capture, ids: &[String]) -> Result<Taken, UserError> {
    if ids.len() > PICTURES_MAX {
        return Err(sentences::too_many(capture.space.language(), PICTURES_MAX));
    }
    let mut views = Vec::new();
    for id in ids {
        let kept = capture.looking.memory.lock().get(id, clock::now()).cloned();
        if let Some(kept) = &kept {
            kept.pdf_settled().await;
        }
        views.push(match kept {
            Some(kept) => View::Fresh {
                id: id.clone(),
                recognised: kept.recognised().await,
                kept,
            },
            None => View::Stored(stored(capture, id)?),
        });
    }
    Ok(Taken { views })
}

/// Makes context of views, writes their pictures and the ledger.
///
/// # Errors
/// A picture that can't be written, storage trouble.
pub fn send(
    capture: &Capture,
    (taken, parts): (Taken, &BTreeMap<String, ContentPart>),
    (session, run): (&SessionId, &RunId),
    model: &dyn Model,
) -> Result<Sent, UserError> {
    let mut sent = Sent::default();
    for view in taken.views {
        match view {
            View::Fresh { id, kept, recognised } => {
                let view = Fresh {
                    id: &id,
                    kept: &kept,
                    recognised: recognised.as_ref(),
                    part: parts.get(&id).copied(),
                };
                send_one(capture, &view, (session, run), model, &mut sent)?;
                capture.looking.memory.lock().forget(&id);
            }
            View::Stored(look) => sent.again(capture, &look, model)?,
        }
    }
    Ok(sent)
}

struct Fresh<'a> {
    id: &'a str,
    kept: &'a KeptView,
    recognised: Option<&'a Recognised>,
    /// The part of its content that the user chose.
    part: Option<ContentPart>,
}

fn send_one(
    capture: &Capture,
    view: &Fresh<'_>,
    (session, run): (&SessionId, &RunId),
    model: &dyn Model,
    sent: &mut Sent,
) -> Result<(), UserError> {
    let Fresh {
        id,
        kept,
        recognised,
        part,
    } = *view;
    let picture = kept.picture.as_ref().filter(|_| takes_pictures(model));
    let mut look = LookRecord {
        title: kept.seen.title.clone(),
        session: Some(session.clone()),
        ..record(id, kept, LookOutcome::Sent)
    };
    if picture.is_none() {
        (look.width, look.height) = (0, 0);
    }
    let stored = |cause| shidi_space::storage::explain(&cause, capture.space.language());
    capture.space.complete_ledger(&look).map_err(stored)?;
    let line = Write::PutLook(Box::new(look));
    match picture {
        Some(picture) => {
            let path = keep_picture(capture, id, &picture.jpeg, (session, run), line)?;
            sent.attachments.push(attachment(&path, picture.jpeg.len()));
        }
        None => capture.space.store.buffer(line).map_err(stored)?,
    }
    sent.surroundings.push(ContextPiece {
        source: "screen".to_owned(),
        title: titled(&kept.seen.title, &kept.seen.app),
        url: None,
        text: described(kept, picture.is_some(), model.name(), recognised),
        untrusted: true,
    });
    if let Some((sensed, url)) = kept.content_now() {
        sent.content(id, (&*sensed, url), part, is_stale(capture, kept));
    }
    sent.notices
        .extend(notices(capture, view, picture.is_some(), model));
    Ok(())
}

/// Writes what was sent without a picture into the ledger.
///
/// # Errors
/// Storage trouble.
pub fn note_sent(capture: &Capture, look: &LookRecord) -> Result<(), UserError> {
    let stored = |cause| shidi_space::storage::explain(&cause, capture.space.language());
    capture.space.complete_ledger(look).map_err(stored)?;
    let line = Write::PutLook(Box::new(look.clone()));
    capture.space.store.buffer(line).map_err(stored)
}

impl Sent {
    /// Adds what stands in the window, as far as it was chosen.
    fn content(
        &mut self,
        id: &str,
        (sensed, url): (&Sensed, &str),
        chosen: Option<ContentPart>,
        is_stale: bool,
    ) {
        let part = sensed.part(chosen);
        if part == ContentPart::Nothing {
            return;
        }
        let mut told = sensed.told(id, part);
        if is_stale {
            told.text.insert_str(0, STALE);
        }
        self.searched
            .extend(told.searched.map(|text| (content::handle(id), text)));
        let source = match sensed.source {
            ContentSource::Companion => "page",
            ContentSource::Accessibility
            | ContentSource::Selection
            | ContentSource::Recognition
            | ContentSource::Clipboard
            | ContentSource::Window => "window",
        };
        self.surroundings.push(ContextPiece {
            source: source.to_owned(),
            title: sensed.content.title.clone(),
            url: Some(url.to_owned()).filter(|url| !url.is_empty()),
            text: told.text,
            // The user pointed at the selection, and at nothing else.
            untrusted: part != ContentPart::Selection,
        });
    }

    /// Adds a view that was sent before, as far as its picture is still there.
    fn again(&mut self, capture: &Capture, look: &LookRecord, model: &dyn Model) -> Result<(), UserError> {
        let path = match takes_pictures(model) {
            true => picture_of(capture, &look.id)?,
            false => None,
        };
        let sent = path.map(|path| {
            let bytes = path.metadata().map_or(0, |facts| facts.len());
            attachment(&path, usize::try_from(bytes).unwrap_or(usize::MAX))
        });
        let picture = match sent {
            Some(_) => "\npicture: attached again, as it was sent before in this session",
            None => "",
        };
        self.attachments.extend(sent);
        self.surroundings.push(ContextPiece {
            source: "screen".to_owned(),
            title: titled(&look.title, &look.app),
            url: None,
            text: format!("app: {}\nwindow: {}{picture}", look.app, look.title),
            untrusted: true,
        });
        Ok(())
    }
}

/// Pictures that were sent before in the session, for a question that goes on about them. The looks in `but` are left
/// out: they go along anyway, or belong to another version.
///
/// # Errors
/// Storage trouble.
pub fn sent_again(
    capture: &Capture,
    session: &SessionId,
    model: &dyn Model,
    but: &[String],
) -> Result<Sent, UserError> {
    let mut sent = Sent::default();
    if !takes_pictures(model) {
        return Ok(sent);
    }
    let looks = capture.space.store.looks_sent(Some(session));
    let looks = looks.map_err(|cause| shidi_space::storage::explain(&cause, capture.space.language()))?;
    for look in looks.iter().rev().filter(|look| !but.contains(&look.id)) {
        if sent.attachments.len() == EARLIER_PICTURES_MAX {
            break;
        }
        if picture_of(capture, &look.id)?.is_some() {
            sent.again(capture, look, model)?;
        }
    }
    Ok(sent)
}

/// Pictures of a run that is taken up again; what the model reads of them is in its record.
///
/// # Errors
/// Storage trouble.
pub fn sent_in_run(
    capture: &Capture,
    ids: &[String],
    model: &dyn Model,
) -> Result<Vec<Attachment>, UserError> {
    let mut sent = Sent::default();
    for id in ids {
        sent.again(capture, &stored(capture, id)?, model)?;
    }
    Ok(sent.attachments)
}

fn stored(capture: &Capture, id: &str) -> Result<LookRecord, UserError> {
    let looks = capture.space.store.looks_sent(None);
    let looks = looks.map_err(|cause| shidi_space::storage::explain(&cause, capture.space.language()))?;
    looks
        .into_iter()
        .find(|look| look.id == id)
        .ok_or_else(|| sentences::gone(capture.space.language()))
}

/// A view that was sent, with its picture where one was.
///
/// # Errors
/// No such view, storage trouble.
pub fn show_sent(capture: &Capture, id: &str) -> Result<reply::Looked, UserError> {
    let look = stored(capture, id)?;
    let path = picture_of(capture, id)?;
    let picture = path.as_ref().and_then(|path| std::fs::read(path).ok());
    let view = ScreenView {
        id: id.to_owned(),
        app: look.app,
        title: look.title,
        width: look.width,
        height: look.height,
        path: path
            .filter(|_| picture.is_some())
            .map(|path| path.display().to_string()),
        sent_as: if picture.is_some() {
            ScreenSentAs::Picture
        } else {
            ScreenSentAs::Words
        },
        picture: picture.as_deref().map(data_url),
        blacked_out: look.blacked_out,
        ..ScreenView::default()
    };
    Ok(reply::Looked { view })
}

/// The question with its handed-over context as the gate lets it through, and what the user is told of it.
#[must_use]
pub fn passed(capture: &Capture, mut ask: Ask) -> (Ask, Vec<Notice>) {
    let Some(Value::Object(context)) = &mut ask.context else {
        return (ask, Vec::new());
    };
    let text = |name: &str| {
        context
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let window = FrontWindow {
        app: text("app"),
        title: text("title"),
        ..FrontWindow::default()
    };
    let url = Some(text("url")).filter(|url| !url.is_empty());
    if let Verdict::Nothing(reason) = verdict(capture, &window, url.as_deref()) {
        ask.context = None;
        let notice = Notice {
            source: "context".to_owned(),
            text: sentences::kept_back(capture.space.language(), reason),
        };
        return (ask, vec![notice]);
    }
    let gate = Gate::new(Rules::default(), []);
    for (name, value) in context.iter_mut() {
        if let Value::String(text) = value {
            *text = if name == "title" || name == "app" {
                gate.title(text)
            } else {
                gate.text(text)
            };
        }
    }
    (ask, Vec::new())
}

/// What the model reads of a view, word for word.
pub fn described(kept: &KeptView, is_picture: bool, model: &str, recognised: Option<&Recognised>) -> String {
    let KeptView {
        what, seen, picture, ..
    } = kept;
    let mut lines = Vec::new();
    for (name, value) in [("app", &seen.app), ("window", &seen.title)] {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    }
    if seen.name_only {
        lines.push("window: withheld, it may be a private one".to_owned());
    }
    let of = match what {
        LookAt::Facts | LookAt::Page | LookAt::Form | LookAt::Selection => "",
        LookAt::Monitor => "of the monitor",
        LookAt::Window => "of the window",
        LookAt::Region { .. } => "of a part of the screen",
    };
    match picture {
        Some(picture) if is_picture => {
            lines.push(format!(
                "picture: attached, {}×{} pixels, {of}",
                picture.width, picture.height
            ));
        }
        Some(_) if model.is_empty() => lines.push(format!("picture {of}: not sent, no model takes it")),
        Some(_) => lines.push(format!(
            "picture {of}: not sent, the model {model} takes no pictures"
        )),
        None => {}
    }
    if seen.blacked_out > 0 {
        lines.push(format!("blacked out: {} excluded", seen.blacked_out));
    }
    match recognised {
        Some(Ok(words)) if !words.is_empty() => {
            lines.push(format!(
                "words recognised in the picture, some may be wrong:\n{words}"
            ));
        }
        Some(Ok(_)) => lines.push("words recognised in the picture: none".to_owned()),
        Some(Err(why)) => lines.push(format!("words in the picture: not recognised, {why}")),
        None => {}
    }
    lines.join("\n")
}

fn titled(title: &str, app: &str) -> String {
    let mut names = [title, app].into_iter().filter(|name| !name.is_empty());
    names.next().unwrap_or("screen").to_owned()
}

fn notices(capture: &Capture, view: &Fresh<'_>, is_picture: bool, model: &dyn Model) -> Vec<Notice> {
    let model = Some(model.name()).filter(|_| !model.is_offline());
    let Fresh { kept, recognised, .. } = *view;
    let notice = |text: String| Notice {
        source: "screen".to_owned(),
        text,
    };
    let mut notices = Vec::new();
    if let Some(reason) = kept
        .pdf_unread()
        .filter(|_| view.part != Some(ContentPart::Nothing))
    {
        notices.push(Notice {
            source: "page".to_owned(),
            text: sentences::pdf_unread(capture.space.language(), reason),
        });
    }
    if kept.picture.is_some() && !is_picture {
        let has_words = matches!(recognised, Some(Ok(words)) if !words.is_empty());
        notices.push(notice(sentences::no_pictures(
            capture.space.language(),
            model,
            has_words,
        )));
    }
    if is_picture && kept.seen.may_be_private {
        notices.push(notice(sentences::may_be_private(capture.space.language())));
    }
    notices
}

fn attachment(path: &Path, bytes: usize) -> Attachment {
    Attachment {
        path: path.display().to_string(),
        name: path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
        kind: "image".to_owned(),
        format: "jpeg".to_owned(),
        how: SentAs::Image,
        bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
        ..Attachment::default()
    }
}

/// The picture of a look that was sent, where there is one.
///
/// # Errors
/// Storage trouble.
pub fn picture_of(capture: &Capture, id: &str) -> Result<Option<PathBuf>, UserError> {
    blob_store::file_of(&capture.space, BlobPurpose::Capture, id)
        .map_err(|cause| shidi_space::storage::explain(&cause, capture.space.language()))
}

/// Keeps a picture whole and durable, and its line of the ledger, before its question is kept. So a question never
/// names a picture that is missing.
fn keep_picture(
    capture: &Capture,
    id: &str,
    jpeg: &[u8],
    (session, run): (&SessionId, &RunId),
    line: Write,
) -> Result<PathBuf, UserError> {
    let owner = Owner {
        session: Some(session),
        run,
        purpose: BlobPurpose::Capture,
        name: id.to_owned(),
    };
    let language = capture.space.language();
    let kept = blob_store::keep_for(&capture.space, &format!("{id}.jpg"), jpeg, owner, vec![line]);
    kept.map_err(|cause| match cause {
        Unkept::File { path, cause } => error(
            ErrorCode::Storage,
            format!(
                "{} {}: {cause}",
                language.capture().picture_unwritten(),
                path.display()
            ),
            language.capture().check_disk(),
        ),
        Unkept::NoFolder | Unkept::Store(_) => cause.explain(language),
    })
}
