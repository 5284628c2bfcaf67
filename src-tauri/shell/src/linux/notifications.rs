//! Notifications over the session bus, on the main loop.

use crate::linux::theme::has_session_bus;
use crate::notices::{ClickPlace, Clicked, Notification};
use gtk::gio::{self, BusType, DBusCallFlags, DBusConnection, DBusSignalFlags};
use gtk::glib::{self, ToVariant, Variant, VariantDict, VariantTy};
use std::cell::RefCell;
use std::collections::VecDeque;
use tauri::AppHandle;

const NAME: &str = "org.freedesktop.Notifications";
const OBJECT: &str = "/org/freedesktop/Notifications";
/// Longest wait for the desktop's answer, in milliseconds; no other work waits for it.
const ANSWER_LIMIT_MS: i32 = 5_000;
/// Notifications beside the others that a click is understood of; a desktop forgets older ones too.
const STAYING_MAX: usize = 16;
/// The desktop decides how long a notification stays.
const USUAL_TIME: i32 = -1;

#[derive(Default)]
struct Shown {
    bus: Option<DBusConnection>,
    /// The shown notification's number, or 0; the next one replaces it.
    number: u32,
    place: Option<ClickPlace>,
    /// The notifications beside it, with their places.
    staying: VecDeque<(u32, Option<ClickPlace>)>,
}

impl Shown {
    /// Where a click on the notification of that number leads; `None` for one that is not ours.
    fn place_of(&mut self, number: u32) -> Option<Option<ClickPlace>> {
        if self.number == number && number != 0 {
            return Some(self.place.take());
        }
        let mut staying = self.staying.iter();
        staying
            .find(|(known, _)| *known == number)
            .map(|(_, place)| place.clone())
    }
}

thread_local! {
    static SHOWN: RefCell<Shown> = RefCell::default();
}

/// Shows a notification in place of the one before, or beside it.
pub fn show(app: &AppHandle, notification: Notification, clicked: Clicked) {
    if !has_session_bus() {
        return;
    }
    let app = app.clone();
    glib::MainContext::default().spawn_local(async move {
        if let Err(error) = send(&app, notification, clicked).await {
            tracing::debug!(%error, "The desktop shows no notifications");
        }
    });
}

/// Withdraws the shown notification.
pub fn withdraw() {
    let (bus, number) = SHOWN.with_borrow_mut(|shown| (shown.bus.clone(), std::mem::take(&mut shown.number)));
    let Some(bus) = bus.filter(|_| number != 0) else {
        return;
    };
    glib::MainContext::default().spawn_local(async move {
        let asked = (number,).to_variant();
        if let Err(error) = call(&bus, "CloseNotification", &asked, None).await {
            tracing::debug!(%error, "A notification could not be taken back");
        }
    });
}

async fn send(app: &AppHandle, notification: Notification, clicked: Clicked) -> Result<(), glib::Error> {
    let bus = gio::bus_get_future(BusType::Session).await?;
    let before = SHOWN.with_borrow_mut(|shown| {
        if shown.bus.replace(bus.clone()).is_none() {
            listen(app, &bus, clicked);
        }
        if notification.stays { 0 } else { shown.number }
    });
    let hints = VariantDict::new(None);
    hints.insert_value("desktop-entry", &"dev.shidi.desktop".to_variant());
    let body = if notification.detail.is_empty() {
        notification.text
    } else {
        format!("{}: {}", notification.text, notification.detail)
    };
    let asked = Variant::tuple_from_iter([
        "Shidi".to_variant(),
        before.to_variant(),
        "shidi-desktop".to_variant(),
        notification.title.to_variant(),
        // Some desktops read the body as markup.
        glib::markup_escape_text(&body).as_str().to_variant(),
        vec!["default".to_owned(), notification.open].to_variant(),
        hints.end(),
        USUAL_TIME.to_variant(),
    ]);
    let answer = call(&bus, "Notify", &asked, VariantTy::new("(u)").ok()).await?;
    SHOWN.with_borrow_mut(|shown| {
        let number = answer.child_value(0).get().unwrap_or_default();
        if notification.stays {
            shown.staying.truncate(STAYING_MAX - 1);
            shown.staying.push_front((number, notification.place));
        } else {
            shown.number = number;
            shown.place = notification.place;
        }
    });
    Ok(())
}

async fn call(
    bus: &DBusConnection,
    method: &str,
    asked: &Variant,
    answer: Option<&VariantTy>,
) -> Result<Variant, glib::Error> {
    let flags = DBusCallFlags::NONE;
    bus.call_future(
        Some(NAME),
        OBJECT,
        NAME,
        method,
        Some(asked),
        answer,
        flags,
        ANSWER_LIMIT_MS,
    )
    .await
}

/// Subscribes to clicks; the subscription lives as long as the program.
fn listen(app: &AppHandle, bus: &DBusConnection, clicked: Clicked) {
    let app = app.clone();
    let _subscription = bus.signal_subscribe(
        Some(NAME),
        Some(NAME),
        Some("ActionInvoked"),
        Some(OBJECT),
        None,
        DBusSignalFlags::NONE,
        move |_, _, _, _, _, invoked| {
            let number: u32 = invoked.child_value(0).get().unwrap_or_default();
            let place = SHOWN.with_borrow_mut(|shown| shown.place_of(number));
            if let Some(place) = place {
                clicked(&app, place);
            }
        },
    );
}
