//! Finds a window among the objects of the accessibility bus.
//!
//! Its process and title find it: our panel may have the focus by now. Of two windows that fit equally none is taken: the
//! text of one must not stand for the other's.

use super::bus::{self, Bus, Object};
use super::roles::{States, state};
use crate::FrontWindow;
use crate::limits::{ACCESSIBLE_PROGRAMS_MAX, ACCESSIBLE_WINDOWS_MAX};
use tokio::time::Instant;

/// A window of a program on the bus.
#[derive(Debug, Clone)]
pub struct Found {
    pub object: Object,
    title: String,
    states: States,
}

/// The window that a window system told of.
pub async fn find(bus: &Bus, window: &FrontWindow, until: Instant) -> Option<Object> {
    let programs = of_process(bus, window.pid?, until).await;
    let windows = windows(bus, &programs, until).await;
    chosen(&windows, &window.title).map(|found| found.object.clone())
}

pub(super) async fn programs(bus: &Bus, until: Instant) -> Vec<Object> {
    let listed = bus.one(bus::children(&Bus::registry()), until).await;
    let listed: Vec<Object> = listed.read(0).unwrap_or_default();
    listed.into_iter().take(ACCESSIBLE_PROGRAMS_MAX).collect()
}

async fn of_process(bus: &Bus, pid: u32, until: Instant) -> Vec<Object> {
    let programs = programs(bus, until).await;
    let questions = programs.iter().map(|(name, _)| bus::process(name)).collect();
    let told = bus.ask(questions, until).await;
    let found = programs
        .into_iter()
        .enumerate()
        .filter(|(place, _)| told.read::<u32>(*place) == Some(pid));
    found.map(|(_, program)| program).collect()
}

async fn windows(bus: &Bus, programs: &[Object], until: Instant) -> Vec<Found> {
    let told = bus.ask(programs.iter().map(bus::children).collect(), until).await;
    let listed = (0..told.len()).filter_map(|place| told.read::<Vec<Object>>(place));
    // Some programs list a window that is going, as an empty reference.
    let listed = listed.flatten().filter(|(name, _)| !name.is_empty());
    let listed: Vec<Object> = listed.take(ACCESSIBLE_WINDOWS_MAX).collect();
    let mut questions: Vec<_> = listed.iter().map(bus::name).collect();
    questions.extend(listed.iter().map(bus::states));
    // Chromium tells nothing of its pages until somebody asks for the attributes of its window.
    questions.extend(listed.iter().map(bus::attributes));
    let told = bus.ask(questions, until).await;
    let count = listed.len();
    let described = listed.into_iter().enumerate().map(|(place, object)| Found {
        object,
        title: told.value(place).unwrap_or_default(),
        states: States::of(&told.read::<Vec<u32>>(count + place).unwrap_or_default()),
    });
    described.collect()
}

/// The one window that fits best.
fn chosen<'a>(windows: &'a [Found], title: &str) -> Option<&'a Found> {
    if let [only] = windows {
        return Some(only);
    }
    let one = |fits: &dyn Fn(&&Found) -> bool| {
        let mut fitting = windows.iter().filter(fits);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let is_titled = |found: &&Found| found.title == title;
    let is_active = |found: &&Found| found.states.has(state::ACTIVE);
    one(&|found| is_titled(found) && is_active(found))
        .or_else(|| one(&is_titled))
        .or_else(|| one(&is_active))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::zvariant::ObjectPath;

    fn window(number: u32, title: &str, is_active: bool) -> Found {
        let path = ObjectPath::try_from(format!("/w/{number}")).unwrap().into();
        Found {
            object: (":1.2".to_owned(), path),
            title: title.to_owned(),
            states: States::of(&[if is_active { 1 << state::ACTIVE } else { 0 }]),
        }
    }

    fn taken(windows: &[Found], title: &str) -> Option<String> {
        chosen(windows, title).map(|found| found.object.1.as_str().to_owned())
    }

    #[test]
    fn of_two_windows_that_fit_equally_none_is_taken() {
        let two = [window(1, "notes", false), window(2, "notes", false)];
        assert_eq!(taken(&two, "notes"), None);
        let two = [window(1, "notes", false), window(2, "notes", true)];
        assert_eq!(taken(&two, "notes"), Some("/w/2".to_owned()));
        let two = [window(1, "notes", true), window(2, "plan", false)];
        assert_eq!(
            taken(&two, "plan"),
            Some("/w/2".to_owned()),
            "ours has the focus by now"
        );
        assert_eq!(taken(&two, "another"), Some("/w/1".to_owned()));
        assert_eq!(taken(&[], "notes"), None);
    }
}
