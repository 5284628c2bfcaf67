//! The picture of the ball while it is dragged as a layer.
//!
//! The pressed surface must not move. Some compositors count the pointer's way from where it was pressed, others from
//! where it is. So the pressed surface stays and shows nothing, and this one follows. It never takes the pointer.

use super::{Ball, SIZE, new_window};
use crate::drawing::ball::{self as drawing, Ground};
use crate::geometry::Place;
use crate::linux::layers::{Layer, Level};
use gtk::cairo::Region;
use gtk::glib;
use gtk::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// A second window with the ball's look; it ends when this is dropped.
pub struct DragPicture {
    window: gtk::Window,
    layer: Layer,
    is_drawn: Rc<Cell<bool>>,
}

impl DragPicture {
    /// Shows the picture at the ball's place. `None` where there are no layers.
    pub fn of(ball: &Rc<Ball>, place: Place) -> Option<Self> {
        let window = new_window();
        let layer = Layer::of(&window, Level::Top, SIZE)?;
        let is_drawn = Rc::<Cell<bool>>::default();
        let (looked, drawn) = (Rc::downgrade(ball), is_drawn.clone());
        window.connect_draw(move |_, cairo| {
            if let Some(ball) = looked.upgrade() {
                if let Err(error) = drawing::draw(cairo, &ball.look(), Ground::Transparent) {
                    tracing::warn!(%error, "The dragged ball could not be drawn");
                }
                if !drawn.replace(true) {
                    // The pressed surface shows the ball until this one does.
                    ball.window.queue_draw();
                }
            }
            glib::Propagation::Stop
        });
        window.input_shape_combine_region(Some(&Region::create()));
        layer.put(place);
        window.show();
        Some(Self {
            window,
            layer,
            is_drawn,
        })
    }

    pub fn put(&self, place: Place) {
        self.layer.put(place);
    }

    /// Whether the picture has been drawn.
    pub fn is_drawn(&self) -> bool {
        self.is_drawn.get()
    }
}

impl Drop for DragPicture {
    fn drop(&mut self) {
        self.window.hide();
        self.window.close();
    }
}
