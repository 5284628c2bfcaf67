//! Round windows: the part that takes the pointer, and their shape without a compositor.
//!
//! With a compositor the corners are transparent and the window stays square. Without one they would be black,
//! so the window is cut to its shape.

use crate::geometry::{Area, Size, rounded_rows};
use gtk::cairo::{RectangleInt, Region};
use gtk::prelude::*;
use std::cell::Cell;

/// Whether a compositor blends transparent windows with the desktop.
#[must_use]
pub fn is_composited(window: &gtk::Window) -> bool {
    WidgetExt::screen(window).is_some_and(|screen| screen.is_composited())
}

/// A region made of rows.
#[must_use]
pub fn region(rows: &[Area]) -> Region {
    let rows: Vec<RectangleInt> = rows
        .iter()
        .map(|Area { place, size }| RectangleInt::new(place.x, place.y, size.width, size.height))
        .collect();
    Region::create_rectangles(&rows)
}

/// Cuts the corners of a window whenever there is no compositor, whatever its size.
pub fn keep_rounded(window: &gtk::Window, radius: i32) {
    window.connect_size_allocate(move |window, allocation| {
        cut(
            window,
            Size {
                width: allocation.width(),
                height: allocation.height(),
            },
            radius,
        );
    });
    if let Some(screen) = WidgetExt::screen(window) {
        let weak = window.downgrade();
        let kept = screen.connect_composited_changed(move |_| {
            if let Some(window) = weak.upgrade() {
                let (width, height) = window.size();
                cut(&window, Size { width, height }, radius);
            }
        });
        // Menus and bars come and go; the screen stays.
        let kept = Cell::new(Some(kept));
        window.connect_destroy(move |_| {
            if let Some(kept) = kept.take() {
                screen.disconnect(kept);
            }
        });
    }
}

/// Tells the window manager that a window's place is deliberate.
pub fn mean_the_place(window: &gtk::Window) {
    let nothing = gtk::gdk::Geometry::new(0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, gtk::gdk::Gravity::NorthWest);
    window.set_geometry_hints(gtk::Widget::NONE, Some(&nothing), gtk::gdk::WindowHints::USER_POS);
}

fn cut(window: &gtk::Window, size: Size, radius: i32) {
    if is_composited(window) {
        window.shape_combine_region(None);
    } else {
        window.shape_combine_region(Some(&region(&rounded_rows(size, radius))));
    }
}
