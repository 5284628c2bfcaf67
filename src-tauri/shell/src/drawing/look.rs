//! The numbers behind the drawing: the look of each mood, and the way from one look to the next.
//!
//! Geometry, colours and durations come from the design sheet. Pure: no clock, no drawing.

use crate::mood::{Mood, Progress};

/// Red, green, blue, each from 0 to 1.
pub type Colour = [f64; 3];

/// Time for the face to move to its place, in milliseconds.
const FACE_MS: f64 = 160.0;
/// Time for the rim to change its colour, in milliseconds.
const COLOUR_MS: f64 = 120.0;
/// Time for the ring to reach a new value, in milliseconds.
const RING_MS: f64 = 180.0;
/// The longest of these times, in milliseconds.
pub const TURN_MS: f64 = 180.0;
/// One turn of the ring of unknown work, in milliseconds.
const SPIN_MS: f64 = 1200.0;
/// One breath of the rim while the user is needed, in milliseconds.
const BREATH_MS: f64 = 2400.0;
/// Breaths until the rim rests: a minute.
const BREATHS: f64 = 25.0;
/// Share of the ring that unknown work takes.
const UNKNOWN_ARC: f64 = 0.25;

pub const INK: Colour = rgb(0x1B, 0x1E, 0x1F);
pub const EYE: Colour = rgb(0xF7, 0xF5, 0xF0);
pub const ACCENT: Colour = rgb(0x63, 0xC0, 0xD1);
const DROP: Colour = rgb(0x0B, 0x66, 0x78);
const RIM: Colour = rgb(0xF3, 0xF0, 0xEA);
const TRACK: Colour = rgb(0x4A, 0x51, 0x54);
const WARN: Colour = rgb(0xF0, 0xB2, 0x3E);
const BAD: Colour = rgb(0xE5, 0x60, 0x4F);
const REST: Colour = rgb(0x6F, 0x73, 0x75);

/// The face inside the disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Face {
    /// Two open eyes, `wide` times as large as at rest.
    Eyes {
        wide: f64,
    },
    Happy,
    Shut,
    Cross,
    Tray,
}

/// The badge at the upper right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Badge {
    Absent,
    Count(u32),
    Arrow,
    Bang,
    Bars,
}

/// The ring of progress, as shares of the circle from twelve o'clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    pub start: f64,
    pub length: f64,
}

/// All numbers that the drawing needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub body: Colour,
    pub rim: Colour,
    pub rim_opacity: f64,
    /// Length of dash and gap along the rim; `None` is a closed rim.
    pub dashes: Option<[f64; 2]>,
    pub face: Face,
    /// How far the face looks aside, in pixels.
    pub gaze: [f64; 2],
    pub arc: Option<Arc>,
    pub badge: Badge,
    pub badge_fill: Colour,
}

impl Look {
    /// The settled look of a mood.
    #[must_use]
    pub fn of(mood: Mood) -> Self {
        let idle = Self {
            body: INK,
            rim: RIM,
            rim_opacity: 1.0,
            dashes: None,
            face: Face::Eyes { wide: 1.0 },
            gaze: [0.0, 0.0],
            arc: None,
            badge: Badge::Absent,
            badge_fill: ACCENT,
        };
        match mood {
            Mood::Idle => idle,
            Mood::Looking => Self {
                gaze: [-4.5, -1.5],
                rim: ACCENT,
                dashes: Some([22.6, 15.1]),
                ..idle
            },
            Mood::Thinking(progress) => {
                let length = progress
                    .percent()
                    .map_or(UNKNOWN_ARC, |percent| f64::from(percent) / 100.0);
                Self {
                    gaze: [2.0, -4.0],
                    rim: TRACK,
                    arc: Some(Arc { start: 0.0, length }),
                    ..idle
                }
            }
            Mood::NeedsYou { cards } => Self {
                rim: WARN,
                face: Face::Eyes { wide: 1.18 },
                badge: Badge::Count(cards),
                badge_fill: WARN,
                ..idle
            },
            Mood::Suggests => Self {
                face: Face::Happy,
                badge: Badge::Arrow,
                ..idle
            },
            Mood::Error => Self {
                face: Face::Cross,
                rim: BAD,
                badge: Badge::Bang,
                badge_fill: BAD,
                ..idle
            },
            Mood::Paused => Self {
                face: Face::Shut,
                rim: REST,
                badge: Badge::Bars,
                badge_fill: REST,
                ..idle
            },
            Mood::Dropping => Self {
                face: Face::Tray,
                body: DROP,
                dashes: Some([5.03, 5.03]),
                ..idle
            },
        }
    }

