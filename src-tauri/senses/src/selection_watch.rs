//! When a text has just been selected, told from the pointer, the keys and who owns the selection. Pure: events in, steps out.
//!
//! Programs claim the selection for other reasons, too, such as for the address that a click into its field marks. So a
//! claim counts while the button is held, after a drag or a double click, or with Shift.

use crate::FrontWindow;
use shidi_protocol::SelectionEnd;
use std::time::{Duration, Instant};

/// A place of the pointer, in pixels of the display.
pub type Point = (i32, i32);

/// Time without a further click after which a selection is taken as made: a third click selects the line.
const RESTS: Duration = Duration::from_millis(300);
/// The same for keys, which select letter by letter.
const KEYS_REST: Duration = Duration::from_millis(600);
/// Longest time between two clicks of one double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(500);
/// Pixels from press to release from which on the pointer has dragged.
const DRAG_PX: i32 = 4;
/// Time after the gesture in which a program claims the selection.
const CLAIMED_WITHIN: Duration = Duration::from_millis(400);
/// Time for which a selection is news.
const NEWS_FOR: Duration = Duration::from_secs(8);
/// Time after that, or after a press, in which what shows the news may still stand below the pointer.
const STANDS_FOR: Duration = Duration::from_secs(20);

/// What the display tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A program says that it has the selection now.
    Claimed {
        shift: Shift,
    },
    /// Nothing is selected any more.
    Dropped,
    Pressed {
        at: Point,
        button: Button,
    },
    /// The button that selects was let go.
    Released {
        at: Point,
    },
    /// Some key; which one is not looked at.
    Key,
    /// Another window came to the front.
    Fronted,
}

/// Whether Shift is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Held,
    Free,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// The one that selects.
    First,
    /// Any other, and the wheel.
    Other,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Nothing,
    /// A selection was made: it is told, and [`Watch::told`] says whether anybody took it.
    Tell,
    /// What was told is news no longer.
    Over(SelectionEnd),
}

/// A selection that was just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectionMade {
    /// The window in front, whose process owns the selection.
    pub window: FrontWindow,
    pub pointer: Point,
}

/// What whoever watches selections is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectionNews {
    Made(SelectionMade),
    Over(SelectionEnd),
}

/// The state of the gesture and of the news.
#[derive(Debug, Default)]
pub struct Watch {
    news: News,
    press: Option<Press>,
    /// The end of the time in which a claim belongs to the gesture before it.
    claims_until: Option<Instant>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum News {
    #[default]
    No,
    /// A program claimed the selection while the button is held.
    Dragged,
    /// Told when nothing else happens until then.
    Due(Instant),
    Told {
        until: Instant,
    },
    /// It is over, but what shows it may still stand.
    Late {
        until: Instant,
    },
}

/// The last press of the button that selects.
#[derive(Debug, Clone, Copy)]
struct Press {
    at: Point,
    time: Instant,
    clicks: u32,
    is_held: bool,
}

impl Watch {
    /// Takes an event in.
    pub fn heard(&mut self, event: Event, now: Instant) -> Step {
        match event {
            Event::Claimed { shift } => self.claimed(shift, now),
            Event::Pressed { at, button } => {
                if button == Button::First {
                    self.pressed(at, now);
                }
                self.end(SelectionEnd::Pressed, now)
            }
            Event::Released { at } => {
                self.released(at, now);
                Step::Nothing
            }
            Event::Dropped | Event::Key | Event::Fronted => self.end(SelectionEnd::Left, now),
        }
    }

    /// Takes in that it is so late.
    pub fn passed(&mut self, now: Instant) -> Step {
        match self.news {
            News::Due(due) if now >= due => {
                self.news = News::No;
                Step::Tell
            }
            News::Told { until } if now >= until => self.end(SelectionEnd::Passed, now),
            News::Late { until } if now >= until => self.end(SelectionEnd::Left, now),
            News::No | News::Dragged | News::Due(_) | News::Told { .. } | News::Late { .. } => Step::Nothing,
        }
    }

    /// Notes that what was told has been taken.
    pub fn told(&mut self, now: Instant) {
        self.news = News::Told {
            until: now + NEWS_FOR,
        };
    }

    /// The moment at which [`Watch::passed`] has something to do.
    pub fn due(&self) -> Option<Instant> {
        match self.news {
            News::Due(due) | News::Told { until: due } | News::Late { until: due } => Some(due),
            News::No | News::Dragged => None,
        }
    }

    /// Whether keys matter now: at other times none is listened for.
    pub fn wants_keys(&self) -> bool {
        self.due().is_some()
    }

    fn claimed(&mut self, shift: Shift, now: Instant) -> Step {
        let step = self.end(SelectionEnd::Left, now);
        let is_held = self.press.is_some_and(|press| press.is_held);
        self.news = if is_held {
            News::Dragged
        } else if self.claims_until.is_some_and(|until| now <= until) {
            News::Due(now + RESTS)
        } else if shift == Shift::Held {
            News::Due(now + KEYS_REST)
        } else {
            News::No
        };
        step
    }

    fn pressed(&mut self, at: Point, now: Instant) {
        let goes_on = |press: &Press| now - press.time <= DOUBLE_CLICK && !is_apart(press.at, at);
        let clicks = self.press.filter(goes_on).map_or(1, |press| press.clicks + 1);
        self.press = Some(Press {
            at,
            time: now,
            clicks,
            is_held: true,
        });
        self.claims_until = None;
    }

    fn released(&mut self, at: Point, now: Instant) {
        let Some(press) = self.press.as_mut() else { return };
        press.is_held = false;
        let selects = press.clicks > 1 || is_apart(press.at, at);
        self.claims_until = selects.then(|| now + CLAIMED_WITHIN);
        if self.news == News::Dragged {
            self.news = News::Due(now + RESTS);
        }
    }

    /// Ends the news; what was never told ends without a word. Only what left the selection ends what shows it, too.
    fn end(&mut self, end: SelectionEnd, now: Instant) -> Step {
        let (step, until) = match std::mem::take(&mut self.news) {
            News::Told { .. } => (Step::Over(end), now + STANDS_FOR),
            News::Late { until } => (Step::Over(end), until),
            News::No | News::Dragged | News::Due(_) => return Step::Nothing,
        };
        if end != SelectionEnd::Left {
            self.news = News::Late { until };
        }
        step
    }
}

fn is_apart(from: Point, to: Point) -> bool {
    (from.0 - to.0).abs() >= DRAG_PX || (from.1 - to.1).abs() >= DRAG_PX
}

#[cfg(test)]
mod tests;
