//! The facts that sensors and cameras of every system give, and the traits of both.

use crate::{Pixels, SenseError};
use shidi_protocol::Area;

/// A program's window, as the system describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontWindow {
    /// The system's own id of the window.
    pub id: u32,
    /// Name of the program, as shown to people.
    pub app: String,
    /// Every name by which the program may be excluded: class, instance, executable.
    pub names: Vec<String>,
    pub title: String,
    pub pid: Option<u32>,
    /// The window's visible bounds, without frame and shadow.
    pub bounds: Area,
}

/// A window with its place among the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StandingWindow {
    pub window: FrontWindow,
    /// The bounds with frame and shadow.
    pub whole: Area,
    /// Parts that hide everything below them.
    pub opaque: Vec<Area>,
    /// Whether the window is a program's main or dialog window. A menu, a tip or a part of the desktop is none.
    pub managed: bool,
}

/// Whether each window has memory of its own, so that one can be captured whole while others cover it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Composited {
    Yes,
    No,
}

/// Whether menus and tips are among the windows that a sensor lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menus {
    Listed,
    Unlisted,
}

/// Gives facts about windows. Cheap: no pixels.
pub trait Sensor: Send {
    /// The window that has the focus now; may be one of ours.
    ///
    /// # Errors
    /// [`SenseError::NothingInFront`], or trouble with the display.
    fn front(&self) -> Result<FrontWindow, SenseError>;

    /// All visible windows, lowest first.
    ///
    /// # Errors
    /// Trouble with the display.
    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError>;

    /// Whether the order of the windows says which of them lies over which.
    fn stacks(&self) -> bool {
        true
    }

    /// The monitor that the pointer is on.
    ///
    /// # Errors
    /// Trouble with the display.
    fn monitor(&self) -> Result<Area, SenseError>;

    /// The whole desktop.
    fn desktop(&self) -> Area;

    fn composited(&self) -> Composited;

    fn menus(&self) -> Menus;

    /// The sensor's own camera, which needs no other library.
    fn camera(&self) -> &dyn Camera;

    /// Who has the user choose a picture, on desktops where no program may take one.
    fn chooser(&self) -> Option<&dyn Chooser> {
        None
    }
}

/// Has the user choose what a picture shows. What stands where in it, nobody says.
pub trait Chooser: std::fmt::Debug + Send + Sync {
    /// The picture that the user gives. Blocks until then, for minutes at most.
    ///
    /// # Errors
    /// The user gives none, or the desktop has no way to ask.
    fn picture(&self) -> Result<Pixels, SenseError>;
}

/// Takes pictures. Expensive: only on demand.
pub trait Camera: std::fmt::Debug + Send + Sync {
    /// The picture of a part of the desktop.
    ///
    /// # Errors
    /// A part that is off the screen, or trouble with the display.
    fn area(&self, area: Area) -> Result<Pixels, SenseError>;

    /// The picture of one window without the windows over it; only where windows are composited.
    ///
    /// # Errors
    /// A window that is gone, or trouble with the display.
    fn window(&self, window: &FrontWindow) -> Result<Pixels, SenseError>;
}
