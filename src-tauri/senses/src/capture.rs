//! One look: finds the wanted window, asks the privacy gate, takes the picture and blacks out excluded windows.
//!
//! Windows are listed before and after the picture is taken. A window that either list excludes is blacked out,
//! so a window that came up in between is never seen.

use crate::limits::PIXELS_MAX;
use crate::privacy_filter::{Gate, LookTrigger, Reason, Verdict};
use crate::redaction_mask::{black_out, common, visible};
use crate::window::{Chooser, Composited, Menus};
use crate::{Camera, FrontWindow, Pixels, SenseError, Sensor, StandingWindow};
use shidi_protocol::{Area, LookAt};
use std::sync::Arc;

/// A sensor, and the camera that takes its pictures.
pub struct ScreenReader {
    sensor: Box<dyn Sensor>,
    camera: Option<Arc<dyn Camera>>,
}

/// The result of a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Seen(Seen),
    /// The gate let nothing through. The result names the program, unless the window is ours.
    Withheld {
        reason: Reason,
        app: String,
    },
}

/// The parts of a window that passed the gate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// The id of the window in front.
    pub window: Option<u32>,
    pub app: String,
    pub title: String,
    pub pid: Option<u32>,
    /// The bounds of the window, or of the captured part of the desktop.
    pub bounds: Option<Area>,
    pub pixels: Option<Pixels>,
    pub may_be_private: bool,
    /// Whether the title is withheld: the window is a browser's without a vouched page.
    pub name_only: bool,
    /// Whether the window is a browser's and shows the page that its companion reported.
    pub shows_page: bool,
    /// Windows of excluded programs that were blacked out.
    pub blacked_out: u32,
    /// Whether the window told only earlier that it has the focus, on a desktop that says nothing else of it. Another one,
    /// which tells nothing, may have had it since.
    pub is_remembered: bool,
}

/// The windows that may be told of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WindowList {
    /// The id of the window in front, which may be an excluded one.
    pub front: Option<u32>,
    pub windows: Vec<Seen>,
}

impl ScreenReader {
    /// The reader of this system. `camera` takes the pictures; without one, the sensor's own camera does.
    ///
    /// # Errors
    /// As [`crate::sensor`].
    pub fn open(camera: Option<Arc<dyn Camera>>) -> Result<Self, SenseError> {
        Ok(Self::of(crate::sensor()?, camera))
    }

    /// A reader with this sensor.
    #[must_use]
    pub fn of(sensor: Box<dyn Sensor>, camera: Option<Arc<dyn Camera>>) -> Self {
        Self { sensor, camera }
    }

    /// Looks once. `before` is the window that had the focus before ours.
    ///
    /// # Errors
    /// No window in front, a part off the screen, trouble with the display.
    pub fn look(&self, what: LookAt, gate: &Gate, before: Option<u32>) -> Result<Outcome, SenseError> {
        if gate.is_paused() {
            return Ok(Outcome::Withheld {
                reason: Reason::Paused,
                app: String::new(),
            });
        }
        let standing = self.sensor.standing()?;
        let (front, is_remembered) = self.last_focused(&standing, gate, before).unzip();
        let mut sight = self.sight(what, gate, front, &standing)?;
        if let Outcome::Seen(seen) = &mut sight {
            seen.is_remembered = is_remembered.unwrap_or(false);
        }
        Ok(sight)
    }

    fn sight(
        &self,
        what: LookAt,
        gate: &Gate,
        front: Option<FrontWindow>,
        standing: &[StandingWindow],
    ) -> Result<Outcome, SenseError> {
        let has_pixels = matches!(what, LookAt::Window | LookAt::Monitor | LookAt::Region { .. });
        if let Some(chooser) = self.sensor.chooser().filter(|_| has_pixels) {
            return self.chosen(chooser, front, standing, gate);
        }
        match what {
            LookAt::Facts | LookAt::Page | LookAt::Form | LookAt::Selection => facts(front, gate),
            LookAt::Window => self.window(front, standing, gate),
            LookAt::Monitor => self.part(self.sensor.monitor()?, front, standing, gate),
            LookAt::Region { x, y, width, height } => {
                let wanted = Area { x, y, width, height };
                let part = common(wanted, self.sensor.desktop()).ok_or(SenseError::OffScreen)?;
                self.part(part, front, standing, gate)
            }
        }
    }

