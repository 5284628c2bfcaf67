//! Others on the session bus, as desktops have them: a tray, a notification daemon, a portal that gives keys.
//!
//! Each is the smallest that follows its specification, and says what was asked of it.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use zbus::blocking::{Connection, Proxy, connection};
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

type Facts = HashMap<String, OwnedValue>;
/// One line of a menu, with those below it: as the specification of menus over the bus has it.
type Line = (i32, Facts, Vec<OwnedValue>);

/// Longest wait for anything on the bus.
const PATIENCE: Duration = Duration::from_secs(45);

/// Waits for what one of the others was told.
pub fn told<T>(said: &Receiver<T>) -> T {
    said.recv_timeout(PATIENCE)
        .unwrap_or_else(|error| panic!("nothing came over the bus: {error}"))
}

// ---- notifications ------------------------------------------------------------------------------------------

const NOTICES: &str = "org.freedesktop.Notifications";
const NOTICES_AT: &str = "/org/freedesktop/Notifications";

/// A notification daemon.
pub struct Notices {
    bus: Connection,
    pub shown: Receiver<String>,
}

struct NoticeDaemon(Sender<String>);

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl NoticeDaemon {
    #[expect(clippy::too_many_arguments, reason = "the specification has them")]
    fn notify(
        &self,
        _name: String,
        _replaces: u32,
        _icon: String,
        summary: String,
        body: String,
        _actions: Vec<String>,
        _hints: Facts,
        _expires: i32,
    ) -> u32 {
        self.0.send(format!("{summary}: {body}")).unwrap();
        7
    }

    fn close_notification(&self, _number: u32) {
        self.0.send("closed".to_owned()).unwrap();
    }
}

impl Notices {
    pub fn start() -> Self {
        let (sender, shown) = channel();
        let bus = connection::Builder::session().and_then(|builder| {
            builder
                .name(NOTICES)?
                .serve_at(NOTICES_AT, NoticeDaemon(sender))?
                .build()
        });
        Self {
            bus: bus.unwrap(),
            shown,
        }
    }

    /// The user clicks the notification.
    pub fn click(&self) {
        self.bus
            .emit_signal(
                None::<&str>,
                NOTICES_AT,
                NOTICES,
                "ActionInvoked",
                &(7_u32, "default"),
            )
            .unwrap();
    }
}

// ---- tray ---------------------------------------------------------------------------------------------------

/// A tray: what registers, and what its menu offers.
pub struct Tray {
    bus: Connection,
    pub items: Receiver<String>,
}

struct Watcher(Sender<String>);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(
        &self,
        service: &str,
        #[zbus(header)] header: zbus::message::Header<'_>,
    ) {
        let name = match service.starts_with('/') {
            true => header.sender().map(ToString::to_string).unwrap_or_default(),
            false => service.to_owned(),
        };
        self.0.send(name).unwrap();
    }

    fn register_status_notifier_host(&self, _service: &str) {}

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        Vec::new()
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

impl Tray {
    pub fn start() -> Self {
        let (sender, items) = channel();
        let bus = connection::Builder::session().and_then(|builder| {
            builder
                .name("org.kde.StatusNotifierWatcher")?
                .serve_at("/StatusNotifierWatcher", Watcher(sender))?
                .build()
        });
        Self {
            bus: bus.unwrap(),
            items,
        }
    }

    pub fn title(&self, item: &str) -> String {
        let proxy = Proxy::new(
            &self.bus,
            item.to_owned(),
            "/StatusNotifierItem",
            "org.kde.StatusNotifierItem",
        );
        let proxy = proxy.unwrap();
        proxy.get_property("Title").unwrap()
    }

    /// The lines of the menu, with their numbers.
    pub fn menu(&self, item: &str) -> Vec<(i32, String)> {
        let (_, (_, _, below)): (u32, Line) = self
            .menu_of(item)
            .call("GetLayout", &(0_i32, -1_i32, Vec::<String>::new()))
            .unwrap();
        below
            .into_iter()
            .filter_map(|line| {
                let (number, facts, _) = Line::try_from(line).ok()?;
                let label = String::try_from(facts.get("label")?.try_clone().ok()?).ok()?;
                Some((number, label))
            })
            .collect()
    }

    pub fn choose(&self, item: &str, number: i32) {
        let event = (number, "clicked", Value::from(0_i32), 0_u32);
        let (): () = self.menu_of(item).call("Event", &event).unwrap();
    }

    fn menu_of(&self, item: &str) -> Proxy<'_> {
        Proxy::new(&self.bus, item.to_owned(), "/MenuBar", "com.canonical.dbusmenu").unwrap()
    }
}

