//! The X11 desktop: one connection, opened for a look, which only asks and reads.
//!
//! Requests are sent together and answered together, so that thirty windows cost a few round trips. A window
//! that closes while it is described is left out; every other failure is reported.

mod camera;
mod clipboard;
mod follow;
mod insert;
mod offer;
mod selected_text;
mod selection_watch;
mod selections;
mod windows;

pub use clipboard::{copied, copy};
pub use follow::follow;
pub use insert::insert;
pub use selected_text::{SelectedText, support};
pub use selection_watch::{Following, follow_selection};

use crate::window::{Composited, Menus};
use crate::{Camera, FrontWindow, SenseError, Sensor, StandingWindow};
use shidi_protocol::Area;
use x11rb::connection::Connection as _;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, ImageOrder, Window};
use x11rb::rust_connection::RustConnection;

x11rb::atom_manager! {
    pub Atoms: AtomsCookie {
        _GTK_FRAME_EXTENTS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_WM_NAME,
        _NET_WM_OPAQUE_REGION,
        _NET_WM_PID,
        _NET_WM_WINDOW_OPACITY,
        UTF8_STRING,
        _SHIDI_SELECTED_TEXT,
        CLIPBOARD,
        DELETE,
        INCR,
        INSERT_PROPERTY,
        INSERT_SELECTION,
        MULTIPLE,
        SAVE_TARGETS,
        TARGETS,
        TEXT,
        TIMESTAMP,
        text_plain_utf8: b"text/plain;charset=utf-8",
        x_kde_passwordManagerHint: b"x-kde-passwordManagerHint",
    }
}

/// A connection to the X server.
#[derive(Debug)]
pub struct Display {
    connection: RustConnection,
    screen: usize,
    root: Window,
    atoms: Atoms,
}

/// The desktop of this session.
///
/// # Errors
/// No display, or a Wayland one: there X11 knows only some of the windows.
pub fn open() -> Result<Box<dyn Sensor>, SenseError> {
    Ok(Box::new(Display::open()?))
}

impl Display {
    fn open() -> Result<Self, SenseError> {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if is_set("WAYLAND_DISPLAY") {
            return Err(SenseError::Wayland);
        }
        if !is_set("DISPLAY") {
            return Err(SenseError::NoDisplay);
        }
        let (connection, screen) = RustConnection::connect(None).map_err(|cause| {
            tracing::debug!(%cause, "no connection to the display");
            SenseError::NoDisplay
        })?;
        let atoms = Atoms::new(&connection).map_err(failed)?.reply().map_err(failed)?;
        let root = connection
            .setup()
            .roots
            .get(screen)
            .map(|screen| screen.root)
            .ok_or(SenseError::NoDisplay)?;
        Ok(Self {
            connection,
            screen,
            root,
            atoms,
        })
    }

    /// The window that the window manager calls active; `None` for a moment between two windows.
    fn active(&self) -> Result<Option<Window>, SenseError> {
        let (property, kind) = (self.atoms._NET_ACTIVE_WINDOW, AtomEnum::WINDOW);
        let request = self
            .connection
            .get_property(false, self.root, property, kind, 0, 1);
        let reply = request.map_err(failed)?.reply().map_err(failed)?;
        let window = reply.value32().and_then(|mut values| values.next());
        Ok(window.filter(|window| *window != 0))
    }

    fn is_little_endian(&self) -> bool {
        self.connection.setup().image_byte_order == ImageOrder::LSB_FIRST
    }
}

impl Sensor for Display {
    fn front(&self) -> Result<FrontWindow, SenseError> {
        let active = self.active()?.ok_or(SenseError::NothingInFront)?;
        let described = self.described(&[active])?;
        described
            .into_iter()
            .flatten()
            .next()
            .ok_or(SenseError::NothingInFront)
    }

    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError> {
        self.all_standing()
    }

    fn monitor(&self) -> Result<Area, SenseError> {
        let pointer = self.connection.query_pointer(self.root).map_err(failed)?;
        let monitors = self.connection.randr_get_monitors(self.root, true);
        let pointer = pointer.reply().map_err(failed)?;
        // A server without the extension has one monitor.
        let monitors = monitors.ok().and_then(|cookie| cookie.reply().ok());
        let areas = monitors
            .into_iter()
            .flat_map(|reply| reply.monitors)
            .map(|monitor| Area {
                x: i32::from(monitor.x),
                y: i32::from(monitor.y),
                width: u32::from(monitor.width),
                height: u32::from(monitor.height),
            });
        let at = Area {
            x: i32::from(pointer.root_x),
            y: i32::from(pointer.root_y),
            width: 1,
            height: 1,
        };
        let mut holding = areas.filter(|area| crate::redaction_mask::common(*area, at).is_some());
        Ok(holding.next().unwrap_or_else(|| self.desktop()))
    }

    fn desktop(&self) -> Area {
        let geometry = self
            .connection
            .get_geometry(self.root)
            .ok()
            .and_then(|cookie| cookie.reply().ok());
        geometry.map_or_else(Area::default, |geometry| Area {
            x: 0,
            y: 0,
            width: u32::from(geometry.width),
            height: u32::from(geometry.height),
        })
    }

    fn composited(&self) -> Composited {
        let name = format!("_NET_WM_CM_S{}", self.screen);
        let atom = self.connection.intern_atom(true, name.as_bytes());
        let atom = atom
            .ok()
            .and_then(|cookie| cookie.reply().ok())
            .map(|reply| reply.atom);
        let owner = atom
            .filter(|atom| *atom != 0)
            .and_then(|atom| self.connection.get_selection_owner(atom).ok())
            .and_then(|cookie| cookie.reply().ok())
            .map_or(0, |reply| reply.owner);
        if owner == 0 {
            Composited::No
        } else {
            Composited::Yes
        }
    }

    fn menus(&self) -> Menus {
        Menus::Listed
    }

    fn camera(&self) -> &dyn Camera {
        self
    }
}

fn failed(cause: impl std::fmt::Display) -> SenseError {
    SenseError::Display(cause.to_string())
}
