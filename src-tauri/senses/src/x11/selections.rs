//! Content that programs hold ready for pasting. An X11 selection has an owner, and its content in the wanted forms.
//!
//! A selection is asked for here and followed elsewhere (`selection_watch`). Its owner answers in time or not at all, and no content is read without a bound.

use super::{Display, failed};
use crate::SenseError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::time::Instant;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, GetPropertyReply, Property,
    SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::{CURRENT_TIME, NONE};

/// A content in one of its forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The name under which programs ask for the form.
    pub target: Atom,
    /// The type of the answer.
    pub kind: Atom,
    /// Bits of one unit: 8, 16 or 32.
    pub format: u8,
    pub bytes: Vec<u8>,
    /// Whether there is more of it than was read.
    pub is_cut: bool,
}

impl Display {
    pub(super) fn owner_of(&self, selection: Atom) -> Result<Option<Window>, SenseError> {
        let asked = self.connection.get_selection_owner(selection).map_err(failed)?;
        let owner = asked.reply().map_err(failed)?.owner;
        Ok((owner != NONE).then_some(owner))
    }

    /// The process of a window, as the server knows it.
    pub(super) fn process(&self, window: Window) -> Result<Option<u32>, SenseError> {
        let wanted = ClientIdSpec {
            client: window,
            mask: ClientIdMask::LOCAL_CLIENT_PID,
        };
        let asked = self.connection.res_query_client_ids(&[wanted]).map_err(failed)?;
        let told = asked.reply().map_err(failed)?;
        let mut pids = told.ids.into_iter().flat_map(|id| id.value);
        Ok(pids.next().filter(|pid| *pid != 0))
    }

    /// A window that takes answers and owns selections; it goes with the connection.
    pub(super) fn unseen_window(&self) -> Result<Window, SenseError> {
        let window = self.connection.generate_id().map_err(failed)?;
        let look = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let class = WindowClass::INPUT_ONLY;
        self.connection
            .create_window(0, window, self.root, 0, 0, 1, 1, 0, class, 0, &look)
            .map_err(failed)?;
        Ok(window)
    }

    /// The content of a selection in one form, if its owner gives that in time.
    pub(super) fn form_of(
        &self,
        asking: Window,
        (selection, target): (Atom, Atom),
        bytes_max: usize,
        until: Instant,
    ) -> Result<Option<Form>, SenseError> {
        let place = self.atoms._SHIDI_SELECTED_TEXT;
        self.connection
            .convert_selection(asking, selection, target, place, CURRENT_TIME)
            .map_err(failed)?;
        self.connection.flush().map_err(failed)?;
        match self.answer(asking, (selection, target), until)? {
            Some(answer) if answer.property != NONE => {
                let given = self.taken(asking, answer.property, bytes_max)?;
                if given.type_ == self.atoms.INCR {
                    return self.in_pieces(asking, (answer.property, target), bytes_max, until);
                }
                Ok((given.type_ != NONE).then(|| Form::of(target, given)))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The next event; `None` when the time is over.
    pub(super) fn event_before(&self, until: Instant) -> Result<Option<Event>, SenseError> {
        loop {
            if let Some(event) = self.connection.poll_for_event().map_err(failed)? {
                return Ok(Some(event));
            }
            let left = until.saturating_duration_since(Instant::now());
            let (false, Ok(left)) = (left.is_zero(), Timespec::try_from(left)) else {
                return Ok(None);
            };
            let mut sockets = [PollFd::new(self.connection.stream(), PollFlags::IN)];
            poll(&mut sockets, Some(&left)).map_err(failed)?;
        }
    }

    /// The owner's answer. A program that hangs gives none.
    fn answer(
        &self,
        asking: Window,
        wanted: (Atom, Atom),
        until: Instant,
    ) -> Result<Option<SelectionNotifyEvent>, SenseError> {
        while let Some(event) = self.event_before(until)? {
            match event {
                Event::SelectionNotify(answer)
                    if answer.requestor == asking && (answer.selection, answer.target) == wanted =>
                {
                    return Ok(Some(answer));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// What the owner put into a property of ours, which makes room for more.
    fn taken(&self, window: Window, place: Atom, bytes_max: usize) -> Result<GetPropertyReply, SenseError> {
        let units = u32::try_from(bytes_max.div_ceil(4)).unwrap_or(u32::MAX);
        let asked = self
            .connection
            .get_property(true, window, place, AtomEnum::ANY, 0, units)
            .map_err(failed)?;
        asked.reply().map_err(failed)
    }

    /// A long content, which its owner gives piece by piece; an empty one is the last.
    fn in_pieces(
        &self,
        window: Window,
        (place, target): (Atom, Atom),
        bytes_max: usize,
        until: Instant,
    ) -> Result<Option<Form>, SenseError> {
        let mut whole: Option<Form> = None;
        while let Some(event) = self.event_before(until)? {
            let Event::PropertyNotify(event) = event else {
                continue;
            };
            if (event.window, event.atom, event.state) != (window, place, Property::NEW_VALUE) {
                continue;
            }
            let read = whole.as_ref().map_or(0, |whole| whole.bytes.len());
            let piece = self.taken(window, place, bytes_max.saturating_sub(read))?;
            if piece.value.is_empty() && piece.bytes_after == 0 {
                return Ok(whole);
            }
            let piece = Form::of(target, piece);
            let known = whole.get_or_insert_with(|| Form {
                bytes: Vec::new(),
                ..piece.clone()
            });
            known.bytes.extend_from_slice(&piece.bytes);
            known.is_cut = piece.is_cut || known.bytes.len() >= bytes_max;
            if known.is_cut {
                return Ok(whole);
            }
        }
        Ok(None)
    }
}

impl Form {
    fn of(target: Atom, given: GetPropertyReply) -> Self {
        Self {
            target,
            kind: given.type_,
            format: given.format,
            is_cut: given.bytes_after > 0,
            bytes: given.value,
        }
    }
}
