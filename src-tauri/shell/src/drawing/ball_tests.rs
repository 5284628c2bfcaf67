//! The drawing follows the design sheet: round, opaque to its edge, each mood by its shape.

use super::*;
use crate::mood::{Mood, Progress};
use gtk::cairo::{Format, ImageSurface};

const MOODS: [Mood; 8] = [
    Mood::Idle,
    Mood::Looking,
    Mood::Thinking(Progress::Percent(62)),
    Mood::NeedsYou { cards: 2 },
    Mood::Suggests,
    Mood::Error,
    Mood::Paused,
    Mood::Dropping,
];

/// The drawing of a mood, four bytes a pixel: blue, green, red, opacity.
fn drawn(mood: Mood, ground: Ground) -> Vec<u8> {
    let mut surface = ImageSurface::create(Format::ARgb32, BALL_PX, BALL_PX).unwrap();
    let cairo = Context::new(&surface).unwrap();
    draw(&cairo, &Look::of(mood), ground).unwrap();
    drop(cairo);
    surface.flush();
    surface.data().unwrap().to_vec()
}

fn pixel(drawing: &[u8], x: usize, y: usize) -> [u8; 4] {
    let at = (y * 56 + x) * 4;
    [drawing[at + 2], drawing[at + 1], drawing[at], drawing[at + 3]]
}

#[test]
fn every_mood_looks_different_from_every_other() {
    let drawings: Vec<Vec<u8>> = MOODS
        .into_iter()
        .map(|mood| drawn(mood, Ground::Transparent))
        .collect();
    for (index, one) in drawings.iter().enumerate() {
        for other in &drawings[index + 1..] {
            let apart = one
                .chunks(4)
                .zip(other.chunks(4))
                .filter(|(one, other)| one != other)
                .count();
            assert!(apart > 60, "only {apart} pixels tell two moods apart");
        }
    }
}

#[test]
fn the_corners_are_transparent_and_the_disc_is_opaque_in_every_mood() {
    for mood in MOODS {
        let drawing = drawn(mood, Ground::Transparent);
        for (x, y) in [(0, 0), (0, 55), (55, 55), (7, 7)] {
            assert_eq!(pixel(&drawing, x, y)[3], 0, "{mood:?} at {x}, {y}");
        }
        for (x, y) in [(28, 46), (12, 28), (44, 28)] {
            assert_eq!(pixel(&drawing, x, y)[3], 255, "{mood:?} at {x}, {y}");
        }
    }
}

#[test]
fn the_idle_ball_is_ink_with_a_rim_of_paper_and_two_eyes() {
    let drawing = drawn(Mood::Idle, Ground::Transparent);
    for (x, y) in [(28, 3), (3, 28), (52, 28), (28, 52), (21, 28), (34, 28)] {
        assert!(
            pixel(&drawing, x, y)[..3].iter().all(|channel| *channel > 200),
            "at {x}, {y}"
        );
    }
    assert!(pixel(&drawing, 28, 45)[..3].iter().all(|channel| *channel < 80));
}

#[test]
fn a_cut_ball_has_no_transparent_pixel_to_blend() {
    for mood in MOODS {
        let drawing = drawn(mood, Ground::Cut);
        assert!(drawing.chunks(4).all(|pixel| pixel[3] == 255), "{mood:?}");
    }
}

#[test]
fn more_than_nine_cards_fit_the_badge() {
    let drawing = drawn(Mood::NeedsYou { cards: 123 }, Ground::Transparent);
    assert_eq!(drawing, drawn(Mood::NeedsYou { cards: 10 }, Ground::Transparent));
    assert_ne!(drawing, drawn(Mood::NeedsYou { cards: 9 }, Ground::Transparent));
}
