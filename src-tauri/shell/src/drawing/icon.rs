//! The pixels of the program's icon, for the tray.

use gtk::gdk_pixbuf::Pixbuf;

/// Side of the picture, in pixels; trays scale it down.
const ICON_PX: i32 = 64;
const PICTURE: &[u8] = include_bytes!("../../../../assets/icons/128x128.png");

/// A picture, four bytes for each pixel: opacity, red, green, blue.
pub struct Pixels {
    pub width: i32,
    pub height: i32,
    pub data: Vec<u8>,
}

/// The program's icon in the byte order of trays; `None` if it can't be read.
#[must_use]
pub fn pixels() -> Option<Pixels> {
    let bytes = gtk::glib::Bytes::from_static(PICTURE);
    let stream = gtk::gio::MemoryInputStream::from_bytes(&bytes);
    let picture =
        Pixbuf::from_stream_at_scale(&stream, ICON_PX, ICON_PX, true, gtk::gio::Cancellable::NONE).ok()?;
    let (width, height, row) = (picture.width(), picture.height(), picture.rowstride() as usize);
    let channels = picture.n_channels() as usize;
    let pixels = picture.read_pixel_bytes();
    let mut data = Vec::with_capacity((width * height * 4) as usize);
    for line in pixels.chunks(row).take(height as usize) {
        for pixel in line.chunks(channels).take(width as usize) {
            match *pixel {
                [red, green, blue, opacity] => data.extend([opacity, red, green, blue]),
                [red, green, blue] => data.extend([u8::MAX, red, green, blue]),
                _ => return None,
            }
        }
    }
    Some(Pixels { width, height, data })
}
