//! Takes pictures over the same connection: no window system's library is needed, so the command line has this
//! camera too.

use super::{Display, failed};
use crate::limits::PIXELS_MAX;
use crate::{Camera, FrontWindow, Order, Pixels, SenseError};
use shidi_protocol::Area;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, Drawable, ImageFormat};

/// Bits of a pixel: every server of today stores true colour so.
const PIXEL_BITS: u8 = 32;

impl Camera for Display {
    fn area(&self, area: Area) -> Result<Pixels, SenseError> {
        self.picture(self.root, area)
    }

    fn window(&self, window: &FrontWindow) -> Result<Pixels, SenseError> {
        let at = self
            .connection
            .translate_coordinates(window.id, self.root, 0, 0)
            .map_err(failed)?;
        let at = at.reply().map_err(|_| SenseError::NothingInFront)?;
        // The shadow that a window draws itself lies outside its bounds.
        let inside = Area {
            x: window.bounds.x - i32::from(at.dst_x),
            y: window.bounds.y - i32::from(at.dst_y),
            ..window.bounds
        };
        self.picture(window.id, inside)
    }
}

impl Display {
    fn picture(&self, of: Drawable, area: Area) -> Result<Pixels, SenseError> {
        let (x, y) = (i16::try_from(area.x), i16::try_from(area.y));
        let (width, height) = (u16::try_from(area.width), u16::try_from(area.height));
        let (Ok(x), Ok(y), Ok(width), Ok(height)) = (x, y, width, height) else {
            return Err(SenseError::OffScreen);
        };
        if u64::from(width) * u64::from(height) > PIXELS_MAX {
            return Err(SenseError::Picture(
                "it is larger than four 4K monitors".to_owned(),
            ));
        }
        let every_plane = u32::MAX;
        let request = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, of, x, y, width, height, every_plane);
        // The server refuses an area that is partly off the screen.
        let image = request.map_err(failed)?.reply().map_err(|cause| {
            tracing::debug!(%cause, "no picture");
            SenseError::OffScreen
        })?;
        let formats = &self.connection.setup().pixmap_formats;
        let format = formats.iter().find(|format| format.depth == image.depth);
        let is_known = format.is_some_and(|format| format.bits_per_pixel == PIXEL_BITS);
        if !is_known || !self.is_little_endian() {
            return Err(SenseError::Picture(format!("colours of depth {}", image.depth)));
        }
        Ok(Pixels {
            width: area.width,
            height: area.height,
            bytes: image.data,
            order: Order::Bgra,
        })
    }
}
