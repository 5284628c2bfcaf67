//! The toolkits `screen` and `clipboard` as programs use them. Content comes through the gate, as a stranger's words.
//! Everything that goes to a model has a line in the ledger.
//!
//! Whether a call is permitted was decided before. A picture that a program takes shows nothing that may be private: nobody
//! chose that very window.

use crate::content::Sensed;
use crate::ledger::record_of;
use crate::limits::{EARLIER_PICTURES_MAX, LOOK_MOST};
use crate::seeing::Looked;
use crate::sending::picture_of;
use crate::window_content::Reading;
use crate::{Capture, forget, gate, look_here, looked, page_pdf, sending, sentences};
use serde_json::{Value, json};
use shidi_models::Model;
use shidi_protocol::{
    Call, CallOutcome, CallRecord, ContentPart, ContentSource, LookAt, LookOutcome, LookRecord, RunId,
    SessionId, UserError, reply,
};
use shidi_senses::{ScreenReader, Seen, SenseError, TEXT_CHARACTERS_MAX};
use shidi_space::config::settings::Sensing;
use shidi_toolkits::{clipboard, screen};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Whose call it is, and which model sees what comes of it.
pub struct Caller<'a> {
    pub session: &'a SessionId,
    pub run: &'a RunId,
    pub model: &'a dyn Model,
}

/// Whether a call is for one of these toolkits.
#[must_use]
pub fn is_for_senses(call: &Call) -> bool {
    [screen::NAME, clipboard::NAME].contains(&call.toolkit.as_str())
}

/// Whether a toolkit has something to do here; true of all others. Nobody pays for a description of what can't be used.
#[must_use]
pub fn applies(capture: &Capture, toolkit: &str) -> bool {
    let config = capture.space.config();
    match toolkit {
        screen::NAME => shidi_senses::desktop_is_there() && config.privacy.sensing != Sensing::Paused,
        clipboard::NAME => config.privacy.clipboard,
        _ => true,
    }
}

/// Performs a permitted call.
pub async fn perform(capture: &Arc<Capture>, call: &Call, caller: Caller<'_>) -> CallOutcome {
    let checked = match call.toolkit.as_str() {
        screen::NAME => screen::check(call),
        _ => clipboard::check(call),
    };
    if let Err(refused) = checked {
        return *refused;
    }
    let performed = match (call.toolkit.as_str(), call.method.as_str()) {
        (screen::NAME, screen::WINDOWS) => windows(capture).await,
        (screen::NAME, screen::READ) => read(capture, &caller).await,
        (screen::NAME, screen::LOOK) => picture(capture, call, &caller).await,
        (clipboard::NAME, clipboard::READ) => copied(capture).await,
        (clipboard::NAME, clipboard::WRITE) => copy(capture, call).await,
        _ => Ok(CallOutcome::failure("AttributeError", format!("There is no {}", call.tool())).own()),
    };
    performed.unwrap_or_else(|cause| {
        let hint = cause.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        CallOutcome::failure("RuntimeError", format!("{}{hint}", cause.message))
    })
}

/// Views that calls of a run have shown its model, the newest first.
#[must_use]
pub fn views<'a>(calls: impl DoubleEndedIterator<Item = &'a CallRecord>) -> Vec<String> {
    let is_look = |call: &Call| (call.toolkit.as_str(), call.method.as_str()) == (screen::NAME, screen::LOOK);
    let seen = calls
        .rev()
        .filter(|record| is_look(&record.call))
        .filter_map(|record| {
            let data = &record.outcome.as_ref()?.data;
            let is_seen = data.get("seen") == Some(&Value::Bool(true));
            data.get("view").and_then(Value::as_str).filter(|_| is_seen)
        });
    seen.take(EARLIER_PICTURES_MAX).map(str::to_owned).collect()
}

/// The pictures of such views, which go along with the model's next message. A picture that is missing was erased with
/// its session.
#[must_use]
pub fn pictures(capture: &Capture, views: &[String]) -> Vec<PathBuf> {
    let paths = views
        .iter()
        .filter_map(|view| picture_of(capture, view).ok().flatten());
    paths.collect()
}

