//! The compositor's clipboard for programs without a window in front: `ext_data_control_v1`, or wlroots' protocol before
//! it.
//!
//! One connection serves one act. Both protocols are spoken here and nowhere else; they differ in their names alone.
//! Whoever gives or takes a content does so in time, or is left alone.

use super::failed;
use crate::SenseError;
use crate::limits::{CLIPBOARD_GIVEN_MAX, OFFERED_FORMS_MAX};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::thread;
use std::time::Instant;
use wayland_client::backend::ObjectData;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::WlRegistry;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy, QueueHandle};
use wayland_protocols::ext::data_control::v1::client::{
    ext_data_control_device_v1::ExtDataControlDeviceV1, ext_data_control_manager_v1::ExtDataControlManagerV1,
    ext_data_control_offer_v1::ExtDataControlOfferV1, ext_data_control_source_v1::ExtDataControlSourceV1,
};
use wayland_protocols_wlr::data_control::v1::client::{
    zwlr_data_control_device_v1::ZwlrDataControlDeviceV1,
    zwlr_data_control_manager_v1::ZwlrDataControlManagerV1,
    zwlr_data_control_offer_v1::ZwlrDataControlOfferV1, zwlr_data_control_source_v1::ZwlrDataControlSourceV1,
};

/// Bytes that a pipe takes at once where it takes any (POSIX's PIPE_BUF on Linux).
const PIECE_BYTES: usize = 4_096;

/// Programs that our text is given to at once. One more gets nothing: each may take its time.
const GIVERS_MAX: usize = 8;

/// A connection to the compositor's clipboard.
pub struct DataControl {
    queue: EventQueue<State>,
    state: State,
    manager: Manager,
    seat: WlSeat,
}

/// What stands on the clipboard, and the forms in which it can be had.
pub struct Offered {
    offer: Offer,
    pub forms: Vec<String>,
}

/// A content, as far as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Content {
    pub bytes: Vec<u8>,
    /// Whether there is more of it.
    pub is_cut: bool,
}

impl DataControl {
    /// # Errors
    /// No compositor, or [`SenseError::NoDataControl`].
    pub fn open() -> Result<Self, SenseError> {
        let connection = Connection::connect_to_env().map_err(|cause| {
            tracing::debug!(%cause, "no connection to the compositor");
            SenseError::NoDisplay
        })?;
        let (globals, queue) = registry_queue_init::<State>(&connection).map_err(failed)?;
        let handle = queue.handle();
        let newer = globals.bind::<ExtDataControlManagerV1, _, _>(&handle, 1..=1, ());
        let manager = match newer {
            Ok(manager) => Manager::Ext(manager),
            Err(_) => globals
                .bind::<ZwlrDataControlManagerV1, _, _>(&handle, 1..=1, ())
                .map(Manager::Wlr)
                .map_err(|_| SenseError::NoDataControl)?,
        };
        let seat = globals.bind::<WlSeat, _, _>(&handle, 1..=1, ()).map_err(failed)?;
        Ok(Self {
            queue,
            state: State::default(),
            manager,
            seat,
        })
    }

    /// What stands on the clipboard; `None` where nothing does.
    ///
    /// # Errors
    /// Trouble with the compositor.
    pub fn offered(&mut self) -> Result<Option<Offered>, SenseError> {
        self.manager.listen(&self.seat, &self.queue.handle());
        self.roundtrip()?;
        let Some(offer) = self.state.selected.clone() else {
            return Ok(None);
        };
        let told = self.state.offers.iter().find(|(known, _)| *known == offer);
        let forms = told.map(|(_, forms)| forms.clone()).unwrap_or_default();
        Ok(Some(Offered { offer, forms }))
    }

    /// That content in one of its forms; `None` if its program does not give the whole of it in time.
    ///
    /// # Errors
    /// Trouble with the compositor.
    pub fn read(
        &mut self,
        offered: &Offered,
        form: &str,
        bytes_max: usize,
        until: Instant,
    ) -> Result<Option<Content>, SenseError> {
        let (given, giving) = io::pipe().map_err(failed)?;
        offered.offer.receive(form.to_owned(), giving.as_fd());
        // The request has gone once the compositor has answered; the content ends when nobody else holds this end.
        self.roundtrip()?;
        drop(giving);
        taken(given, bytes_max, until).map_err(failed)
    }