// ---- portal -------------------------------------------------------------------------------------------------

const PORTAL_AT: &str = "/org/freedesktop/portal/desktop";
const SHORTCUTS: &str = "org.freedesktop.portal.GlobalShortcuts";

/// A portal that gives the keys it is asked for.
pub struct Portal {
    bus: Connection,
    /// Keys asked for, by their name; `session` names the session.
    pub asked: Receiver<KeyRequest>,
}

pub struct KeyRequest {
    pub session: OwnedObjectPath,
    pub triggers: Vec<(String, String)>,
}

struct Shortcuts {
    asked: Sender<KeyRequest>,
    /// Its user refuses more keys than these at once.
    most: usize,
}

#[zbus::interface(name = "org.freedesktop.portal.GlobalShortcuts")]
impl Shortcuts {
    async fn create_session(
        &self,
        options: Facts,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] bus: &zbus::Connection,
    ) -> OwnedObjectPath {
        let session = path("session", &header, &text(&options, "session_handle_token"));
        let results = HashMap::from([("session_handle", Value::from(session.as_str()))]);
        answer(bus, (&header, &options), 0, results).await
    }

    async fn bind_shortcuts(
        &self,
        session: OwnedObjectPath,
        shortcuts: Vec<(String, Facts)>,
        _parent: String,
        options: Facts,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] bus: &zbus::Connection,
    ) -> OwnedObjectPath {
        let triggers: Vec<(String, String)> = shortcuts
            .iter()
            .map(|(name, facts)| (name.clone(), text(facts, "preferred_trigger")))
            .collect();
        let bound: Vec<(String, HashMap<&str, Value<'_>>)> = shortcuts
            .iter()
            .map(|(name, facts)| {
                let described = text(facts, "preferred_trigger");
                let facts = HashMap::from([
                    ("description", Value::from(text(facts, "description"))),
                    ("trigger_description", Value::from(format!("Press {described}"))),
                ]);
                (name.clone(), facts)
            })
            .collect();
        let code = u32::from(triggers.len() > self.most);
        self.asked.send(KeyRequest { session, triggers }).unwrap();
        let results = HashMap::from([("shortcuts", Value::from(bound))]);
        answer(bus, (&header, &options), code, results).await
    }

    #[zbus(property, name = "version")]
    fn version(&self) -> u32 {
        1
    }
}

/// Answers a request as portals do: by a signal on an object that is named after the one who asked. The code 1 says that
/// the user refused.
async fn answer(
    bus: &zbus::Connection,
    (header, options): (&zbus::message::Header<'_>, &Facts),
    code: u32,
    results: HashMap<&str, Value<'_>>,
) -> OwnedObjectPath {
    let request = path("request", header, &text(options, "handle_token"));
    bus.emit_signal(
        header.sender().cloned(),
        request.clone(),
        "org.freedesktop.portal.Request",
        "Response",
        &(code, results),
    )
    .await
    .unwrap();
    request
}

fn path(kind: &str, header: &zbus::message::Header<'_>, token: &str) -> OwnedObjectPath {
    let sender = header.sender().map(ToString::to_string).unwrap_or_default();
    let sender = sender.trim_start_matches(':').replace('.', "_");
    OwnedObjectPath::try_from(format!("{PORTAL_AT}/{kind}/{sender}/{token}")).unwrap()
}

fn text(facts: &Facts, name: &str) -> String {
    let value = facts.get(name).and_then(|value| value.try_clone().ok());
    value
        .and_then(|value| String::try_from(value).ok())
        .unwrap_or_default()
}

impl Portal {
    pub fn start() -> Self {
        Self::that_refuses_more_than(usize::MAX)
    }

    /// A portal whose user refuses to give more keys than these at once.
    pub fn that_refuses_more_than(most: usize) -> Self {
        let (sender, asked) = channel();
        let shortcuts = Shortcuts { asked: sender, most };
        let bus = connection::Builder::session().and_then(|builder| {
            builder
                .name("org.freedesktop.portal.Desktop")?
                .serve_at(PORTAL_AT, shortcuts)?
                .build()
        });
        Self {
            bus: bus.unwrap(),
            asked,
        }
    }

    /// The user presses the keys of that name.
    pub fn press(&self, session: &OwnedObjectPath, name: &str) {
        let activated = (session, name, 0_u64, HashMap::<&str, Value<'_>>::new());
        self.bus
            .emit_signal(None::<&str>, PORTAL_AT, SHORTCUTS, "Activated", &activated)
            .unwrap();
    }
}
