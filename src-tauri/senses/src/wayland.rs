//! A Wayland desktop, as far as programs tell of themselves over the accessibility bus.
//!
//! The desktop says neither which window is in front nor where one stands. So titles come from the programs, and a
//! picture from the user, whom the desktop's portal asks. A text is put into a window by the window's own program.

mod clipboard;
mod data_control;
mod portal;

pub use clipboard::{copied, copy, support};

use crate::accessibility::{Accessibility, Taken, Toplevel};
use crate::insert::{InsertError, Inserted, Manner, manner, typed, unnamed};
use crate::limits::{INSERT_TAKEN_MAX, TOPLEVELS_WAIT, WINDOWS_MAX};
use crate::window::{Composited, Menus};
use crate::{Camera, Chooser, FrontWindow, Pixels, SenseError, Sensor, StandingWindow};
use parking_lot::Mutex;
use shidi_protocol::Area;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;

/// One connection for the whole process: to connect takes longer than a summon may.
static BUS: LazyLock<Accessibility> = LazyLock::new(Accessibility::default);

/// The processes of windows that were listed: a window that is listed no more may be busy, minimised or gone.
static PROCESSES: Mutex<BTreeMap<u32, u32>> = Mutex::new(BTreeMap::new());

/// The number that no window has: which one the user came from, its program did not tell.
const UNKNOWN: u32 = 0;

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

    fn stacks(&self) -> bool {
        false
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
    let told = told.ok_or_else(|| SenseError::Display("the accessibility bus does not answer".to_owned()))?;
    let mut processes = PROCESSES.lock();
    if processes.len() > WINDOWS_MAX {
        processes.clear();
    }
    let listed = told.iter().map(|toplevel| &toplevel.window);
    processes.extend(listed.filter_map(|window| Some((window.id, window.pid?))));
    Ok(told)
}

/// Whether a window is gone for certain: its process has ended.
fn is_gone(window: u32) -> bool {
    let process = PROCESSES.lock().get(&window).copied();
    process.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
}

/// Calls `changed` with every window that gets the focus, on a thread of its own that sleeps between events.
///
/// # Errors
/// No thread.
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    crate::accessibility::follow(changed)
}

/// Puts a text where the user was writing in that window, if its program takes one; else onto the clipboard.
///
/// # Errors
/// A window whose program has ended. [`InsertError::OnClipboard`] says that the text does not stand there, and that the user
/// can paste it. [`InsertError::Part`] says that the field holds no more.
pub fn insert(window: u32, text: &str) -> Result<Inserted, InsertError> {
    let target = match window {
        UNKNOWN => None,
        // A bus that does not answer takes no text away from the user: it goes onto the clipboard.
        _ => toplevels()
            .unwrap_or_default()
            .into_iter()
            .find(|toplevel| toplevel.window.id == window),
    };
    if target.is_none() && is_gone(window) {
        return Err(InsertError::Gone);
    }
    let manner = target
        .as_ref()
        .map_or(Manner::Plain, |target| manner(&target.window));
    let text = match &target {
        Some(_) => typed(text, manner),
        None => unnamed(text),
    };
    if text.is_empty() {
        return Err(InsertError::Empty);
    }
    let app = target.as_ref().map(|target| target.window.app.clone());
    // What a terminal shows is no text that others may change.
    let taken = match (target, manner) {
        (Some(target), Manner::Plain) => {
            BUS.insert(target.object, text.clone(), Instant::now() + INSERT_TAKEN_MAX)
        }
        (None, _) | (Some(_), Manner::Terminal) => Taken::Nothing,
    };
    if taken == Taken::Whole {
        return Ok(Inserted { manner });
    }
    let copied = copy(&text);
    if let Taken::Part { characters, of } = taken {
        return Err(InsertError::Part {
            characters,
            of,
            is_copied: copied.is_ok(),
        });
    }
    match copied {
        Ok(()) => Err(InsertError::OnClipboard {
            app: app.unwrap_or_default(),
            manner,
        }),
        Err(SenseError::NoDataControl) => Err(SenseError::Wayland.into()),
        Err(cause) => Err(cause.into()),
    }
}

fn failed(cause: impl std::fmt::Display) -> SenseError {
    SenseError::Display(cause.to_string())
}