    /// Puts a text there, in all these forms. It stays as long as somebody calls [`DataControl::serve`].
    ///
    /// # Errors
    /// Trouble with the compositor.
    pub fn offer(&mut self, text: &str, forms: &[&str]) -> Result<(), SenseError> {
        self.state.text = text.as_bytes().into();
        self.manager.offer(&self.seat, &self.queue.handle(), forms);
        self.roundtrip()
    }

    /// Gives the text to whoever pastes it, until another program copies something.
    ///
    /// # Errors
    /// The compositor is gone.
    pub fn serve(mut self) -> Result<(), SenseError> {
        while !self.state.is_over {
            self.queue.blocking_dispatch(&mut self.state).map_err(failed)?;
        }
        Ok(())
    }

    fn roundtrip(&mut self) -> Result<(), SenseError> {
        self.queue.roundtrip(&mut self.state).map_err(failed).map(drop)
    }
}

/// What the compositor has told, and what it may have.
#[derive(Default)]
struct State {
    /// Contents with their forms: the selected one, and those of which is not yet told what they are.
    offers: Vec<(Offer, Vec<String>)>,
    /// The one that stands on the clipboard.
    selected: Option<Offer>,
    /// Ours; each thread that gives it holds it as well.
    text: Arc<[u8]>,
    /// Whether another program has taken the clipboard since.
    is_over: bool,
}

impl State {
    fn has_form(&mut self, offer: &Offer, form: String) {
        let known = self.offers.iter_mut().find(|(known, _)| known == offer);
        if let Some((_, forms)) = known
            && forms.len() < OFFERED_FORMS_MAX
        {
            forms.push(form);
        }
    }

    /// Notes what stands on the clipboard. The protocols want every former offer destroyed.
    fn select(&mut self, offer: Option<Offer>) {
        self.offers.retain(|(known, _)| {
            let is_selected = Some(known) == offer.as_ref();
            if !is_selected {
                known.destroy();
            }
            is_selected
        });
        self.selected = offer;
    }

    /// Lets go of what was selected with the pointer: nobody asks for it here.
    fn let_go(&mut self, offer: &Offer) {
        offer.destroy();
        self.offers.retain(|(known, _)| known != offer);
    }

    /// Gives our text in a thread: a program that does not read holds up nobody else.
    fn give(&self, to: OwnedFd) {
        // One of them is the state's.
        if Arc::strong_count(&self.text) > GIVERS_MAX {
            tracing::debug!("too many programs take the text of the clipboard at once");
            return;
        }
        let text = Arc::clone(&self.text);
        let giving = move || {
            if let Err(cause) = given(&text, to, Instant::now() + CLIPBOARD_GIVEN_MAX) {
                tracing::debug!(%cause, "a program did not take the whole text of the clipboard");
            }
        };
        let begun = thread::Builder::new()
            .name("clipboard-giver".to_owned())
            .spawn(giving);
        if let Err(cause) = begun {
            tracing::debug!(%cause, "the text of the clipboard was not given");
        }
    }
}

enum Manager {
    Ext(ExtDataControlManagerV1),
    Wlr(ZwlrDataControlManagerV1),
}

impl Manager {
    /// Asks to be told of the clipboard.
    fn listen(&self, seat: &WlSeat, handle: &QueueHandle<State>) {
        match self {
            Self::Ext(manager) => drop(manager.get_data_device(seat, handle, ())),
            Self::Wlr(manager) => drop(manager.get_data_device(seat, handle, ())),
        }
    }

