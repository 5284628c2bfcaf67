//! The monitors, as the window library sees them now.

use crate::geometry::{Area, Screen, screen_of};
use gtk::gdk::{self, prelude::*};

/// All monitors, with their areas beside docks and bars. Main thread only.
#[must_use]
pub fn all() -> Vec<Screen> {
    let Some(display) = gdk::Display::default() else {
        return Vec::new();
    };
    (0..display.n_monitors())
        .filter_map(|number| display.monitor(number))
        .map(|monitor| Screen {
            whole: area(monitor.geometry()),
            free: area(monitor.workarea()),
            primary: monitor.is_primary(),
        })
        .collect()
}

/// The monitor of an area: the one under its middle, else the nearest. Main thread only.
#[must_use]
pub fn monitor_of(thing: Area) -> Option<gdk::Monitor> {
    let whole = screen_of(thing, &all())?.whole;
    let display = gdk::Display::default()?;
    (0..display.n_monitors())
        .filter_map(|number| display.monitor(number))
        .find(|monitor| area(monitor.geometry()) == whole)
}

fn area(rectangle: gdk::Rectangle) -> Area {
    Area::new(
        rectangle.x(),
        rectangle.y(),
        rectangle.width(),
        rectangle.height(),
    )
}
