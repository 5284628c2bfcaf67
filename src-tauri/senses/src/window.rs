//! What sensors and cameras of every system tell, and the traits that they stand behind.

use crate::{Pixels, SenseError};
use shidi_protocol::Area;

/// A program's window, as the system describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontWindow {
    /// The system's own number of it.
    pub id: u32,
    /// Name of the program, as shown to people.
    pub app: String,
    /// Every name by which the program may be excluded: class, instance, executable.
    pub names: Vec<String>,
    pub title: String,
    pub pid: Option<u32>,
    /// What is seen of it, without frame and shadow.
    pub bounds: Area,
}

/// A window with its place among the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StandingWindow {
    pub window: FrontWindow,
    /// With its frame and shadow.
    pub whole: Area,
    /// Parts that let nothing below them through.
    pub opaque: Vec<Area>,
    /// Whether it is a program's main or dialog window, not a menu, a tip or a part of the desktop.
    pub managed: bool,
}

/// Whether windows lie in memory of their own, so that one can be seen whole while others cover it.
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

/// Tells facts about windows. Cheap: no pixels.
pub trait Sensor: Send {
    /// The window that has the focus now, ours too.
    ///
    /// # Errors
    /// [`SenseError::NothingInFront`], or trouble with the display.
    fn front(&self) -> Result<FrontWindow, SenseError>;

    /// All visible windows, lowest first.
    ///
    /// # Errors
    /// Trouble with the display.
    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError>;

    /// The monitor that the pointer is on.
    ///
    /// # Errors
    /// Trouble with the display.
    fn monitor(&self) -> Result<Area, SenseError>;

    /// The whole desktop.
    fn desktop(&self) -> Area;

    fn composited(&self) -> Composited;

    fn menus(&self) -> Menus;

    /// The camera that goes with it and needs no other library.
    fn camera(&self) -> &dyn Camera;
}

/// Takes pictures. Expensive: only when somebody asks.
pub trait Camera: std::fmt::Debug + Send + Sync {
    /// What is seen at a part of the desktop.
    ///
    /// # Errors
    /// A part that is off the screen, or trouble with the display.
    fn area(&self, area: Area) -> Result<Pixels, SenseError>;

    /// A window alone, whatever lies on it; only where windows are composited.
    ///
    /// # Errors
    /// A window that has gone, or trouble with the display.
    fn window(&self, window: &FrontWindow) -> Result<Pixels, SenseError>;
}
