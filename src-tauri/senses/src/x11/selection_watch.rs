//! Follows the selection of X11, on a thread that sleeps between events.
//!
//! Nothing selected is read here, and of keys only that one was pressed, while that matters. The events are the ones
//! that the server sends to everybody who asks. No key or button is taken from the program that it is meant for.

use super::{Display, failed};
use crate::selection_watch::{Button, Event, Point, SelectionMade, SelectionNews, Shift, Step, Watch};
use crate::{SenseError, Sensor};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use shidi_protocol::SelectionEnd;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;
use std::time::Instant;
use x11rb::NONE;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event as XEvent;
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEvent, SelectionEventMask};
use x11rb::protocol::xinput::{self, ConnectionExt as _, XIEventMask};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, KeyButMask};

/// The device number that means every pointer and keyboard that a user sees.
const ALL_MASTER_DEVICES: u16 = 1;
/// The versions from which on the events are as they are read here; raw events come during a drag, too.
const XFIXES: (u32, u32) = (1, 0);
const XINPUT: (u16, u16) = (2, 2);

/// Follows the selection as long as this lives.
#[derive(Debug)]
pub struct Following {
    waker: Arc<OwnedFd>,
}

impl Drop for Following {
    fn drop(&mut self) {
        if let Err(cause) = rustix::io::write(&*self.waker, &1_u64.to_ne_bytes()) {
            tracing::debug!(%cause, "the selection is followed until the end of the process");
        }
    }
}

/// Tells every selection that the user makes, and when it is news no longer. `told` says whether it took a selection.
///
/// # Errors
/// No display, one without the extensions, or no thread.
pub fn follow_selection(
    mut told: impl FnMut(SelectionNews) -> bool + Send + 'static,
) -> Result<Following, SenseError> {
    let display = Display::open()?;
    display.listen_to_selection()?;
    let waker = Arc::new(eventfd(0, EventfdFlags::CLOEXEC).map_err(failed)?);
    let woken = Arc::clone(&waker);
    let follow = move || {
        let mut follower = Follower {
            display,
            watch: Watch::default(),
            hears_keys: false,
        };
        if let Err(cause) = follower.follow(&woken, &mut told) {
            tracing::info!(%cause, "the selection is no longer followed");
        }
        // Whatever was told last: nothing more comes that could end it.
        told(SelectionNews::Over(SelectionEnd::Left));
    };
    thread::Builder::new()
        .name("selection".to_owned())
        .spawn(follow)
        .map_err(failed)?;
    Ok(Following { waker })
}

struct Follower {
    display: Display,
    watch: Watch,
    hears_keys: bool,
}

impl Follower {
    fn follow(
        &mut self,
        woken: &OwnedFd,
        told: &mut impl FnMut(SelectionNews) -> bool,
    ) -> Result<(), SenseError> {
        loop {
            let mut is_quiet = true;
            while let Some(event) = self.display.connection.poll_for_event().map_err(failed)? {
                is_quiet = false;
                if let Some(event) = self.meaning(&event)? {
                    let step = self.watch.heard(event, Instant::now());
                    self.act(step, told);
                }
            }
            let step = self.watch.passed(Instant::now());
            is_quiet &= step == Step::Nothing;
            self.act(step, told);
            self.hear_keys()?;
            // Events that came beside an answer are read already: the socket is silent about them.
            if is_quiet && self.sleep(woken)? {
                return Ok(());
            }
        }
    }

