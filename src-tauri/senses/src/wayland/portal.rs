//! A picture that the user gives: the desktop's own portal shows what may be chosen, and takes it.
//!
//! The portal leaves the picture in a file. The file was made for this one look, so it is removed as soon as it was
//! read.

use crate::limits::{PICTURE_FILE_BYTES_MAX, PICTURE_GIVEN_WAIT, PIXELS_MAX};
use crate::picture::Order;
use crate::{Pixels, SenseError};
use futures_util::StreamExt as _;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::time::timeout;
use zbus::message::Type as Kind;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream};

const DESKTOP: (&str, &str) = (
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
);
const SCREENSHOT: &str = "org.freedesktop.portal.Screenshot";
const REQUEST: &str = "org.freedesktop.portal.Request";

/// Asks the user for a picture, and waits for it. Blocks, for minutes at most.
///
/// # Errors
/// The desktop has no such portal, the user gives none, or the picture can't be read.
pub fn picture() -> Result<Pixels, SenseError> {
    let failed = |cause: &dyn std::fmt::Display| SenseError::Display(cause.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|cause| failed(&cause))?;
    let asked = runtime.block_on(async { timeout(PICTURE_GIVEN_WAIT, asked()).await });
    let given = asked.map_err(|_| SenseError::NotGiven)?;
    let address = given.map_err(|cause| {
        tracing::info!(%cause, "the desktop's portal gave no picture");
        SenseError::NoPortal
    })?;
    let path =
        path_of(&address.ok_or(SenseError::NotGiven)?).ok_or_else(|| failed(&"the portal named no file"))?;
    let read = read(&path);
    if let Err(cause) = std::fs::remove_file(&path) {
        tracing::warn!(%cause, "a picture's file was left");
    }
    read
}

/// The address of the picture's file; `None` where the user gave none.
async fn asked() -> zbus::Result<Option<String>> {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let connection = Connection::session().await?;
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let token = format!("shidi{}_{number}", std::process::id());
    let name = connection
        .unique_name()
        .map(ToString::to_string)
        .unwrap_or_default();
    let sender = name.trim_start_matches(':').replace('.', "_");
    let request = format!("{}/request/{sender}/{token}", DESKTOP.1);
    // It is listened for before it can come.
    let rule = MatchRule::builder()
        .msg_type(Kind::Signal)
        .interface(REQUEST)?
        .member("Response")?
        .path(request)?
        .build();
    let mut answers = MessageStream::for_match_rule(rule, &connection, None).await?;
    let options = HashMap::from([
        ("handle_token", Value::from(token)),
        ("interactive", Value::from(true)),
    ]);
    let (bus, path) = DESKTOP;
    connection
        .call_method(Some(bus), path, Some(SCREENSHOT), "Screenshot", &("", options))
        .await?;
    let Some(answer) = answers.next().await else {
        return Ok(None);
    };
    let (code, mut given): (u32, HashMap<String, OwnedValue>) = answer?.body().deserialize()?;
    let address = given.remove("uri").filter(|_| code == 0);
    address.map(|address| Ok(String::try_from(address)?)).transpose()
}

/// The path of a `file:` address.
fn path_of(address: &str) -> Option<PathBuf> {
    let mut rest = address.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = after;
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.is_absolute().then_some(path)
}

fn read(path: &Path) -> Result<Pixels, SenseError> {
    let failed = |cause: &dyn std::fmt::Display| SenseError::Picture(cause.to_string());
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(PICTURE_FILE_BYTES_MAX).read_to_end(&mut bytes))
        .map_err(|cause| failed(&cause))?;
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|cause| failed(&cause))?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(PIXELS_MAX * 8);
    reader.limits(limits);
    let picture = reader.decode().map_err(|cause| failed(&cause))?.into_rgba8();
    let (width, height) = picture.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(SenseError::Picture(
            "it is larger than four 4K monitors".to_owned(),
        ));
    }
    Ok(Pixels {
        width,
        height,
        bytes: picture.into_raw(),
        order: Order::Rgba,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_a_portal_names_is_found_and_nothing_else_is_a_file() {
        let path = |address: &str| path_of(address).map(|path| path.display().to_string());
        assert_eq!(path("file:///tmp/a%20b.png").unwrap(), "/tmp/a b.png");
        assert_eq!(path("file:///%E5%9B%BE.png").unwrap(), "/图.png");
        for none in [
            "https://example.org/a.png",
            "file://elsewhere",
            "file:///a%zz",
            "file:///%ff",
            "",
        ] {
            assert_eq!(path(none), None, "{none}");
        }
    }

    #[test]
    fn a_picture_is_read_as_it_is_and_what_is_none_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("given.png");
        let drawn =
            image::RgbaImage::from_fn(3, 2, |x, _| image::Rgba([u8::try_from(x).unwrap(), 9, 8, 255]));
        drawn.save(&path).unwrap();
        let pixels = read(&path).unwrap();
        assert_eq!((pixels.width, pixels.height, pixels.order), (3, 2, Order::Rgba));
        assert_eq!(&pixels.bytes[4..8], [1, 9, 8, 255]);
        std::fs::write(&path, "no picture").unwrap();
        assert!(matches!(read(&path), Err(SenseError::Picture(_))));
        assert!(read(&folder.path().join("gone.png")).is_err());
    }
}
