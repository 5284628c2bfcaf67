//! The clipboard of a Wayland desktop: its text, and a text of ours in its place.
//!
//! The compositor tells nobody which program owns a content. So only what its program marks as a password is kept back.

use super::data_control::DataControl;
use super::failed;
use crate::SenseError;
use crate::clipboard::{Copied, SECRET, SECRET_HINT};
use crate::content_sensor::{Lack, Support};
use crate::limits::CLIPBOARD_BYTES_MAX;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

/// Forms of a text in UTF-8, the best first; programs of X11 ask for the second.
const TEXTS: &[&str] = &["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"];

/// Whether this compositor gives programs a clipboard.
pub fn support() -> Support {
    match DataControl::open() {
        Ok(_) => Support::Full,
        Err(SenseError::NoDataControl) => Support::Absent(Lack::Wayland),
        Err(cause) => {
            tracing::debug!(%cause, "the clipboard can't be read");
            Support::Absent(Lack::Display)
        }
    }
}

/// The text that was copied last; `None` where there is no text.
///
/// # Errors
/// A compositor that gives programs no clipboard, or trouble with it.
pub fn copied(until: Instant) -> Result<Option<Copied>, SenseError> {
    let mut control = DataControl::open()?;
    let Some(offered) = control.offered()? else {
        return Ok(None);
    };
    if offered.forms.iter().any(|form| form == SECRET_HINT) {
        let hint = control.read(&offered, SECRET_HINT, SECRET.len(), until)?;
        // One that says no more than that there is a hint counts as a secret.
        if hint.is_none_or(|hint| hint.bytes.is_empty() || hint.bytes == SECRET) {
            return Ok(Some(Copied {
                is_secret: true,
                ..Copied::default()
            }));
        }
    }
    let Some(form) = best(&offered.forms) else {
        return Ok(None);
    };
    let content = control.read(&offered, form, CLIPBOARD_BYTES_MAX, until)?;
    Ok(content.map(|content| Copied {
        text: String::from_utf8_lossy(&content.bytes).into_owned(),
        is_cut: content.is_cut,
        ..Copied::default()
    }))
}

/// Puts a text there. A thread of its own holds it ready until another program copies something, or this process ends.
///
/// # Errors
/// A compositor that gives programs no clipboard, or trouble with it.
pub fn copy(text: &str) -> Result<(), SenseError> {
    let (told, is_held) = sync_channel(1);
    let text = text.to_owned();
    let holding = move || {
        let offered = DataControl::open().and_then(|mut control| {
            control.offer(&text, TEXTS)?;
            Ok(control)
        });
        let control = match offered {
            Ok(control) => control,
            Err(cause) => return told.send(Err(cause)).unwrap_or_default(),
        };
        told.send(Ok(())).unwrap_or_default();
        if let Err(cause) = control.serve() {
            tracing::info!(%cause, "the compositor is gone, and the clipboard with it");
        }
    };
    thread::Builder::new()
        .name("clipboard".to_owned())
        .spawn(holding)
        .map_err(failed)?;
    is_held.recv().map_err(failed)?
}

/// The form in which a text is read; `None` for a content that is none.
fn best(forms: &[String]) -> Option<&str> {
    let mut texts = TEXTS.iter();
    let found = texts.find_map(|text| forms.iter().find(|form| form.eq_ignore_ascii_case(text)));
    found.map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_in_its_best_form_as_its_program_spells_it_and_a_picture_is_none() {
        let forms = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let office = forms(&["text/html", "text/plain", "text/plain;charset=UTF-8"]);
        assert_eq!(best(&office), Some("text/plain;charset=UTF-8"));
        assert_eq!(best(&forms(&["STRING", "UTF8_STRING"])), Some("UTF8_STRING"));
        assert_eq!(best(&forms(&["image/png", "text/uri-list"])), None);
    }
}
