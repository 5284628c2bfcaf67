//! The object that had the focus last, of each program: where its user was writing.
//!
//! A window without the focus no longer says which of its objects had it. So programs tell when one gets it. An object's name and
//! path are remembered, and nothing of it is read.

use super::bus::{Bus, Object};
use super::reading::matches;
use super::roles::{any_but_passwords, state};
use super::toplevels::toplevels;
use super::walk::walk;
use crate::limits::{BUS_WAIT, FOCUSED_MAX, TOPLEVEL_SETTLES};
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::LazyLock;
use tokio::time::{Instant, timeout};
use zbus::message::Type as Kind;
use zbus::zvariant::{Structure, Value};
use zbus::{MatchRule, Message, MessageStream};

const EVENTS: &str = "org.a11y.atspi.Event.Object";

/// Of this process: who follows the focus and who puts a text there are two threads.
static LAST: LazyLock<Mutex<LastFocused>> = LazyLock::new(Mutex::default);

/// One object for each program, the newest last.
#[derive(Debug, Default)]
struct LastFocused(VecDeque<Object>);

impl LastFocused {
    fn note(&mut self, object: Object) {
        self.0.retain(|(program, _)| *program != object.0);
        if self.0.len() >= FOCUSED_MAX {
            self.0.pop_front();
        }
        self.0.push_back(object);
    }

    fn of(&self, program: &str) -> Option<&Object> {
        self.0.iter().find(|(name, _)| name == program)
    }
}

/// The object that had the focus last in the program of that window. Of a program that never told, it is the one that has it
/// now.
pub async fn last(bus: &Bus, window: &Object, until: Instant) -> Option<Object> {
    let known = LAST.lock().of(&window.0).cloned();
    match known {
        Some(object) => Some(object),
        None => note_now(bus, window, until).await,
    }
}

/// Remembers every object that gets the focus, until the bus is gone.
///
/// # Errors
/// Trouble with the bus.
pub async fn follow(bus: &Bus) -> zbus::Result<()> {
    let rule = MatchRule::builder()
        .msg_type(Kind::Signal)
        .interface(EVENTS)?
        .member("StateChanged")?
        .arg(0, "focused")?
        .build();
    let mut told = MessageStream::for_match_rule(rule, bus.connection(), None).await?;
    // Events that nobody takes hold up the bus, and with it the answers that the beginning waits for.
    let mut early = LastFocused::default();
    tokio::select! {
        begun = begin(bus) => begun?,
        listened = listen(&mut told, |object| early.note(object)) => return listened,
    }
    // They are newer than what was found at the beginning.
    for object in early.0 {
        LAST.lock().note(object);
    }
    listen(&mut told, |object| LAST.lock().note(object)).await
}

/// Asks programs to tell of the focus, and finds the object that has it.
async fn begin(bus: &Bus) -> zbus::Result<()> {
    let registering = bus.register("object:state-changed:focused");
    match timeout(BUS_WAIT, registering).await {
        Ok(registered) => registered?,
        // It was asked, and may still do so: whoever tells is heard.
        Err(_) => tracing::debug!("the accessibility bus does not say that it tells of the focus"),
    }
    let until = Instant::now() + TOPLEVEL_SETTLES;
    let front = toplevels(bus, until).await.pop().filter(|last| last.is_active);
    if let Some(front) = front {
        note_now(bus, &front.object, until).await;
    }
    Ok(())
}

/// Calls `note` with every object that gets the focus, until the bus is gone.
async fn listen(told: &mut MessageStream, mut note: impl FnMut(Object)) -> zbus::Result<()> {
    while let Some(event) = told.next().await {
        let event = event?;
        let header = event.header();
        if let (Some(sender), Some(path)) = (header.sender(), header.path())
            && is_gained(&event)
        {
            note((sender.to_string(), path.clone().into()));
        }
    }
    Ok(())
}

/// The object of a window that has the focus now, which is remembered.
async fn note_now(bus: &Bus, window: &Object, until: Instant) -> Option<Object> {
    let asked = matches(window, &any_but_passwords(), &[state::FOCUSED], 1);
    let told = bus.one(asked, until).await;
    let focused: Vec<Object> = if told.is_refused(0) {
        walk(bus, window, until).await.focused
    } else {
        told.read(0).unwrap_or_default()
    };
    let object = focused.into_iter().next()?;
    LAST.lock().note(object.clone());
    Some(object)
}

/// Whether an event says that its object got the focus; the same event says that it lost it.
fn is_gained(event: &Message) -> bool {
    let body = event.body();
    let told: zbus::Result<Structure<'_>> = body.deserialize();
    told.is_ok_and(|told| matches!(told.fields().get(1), Some(Value::I32(1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use zbus::zvariant::{ObjectPath, OwnedValue};

    fn object(program: &str, number: usize) -> Object {
        let path = ObjectPath::try_from(format!("/{number}")).unwrap();
        (program.to_owned(), path.into())
    }

    #[test]
    fn of_each_program_the_object_that_got_the_focus_last_is_remembered() {
        let mut last = LastFocused::default();
        for (program, number) in [(":1.2", 1), (":1.3", 7), (":1.2", 2)] {
            last.note(object(program, number));
        }
        assert_eq!(last.of(":1.2"), Some(&object(":1.2", 2)));
        assert_eq!(last.of(":1.3"), Some(&object(":1.3", 7)));
        assert_eq!(last.of(":1.4"), None);
    }

    #[test]
    fn programs_beyond_the_bound_push_out_the_one_that_was_silent_longest() {
        let mut last = LastFocused::default();
        last.note(object("first", 0));
        for number in 0..FOCUSED_MAX {
            last.note(object(&format!(":1.{number}"), number));
        }
        assert_eq!(last.0.len(), FOCUSED_MAX);
        assert_eq!(last.of("first"), None);
        assert!(last.of(":1.0").is_some());
    }

    #[test]
    fn an_event_counts_where_the_focus_is_gained_in_both_forms_of_events() {
        let event = |is_focused: i32| {
            let message = Message::signal("/7", EVENTS, "StateChanged").unwrap();
            let rest: HashMap<String, OwnedValue> = HashMap::new();
            let body = ("focused", is_focused, 0_i32, Value::from(0_i32), rest);
            message.build(&body).unwrap()
        };
        assert!(is_gained(&event(1)));
        assert!(!is_gained(&event(0)));
        let message = Message::signal("/7", EVENTS, "StateChanged").unwrap();
        let body = ("focused", 1_i32, 0_i32, Value::from(0_i32), object(":1.2", 3));
        assert!(is_gained(&message.build(&body).unwrap()));
        let message = Message::signal("/7", EVENTS, "StateChanged").unwrap();
        assert!(!is_gained(&message.build(&("focused",)).unwrap()));
    }
}
