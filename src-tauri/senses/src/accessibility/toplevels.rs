//! The windows of all programs on the accessibility bus, for desktops that tell of none (Wayland).
//!
//! Programs that tell nothing over the bus have no window here. Places are unknown: programs don't know their own.

use super::bus::{self, Bus, From, Object};
use super::finding::programs;
use super::roles::{States, state};
use crate::FrontWindow;
use crate::limits::{ACCESSIBLE_WINDOWS_MAX, BUS_WAIT, TITLE_CHARACTERS_MAX, TOPLEVEL_SETTLES};
use crate::process::executable;
use futures_util::StreamExt as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use tokio::time::Instant;
use zbus::message::Type as Kind;

/// Roles of windows, as `AtspiRole` numbers them: alert, dialog, file chooser, frame, window.
const WINDOWS: &[u32] = &[2, 16, 19, 23, 69];

const EVENTS: &str = "org.a11y.atspi.Event.Window";

/// A window as its program tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toplevel {
    pub window: FrontWindow,
    pub object: Object,
    /// Whether it has the focus.
    pub is_active: bool,
}

/// The windows that show, those with the focus last.
pub async fn toplevels(bus: &Bus, until: Instant) -> Vec<Toplevel> {
    let programs = programs(bus, until).await;
    let mut questions: Vec<_> = programs.iter().map(bus::children).collect();
    questions.extend(programs.iter().map(bus::name));
    questions.extend(programs.iter().map(|(name, _)| bus::process(name)));
    let told = bus.ask(questions, until).await;
    let count = programs.len();
    let mut listed: Vec<(Object, String, Option<u32>)> = Vec::new();
    for place in 0..count {
        let windows: Vec<Object> = told.read(place).unwrap_or_default();
        let app: String = told.value(count + place).unwrap_or_default();
        let pid = told.read::<u32>(2 * count + place);
        let windows = windows.into_iter().filter(|(name, _)| !name.is_empty());
        listed.extend(windows.map(|window| (window, app.clone(), pid)));
    }
    listed.truncate(ACCESSIBLE_WINDOWS_MAX);
    let objects = || listed.iter().map(|(object, _, _)| object);
    let mut questions: Vec<_> = objects().map(bus::role).collect();
    questions.extend(objects().map(bus::states));
    questions.extend(objects().map(bus::name));
    questions.extend(objects().map(|object| bus::place(object, From::Window)));
    let told = bus.ask(questions, until).await;
    let count = listed.len();
    let mut found: Vec<Toplevel> = Vec::new();
    for (place, (object, app, pid)) in listed.into_iter().enumerate() {
        let is_window = told
            .read::<u32>(place)
            .is_some_and(|role| WINDOWS.contains(&role));
        let states = States::of(&told.read::<Vec<u32>>(count + place).unwrap_or_default());
        if !is_window || !(states.has(state::SHOWING) || states.has(state::ACTIVE)) {
            continue;
        }
        let title: String = told.value(2 * count + place).unwrap_or_default();
        let size = told.area(3 * count + place).unwrap_or_default();
        found.push(Toplevel {
            window: FrontWindow {
                id: number(&object),
                names: names(&app, pid),
                app,
                title: title.chars().take(TITLE_CHARACTERS_MAX).collect(),
                pid,
                bounds: shidi_protocol::Area { x: 0, y: 0, ..size },
            },
            object,
            is_active: states.has(state::ACTIVE),
        });
    }
    found.sort_by_key(|toplevel| toplevel.is_active);
    found
}

/// Calls `changed` with every window that gets the focus, until the bus is gone.
///
/// # Errors
/// Trouble with the bus.
pub async fn follow(bus: &Bus, mut changed: impl FnMut(FrontWindow)) -> zbus::Result<()> {
    let rule = zbus::MatchRule::builder()
        .msg_type(Kind::Signal)
        .interface(EVENTS)?
        .member("Activate")?
        .build();
    let mut told = zbus::MessageStream::for_match_rule(rule, bus.connection(), None).await?;
    // Nobody takes the signals meanwhile: an answer that never comes must not hold up the others.
    let registered = tokio::time::timeout(BUS_WAIT, bus.register("window:activate")).await;
    registered.unwrap_or(Ok(()))?;
    while let Some(event) = told.next().await {
        let event = event?;
        let header = event.header();
        let (Some(sender), Some(path)) = (header.sender(), header.path()) else {
            continue;
        };
        let activated = number(&(sender.to_string(), path.clone().into()));
        let all = toplevels(bus, Instant::now() + TOPLEVEL_SETTLES).await;
        let front = all.into_iter().find(|toplevel| toplevel.window.id == activated);
        if let Some(front) = front {
            changed(front.window);
        }
    }
    Ok(())
}

/// A number for a window: the bus has names alone. The number stays as long as the window.
fn number((program, path): &Object) -> u32 {
    let mut hasher = DefaultHasher::new();
    (program, path.as_str()).hash(&mut hasher);
    let [first, second, third, fourth, ..] = hasher.finish().to_be_bytes();
    u32::from_be_bytes([first, second, third, fourth]).max(1)
}

/// Every name by which a program may be excluded.
fn names(app: &str, pid: Option<u32>) -> Vec<String> {
    let told = Some(app.to_owned()).filter(|app| !app.is_empty());
    told.into_iter().chain(pid.and_then(executable)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::zvariant::ObjectPath;

    #[test]
    fn a_window_keeps_its_number_and_no_other_one_has_it() {
        let object = |program: &str, path: &str| -> Object {
            (
                program.to_owned(),
                ObjectPath::try_from(path.to_owned()).unwrap().into(),
            )
        };
        let first = number(&object(":1.7", "/org/a11y/atspi/accessible/1"));
        assert_eq!(first, number(&object(":1.7", "/org/a11y/atspi/accessible/1")));
        assert_ne!(first, number(&object(":1.8", "/org/a11y/atspi/accessible/1")));
        assert_ne!(first, number(&object(":1.7", "/org/a11y/atspi/accessible/2")));
    }

    #[test]
    fn a_program_can_be_excluded_by_its_name_and_by_that_of_its_file() {
        let own = names("Notepad", Some(std::process::id()));
        assert_eq!(own[0], "Notepad");
        assert_eq!(own.len(), 2, "{own:?}");
        assert_eq!(names("", None), Vec::<String>::new());
    }
}
