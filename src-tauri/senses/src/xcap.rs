//! macOS and Windows through xcap: the places of windows, and pictures of monitors and windows.
//!
//! Compiled on Linux against the same interface, but never tried on those systems. Facts that xcap lacks are
//! assumed on the safe side. No window counts as opaque, so excluded windows are blacked out whole. Menus
//! aren't listed, so no part of the desktop is shown while an excluded program is in front.

use crate::limits::{PIXELS_MAX, WINDOWS_MAX};
use crate::redaction_mask::common;
use crate::window::{Composited, Menus};
use crate::{Camera, FrontWindow, Order, Pixels, SenseError, Sensor, StandingWindow};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};
use screenshots::image::RgbaImage;
use screenshots::{Monitor, Window, XCapError, XCapResult};
use shidi_protocol::Area;

/// Bytes of a pixel.
const PIXEL_BYTES: usize = 4;

/// The desktop of this session. The desktop has no state: the system is asked anew each time.
#[derive(Debug)]
struct Desktop;

/// # Errors
/// The system shows no monitor.
pub fn open() -> Result<Box<dyn Sensor>, SenseError> {
    let monitors = Monitor::all().map_err(failed)?;
    if monitors.is_empty() {
        return Err(SenseError::NoDisplay);
    }
    Ok(Box::new(Desktop))
}

impl Sensor for Desktop {
    fn front(&self) -> Result<FrontWindow, SenseError> {
        let windows = Window::all().map_err(failed)?;
        // All windows of a focused program may claim the focus: the first is the topmost.
        let front = windows
            .iter()
            .take(WINDOWS_MAX)
            .find(|window| window.is_focused().unwrap_or(false));
        let front = front.ok_or(SenseError::NothingInFront)?;
        described(front).map_err(|_| SenseError::NothingInFront)
    }

    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError> {
        let windows = Window::all().map_err(failed)?;
        if windows.len() > WINDOWS_MAX {
            return Err(SenseError::Display(format!("more than {WINDOWS_MAX} windows")));
        }
        // Both systems list the topmost window first. A window that closes while it is described is left out.
        let seen = windows.iter().rev().filter_map(|window| {
            let window = described(window).ok()?;
            Some(StandingWindow {
                whole: window.bounds,
                window,
                opaque: Vec::new(),
                managed: true,
            })
        });
        Ok(seen.collect())
    }

    /// The monitor of the window in front: xcap does not tell where the pointer is.
    fn monitor(&self) -> Result<Area, SenseError> {
        let windows = Window::all().map_err(failed)?;
        let front = windows
            .iter()
            .take(WINDOWS_MAX)
            .find(|window| window.is_focused().unwrap_or(false));
        let monitor = front.and_then(|window| window.current_monitor().ok());
        if let Some(monitor) = monitor {
            return area_of(&monitor).map_err(failed);
        }
        let monitors = Monitor::all().map_err(failed)?;
        let primary = monitors
            .iter()
            .find(|monitor| monitor.is_primary().unwrap_or(false))
            .or(monitors.first());
        area_of(primary.ok_or(SenseError::NoDisplay)?).map_err(failed)
    }

    fn desktop(&self) -> Area {
        let monitors = Monitor::all().unwrap_or_default();
        let areas = monitors.iter().filter_map(|monitor| area_of(monitor).ok());
        areas.reduce(around).unwrap_or_default()
    }

    /// Both systems give each window memory of its own.
    fn composited(&self) -> Composited {
        Composited::Yes
    }

    fn menus(&self) -> Menus {
        Menus::Unlisted
    }

    fn camera(&self) -> &dyn Camera {
        self
    }
}

impl Camera for Desktop {
    fn area(&self, area: Area) -> Result<Pixels, SenseError> {
        let mut pixels = black(area)?;
        let mut is_seen = false;
        for monitor in Monitor::all().map_err(failed)? {
            let whole = area_of(&monitor).map_err(failed)?;
            let Some(part) = common(whole, area) else { continue };
            let inside = (part.x.abs_diff(whole.x), part.y.abs_diff(whole.y));
            let image = monitor.capture_region(inside.0, inside.1, part.width, part.height);
            let image = scaled(image.map_err(pictured)?, part.width, part.height)?;
            put(
                &mut pixels,
                &image,
                part.x.abs_diff(area.x),
                part.y.abs_diff(area.y),
            );
            is_seen = true;
        }
        is_seen.then_some(pixels).ok_or(SenseError::OffScreen)
    }

