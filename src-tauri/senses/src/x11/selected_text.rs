//! The text that is selected in the window in front: what X11 calls PRIMARY.
//!
//! The selection is asked for at a summon, or when the bar beside it is chosen. The selection counts as the window's
//! own only if the same process owns both. A text that was selected elsewhere an hour ago does not belong to this
//! window. Password entries own no selection.

use super::Display;
use crate::content_sensor::{ContentSensor, Lack, Support, WindowContent};
use crate::limits::SELECTION_CHARACTERS_MAX;
use crate::{FrontWindow, SenseError};
use shidi_protocol::{Content, ContentKind, ContentSource, Selection};
use std::time::Instant;
use x11rb::protocol::xproto::AtomEnum;

/// Reads the selection of X11.
#[derive(Debug, Default)]
pub struct SelectedText;

/// Whether this session has a display that tells which window is in front.
pub fn support() -> Support {
    match Display::open() {
        Ok(_) => Support::Full,
        Err(SenseError::Wayland) => Support::Absent(Lack::Wayland),
        Err(cause) => {
            tracing::debug!(%cause, "no window can be read");
            Support::Absent(Lack::Display)
        }
    }
}

impl ContentSensor for SelectedText {
    fn source(&self) -> ContentSource {
        ContentSource::Selection
    }

    fn support(&self) -> Support {
        support()
    }

    fn read(&self, window: &FrontWindow, until: Instant) -> Option<WindowContent> {
        let pid = window.pid?;
        let read = Display::open().and_then(|display| display.selected(pid, until));
        let text = read.unwrap_or_else(|cause| {
            tracing::debug!(%cause, "the selection was not read");
            None
        })?;
        let text: String = text.chars().take(SELECTION_CHARACTERS_MAX).collect();
        if text.trim().is_empty() {
            return None;
        }
        let content = Content {
            kind: ContentKind::App,
            selection: Some(Selection {
                text,
                ..Selection::default()
            }),
            ..Content::default()
        };
        Some(WindowContent { content, url: None })
    }
}

impl Display {
    /// The selected text, if that process owns it and gives it in time.
    fn selected(&self, pid: u32, until: Instant) -> Result<Option<String>, SenseError> {
        let selection = u32::from(AtomEnum::PRIMARY);
        let owner = self.owner_of(selection)?;
        if owner.map(|owner| self.process(owner)).transpose()?.flatten() != Some(pid) {
            return Ok(None);
        }
        let (asking, text) = (self.unseen_window()?, self.atoms.UTF8_STRING);
        let form = self.form_of(asking, (selection, text), 4 * SELECTION_CHARACTERS_MAX, until)?;
        let form = form.filter(|form| form.kind == text && form.format == 8);
        Ok(form.map(|form| String::from_utf8_lossy(&form.bytes).into_owned()))
    }
}