async fn windows(capture: &Arc<Capture>) -> Result<CallOutcome, UserError> {
    let (gate, before) = (gate(capture), *capture.looking.before.lock());
    if gate.is_paused() {
        return Ok(withheld(sentences::paused(capture.space.language())));
    }
    let camera = capture.looking.camera.clone();
    let listed = blocking(move || ScreenReader::open(camera)?.windows(&gate, before)).await;
    let listed = listed.map_err(|cause| sentences::explain(capture.space.language(), &cause))?;
    let summary = format!("{} windows", listed.windows.len());
    let told: Vec<Value> = listed
        .windows
        .iter()
        .map(|seen| window(seen, seen.window == listed.front))
        .collect();
    Ok(CallOutcome::success(Value::Array(told), summary))
}

fn window(seen: &Seen, in_front: bool) -> Value {
    let area = seen.bounds.unwrap_or_default();
    json!({"app": seen.app, "title": seen.title, "x": area.x, "y": area.y, "width": area.width, "height": area.height,
           "in_front": in_front})
}

/// The content of the window that the user came from. Its program or browser tells the content, else it is recognised.
async fn read(capture: &Arc<Capture>, caller: &Caller<'_>) -> Result<CallOutcome, UserError> {
    let (language, gate) = (capture.space.language(), gate(capture));
    let reading = Reading::within(capture, LOOK_MOST);
    let looked = looked(capture, LookAt::Facts, &gate, reading).await;
    let (seen, found) = match looked.map_err(|cause| sentences::explain(language, &cause))? {
        Looked::Seen { seen, read, .. } => (seen, read),
        Looked::Withheld { reason, app } => return Ok(withheld(sentences::refused(language, reason, &app))),
    };
    let found = match found {
        Some(found) => Some(page_pdf::completed(capture, *found).await),
        None => None,
    };
    let told = match found {
        Some((sensed, url)) if sensed.has_text() => told(capture, &sensed, &seen.app, &url),
        found => match (recognised(capture).await?, found) {
            (Ok(words), found) => json!({"app": seen.app, "title": seen.title, "url": "", "text": words,
                "source": ContentSource::Recognition, "selection": found.map(|(sensed, _)| sensed.content.selection)}),
            (Err(_), Some((sensed, url))) => told(capture, &sensed, &seen.app, &url),
            (Err(why), None) => return Ok(withheld(why)),
        },
    };
    let look = LookRecord {
        title: seen.title.clone(),
        session: Some(caller.session.clone()),
        ..record_of(RunId::mint().as_str(), LookAt::Facts, &seen, LookOutcome::Sent)
    };
    sending::note_sent(capture, &look)?;
    let summary = if seen.title.is_empty() {
        seen.app
    } else {
        seen.title
    };
    Ok(CallOutcome::success(told, summary))
}

fn told(capture: &Capture, sensed: &Sensed, app: &str, url: &str) -> Value {
    capture.looking.sensors.note_seen(sensed.source);
    sensed.whole(app, url)
}

/// The words in a picture of the window, which nobody keeps, or why there are none.
async fn recognised(capture: &Arc<Capture>) -> Result<Result<String, String>, UserError> {
    let language = capture.space.language();
    if !capture.space.config().privacy.ocr || !shidi_senses::recogniser_is_there() {
        return Ok(Err(language.capture().nothing_readable().to_owned()));
    }
    let gate = gate(capture);
    let looked = looked(capture, LookAt::Window, &gate, None).await;
    match looked.map_err(|cause| sentences::explain(language, &cause))? {
        Looked::Withheld { reason, app } => Ok(Err(sentences::refused(language, reason, &app))),
        Looked::Seen { seen, .. } if seen.may_be_private => Ok(Err(sentences::private(language))),
        Looked::Seen { mut seen, .. } => {
            let Some(pixels) = seen.pixels.take() else {
                return Ok(Err(language.capture().nothing_readable().to_owned()));
            };
            let words = blocking(move || shidi_senses::words_in(&pixels)).await;
            let words = words.map_err(|cause| sentences::explain(language, &cause))?;
            capture.looking.sensors.note_seen(ContentSource::Recognition);
            Ok(Ok(gate.text(&words)))
        }
    }
}

