//! Draws the overlay on which a region is picked: the desktop dimmed, the chosen rectangle bright, and a label.

use super::look::ACCENT;
use crate::geometry::{Area, Size};
use gtk::cairo::{Context, Error, Operator};
use gtk::gdk_pixbuf::Pixbuf;
use gtk::prelude::*;

/// How far the rest of the screen is darkened, 0 to 1.
const DIM: f64 = 0.5;
const LABEL_FONT: &str = "Sans 12";
const LABEL_GAP_PX: f64 = 8.0;
const LABEL_PADDING_PX: f64 = 6.0;

/// What is drawn.
pub struct Overlay<'a> {
    pub window: &'a gtk::Window,
    pub monitor: Size,
    /// A picture of the desktop, where no compositor blends windows.
    pub still: Option<&'a Pixbuf>,
    pub chosen: Option<Area>,
    /// The label while nothing is chosen.
    pub hint: &'a str,
}

impl Overlay<'_> {
    /// Draws the overlay over the whole of its window.
    ///
    /// # Errors
    /// Errors of cairo, such as a lack of memory.
    pub fn draw(&self, cairo: &Context) -> Result<(), Error> {
        cairo.set_operator(Operator::Source);
        self.ground(cairo, 1.0 - DIM)?;
        if let Some(Area { place, size }) = self.chosen {
            let (x, y) = (f64::from(place.x), f64::from(place.y));
            let (width, height) = (f64::from(size.width), f64::from(size.height));
            cairo.rectangle(x, y, width, height);
            cairo.save()?;
            cairo.clip();
            self.ground(cairo, 1.0)?;
            cairo.restore()?;
            cairo.set_operator(Operator::Over);
            let [red, green, blue] = ACCENT;
            cairo.set_source_rgb(red, green, blue);
            cairo.set_line_width(2.0);
            cairo.rectangle(x - 1.0, y - 1.0, width + 2.0, height + 2.0);
            cairo.stroke()?;
            let size = format!("{} × {}", size.width, size.height);
            return self.label(cairo, &size, (x + width / 2.0, y + height));
        }
        cairo.set_operator(Operator::Over);
        let middle = f64::from(self.monitor.width) / 2.0;
        let top = f64::from(self.monitor.height) * 0.08;
        self.label(cairo, self.hint, (middle, top))
    }

    /// Draws the desktop as bright as `light`: through the window, or as its still picture.
    fn ground(&self, cairo: &Context, light: f64) -> Result<(), Error> {
        match self.still {
            None => cairo.set_source_rgba(0.0, 0.0, 0.0, 1.0 - light),
            Some(picture) => {
                let scale = f64::from(self.monitor.width) / f64::from(picture.width().max(1));
                cairo.save()?;
                cairo.scale(scale, scale);
                cairo.set_source_pixbuf(picture, 0.0, 0.0);
                cairo.paint()?;
                cairo.restore()?;
                cairo.set_operator(Operator::Over);
                cairo.set_source_rgba(0.0, 0.0, 0.0, 1.0 - light);
            }
        }
        cairo.paint()
    }

    /// Draws a line of text on a dark ground with the given upper middle, kept on the monitor.
    fn label(&self, cairo: &Context, text: &str, (middle, top): (f64, f64)) -> Result<(), Error> {
        let layout = self.window.create_pango_layout(Some(text));
        layout.set_font_description(Some(&gtk::pango::FontDescription::from_string(LABEL_FONT)));
        let (width, height) = layout.pixel_size();
        let (width, height) = (
            f64::from(width) + 2.0 * LABEL_PADDING_PX,
            f64::from(height) + 2.0 * LABEL_PADDING_PX,
        );
        let right_most = f64::from(self.monitor.width) - width;
        let x = (middle - width / 2.0).min(right_most).max(0.0);
        let y = (top + LABEL_GAP_PX).min(f64::from(self.monitor.height) - height);
        cairo.set_source_rgb(0.106, 0.118, 0.122);
        cairo.rectangle(x, y, width, height);
        cairo.fill()?;
        cairo.set_source_rgb(0.969, 0.961, 0.941);
        cairo.move_to(x + LABEL_PADDING_PX, y + LABEL_PADDING_PX);
        pangocairo::functions::show_layout(cairo, &layout);
        Ok(())
    }
}
