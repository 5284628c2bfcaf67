//! The accessibility bus: a connection, and many questions at once.
//!
//! Questions are sent together and answered together. One at a time, a window of 150 objects costs seconds on a busy
//! machine; together it costs milliseconds. Every wait ends at a given moment, and what has come by then is kept.

use futures_util::StreamExt as _;
use shidi_protocol::Area;
use std::collections::HashMap;
use tokio::time::{Instant, timeout_at};
use zbus::message::Type as Kind;
use zbus::zvariant::{DynamicDeserialize, DynamicType, OwnedObjectPath, OwnedValue};
use zbus::{Connection, Message, MessageStream, connection};

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const COMPONENT: &str = "org.a11y.atspi.Component";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const REGISTRY: &str = "org.a11y.atspi.Registry";
const ROOT: &str = "/org/a11y/atspi/accessible/root";

/// An object of a program: the program's name on the bus, and the object's path.
pub type Object = (String, OwnedObjectPath);

/// The session's bus as far as accessibility concerns it.
#[derive(Debug)]
pub struct Session(Connection);

/// The accessibility bus.
#[derive(Debug)]
pub struct Bus(Connection);

/// Answers in the order of their questions, as far as they came in time.
pub struct Answers {
    answers: Vec<Option<Message>>,
    /// Whether the time was over before the last one came.
    pub cut: bool,
}

impl Session {
    /// # Errors
    /// No session bus.
    pub async fn open() -> zbus::Result<Self> {
        Connection::session().await.map(Self)
    }

    /// The accessibility bus of this session.
    ///
    /// # Errors
    /// The session has none.
    pub async fn accessibility(&self) -> zbus::Result<Bus> {
        let (name, path) = ("org.a11y.Bus", "/org/a11y/bus");
        let told = self
            .0
            .call_method(Some(name), path, Some(name), "GetAddress", &())
            .await?;
        let address: String = told.body().deserialize()?;
        connection::Builder::address(address.as_str())?
            .build()
            .await
            .map(Bus)
    }

    /// Whether programs are asked to tell what they show.
    ///
    /// # Errors
    /// Trouble with the bus.
    pub async fn is_enabled(&self) -> zbus::Result<bool> {
        let asked = ("org.a11y.Status", "IsEnabled");
        let told = self
            .0
            .call_method(
                Some("org.a11y.Bus"),
                "/org/a11y/bus",
                Some(PROPERTIES),
                "Get",
                &asked,
            )
            .await?;
        let value: OwnedValue = told.body().deserialize()?;
        Ok(bool::try_from(value)?)
    }

    /// Asks all programs of the session to tell what they show, or to stop.
    ///
    /// # Errors
    /// Trouble with the bus.
    pub async fn enable(&self, enabled: bool) -> zbus::Result<()> {
        let value = zbus::zvariant::Value::from(enabled);
        let wanted = ("org.a11y.Status", "IsEnabled", value);
        let (name, path) = ("org.a11y.Bus", "/org/a11y/bus");
        self.0
            .call_method(Some(name), path, Some(PROPERTIES), "Set", &wanted)
            .await?;
        Ok(())
    }
}

impl Bus {
    /// The object that knows all programs.
    #[must_use]
    pub fn registry() -> Object {
        (REGISTRY.to_owned(), path(ROOT))
    }

    /// Asks all of it at once, and waits for the answers until then.
    pub async fn ask(&self, questions: Vec<Option<Message>>, until: Instant) -> Answers {
        let mut answers: Vec<Option<Message>> = (0..questions.len()).map(|_| None).collect();
        let mut places: HashMap<u32, usize> = HashMap::new();
        for (place, question) in questions.iter().enumerate() {
            if let Some(question) = question {
                places.insert(question.primary_header().serial_num().get(), place);
            }
        }
        let mut told = MessageStream::from(&self.0);
        let sending = async {
            for question in questions.iter().flatten() {
                if let Err(cause) = self.0.send(question).await {
                    tracing::debug!(%cause, "a question to the accessibility bus was not sent");
                    return;
                }
            }
        };
        let receiving = async {
            while !places.is_empty() {
                let Some(Ok(message)) = told.next().await else {
                    return;
                };
                let serial = message.header().reply_serial().map(std::num::NonZeroU32::get);
                if let Some(place) = serial.and_then(|serial| places.remove(&serial)) {
                    answers[place] = Some(message);
                }
            }
        };
        let both = async { tokio::join!(sending, receiving) };
        let cut = timeout_at(until, both).await.is_err();
        Answers { answers, cut }
    }

