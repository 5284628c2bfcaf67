//! The places of windows: pure arithmetic on rectangles in logical pixels.
//!
//! No display is asked; the caller brings the monitors.

use serde::{Deserialize, Serialize};

/// Gap between the ball and the panel, in pixels.
const BESIDE_GAP_PX: i32 = 8;
/// Distance of a new ball from the corner of the work area, in pixels.
const CORNER_GAP_PX: i32 = 32;

/// Distance of a bar from the pointer, in pixels: the line below what was selected stays readable.
const BELOW_POINTER_PX: i32 = 20;
const ABOVE_POINTER_PX: i32 = 28;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub x: i32,
    pub y: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: i32,
    pub height: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    pub place: Place,
    pub size: Size,
}

/// A monitor, and the part of it that docks and bars leave free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub whole: Area,
    pub free: Area,
    pub primary: bool,
}

impl Area {
    #[must_use]
    pub fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self {
            place: Place { x, y },
            size: Size { width, height },
        }
    }

    fn right(self) -> i32 {
        self.place.x + self.size.width
    }

    fn bottom(self) -> i32 {
        self.place.y + self.size.height
    }

    #[must_use]
    pub fn middle(self) -> Place {
        Place {
            x: self.place.x + self.size.width / 2,
            y: self.place.y + self.size.height / 2,
        }
    }

    /// The place nearest to `wanted` at which a window of that size lies inside. The place is the upper left
    /// corner if the window doesn't fit.
    #[must_use]
    pub fn keep_inside(self, wanted: Place, size: Size) -> Place {
        let x = wanted.x.min(self.right() - size.width).max(self.place.x);
        let y = wanted.y.min(self.bottom() - size.height).max(self.place.y);
        Place { x, y }
    }

    fn overlaps(self, other: Self) -> bool {
        self.place.x < other.right()
            && other.place.x < self.right()
            && self.place.y < other.bottom()
            && other.place.y < self.bottom()
    }

    /// Whether a point lies inside.
    #[must_use]
    pub fn contains(self, point: Place) -> bool {
        self.distance_squared(point) == 0
    }

    /// Whether the middle of `other` lies inside.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.distance_squared(other.middle()) == 0
    }

    /// Square of the distance from a point to the nearest point inside.
    fn distance_squared(self, point: Place) -> i64 {
        let apart = |value: i32, low: i32, high: i32| i64::from((low - value).max(value - high).max(0));
        let across = apart(point.x, self.place.x, self.right() - 1);
        let down = apart(point.y, self.place.y, self.bottom() - 1);
        across * across + down * down
    }
}

/// A name for the arrangement of the monitors, such as `1920x1080+0+0 1280x1024+1920+0`.
#[must_use]
pub fn layout_name(screens: &[Screen]) -> String {
    let mut names: Vec<String> = screens
        .iter()
        .map(
            |Screen {
                 whole: Area { place, size },
                 ..
             }| { format!("{}x{}{:+}{:+}", size.width, size.height, place.x, place.y) },
        )
        .collect();
    names.sort();
    names.join(" ")
}

/// The screen of an area: the one under its middle, else the nearest.
#[must_use]
pub fn screen_of(thing: Area, screens: &[Screen]) -> Option<Screen> {
    screens
        .iter()
        .copied()
        .min_by_key(|screen| screen.whole.distance_squared(thing.middle()))
}

/// The ball's place: the kept one, corrected when it is off-screen; else the lower right corner.
#[must_use]
pub fn ball_place(remembered: Option<Place>, size: Size, screens: &[Screen]) -> Option<Place> {
    if let Some(place) = remembered {
        let screen = screen_of(Area { place, size }, screens)?;
        return Some(screen.free.keep_inside(place, size));
    }
    let screen = screens.iter().find(|screen| screen.primary).or(screens.first())?;
    let corner = Place {
        x: screen.free.right() - size.width - CORNER_GAP_PX,
        y: screen.free.bottom() - size.height - CORNER_GAP_PX,
    };
    Some(screen.free.keep_inside(corner, size))
}

/// The resting place of a ball that was let go: at the nearest edge of its screen.
#[must_use]
pub fn snapped(place: Place, size: Size, screens: &[Screen]) -> Option<Place> {
    let free = screen_of(Area { place, size }, screens)?.free;
    let place = free.keep_inside(place, size);
    let (right, bottom) = (free.right() - size.width, free.bottom() - size.height);
    let edges = [
        (
            place.x - free.place.x,
            Place {
                x: free.place.x,
                ..place
            },
        ),
        (right - place.x, Place { x: right, ..place }),
        (
            place.y - free.place.y,
            Place {
                y: free.place.y,
                ..place
            },
        ),
        (bottom - place.y, Place { y: bottom, ..place }),
    ];
    let nearest = edges.into_iter().min_by_key(|(distance, _)| *distance)?;
    Some(nearest.1)
}