    /// The window whose text may be read. The window is the one with the focus before ours, if the gate lets all of it
    /// through. A window that may be private is not read, also not when the user asked for its picture.
    #[must_use]
    pub fn readable(&self, gate: &Gate, before: Option<u32>) -> Option<FrontWindow> {
        let standing = self.sensor.standing().ok().filter(|_| !gate.is_paused())?;
        let window = self.front(&standing, gate, before)?;
        match gate.judge(&window, None, LookTrigger::Explicit) {
            Verdict::Whole {
                may_be_private: false,
            } => Some(window),
            Verdict::Whole { may_be_private: true } | Verdict::NameOnly | Verdict::Nothing(_) => None,
        }
    }

    /// The windows that may be told of, the one in front first and then from the top. Of a browser's window that nothing
    /// vouches for, the program's name alone is told.
    ///
    /// # Errors
    /// Trouble with the display.
    pub fn windows(&self, gate: &Gate, before: Option<u32>) -> Result<WindowList, SenseError> {
        if gate.is_paused() {
            return Ok(WindowList::default());
        }
        let standing = self.sensor.standing()?;
        let front = self.front(&standing, gate, before).map(|window| window.id);
        let programs = standing.iter().rev().filter(|standing| standing.managed);
        let told = programs.filter_map(|standing| match fact(&standing.window, gate) {
            Outcome::Seen(seen) => Some(seen),
            Outcome::Withheld { .. } => None,
        });
        let mut told: Vec<Seen> = told.collect();
        told.sort_by_key(|seen| seen.window != front);
        Ok(WindowList { front, windows: told })
    }

    fn front(&self, standing: &[StandingWindow], gate: &Gate, before: Option<u32>) -> Option<FrontWindow> {
        let found = self.last_focused(standing, gate, before);
        found.map(|(window, _)| window)
    }

    /// The window with the focus, or the one before it if that is ours. Where windows have an order, the topmost one
    /// stands in for a missing one. Beside it, whether it is one that is only remembered.
    fn last_focused(
        &self,
        standing: &[StandingWindow],
        gate: &Gate,
        before: Option<u32>,
    ) -> Option<(FrontWindow, bool)> {
        let stacks = self.sensor.stacks();
        let active = self.sensor.front().ok().filter(|window| !gate.is_own(window));
        active.map(|window| (window, false)).or_else(|| {
            let others = || {
                standing
                    .iter()
                    .rev()
                    .map(|standing| (standing.managed, &standing.window))
            };
            let others = || others().filter(|(managed, window)| *managed && !gate.is_own(window));
            let mut remembered = others().filter(|(_, window)| Some(window.id) == before);
            let found = remembered.next().or_else(|| others().next().filter(|_| stacks));
            found.map(|(_, window)| (window.clone(), !stacks))
        })
    }

    fn window(
        &self,
        front: Option<FrontWindow>,
        standing: &[StandingWindow],
        gate: &Gate,
    ) -> Result<Outcome, SenseError> {
        let window = front.ok_or(SenseError::NothingInFront)?;
        if let Verdict::Nothing(reason) = gate.judge(&window, None, LookTrigger::Explicit) {
            return Ok(withheld(reason, &window));
        }
        let (pixels, origin, blacked_out) = match self.sensor.composited() {
            Composited::Yes => (self.camera().window(&window)?, window.bounds, 0),
            Composited::No => {
                let part = common(window.bounds, self.sensor.desktop()).ok_or(SenseError::OffScreen)?;
                let (pixels, blacked_out) = self.shaded(part, standing, gate)?;
                (pixels, part, blacked_out)
            }
        };
        // Another page may have come up while the picture was taken.
        let now = self.sensor.standing()?;
        let now = now
            .into_iter()
            .map(|standing| standing.window)
            .find(|now| now.id == window.id);
        let window = now.ok_or(SenseError::NothingInFront)?;
        let may_be_private = match gate.judge(&window, None, LookTrigger::Explicit) {
            Verdict::Nothing(reason) => return Ok(withheld(reason, &window)),
            Verdict::Whole { may_be_private } => may_be_private,
            Verdict::NameOnly => true,
        };
        Ok(Outcome::Seen(Seen {
            bounds: Some(origin),
            pixels: Some(pixels),
            may_be_private,
            blacked_out,
            ..seen(&window, gate)
        }))
    }

