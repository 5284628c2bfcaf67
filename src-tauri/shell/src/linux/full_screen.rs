//! Reports when a full-screen window is in front: a film, a game, a talk. None of our windows may cover it.
//!
//! Follows the window manager's properties by their change events; no polling.

use crate::geometry::Area;
use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask, PropertyNotifyEvent, Window,
};
use x11rb::rust_connection::RustConnection;

/// States of one window that are read; window managers know a dozen.
const STATES_MAX: u32 = 64;

/// Calls `told` with the bounds of the full-screen window in front, in pixels of the display, whenever they
/// change. Runs on a thread of its own until the display goes. Without a display `told` is never called.
pub fn follow(told: impl Fn(Option<Area>) + Send + 'static) {
    let spawned = std::thread::Builder::new()
        .name("full-screen".to_owned())
        .spawn(move || {
            let ended = Watch::open().and_then(|mut watch| watch.run(&told));
            if let Err(error) = ended {
                tracing::debug!(%error, "Full-screen windows are not seen");
            }
        });
    if let Err(error) = spawned {
        tracing::warn!(%error, "Full-screen windows are not watched");
    }
}

struct Watch {
    wire: RustConnection,
    root: Window,
    active_window: u32,
    state: u32,
    full_screen: u32,
    /// The window in front, whose events are followed too.
    front: Window,
}

impl Watch {
    fn open() -> Result<Self, ReplyOrIdError> {
        let (wire, screen) =
            x11rb::connect(None).map_err(|_| x11rb::errors::ConnectionError::UnknownError)?;
        let root = wire.setup().roots[screen].root;
        let atom = |name: &str| -> Result<u32, ReplyOrIdError> {
            Ok(wire.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        let (active_window, state) = (atom("_NET_ACTIVE_WINDOW")?, atom("_NET_WM_STATE")?);
        let full_screen = atom("_NET_WM_STATE_FULLSCREEN")?;
        let watch = Self {
            wire,
            root,
            active_window,
            state,
            full_screen,
            front: x11rb::NONE,
        };
        watch.listen_to(root, EventMask::PROPERTY_CHANGE);
        Ok(watch)
    }

    fn run(&mut self, told: &impl Fn(Option<Area>)) -> Result<(), ReplyOrIdError> {
        let mut last = None;
        loop {
            let now = self.look()?;
            if now != last {
                told(now);
                last = now;
            }
            self.await_change()?;
        }
    }

    /// Blocks without bound: the thread has no other work and ends with the display.
    fn await_change(&self) -> Result<(), ReplyOrIdError> {
        loop {
            if let Event::PropertyNotify(PropertyNotifyEvent { window, atom, .. }) =
                self.wire.wait_for_event()?
                && ((window == self.root && atom == self.active_window)
                    || (window == self.front && atom == self.state))
            {
                return Ok(());
            }
        }
    }

    /// The full-screen window in front. A window that closes while it is read is in front no more.
    fn look(&mut self) -> Result<Option<Area>, ReplyOrIdError> {
        let property =
            self.wire
                .get_property(false, self.root, self.active_window, AtomEnum::WINDOW, 0, 1)?;
        let front = property
            .reply()?
            .value32()
            .and_then(|mut windows| windows.next())
            .unwrap_or(x11rb::NONE);
        if front != self.front {
            self.listen_to(self.front, EventMask::NO_EVENT);
            self.listen_to(front, EventMask::PROPERTY_CHANGE);
            self.front = front;
        }
        if front == x11rb::NONE {
            return Ok(None);
        }
        let states = self
            .wire
            .get_property(false, front, self.state, AtomEnum::ATOM, 0, STATES_MAX)?;
        let is_full = states.reply().is_ok_and(|states| {
            states
                .value32()
                .is_some_and(|mut all| all.any(|state| state == self.full_screen))
        });
        Ok(if is_full { self.place_of(front) } else { None })
    }

    fn place_of(&self, window: Window) -> Option<Area> {
        let size = self.wire.get_geometry(window).ok()?.reply().ok()?;
        let place = self
            .wire
            .translate_coordinates(window, self.root, 0, 0)
            .ok()?
            .reply()
            .ok()?;
        let (x, y) = (i32::from(place.dst_x), i32::from(place.dst_y));
        Some(Area::new(x, y, i32::from(size.width), i32::from(size.height)))
    }

    fn listen_to(&self, window: Window, mask: EventMask) {
        if window == x11rb::NONE {
            return;
        }
        let wanted = ChangeWindowAttributesAux::new().event_mask(mask);
        let asked = self
            .wire
            .change_window_attributes(window, &wanted)
            .map(|asked| asked.check());
        if !matches!(asked, Ok(Ok(()))) {
            tracing::debug!(window, "The window in front can't be followed");
        }
    }
}
