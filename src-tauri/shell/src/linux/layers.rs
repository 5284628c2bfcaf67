//! Layers: windows that a Wayland compositor puts above others, at the place that they choose.
//!
//! A library of the system makes them. Where it or the compositor's protocol is missing, windows stay ordinary ones.

mod keyboard;
mod library;

use crate::geometry::{Area, Place, Size};
use crate::linux::screens;
use gtk::prelude::*;
pub use keyboard::LayerKeyboard;
pub use library::Level;
use library::{Edge, LayerLibrary};
use std::cell::Cell;

/// The name of our layers for rules of the compositor.
const NAMESPACE: &std::ffi::CStr = c"shidi";

/// A window that is a layer.
pub struct Layer {
    library: &'static LayerLibrary,
    window: gtk::Window,
    size: Cell<Size>,
    place: Cell<Place>,
}

impl Layer {
    /// Makes a layer of a window that was never shown. `None` where there are no layers: the window is as before.
    /// Main thread only.
    #[must_use]
    pub fn of(window: &gtk::Window, level: Level, size: Size) -> Option<Self> {
        let library = library::get()?;
        // The library lets a window be as large as its content asks for, and a page asks for nothing. GTK would then
        // want a window without a size, and wait for it without drawing.
        window.set_size_request(size.width, size.height);
        library.make_layer(window);
        library.name(window, NAMESPACE);
        library.set_level(window, level);
        library.hold_at(window, Edge::Left);
        library.hold_at(window, Edge::Top);
        // Places count from the monitor's corner, whatever bars stand at its edges.
        library.ignore_bars(window);
        Some(Self {
            library,
            window: window.clone(),
            size: Cell::new(size),
            place: Cell::new(Place { x: 0, y: 0 }),
        })
    }

    /// Whether it was made of that window.
    #[must_use]
    pub fn is_of(&self, window: &impl IsA<gtk::Window>) -> bool {
        self.window == *window.upcast_ref::<gtk::Window>()
    }

    /// The place that was chosen last.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place.get()
    }

    /// Moves the layer. A shown layer that changes its monitor is hidden and shown again. Without any monitor the
    /// place is only noted.
    pub fn put(&self, place: Place) {
        self.place.set(place);
        let size = self.size.get();
        let Some(monitor) = screens::monitor_of(Area { place, size }) else {
            return;
        };
        let corner = monitor.geometry();
        self.library
            .keep_from(&self.window, Edge::Left, place.x - corner.x());
        self.library
            .keep_from(&self.window, Edge::Top, place.y - corner.y());
        self.library.stand_on(&self.window, &monitor);
    }

    /// Gives the layer another size.
    pub fn resize(&self, size: Size) {
        self.size.set(size);
        self.window.set_size_request(size.width, size.height);
        self.window.resize(size.width, size.height);
    }
}