    fn part(
        &self,
        part: Area,
        front: Option<FrontWindow>,
        standing: &[StandingWindow],
        gate: &Gate,
    ) -> Result<Outcome, SenseError> {
        if let Some(sight) = self.menu_may_show(gate) {
            return Ok(sight);
        }
        let (pixels, blacked_out) = self.shaded(part, standing, gate)?;
        let front = front.filter(|window| common(window.bounds, part).is_some());
        let named = front.filter(|window| match gate.judge(window, None, LookTrigger::Explicit) {
            Verdict::Whole { .. } | Verdict::NameOnly => true,
            Verdict::Nothing(_) => false,
        });
        let named = named.map(|window| seen(&window, gate)).unwrap_or_default();
        let may_be_private = standing.iter().any(|standing| {
            let verdict = gate.judge(&standing.window, None, LookTrigger::Explicit);
            verdict == Verdict::Whole { may_be_private: true } && common(standing.whole, part).is_some()
        });
        Ok(Outcome::Seen(Seen {
            bounds: Some(part),
            pixels: Some(pixels),
            may_be_private,
            blacked_out,
            ..named
        }))
    }

    /// A picture that the user chooses. Where an excluded window stands, nobody says: as long as one shows, none is taken.
    fn chosen(
        &self,
        chooser: &dyn Chooser,
        front: Option<FrontWindow>,
        standing: &[StandingWindow],
        gate: &Gate,
    ) -> Result<Outcome, SenseError> {
        if let Some(sight) = withheld_for(standing, gate) {
            return Ok(sight);
        }
        let pixels = chooser.picture()?;
        let after = self.sensor.standing()?;
        if let Some(sight) = withheld_for(&after, gate) {
            return Ok(sight);
        }
        let may_be_private = [standing, &after].into_iter().flatten().any(|standing| {
            let verdict = gate.judge(&standing.window, None, LookTrigger::Explicit);
            verdict == Verdict::Whole { may_be_private: true } || verdict == Verdict::NameOnly
        });
        let named = front.map(|window| seen(&window, gate)).unwrap_or_default();
        Ok(Outcome::Seen(Seen {
            pixels: Some(pixels),
            bounds: None,
            may_be_private,
            ..named
        }))
    }

    /// Withholds everything where menus can't be blacked out and the program in front is excluded: a menu may
    /// be open.
    fn menu_may_show(&self, gate: &Gate) -> Option<Outcome> {
        if self.sensor.menus() == Menus::Listed {
            return None;
        }
        let front = self.sensor.front().ok()?;
        withheld_for_window(&front, gate)
    }

    /// A part of the desktop with all excluded windows blacked out, and the number of those windows.
    fn shaded(
        &self,
        part: Area,
        standing: &[StandingWindow],
        gate: &Gate,
    ) -> Result<(Pixels, u32), SenseError> {
        if u64::from(part.width) * u64::from(part.height) > PIXELS_MAX {
            return Err(SenseError::Picture(
                "it is larger than four 4K monitors".to_owned(),
            ));
        }
        let mut pixels = self.camera().area(part)?;
        let after = self.sensor.standing()?;
        let mut excluded = excluded(standing, gate, part);
        excluded.extend(self::excluded(&after, gate, part));
        let mut blacked_out: Vec<u32> = Vec::new();
        for Excluded {
            window,
            is_own,
            pieces,
        } in excluded
        {
            for piece in pieces {
                black_out(&mut pixels, part.x, part.y, piece);
            }
            if !is_own && !blacked_out.contains(&window) {
                blacked_out.push(window);
            }
        }
        Ok((pixels, u32::try_from(blacked_out.len()).unwrap_or(u32::MAX)))
    }