    fn window(&self, window: &FrontWindow) -> Result<Pixels, SenseError> {
        let windows = Window::all().map_err(failed)?;
        let meant = windows
            .iter()
            .find(|known| known.id().is_ok_and(|id| id == window.id));
        let image = meant
            .ok_or(SenseError::NothingInFront)?
            .capture_image()
            .map_err(pictured)?;
        let (width, height) = image.dimensions();
        is_bounded(width, height)?;
        Ok(Pixels {
            width,
            height,
            bytes: image.into_raw(),
            order: Order::Rgba,
        })
    }
}

fn described(window: &Window) -> XCapResult<FrontWindow> {
    let app = window.app_name()?;
    Ok(FrontWindow {
        id: window.id()?,
        names: vec![app.clone()],
        app,
        title: window.title()?,
        pid: Some(window.pid()?),
        bounds: Area {
            x: window.x()?,
            y: window.y()?,
            width: window.width()?,
            height: window.height()?,
        },
    })
}

fn area_of(monitor: &Monitor) -> XCapResult<Area> {
    Ok(Area {
        x: monitor.x()?,
        y: monitor.y()?,
        width: monitor.width()?,
        height: monitor.height()?,
    })
}

/// The smallest rectangle that holds both.
fn around(one: Area, other: Area) -> Area {
    let end = |start: i32, length: u32| i64::from(start) + i64::from(length);
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = end(one.x, one.width).max(end(other.x, other.width));
    let bottom = end(one.y, one.height).max(end(other.y, other.height));
    let side = |from: i32, to: i64| u32::try_from(to - i64::from(from)).unwrap_or(u32::MAX);
    Area {
        x,
        y,
        width: side(x, right),
        height: side(y, bottom),
    }
}

fn is_bounded(width: u32, height: u32) -> Result<(), SenseError> {
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(SenseError::Picture(
            "it is larger than four 4K monitors".to_owned(),
        ));
    }
    Ok(())
}

/// A black picture: parts that no monitor shows stay black.
fn black(Area { width, height, .. }: Area) -> Result<Pixels, SenseError> {
    is_bounded(width, height)?;
    Ok(Pixels {
        width,
        height,
        bytes: vec![0; width as usize * height as usize * PIXEL_BYTES],
        order: Order::Rgba,
    })
}

/// A picture in the units of window bounds. A dense monitor gives more pixels than units, so the black would
/// lie in the wrong place.
fn scaled(image: RgbaImage, width: u32, height: u32) -> Result<Pixels, SenseError> {
    let (given_width, given_height) = image.dimensions();
    let bytes = image.into_raw();
    if (given_width, given_height) == (width, height) {
        return Ok(Pixels {
            width,
            height,
            bytes,
            order: Order::Rgba,
        });
    }
    is_bounded(given_width, given_height)?;
    let wrong = |cause: &dyn std::fmt::Display| SenseError::Picture(cause.to_string());
    let from =
        ImageRef::new(given_width, given_height, &bytes, PixelType::U8x4).map_err(|cause| wrong(&cause))?;
    let mut to = Image::new(width, height, PixelType::U8x4);
    let options = ResizeOptions::new().use_alpha(false);
    Resizer::new()
        .resize(&from, &mut to, Some(&options))
        .map_err(|cause| wrong(&cause))?;
    Ok(Pixels {
        width,
        height,
        bytes: to.into_vec(),
        order: Order::Rgba,
    })
}

/// Copies a piece whose first pixel lies at `left`, `top`; the part outside `pixels` is left out.
fn put(pixels: &mut Pixels, piece: &Pixels, left: u32, top: u32) {
    let width = piece.width.min(pixels.width.saturating_sub(left)) as usize * PIXEL_BYTES;
    let (row, piece_row) = (
        pixels.width as usize * PIXEL_BYTES,
        piece.width as usize * PIXEL_BYTES,
    );
    let first = top as usize * row + left as usize * PIXEL_BYTES;
    let rows = piece.bytes.chunks_exact(piece_row.max(1));
    for (number, from) in rows.enumerate() {
        let start = first + number * row;
        if let (Some(to), Some(from)) = (pixels.bytes.get_mut(start..start + width), from.get(..width)) {
            to.copy_from_slice(from);
        }
    }
}

fn failed(cause: XCapError) -> SenseError {
    SenseError::Display(cause.to_string())
}

fn pictured(cause: XCapError) -> SenseError {
    match cause {
        XCapError::InvalidCaptureRegion(_) => SenseError::OffScreen,
        cause => SenseError::Picture(cause.to_string()),
    }
}
