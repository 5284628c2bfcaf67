//! The rectangle that the user is choosing on one monitor: pure arithmetic in logical pixels.

use crate::geometry::{Area, Place, Size};

/// Pixels of the shorter side below which a drag counts as a click.
const SIDE_MIN_PX: i32 = 8;
/// Pixels that an arrow key moves, and with Ctrl.
const STEP_PX: i32 = 8;
const FINE_STEP_PX: i32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// The size of the monitor.
    bounds: Size,
    chosen: Option<Area>,
    /// The place at which the drag began.
    anchor: Option<Place>,
}

/// The direction of an arrow key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    Left,
    Right,
    Up,
    Down,
}

/// The effect of an arrow key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Move,
    Resize,
}

/// The distance of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Usual,
    Fine,
}

impl Selection {
    #[must_use]
    pub fn on(bounds: Size) -> Self {
        Self {
            bounds,
            chosen: None,
            anchor: None,
        }
    }

    /// The rectangle chosen so far.
    #[must_use]
    pub fn chosen(&self) -> Option<Area> {
        self.chosen
    }

    /// Begins a drag at the pressed place.
    pub fn press(&mut self, at: Place) {
        let at = self.inside(at);
        self.anchor = Some(at);
        self.chosen = None;
    }

    /// Extends the drag to the pointer.
    pub fn drag(&mut self, to: Place) {
        let to = self.inside(to);
        if let Some(from) = self.anchor {
            self.chosen = Some(between(from, to));
        }
    }

    /// Ends the drag: the dragged rectangle, unless the drag was a click.
    pub fn release(&mut self) -> Option<Area> {
        self.anchor = None;
        self.chosen = self.chosen.filter(|area| is_large_enough(*area));
        self.chosen
    }

    /// Moves or resizes the rectangle by an arrow key. The first arrow chooses the middle of the monitor.
    pub fn arrow(&mut self, arrow: Arrow, change: Change, step: Step) {
        if self.anchor.is_some() {
            return;
        }
        let Some(chosen) = self.chosen else {
            let Size { width, height } = self.bounds;
            self.chosen = Some(Area::new(width / 4, height / 4, width / 2, height / 2));
            return;
        };
        let step = match step {
            Step::Usual => STEP_PX,
            Step::Fine => FINE_STEP_PX,
        };
        let (across, down) = match arrow {
            Arrow::Left => (-step, 0),
            Arrow::Right => (step, 0),
            Arrow::Up => (0, -step),
            Arrow::Down => (0, step),
        };
        let Area { place, size } = chosen;
        self.chosen = Some(match change {
            Change::Move => {
                let wanted = Place {
                    x: place.x + across,
                    y: place.y + down,
                };
                let place = Area::new(0, 0, self.bounds.width, self.bounds.height).keep_inside(wanted, size);
                Area { place, size }
            }
            Change::Resize => {
                let width = (size.width + across).clamp(SIDE_MIN_PX, self.bounds.width - place.x);
                let height = (size.height + down).clamp(SIDE_MIN_PX, self.bounds.height - place.y);
                Area::new(place.x, place.y, width, height)
            }
        });
    }

    fn inside(&self, at: Place) -> Place {
        Place {
            x: at.x.clamp(0, self.bounds.width),
            y: at.y.clamp(0, self.bounds.height),
        }
    }
}

fn between(one: Place, other: Place) -> Area {
    let (left, top) = (one.x.min(other.x), one.y.min(other.y));
    Area::new(left, top, (one.x - other.x).abs(), (one.y - other.y).abs())
}

fn is_large_enough(area: Area) -> bool {
    area.size.width.min(area.size.height) >= SIDE_MIN_PX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOUNDS: Size = Size {
        width: 1920,
        height: 1080,
    };

    fn dragged(from: (i32, i32), to: (i32, i32)) -> Option<Area> {
        let mut selection = Selection::on(BOUNDS);
        selection.press(Place { x: from.0, y: from.1 });
        selection.drag(Place { x: to.0, y: to.1 });
        selection.release()
    }

    #[test]
    fn a_drag_in_any_direction_chooses_the_rectangle_between() {
        let expected = Some(Area::new(100, 200, 300, 50));
        assert_eq!(dragged((100, 200), (400, 250)), expected);
        assert_eq!(dragged((400, 250), (100, 200)), expected);
        assert_eq!(dragged((100, 200), (103, 201)), None, "a click chooses nothing");
    }

    #[test]
    fn keys_alone_choose_move_and_resize() {
        let mut selection = Selection::on(BOUNDS);
        selection.arrow(Arrow::Left, Change::Move, Step::Usual);
        assert_eq!(selection.chosen(), Some(Area::new(480, 270, 960, 540)));
        selection.arrow(Arrow::Left, Change::Move, Step::Usual);
        selection.arrow(Arrow::Down, Change::Resize, Step::Fine);
        assert_eq!(selection.chosen(), Some(Area::new(472, 270, 960, 541)));
    }

    proptest! {
        #[test]
        fn what_is_chosen_is_always_on_the_monitor(
            from in (-100..2100i32, -100..1300i32),
            to in (-100..2100i32, -100..1300i32),
            arrows in proptest::collection::vec((0..4usize, any::<bool>()), 0..300),
        ) {
            let mut selection = Selection::on(BOUNDS);
            selection.press(Place { x: from.0, y: from.1 });
            selection.drag(Place { x: to.0, y: to.1 });
            selection.release();
            for (arrow, moves) in arrows {
                let arrow = [Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down][arrow];
                selection.arrow(arrow, if moves { Change::Move } else { Change::Resize }, Step::Usual);
            }
            if let Some(Area { place, size }) = selection.chosen() {
                prop_assert!(place.x >= 0 && place.y >= 0 && size.width > 0 && size.height > 0);
                prop_assert!(place.x + size.width <= BOUNDS.width && place.y + size.height <= BOUNDS.height);
            }
        }
    }
}