/// The place at which the ball is half hidden: beyond its edge, unless a dock or another screen is there.
#[must_use]
pub fn tucked(place: Place, size: Size, screens: &[Screen]) -> Option<Place> {
    let Screen { whole, .. } = screen_of(Area { place, size }, screens)?;
    let (across, down) = (size.width / 2, size.height / 2);
    let beyond = [
        (place.x == whole.place.x, -across, 0),
        (place.x + size.width == whole.right(), across, 0),
        (place.y == whole.place.y, 0, -down),
        (place.y + size.height == whole.bottom(), 0, down),
    ];
    let (_, right, below) = beyond.into_iter().find(|(is_there, ..)| *is_there)?;
    let hidden = Place {
        x: place.x + right,
        y: place.y + below,
    };
    let covered = Area { place: hidden, size };
    let is_elsewhere = |screen: &Screen| screen.whole != whole && screen.whole.overlaps(covered);
    (!screens.iter().any(is_elsewhere)).then_some(hidden)
}

/// The panel's place: beside the ball, on the side with more room, never off the free area.
#[must_use]
pub fn panel_place(ball: Area, panel: Size, screens: &[Screen]) -> Option<Place> {
    let free = screen_of(ball, screens)?.free;
    let room_left = ball.place.x - free.place.x;
    let room_right = free.right() - ball.right();
    let x = if room_left >= room_right {
        ball.place.x - BESIDE_GAP_PX - panel.width
    } else {
        ball.right() + BESIDE_GAP_PX
    };
    let below_middle = ball.middle().y > free.middle().y;
    let y = if below_middle {
        ball.bottom() - panel.height
    } else {
        ball.place.y
    };
    Some(free.keep_inside(Place { x, y }, panel))
}

/// The panel's size, given its wanted one: never more than the free area of the ball's screen.
#[must_use]
pub fn panel_size(ball: Area, wanted: Size, screens: &[Screen]) -> Option<Size> {
    let free = screen_of(ball, screens)?.free.size;
    Some(Size {
        width: wanted.width.min(free.width),
        height: wanted.height.min(free.height),
    })
}

/// The place of a bar beside a text that was selected with the pointer. The bar is below the text, or above
/// where there is no room.
#[must_use]
pub fn bar_place(pointer: Place, bar: Size, screens: &[Screen]) -> Option<Place> {
    let free = screen_of(
        Area {
            place: pointer,
            size: Size { width: 1, height: 1 },
        },
        screens,
    )?
    .free;
    let below = pointer.y + BELOW_POINTER_PX;
    let y = match below + bar.height <= free.bottom() {
        true => below,
        false => pointer.y - ABOVE_POINTER_PX - bar.height,
    };
    let x = pointer.x - bar.width / 4;
    Some(free.keep_inside(Place { x, y }, bar))
}

/// The place of a bar in a window where no pointer tells more: in the middle, near the lower edge.
#[must_use]
pub fn bar_place_in(window: Area, bar: Size, screens: &[Screen]) -> Option<Place> {
    let free = screen_of(window, screens)?.free;
    let x = window.middle().x - bar.width / 2;
    let y = window.bottom() - CORNER_GAP_PX - bar.height;
    Some(free.keep_inside(Place { x, y }, bar))
}

/// The rows of a disc whose middle and radius are given, as one rectangle each.
#[must_use]
pub fn disc_rows(middle: (f64, f64), radius: f64) -> Vec<Area> {
    let first = (middle.1 - radius).floor() as i32;
    let last = (middle.1 + radius).ceil() as i32;
    (first..last)
        .filter_map(|y| {
            let down = f64::from(y) + 0.5 - middle.1;
            let half = (radius * radius - down * down).max(0.0).sqrt();
            let left = (middle.0 - half).round() as i32;
            let width = (middle.0 + half).round() as i32 - left;
            (width > 0).then(|| Area::new(left, y, width, 1))
        })
        .collect()
}

/// The rows of a rectangle with round corners.
#[must_use]
pub fn rounded_rows(size: Size, radius: i32) -> Vec<Area> {
    (0..size.height)
        .map(|y| {
            let into_corner = (radius - y).max(y + 1 - (size.height - radius)).max(0);
            let down = f64::from(into_corner) - 0.5;
            let reach = f64::from(radius);
            let inset = if into_corner == 0 {
                0.0
            } else {
                reach - (reach * reach - down * down).sqrt()
            };
            let inset = inset.round() as i32;
            Area::new(inset, y, size.width - 2 * inset, 1)
        })
        .collect()
}

#[cfg(test)]
#[path = "geometry_tests.rs"]
mod tests;