    /// Takes the clipboard for the text of the state.
    fn offer(&self, seat: &WlSeat, handle: &QueueHandle<State>, forms: &[&str]) {
        let forms = forms.iter().map(|form| (*form).to_owned());
        match self {
            Self::Ext(manager) => {
                let source = manager.create_data_source(handle, ());
                forms.for_each(|form| source.offer(form));
                let device = manager.get_data_device(seat, handle, ());
                device.set_selection(Some(&source));
            }
            Self::Wlr(manager) => {
                let source = manager.create_data_source(handle, ());
                forms.for_each(|form| source.offer(form));
                let device = manager.get_data_device(seat, handle, ());
                device.set_selection(Some(&source));
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Offer {
    Ext(ExtDataControlOfferV1),
    Wlr(ZwlrDataControlOfferV1),
}

impl Offer {
    fn receive(&self, form: String, into: BorrowedFd<'_>) {
        match self {
            Self::Ext(offer) => offer.receive(form, into),
            Self::Wlr(offer) => offer.receive(form, into),
        }
    }

    fn destroy(&self) {
        match self {
            Self::Ext(offer) => offer.destroy(),
            Self::Wlr(offer) => offer.destroy(),
        }
    }
}

/// Objects whose events say nothing that matters here.
macro_rules! unheard {
    ($($object:ty, $data:ty;)*) => {$(
        impl Dispatch<$object, $data> for State {
            fn event(
                _state: &mut Self,
                _object: &$object,
                _event: <$object as Proxy>::Event,
                _data: &$data,
                _connection: &Connection,
                _handle: &QueueHandle<Self>,
            ) {
            }
        }
    )*};
}

unheard! {
    WlRegistry, GlobalListContents;
    WlSeat, ();
    ExtDataControlManagerV1, ();
    ZwlrDataControlManagerV1, ();
}

/// What the objects of one of both protocols tell.
macro_rules! heard {
    ($protocol:ident: $device:ty, $offer:ty, $source:ty) => {
        impl Dispatch<$device, ()> for State {
            fn event(
                state: &mut Self,
                _device: &$device,
                event: <$device as Proxy>::Event,
                _data: &(),
                _connection: &Connection,
                _handle: &QueueHandle<Self>,
            ) {
                type Event = <$device as Proxy>::Event;
                match event {
                    Event::DataOffer { id } => state.offers.push((Offer::$protocol(id), Vec::new())),
                    Event::Selection { id } => state.select(id.map(Offer::$protocol)),
                    Event::PrimarySelection { id: Some(id) } => state.let_go(&Offer::$protocol(id)),
                    Event::Finished => state.is_over = true,
                    // Nothing is selected with the pointer, and whatever the protocol may get later.
                    _ => {}
                }
            }

            /// The one kind of object that a device makes.
            fn event_created_child(_opcode: u16, handle: &QueueHandle<Self>) -> Arc<dyn ObjectData> {
                handle.make_data::<$offer, ()>(())
            }
        }

        impl Dispatch<$offer, ()> for State {
            fn event(
                state: &mut Self,
                offer: &$offer,
                event: <$offer as Proxy>::Event,
                _data: &(),
                _connection: &Connection,
                _handle: &QueueHandle<Self>,
            ) {
                type Event = <$offer as Proxy>::Event;
                if let Event::Offer { mime_type } = event {
                    state.has_form(&Offer::$protocol(offer.clone()), mime_type);
                }
            }
        }

        impl Dispatch<$source, ()> for State {
            fn event(
                state: &mut Self,
                source: &$source,
                event: <$source as Proxy>::Event,
                _data: &(),
                _connection: &Connection,
                _handle: &QueueHandle<Self>,
            ) {
                type Event = <$source as Proxy>::Event;
                match event {
                    Event::Send { fd, .. } => state.give(fd),
                    Event::Cancelled => {
                        source.destroy();
                        state.is_over = true;
                    }
                    _ => {}
                }
            }
        }
    };
}

heard!(Ext: ExtDataControlDeviceV1, ExtDataControlOfferV1, ExtDataControlSourceV1);
heard!(Wlr: ZwlrDataControlDeviceV1, ZwlrDataControlOfferV1, ZwlrDataControlSourceV1);

/// What comes through a pipe until its other end is closed; `None` if that is not done in time.
fn taken(mut from: PipeReader, bytes_max: usize, until: Instant) -> io::Result<Option<Content>> {
    let mut bytes = Vec::new();
    let mut piece = [0; PIECE_BYTES];
    while bytes.len() <= bytes_max {
        if !is_ready(from.as_fd(), PollFlags::IN, until)? {
            return Ok(None);
        }
        match from.read(&mut piece) {
            Ok(0) => return Ok(Some(Content { bytes, is_cut: false })),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    bytes.truncate(bytes_max);
    Ok(Some(Content { bytes, is_cut: true }))
}

/// Writes a text into the pipe of a program that pastes it.
fn given(text: &[u8], to: OwnedFd, until: Instant) -> io::Result<()> {
    // Another program made it, so a write could wait for longer than this may take.
    fcntl_setfl(&to, fcntl_getfl(&to)? | OFlags::NONBLOCK)?;
    let mut pipe = File::from(to);
    let mut left = text;
    while !left.is_empty() {
        if !is_ready(pipe.as_fd(), PollFlags::OUT, until)? {
            return Err(ErrorKind::TimedOut.into());
        }
        match pipe.write(&left[..left.len().min(PIECE_BYTES)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => left = &left[count..],
            Err(cause) if matches!(cause.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(())
}

/// Waits until a pipe can be read or written without waiting; whether that came in time.
fn is_ready(pipe: BorrowedFd<'_>, wanted: PollFlags, until: Instant) -> io::Result<bool> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let (false, Ok(left)) = (left.is_zero(), Timespec::try_from(left)) else {
            return Ok(false);
        };
        let mut watched = [PollFd::new(&pipe, wanted)];
        match poll(&mut watched, Some(&left)) {
            Ok(count) => return Ok(count > 0),
            Err(cause) if cause == Errno::INTR => {}
            Err(cause) => return Err(cause.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn a_text_longer_than_a_pipe_arrives_whole_and_one_beyond_the_bound_is_cut() {
        let text: Vec<u8> = (0..300_000_u32).map(|byte| (byte % 251) as u8).collect();
        for (most, is_cut) in [(text.len(), false), (text.len() - 1, true), (6, true)] {
            let (from, to) = io::pipe().unwrap();
            let giving = text.clone();
            let giver = std::thread::spawn(move || given(&giving, to.into(), soon()));
            let content = taken(from, most, soon()).unwrap().unwrap();
            assert_eq!(content.is_cut, is_cut);
            assert_eq!(content.bytes, text[..most]);
            assert!(
                giver.join().unwrap().is_ok() || is_cut,
                "who is not read any more stops"
            );
        }
    }

    #[test]
    fn who_gives_nothing_and_who_takes_nothing_are_left_when_the_time_is_over() {
        let (from, to) = io::pipe().unwrap();
        let brief = || Instant::now() + Duration::from_millis(20);
        assert_eq!(taken(from, 9, brief()).unwrap(), None);
        drop(to);
        let (from, to) = io::pipe().unwrap();
        let refused = given(&[0; 300_000], to.into(), brief()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::TimedOut);
        drop(from);
    }

    #[test]
    fn the_pipe_of_a_program_that_pastes_is_never_waited_for_by_a_write() {
        let (from, to) = io::pipe().unwrap();
        let theirs = to.try_clone().unwrap();
        given(b"lamp", to.into(), soon()).unwrap();
        assert!(fcntl_getfl(&theirs).unwrap().contains(OFlags::NONBLOCK));
        drop(theirs);
        assert_eq!(taken(from, 9, soon()).unwrap().unwrap().bytes, b"lamp");
    }

    #[test]
    fn a_text_is_given_beside_others_and_beyond_the_bound_to_nobody() {
        let state = State {
            text: b"lamp".as_slice().into(),
            ..State::default()
        };
        let pasted = || {
            let (from, to) = io::pipe().unwrap();
            state.give(to.into());
            taken(from, 9, soon()).unwrap().unwrap().bytes
        };
        let busy: Vec<_> = (0..GIVERS_MAX).map(|_| Arc::clone(&state.text)).collect();
        assert_eq!(pasted(), b"");
        drop(busy);
        assert_eq!(pasted(), b"lamp");
    }

    #[test]
    fn an_empty_text_is_a_text() {
        let (from, to) = io::pipe().unwrap();
        drop(to);
        assert_eq!(taken(from, 9, soon()).unwrap().unwrap().bytes, b"");
    }
}