    /// Sleeps until something happens or is due; whether nobody wants to know any longer.
    fn sleep(&self, woken: &OwnedFd) -> Result<bool, SenseError> {
        let left = self
            .watch
            .due()
            .map(|due| due.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut sockets = [
            PollFd::new(self.display.connection.stream(), PollFlags::IN),
            PollFd::new(woken, PollFlags::IN),
        ];
        match poll(&mut sockets, left.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(!sockets[1].revents().is_empty()),
            Err(cause) => Err(failed(cause)),
        }
    }

    fn act(&mut self, step: Step, told: &mut impl FnMut(SelectionNews) -> bool) {
        match step {
            Step::Nothing => {}
            Step::Over(over) => {
                told(SelectionNews::Over(over));
            }
            Step::Tell => {
                let made = self.display.selection_made().unwrap_or_else(|cause| {
                    tracing::debug!(%cause, "what was selected is not known");
                    None
                });
                if made.is_some_and(|made| told(SelectionNews::Made(made))) {
                    self.watch.told(Instant::now());
                }
            }
        }
    }

    /// What an event of the display means for the watch.
    fn meaning(&self, event: &XEvent) -> Result<Option<Event>, SenseError> {
        Ok(match event {
            XEvent::XfixesSelectionNotify(event) if event.subtype == SelectionEvent::SET_SELECTION_OWNER => {
                Some(match event.owner {
                    NONE => Event::Dropped,
                    _ => Event::Claimed {
                        shift: self.display.pointer()?.1,
                    },
                })
            }
            XEvent::XfixesSelectionNotify(_) => Some(Event::Dropped),
            XEvent::XinputRawButtonPress(event) => Some(Event::Pressed {
                at: self.display.pointer()?.0,
                button: button(event.detail),
            }),
            XEvent::XinputRawButtonRelease(event) if button(event.detail) == Button::First => {
                Some(Event::Released {
                    at: self.display.pointer()?.0,
                })
            }
            XEvent::XinputRawKeyPress(_) => Some(Event::Key),
            XEvent::PropertyNotify(event) if event.atom == self.display.atoms._NET_ACTIVE_WINDOW => {
                Some(Event::Fronted)
            }
            _ => None,
        })
    }

    /// Listens for keys while they matter.
    fn hear_keys(&mut self) -> Result<(), SenseError> {
        if self.watch.wants_keys() != self.hears_keys {
            self.hears_keys = !self.hears_keys;
            self.display.listen_to_input(self.hears_keys)?;
        }
        Ok(())
    }
}

fn button(number: u32) -> Button {
    match number {
        1 => Button::First,
        _ => Button::Other,
    }
}

impl Display {
    fn listen_to_selection(&self) -> Result<(), SenseError> {
        let fixes = self.connection.xfixes_query_version(XFIXES.0, XFIXES.1);
        fixes.map_err(failed)?.reply().map_err(failed)?;
        let input = self.connection.xinput_xi_query_version(XINPUT.0, XINPUT.1);
        input.map_err(failed)?.reply().map_err(failed)?;
        let wanted = SelectionEventMask::SET_SELECTION_OWNER
            | SelectionEventMask::SELECTION_WINDOW_DESTROY
            | SelectionEventMask::SELECTION_CLIENT_CLOSE;
        self.connection
            .xfixes_select_selection_input(self.root, u32::from(AtomEnum::PRIMARY), wanted)
            .map_err(failed)?
            .check()
            .map_err(failed)?;
        self.listen_to(self.root)?;
        self.listen_to_input(false)
    }

    fn listen_to_input(&self, with_keys: bool) -> Result<(), SenseError> {
        let buttons = XIEventMask::RAW_BUTTON_PRESS | XIEventMask::RAW_BUTTON_RELEASE;
        let wanted = match with_keys {
            true => buttons | XIEventMask::RAW_KEY_PRESS,
            false => buttons,
        };
        let masks = [xinput::EventMask {
            deviceid: ALL_MASTER_DEVICES,
            mask: vec![wanted],
        }];
        self.connection
            .xinput_xi_select_events(self.root, &masks)
            .map_err(failed)?
            .check()
            .map_err(failed)
    }

    /// Where the pointer is, and whether Shift is held.
    fn pointer(&self) -> Result<(Point, Shift), SenseError> {
        let asked = self.connection.query_pointer(self.root).map_err(failed)?;
        let told = asked.reply().map_err(failed)?;
        let shift = match told.mask.contains(KeyButMask::SHIFT) {
            true => Shift::Held,
            false => Shift::Free,
        };
        Ok(((i32::from(told.root_x), i32::from(told.root_y)), shift))
    }

    /// The selection of the window in front; `None` where another program owns it.
    fn selection_made(&self) -> Result<Option<SelectionMade>, SenseError> {
        let window = self.front()?;
        let owner = self.owner_of(u32::from(AtomEnum::PRIMARY))?;
        let process = owner.map(|owner| self.process(owner)).transpose()?.flatten();
        if process.is_none() || process != window.pid {
            return Ok(None);
        }
        let (pointer, _) = self.pointer()?;
        Ok(Some(SelectionMade { window, pointer }))
    }
}
