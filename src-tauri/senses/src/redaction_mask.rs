//! Finds the parts of a picture that show excluded windows, and blacks them out.
//!
//! Pure arithmetic on rectangles. Where the exact shape would need too many pieces, more is blacked out, never less.

use crate::limits::SHADE_PIECES_MAX;
use crate::{Order, Pixels};
use shidi_protocol::Area;

/// The part that two rectangles share.
#[must_use]
pub fn common(one: Area, other: Area) -> Option<Area> {
    let left = one.x.max(other.x);
    let top = one.y.max(other.y);
    let right = end(one.x, one.width).min(end(other.x, other.width));
    let bottom = end(one.y, one.height).min(end(other.y, other.height));
    let width = u32::try_from(right - i64::from(left)).ok()?;
    let height = u32::try_from(bottom - i64::from(top)).ok()?;
    (width > 0 && height > 0).then_some(Area {
        x: left,
        y: top,
        width,
        height,
    })
}

/// The parts of `whole` that are visible under `covers`; `whole` itself where there are too many pieces.
#[must_use]
pub fn visible(whole: Area, covers: &[Area]) -> Vec<Area> {
    let mut pieces = vec![whole];
    for cover in covers {
        pieces = pieces
            .into_iter()
            .flat_map(|piece| without(piece, *cover))
            .collect();
        if pieces.len() > SHADE_PIECES_MAX {
            return vec![whole];
        }
    }
    pieces
}

/// Blacks `area` of the desktop out of a picture whose first pixel lies at `x`, `y` of the desktop.
pub fn black_out(pixels: &mut Pixels, x: i32, y: i32, area: Area) {
    let frame = Area {
        x,
        y,
        width: pixels.width,
        height: pixels.height,
    };
    let Some(part) = common(frame, area) else { return };
    let black = match pixels.order {
        Order::Rgba | Order::Bgra => [0, 0, 0, 255],
    };
    let start = |from: i32, origin: i32| usize::try_from(i64::from(from) - i64::from(origin)).unwrap_or(0);
    let (left, top) = (start(part.x, x), start(part.y, y));
    let row_bytes = pixels.width as usize * 4;
    for row in top..top + part.height as usize {
        let first = row * row_bytes + left * 4;
        let last = first + part.width as usize * 4;
        if let Some(bytes) = pixels.bytes.get_mut(first..last) {
            for pixel in bytes.chunks_exact_mut(4) {
                pixel.copy_from_slice(&black);
            }
        }
    }
}

fn without(piece: Area, cover: Area) -> Vec<Area> {
    let Some(hidden) = common(piece, cover) else {
        return vec![piece];
    };
    let band = |from_y: i64, to_y: i64, from_x: i64, to_x: i64| {
        Some(Area {
            x: i32::try_from(from_x).ok()?,
            y: i32::try_from(from_y).ok()?,
            width: u32::try_from(to_x - from_x).ok().filter(|width| *width > 0)?,
            height: u32::try_from(to_y - from_y).ok().filter(|height| *height > 0)?,
        })
    };
    let (left, top) = (i64::from(piece.x), i64::from(piece.y));
    let (right, bottom) = (end(piece.x, piece.width), end(piece.y, piece.height));
    let (hidden_left, hidden_top) = (i64::from(hidden.x), i64::from(hidden.y));
    let (hidden_right, hidden_bottom) = (end(hidden.x, hidden.width), end(hidden.y, hidden.height));
    [
        band(top, hidden_top, left, right),
        band(hidden_bottom, bottom, left, right),
        band(hidden_top, hidden_bottom, left, hidden_left),
        band(hidden_top, hidden_bottom, hidden_right, right),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn end(start: i32, length: u32) -> i64 {
    i64::from(start) + i64::from(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area() -> impl Strategy<Value = Area> {
        (-20..60i32, -20..60i32, 1..50u32, 1..50u32).prop_map(|(x, y, width, height)| Area {
            x,
            y,
            width,
            height,
        })
    }

    fn holds(area: &Area, x: i32, y: i32) -> bool {
        i64::from(x) >= i64::from(area.x)
            && i64::from(x) < end(area.x, area.width)
            && i64::from(y) >= i64::from(area.y)
            && i64::from(y) < end(area.y, area.height)
    }

    proptest! {
        #[test]
        fn exactly_what_no_cover_hides_is_visible(whole in area(), covers in prop::collection::vec(area(), 0..8)) {
            let pieces = visible(whole, &covers);
            for x in -25..115 {
                for y in -25..115 {
                    let seen = holds(&whole, x, y) && !covers.iter().any(|cover| holds(cover, x, y));
                    let times = pieces.iter().filter(|piece| holds(piece, x, y)).count();
                    prop_assert_eq!(times, usize::from(seen));
                }
            }
        }

        #[test]
        fn black_covers_exactly_the_area_wherever_the_picture_lies(
            x in -30..30i32, y in -30..30i32, width in 1..40u32, height in 1..40u32, hidden in area(),
        ) {
            let count = (width * height * 4) as usize;
            let mut pixels = Pixels { width, height, bytes: vec![200; count], order: Order::Bgra };
            black_out(&mut pixels, x, y, hidden);
            for row in 0..height {
                for column in 0..width {
                    let at = ((row * width + column) * 4) as usize;
                    let is_black = pixels.bytes[at..at + 3] == [0, 0, 0];
                    let (at_x, at_y) = (x + i32::try_from(column).unwrap(), y + i32::try_from(row).unwrap());
                    prop_assert_eq!(is_black, holds(&hidden, at_x, at_y));
                }
            }
        }
    }

    #[test]
    fn the_corners_of_the_number_range_are_no_trouble() {
        let far = Area {
            x: i32::MAX - 1,
            y: i32::MIN,
            width: u32::MAX,
            height: u32::MAX,
        };
        assert!(
            common(
                far,
                Area {
                    x: 0,
                    y: 0,
                    width: 10,
                    height: 10
                }
            )
            .is_none()
        );
        assert!(
            !visible(
                far,
                &[Area {
                    x: i32::MAX,
                    y: i32::MIN,
                    width: 5,
                    height: 5
                }]
            )
            .is_empty()
        );
    }
}
