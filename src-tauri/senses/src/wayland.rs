//! A Wayland desktop, as far as programs tell of themselves over the accessibility bus.
//!
//! The desktop says neither which window is in front nor where one stands. So titles come from the programs, and a
//! picture from the user, whom the desktop's portal asks.

mod portal;

use crate::accessibility::{Accessibility, Toplevel};
use crate::limits::TOPLEVELS_WAIT;
use crate::window::{Composited, Menus};
use crate::{Camera, Chooser, FrontWindow, Pixels, SenseError, Sensor, StandingWindow};
use shidi_protocol::Area;
use std::sync::LazyLock;
use std::time::Instant;

/// One connection for the whole process: to connect takes longer than a summon may.
static BUS: LazyLock<Accessibility> = LazyLock::new(Accessibility::default);

/// Wider than any desktop: where it ends, nobody says.
const SIDE: u32 = 1 << 15;

/// Whether this session's desktop speaks Wayland.
pub fn is_there() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|value| !value.is_empty())
}

/// The desktop of this session.
#[derive(Debug)]
pub struct Desktop;

/// Takes no pictures by itself.
#[derive(Debug)]
struct NoCamera;

/// Has the user choose what a picture shows.
#[derive(Debug)]
struct Portal;

impl Chooser for Portal {
    fn picture(&self) -> Result<Pixels, SenseError> {
        portal::picture()
    }
}

impl Sensor for Desktop {
    fn front(&self) -> Result<FrontWindow, SenseError> {
        let active = toplevels()?.pop().filter(|last| last.is_active);
        active.map(|last| last.window).ok_or(SenseError::NothingInFront)
    }

    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError> {
        let standing = toplevels()?.into_iter().map(|toplevel| StandingWindow {
            whole: toplevel.window.bounds,
            window: toplevel.window,
            opaque: Vec::new(),
            managed: true,
        });
        Ok(standing.collect())
    }

    fn monitor(&self) -> Result<Area, SenseError> {
        Err(SenseError::Wayland)
    }

    fn desktop(&self) -> Area {
        Area {
            x: 0,
            y: 0,
            width: SIDE,
            height: SIDE,
        }
    }

    fn composited(&self) -> Composited {
        Composited::Yes
    }

    fn menus(&self) -> Menus {
        Menus::Listed
    }

    fn camera(&self) -> &dyn Camera {
        &NoCamera
    }

    fn chooser(&self) -> Option<&dyn Chooser> {
        Some(&Portal)
    }
}

impl Camera for NoCamera {
    fn area(&self, _area: Area) -> Result<Pixels, SenseError> {
        Err(SenseError::Wayland)
    }

    fn window(&self, _window: &FrontWindow) -> Result<Pixels, SenseError> {
        Err(SenseError::Wayland)
    }
}

fn toplevels() -> Result<Vec<Toplevel>, SenseError> {
    let told = BUS.toplevels(Instant::now() + TOPLEVELS_WAIT);
    told.ok_or_else(|| SenseError::Display("the accessibility bus does not answer".to_owned()))
}

/// Calls `changed` with every window that gets the focus, on a thread of its own that sleeps between events.
///
/// # Errors
/// No thread.
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    crate::accessibility::follow(changed)
}