    /// The look `elapsed_ms` after `mood` began, where `before` was the look until then.
    #[must_use]
    pub fn at(before: &Self, mood: Mood, elapsed_ms: f64) -> Self {
        let goal = Self::of(mood);
        let moved = ease(elapsed_ms / FACE_MS);
        let coloured = ease(elapsed_ms / COLOUR_MS);
        Self {
            gaze: [0, 1].map(|axis| blend(before.gaze[axis], goal.gaze[axis], moved)),
            rim: [0, 1, 2].map(|channel| blend(before.rim[channel], goal.rim[channel], coloured)),
            rim_opacity: breath(mood, elapsed_ms),
            arc: goal.arc.map(|arc| turned(before.arc, arc, mood, elapsed_ms)),
            ..goal
        }
    }
}

/// Whether the look still changes `elapsed_ms` after the mood began.
#[must_use]
pub fn moves(mood: Mood, elapsed_ms: f64) -> bool {
    match mood {
        Mood::Thinking(Progress::Unknown) => true,
        Mood::NeedsYou { .. } => elapsed_ms < BREATH_MS * BREATHS,
        Mood::Thinking(Progress::Percent(_))
        | Mood::Idle
        | Mood::Looking
        | Mood::Suggests
        | Mood::Error
        | Mood::Paused
        | Mood::Dropping => elapsed_ms < TURN_MS,
    }
}

const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
    [red as f64 / 255.0, green as f64 / 255.0, blue as f64 / 255.0]
}

#[must_use]
pub fn blend(from: f64, to: f64, share: f64) -> f64 {
    from * (1.0 - share) + to * share
}

/// Fast at first, then settling.
#[must_use]
pub fn ease(share: f64) -> f64 {
    1.0 - (1.0 - share.clamp(0.0, 1.0)).powi(3)
}

fn breath(mood: Mood, elapsed_ms: f64) -> f64 {
    match mood {
        Mood::NeedsYou { .. } if moves(mood, elapsed_ms) => {
            let phase = (elapsed_ms / BREATH_MS) * std::f64::consts::TAU;
            0.725 + 0.275 * phase.cos()
        }
        Mood::NeedsYou { .. }
        | Mood::Idle
        | Mood::Looking
        | Mood::Thinking(_)
        | Mood::Suggests
        | Mood::Error
        | Mood::Paused
        | Mood::Dropping => 1.0,
    }
}

fn turned(before: Option<Arc>, goal: Arc, mood: Mood, elapsed_ms: f64) -> Arc {
    let length = before.map_or(goal.length, |arc| {
        blend(arc.length, goal.length, ease(elapsed_ms / RING_MS))
    });
    let start = match mood {
        Mood::Thinking(Progress::Unknown) => (elapsed_ms / SPIN_MS).fract(),
        Mood::Thinking(Progress::Percent(_))
        | Mood::Idle
        | Mood::Looking
        | Mood::NeedsYou { .. }
        | Mood::Suggests
        | Mood::Error
        | Mood::Paused
        | Mood::Dropping => 0.0,
    };
    Arc { start, length }
}

#[cfg(test)]
#[path = "look_tests.rs"]
mod tests;
