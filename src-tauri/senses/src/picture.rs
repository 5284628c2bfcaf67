//! Turns a capture into pictures for sending and showing: scaled down and encoded, with a small one for the chip.
//!
//! JPEG for both. A full screen as PNG is several times larger on the wire, and no model reads it better.

use crate::SenseError;
use crate::limits::{PICTURE_QUALITY, PICTURE_SIDE_MAX, THUMBNAIL_QUALITY, THUMBNAIL_SIDE_MAX};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// Order of the four bytes of a pixel; the fourth is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Rgba,
    /// As X11 has it.
    Bgra,
}

/// A capture as it came, four bytes per pixel, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
    pub order: Order,
}

/// The encoded pictures of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub jpeg: Vec<u8>,
    /// The small picture for the chip, also JPEG.
    pub thumbnail: Vec<u8>,
}

/// Scales down and encodes. Takes tens of milliseconds, so it must not run on a thread that draws.
///
/// # Errors
/// [`SenseError::Picture`] for a capture whose size and bytes don't fit together.
pub fn encoded(pixels: &Pixels) -> Result<Picture, SenseError> {
    let sent = scaled(pixels, PICTURE_SIDE_MAX)?;
    let sent = sent.as_ref().unwrap_or(pixels);
    let small = scaled(sent, THUMBNAIL_SIDE_MAX)?;
    Ok(Picture {
        width: sent.width,
        height: sent.height,
        jpeg: jpeg(sent, PICTURE_QUALITY)?,
        thumbnail: jpeg(small.as_ref().unwrap_or(sent), THUMBNAIL_QUALITY)?,
    })
}

/// The scaled capture; `None` when the capture is small enough already.
fn scaled(pixels: &Pixels, side_max: u32) -> Result<Option<Pixels>, SenseError> {
    let side = pixels.width.max(pixels.height);
    if side <= side_max {
        return Ok(None);
    }
    let shorter = |length: u32| {
        let scaled = u64::from(length) * u64::from(side_max) / u64::from(side);
        u32::try_from(scaled).unwrap_or(side_max).max(1)
    };
    let (width, height) = (shorter(pixels.width), shorter(pixels.height));
    let failed = |cause: &dyn std::fmt::Display| SenseError::Picture(cause.to_string());
    let from = ImageRef::new(pixels.width, pixels.height, &pixels.bytes, PixelType::U8x4)
        .map_err(|cause| failed(&cause))?;
    let mut to = Image::new(width, height, PixelType::U8x4);
    // The fourth byte is no transparency: it must not weigh the other bytes.
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Bilinear))
        .use_alpha(false);
    Resizer::new()
        .resize(&from, &mut to, Some(&options))
        .map_err(|cause| failed(&cause))?;
    Ok(Some(Pixels {
        width,
        height,
        bytes: to.into_vec(),
        order: pixels.order,
    }))
}

fn jpeg(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, SenseError> {
    let failed = |cause: &dyn std::fmt::Display| SenseError::Picture(cause.to_string());
    let side = |length: u32| u16::try_from(length).map_err(|cause| failed(&cause));
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    let colours = match pixels.order {
        Order::Rgba => ColorType::Rgba,
        Order::Bgra => ColorType::Bgra,
    };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    // Coloured letters on dark ground blur when colours are stored at half size.
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    encoder
        .encode(&pixels.bytes, width, height, colours)
        .map_err(|cause| failed(&cause))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32, order: Order, pixel: [u8; 4]) -> Pixels {
        Pixels {
            width,
            height,
            bytes: pixel.repeat((width * height) as usize),
            order,
        }
    }

    fn decoded(jpeg: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut decoder = jpeg_decoder::Decoder::new(jpeg);
        let bytes = decoder.decode().unwrap();
        let info = decoder.info().unwrap();
        (u32::from(info.width), u32::from(info.height), bytes)
    }

    fn is_near(pixel: &[u8], colour: [u8; 3]) -> bool {
        pixel
            .iter()
            .zip(colour)
            .all(|(one, other)| one.abs_diff(other) < 8)
    }

    #[test]
    fn a_large_capture_is_scaled_to_the_longer_side_and_keeps_its_colour() {
        for (order, pixel) in [(Order::Rgba, [200, 30, 60, 0]), (Order::Bgra, [60, 30, 200, 0])] {
            let picture = encoded(&plain(1_920, 1_080, order, pixel)).unwrap();
            assert_eq!((picture.width, picture.height), (1_568, 882));
            let (width, height, bytes) = decoded(&picture.jpeg);
            assert_eq!((width, height), (1_568, 882));
            assert!(is_near(&bytes[..3], [200, 30, 60]));
            let (width, height, bytes) = decoded(&picture.thumbnail);
            assert_eq!((width, height), (320, 180));
            assert!(is_near(&bytes[..3], [200, 30, 60]));
        }
    }

    #[test]
    fn a_small_capture_is_never_scaled_up() {
        let picture = encoded(&plain(3, 1, Order::Rgba, [0, 0, 0, 255])).unwrap();
        assert_eq!((picture.width, picture.height), (3, 1));
        assert_eq!(decoded(&picture.jpeg).0, 3);
    }

    #[test]
    fn a_capture_as_thin_as_a_line_keeps_a_pixel() {
        let picture = encoded(&plain(10_000, 1, Order::Rgba, [9, 9, 9, 9])).unwrap();
        assert_eq!((picture.width, picture.height), (1_568, 1));
    }

    #[test]
    fn bytes_that_do_not_fit_the_size_are_refused() {
        let mut pixels = plain(2_000, 10, Order::Rgba, [1, 2, 3, 4]);
        pixels.bytes.truncate(100);
        assert!(matches!(encoded(&pixels), Err(SenseError::Picture(_))));
        let mut pixels = plain(20, 10, Order::Rgba, [1, 2, 3, 4]);
        pixels.bytes.truncate(100);
        assert!(matches!(encoded(&pixels), Err(SenseError::Picture(_))));
    }
}