/// A picture for the model, where it sees pictures; else what is known without it.
async fn picture(capture: &Arc<Capture>, call: &Call, caller: &Caller<'_>) -> Result<CallOutcome, UserError> {
    let what = match call.args.get(screen::OF).and_then(Value::as_str) {
        Some(screen::MONITOR) => LookAt::Monitor,
        Some(_) | None => LookAt::Window,
    };
    let reply::Looked { view } = look_here(capture, what).await?;
    if let Some(why) = view.blocked {
        return Ok(withheld(why));
    }
    if view.may_be_private {
        forget(capture, &view.id);
        return Ok(withheld(sentences::private(capture.space.language())));
    }
    let taken = sending::take(capture, std::slice::from_ref(&view.id)).await?;
    // Its text is `read`'s to tell.
    let parts = BTreeMap::from([(view.id.clone(), ContentPart::Nothing)]);
    let whose = (caller.session, caller.run);
    let sent = sending::send(capture, (taken, &parts), whose, caller.model)?;
    let told = sent.surroundings.into_iter().next().map(|piece| piece.text);
    let is_seen = !sent.attachments.is_empty();
    let summary = if view.title.is_empty() {
        view.app.clone()
    } else {
        view.title.clone()
    };
    let data = json!({"view": view.id, "app": view.app, "title": view.title, "seen": is_seen, "text": told});
    Ok(CallOutcome::success(data, summary))
}

async fn copied(capture: &Arc<Capture>) -> Result<CallOutcome, UserError> {
    let language = capture.space.language();
    if !capture.space.config().privacy.clipboard {
        return Ok(withheld(language.capture().clipboard_off().to_owned()));
    }
    let gate = gate(capture);
    if gate.is_paused() {
        return Ok(withheld(sentences::paused(language)));
    }
    let copied = blocking(|| shidi_senses::copied(Instant::now() + LOOK_MOST)).await;
    let Some(copied) = copied.map_err(|cause| sentences::explain(language, &cause))? else {
        return Ok(CallOutcome::failure("RuntimeError", language.capture().clipboard_empty()).own());
    };
    let app = &copied.owner.app;
    let text = match gate.copied(&copied) {
        Ok(text) => text,
        Err(reason) => return Ok(withheld(sentences::refused(language, reason, app))),
    };
    capture.looking.sensors.note_seen(ContentSource::Clipboard);
    let is_cut = copied.is_cut || copied.text.chars().count() > TEXT_CHARACTERS_MAX;
    let summary = format!("{} characters", text.chars().count());
    let data = json!({"text": text, "app": gate.title(app), "cut": is_cut});
    Ok(CallOutcome::success(data, summary))
}

async fn copy(capture: &Arc<Capture>, call: &Call) -> Result<CallOutcome, UserError> {
    let language = capture.space.language();
    if !capture.space.config().privacy.clipboard {
        return Ok(withheld(language.capture().clipboard_off().to_owned()));
    }
    let text = call
        .args
        .get(clipboard::TEXT)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = shidi_senses::plain(text);
    let characters = text.chars().count();
    let put = blocking(move || shidi_senses::copy(&text)).await;
    put.map_err(|cause| sentences::explain(language, &cause))?;
    Ok(CallOutcome::success(json!(characters), format!("{characters} characters")).own())
}

/// What was not told, and why; it may name a program.
fn withheld(why: String) -> CallOutcome {
    CallOutcome::failure("PermissionError", why)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SenseError> + Send + 'static,
) -> Result<T, SenseError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|cause| Err(SenseError::Display(cause.to_string())))
}