    fn camera(&self) -> &dyn Camera {
        match &self.camera {
            Some(camera) => camera.as_ref(),
            None => self.sensor.camera(),
        }
    }
}

/// Withholds everything where one of the windows is excluded.
fn withheld_for(standing: &[StandingWindow], gate: &Gate) -> Option<Outcome> {
    let mut windows = standing.iter().map(|standing| &standing.window);
    windows.find_map(|window| withheld_for_window(window, gate))
}

fn withheld_for_window(window: &FrontWindow, gate: &Gate) -> Option<Outcome> {
    match gate.judge(window, None, LookTrigger::Explicit) {
        Verdict::Nothing(reason @ (Reason::App | Reason::Title | Reason::Site | Reason::Secret)) => {
            Some(withheld(reason, window))
        }
        Verdict::Nothing(Reason::OwnWindow | Reason::Paused) | Verdict::Whole { .. } | Verdict::NameOnly => {
            None
        }
    }
}

/// An excluded window, with its visible pieces.
struct Excluded {
    window: u32,
    is_own: bool,
    pieces: Vec<Area>,
}

fn excluded(standing: &[StandingWindow], gate: &Gate, part: Area) -> Vec<Excluded> {
    let reason = |window: &FrontWindow| match gate.judge(window, None, LookTrigger::Explicit) {
        Verdict::Nothing(reason) => Some(reason),
        Verdict::Whole { .. } | Verdict::NameOnly => None,
    };
    // An excluded program's menus and tips are excluded too.
    let processes: Vec<u32> = standing
        .iter()
        .filter(|standing| standing.managed && reason(&standing.window) == Some(Reason::App))
        .filter_map(|standing| standing.window.pid)
        .collect();
    let of_excluded = |standing: &StandingWindow| {
        !standing.managed && standing.window.pid.is_some_and(|pid| processes.contains(&pid))
    };
    let mut found = Vec::new();
    for (place, standing_here) in standing.iter().enumerate() {
        let window = &standing_here.window;
        let reason = reason(window);
        if reason.is_none() && !of_excluded(standing_here) {
            continue;
        }
        let above = standing.iter().skip(place + 1).filter(|above| above.managed);
        let covers: Vec<Area> = above.flat_map(|above| above.opaque.iter().copied()).collect();
        let pieces = common(standing_here.whole, part)
            .map(|shown| visible(shown, &covers))
            .unwrap_or_default();
        if !pieces.is_empty() {
            found.push(Excluded {
                window: window.id,
                is_own: reason == Some(Reason::OwnWindow),
                pieces,
            });
        }
    }
    found
}

fn facts(front: Option<FrontWindow>, gate: &Gate) -> Result<Outcome, SenseError> {
    let window = front.ok_or(SenseError::NothingInFront)?;
    Ok(fact(&window, gate))
}

/// The facts that may be kept of a window that nobody asked about.
#[must_use]
pub fn fact(window: &FrontWindow, gate: &Gate) -> Outcome {
    match gate.judge(window, None, LookTrigger::Passive) {
        Verdict::Nothing(reason) => withheld(reason, window),
        Verdict::Whole { may_be_private } => Outcome::Seen(Seen {
            may_be_private,
            ..seen(window, gate)
        }),
        Verdict::NameOnly => Outcome::Seen(Seen {
            title: String::new(),
            may_be_private: true,
            name_only: true,
            ..seen(window, gate)
        }),
    }
}

fn seen(window: &FrontWindow, gate: &Gate) -> Seen {
    Seen {
        window: Some(window.id),
        app: gate.title(&window.app),
        title: gate.title(&window.title),
        pid: window.pid,
        bounds: Some(window.bounds),
        shows_page: gate.page_in(window).is_some(),
        ..Seen::default()
    }
}

fn withheld(reason: Reason, window: &FrontWindow) -> Outcome {
    let app = match reason {
        Reason::OwnWindow | Reason::Paused => String::new(),
        Reason::App | Reason::Title | Reason::Site | Reason::Secret => window.app.clone(),
    };
    Outcome::Withheld { reason, app }
}

#[cfg(test)]
mod tests;
