//! The text that is selected in the window in front: what X11 calls PRIMARY.
//!
//! The selection is asked for at a summon and never followed. It counts as the window's own only if the same process owns
//! both: a text that was selected elsewhere an hour ago is none of this window. Password entries own no selection.

use super::{Display, failed};
use crate::content_sensor::{ContentSensor, Lack, Support, WindowContent};
use crate::limits::SELECTION_CHARACTERS_MAX;
use crate::{FrontWindow, SenseError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use shidi_protocol::{Content, ContentKind, ContentSource, Selection};
use std::time::Instant;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::{CURRENT_TIME, NONE};

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
        let asked = self.connection.get_selection_owner(selection).map_err(failed)?;
        let owner = asked.reply().map_err(failed)?.owner;
        if owner == NONE || self.process(owner)? != Some(pid) {
            return Ok(None);
        }
        let asking = self.unseen_window()?;
        let (kind, place) = (self.atoms.UTF8_STRING, self.atoms._SHIDI_SELECTED_TEXT);
        self.connection
            .convert_selection(asking, selection, kind, place, CURRENT_TIME)
            .map_err(failed)?;
        self.connection.flush().map_err(failed)?;
        match self.answer(asking, until)? {
            Some(answer) if answer.property != NONE => self.given(asking, answer.property),
            Some(_) | None => Ok(None),
        }
    }

    fn process(&self, window: Window) -> Result<Option<u32>, SenseError> {
        let wanted = ClientIdSpec {
            client: window,
            mask: ClientIdMask::LOCAL_CLIENT_PID,
        };
        let asked = self.connection.res_query_client_ids(&[wanted]).map_err(failed)?;
        let told = asked.reply().map_err(failed)?;
        let mut pids = told.ids.into_iter().flat_map(|id| id.value);
        Ok(pids.next().filter(|pid| *pid != 0))
    }

    /// A window that takes the answer; it goes with the connection.
    fn unseen_window(&self) -> Result<Window, SenseError> {
        let window = self.connection.generate_id().map_err(failed)?;
        let (class, look) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        self.connection
            .create_window(0, window, self.root, 0, 0, 1, 1, 0, class, 0, &look)
            .map_err(failed)?;
        Ok(window)
    }

    /// The owner's answer. A program that hangs gives none.
    fn answer(&self, asking: Window, until: Instant) -> Result<Option<SelectionNotifyEvent>, SenseError> {
        loop {
            match self.connection.poll_for_event().map_err(failed)? {
                Some(Event::SelectionNotify(answer)) if answer.requestor == asking => {
                    return Ok(Some(answer));
                }
                Some(_) => {}
                None => {
                    let left = until.saturating_duration_since(Instant::now());
                    let (false, Ok(left)) = (left.is_zero(), Timespec::try_from(left)) else {
                        return Ok(None);
                    };
                    let mut sockets = [PollFd::new(self.connection.stream(), PollFlags::IN)];
                    poll(&mut sockets, Some(&left)).map_err(failed)?;
                }
            }
        }
    }

    /// The text that the owner gave. One that comes in pieces is longer than what is told of a selection.
    fn given(&self, window: Window, place: u32) -> Result<Option<String>, SenseError> {
        let words = u32::try_from(SELECTION_CHARACTERS_MAX).unwrap_or(u32::MAX);
        let asked = self
            .connection
            .get_property(true, window, place, AtomEnum::ANY, 0, words)
            .map_err(failed)?;
        let told = asked.reply().map_err(failed)?;
        let is_text = told.type_ == self.atoms.UTF8_STRING && told.format == 8;
        Ok(is_text.then(|| String::from_utf8_lossy(&told.value).into_owned()))
    }
}