    /// Asks all programs to tell of such events.
    ///
    /// # Errors
    /// Trouble with the bus.
    pub async fn register(&self, event: &str) -> zbus::Result<()> {
        let path = "/org/a11y/atspi/registry";
        self.0
            .call_method(Some(REGISTRY), path, Some(REGISTRY), "RegisterEvent", &event)
            .await
            .map(drop)
    }

    /// The connection itself, for those who listen.
    pub fn connection(&self) -> &Connection {
        &self.0
    }

    /// Whether the bus is gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Asks one thing.
    pub async fn one(&self, question: Option<Message>, until: Instant) -> Answers {
        self.ask(vec![question], until).await
    }
}

impl Answers {
    /// The answer at that place in its form; `None` for an error, another form, or none in time.
    pub fn read<T>(&self, place: usize) -> Option<T>
    where
        T: for<'d> DynamicDeserialize<'d>,
    {
        let message = self.answers.get(place)?.as_ref()?;
        match message.message_type() {
            Kind::MethodReturn => message.body().deserialize().ok(),
            Kind::Error | Kind::MethodCall | Kind::Signal => None,
        }
    }

    /// The value of a property at that place.
    pub fn value<T: TryFrom<OwnedValue>>(&self, place: usize) -> Option<T> {
        self.read::<OwnedValue>(place)
            .and_then(|value| value.try_into().ok())
    }

    /// The place at that place of the answers; `None` for an object that has no size.
    #[must_use]
    pub fn area(&self, place: usize) -> Option<Area> {
        let ((x, y, width, height),): ((i32, i32, i32, i32),) = self.read(place)?;
        let side = |length: i32| u32::try_from(length).ok().filter(|length| *length > 0);
        Some(Area {
            x,
            y,
            width: side(width)?,
            height: side(height)?,
        })
    }

    /// Whether the program refused the question at that place: it does not know that interface.
    #[must_use]
    pub fn is_refused(&self, place: usize) -> bool {
        let answer = self.answers.get(place).and_then(Option::as_ref);
        answer.is_some_and(|message| message.message_type() == Kind::Error)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }
}

/// A question to an object.
pub fn question<B>(to: &Object, interface: &str, member: &str, body: &B) -> Option<Message>
where
    B: serde::Serialize + DynamicType,
{
    let built = Message::method_call(to.1.as_str(), member)
        .and_then(|message| message.destination(to.0.as_str()))
        .and_then(|message| message.interface(interface))
        .and_then(|message| message.build(body));
    // A name or path of the wrong form came from the program itself: there is nothing to ask then.
    built.ok()
}

pub fn children(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetChildren", &())
}

pub fn role(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetRole", &())
}

pub fn states(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetState", &())
}

pub fn parent(of: &Object) -> Option<Message> {
    property(of, ACCESSIBLE, "Parent")
}

pub fn interfaces(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetInterfaces", &())
}

/// The name of the toolkit that an object's program is made with.
pub fn toolkit(of: &Object) -> Option<Message> {
    let program = (of.0.clone(), path(ROOT));
    property(&program, "org.a11y.atspi.Application", "ToolkitName")
}

pub fn attributes(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetAttributes", &())
}

pub fn relations(of: &Object) -> Option<Message> {
    question(of, ACCESSIBLE, "GetRelationSet", &())
}

pub fn name(of: &Object) -> Option<Message> {
    property(of, ACCESSIBLE, "Name")
}

pub fn property(of: &Object, interface: &str, name: &str) -> Option<Message> {
    question(of, PROPERTIES, "Get", &(interface, name))
}

/// Where a place is told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    Desktop = 0,
    Window = 1,
}

pub fn place(of: &Object, from: From) -> Option<Message> {
    question(of, COMPONENT, "GetExtents", &(from as u32))
}

/// The process behind a program's name.
pub fn process(name: &str) -> Option<Message> {
    let bus = ("org.freedesktop.DBus".to_owned(), path("/org/freedesktop/DBus"));
    question(&bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID", &name)
}

fn path(text: &'static str) -> OwnedObjectPath {
    zbus::zvariant::ObjectPath::from_static_str_unchecked(text).into()
}
