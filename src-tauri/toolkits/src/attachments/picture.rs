//! Pictures: their size, and a thumbnail for the chip. A vision model takes a copy where the file is too large.

use super::frame::{Findings, Frame, Stop};
use crate::limits::{
    PICTURE_AS_IT_IS_BYTES_MAX, PICTURE_DECODED_BYTES_MAX, PICTURE_SENT_SIDE_MAX, PICTURE_SIDE_MAX,
    THUMBNAIL_SIDE,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::io::{BufRead, Cursor, Seek};

/// Bytes above which a picture without transparency is sent as JPEG.
const PNG_BYTES_MAX: usize = 1 << 20;
const JPEG_QUALITY: u8 = 85;

pub(crate) fn read(
    source: impl BufRead + Seek,
    bytes: u64,
    name: &str,
    findings: &mut Findings<'_>,
) -> Result<(), Stop> {
    findings.format(name, AttachmentUnit::File)?;
    let mut reader = ImageReader::new(source)
        .with_guessed_format()
        .map_err(Stop::broken)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(PICTURE_SIDE_MAX);
    limits.max_image_height = Some(PICTURE_SIDE_MAX);
    limits.max_alloc = Some(PICTURE_DECODED_BYTES_MAX);
    reader.limits(limits);
    let format = reader.format();
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if decoder.total_bytes() > PICTURE_DECODED_BYTES_MAX {
        let (width, height) = decoder.dimensions();
        return Err(Stop::Refused(
            Unreadable::Huge,
            format!("{width} × {height} pixels"),
        ));
    }
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    picture.apply_orientation(orientation);
    let (width, height) = (picture.width(), picture.height());
    let goes_as_it_is = bytes <= PICTURE_AS_IT_IS_BYTES_MAX
        && width.max(height) <= PICTURE_SENT_SIDE_MAX
        && orientation == Orientation::NoTransforms
        && format != Some(ImageFormat::Bmp);
    let small = picture.thumbnail(THUMBNAIL_SIDE, THUMBNAIL_SIDE);
    let (media_type, prepared) = if goes_as_it_is {
        (String::new(), Vec::new())
    } else {
        encoded(&fitted(picture))?
    };
    let (small_type, thumbnail) = encoded(&small)?;
    findings.say(Frame::Picture {
        width,
        height,
        thumbnail: format!("data:{small_type};base64,{}", STANDARD.encode(thumbnail)),
        media_type,
        prepared: STANDARD.encode(prepared),
    })
}

/// The picture, scaled so that its longer side is within [`PICTURE_SENT_SIDE_MAX`].
fn fitted(picture: DynamicImage) -> DynamicImage {
    if picture.width().max(picture.height()) <= PICTURE_SENT_SIDE_MAX {
        return picture;
    }
    picture.resize(
        PICTURE_SENT_SIDE_MAX,
        PICTURE_SENT_SIDE_MAX,
        image::imageops::FilterType::CatmullRom,
    )
}

fn encoded(picture: &DynamicImage) -> Result<(String, Vec<u8>), Stop> {
    let eight_bit = match picture {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => picture.clone(),
        other if other.color().has_alpha() => DynamicImage::ImageRgba8(other.to_rgba8()),
        other => DynamicImage::ImageRgb8(other.to_rgb8()),
    };
    let mut png = Cursor::new(Vec::new());
    eight_bit
        .write_to(&mut png, ImageFormat::Png)
        .map_err(Stop::broken)?;
    let png = png.into_inner();
    if png.len() <= PNG_BYTES_MAX {
        return Ok(("image/png".to_owned(), png));
    }
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)
        .encode_image(&DynamicImage::ImageRgb8(eight_bit.to_rgb8()))
        .map_err(Stop::broken)?;
    Ok(("image/jpeg".to_owned(), jpeg))
}

fn refused(error: ImageError) -> Stop {
    match error {
        ImageError::Limits(limit) => Stop::Refused(Unreadable::Huge, limit.to_string()),
        other => Stop::broken(other),
    }
}
