//! Light or dark, for the pages, the ball's menu and the dialogs: what the user has chosen, else what the desktop says.
//!
//! Asks the desktop portal without waiting for it. No session bus, or no portal, leaves the toolkit's own theme. Main
//! thread only, but for [`has_session_bus`].

use crate::settings::Theme;
use gtk::gio::{self, BusType, DBusCallFlags, DBusConnection, DBusSignalFlags};
use gtk::glib::{self, ToVariant, Variant, VariantTy};
use gtk::prelude::*;
use std::cell::Cell;
use std::path::Path;

const PORTAL: &str = "org.freedesktop.portal.Desktop";
const OBJECT: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "color-scheme";
/// Longest wait for the portal's answer, in milliseconds; nothing waits for it.
const ANSWER_LIMIT_MS: i32 = 5_000;
/// The portal's word for a preference of dark; 0 is none, 2 is light.
const PREFERS_DARK: u32 = 1;

thread_local! {
    static CHOSEN: Cell<Theme> = const { Cell::new(Theme::System) };
    /// Whether the desktop prefers dark.
    static DESKTOP: Cell<bool> = const { Cell::new(false) };
}

/// Takes over the desktop's choice now, and each later one.
pub fn follow() {
    if let Some(settings) = gtk::Settings::default() {
        DESKTOP.set(settings.is_gtk_application_prefer_dark_theme());
    }
    if !has_session_bus() {
        return;
    }
    glib::MainContext::default().spawn_local(async {
        if let Err(error) = follow_portal().await {
            tracing::debug!(%error, "The desktop does not tell its theme");
        }
    });
}

/// Takes over the user's choice, which goes before that of the desktop.
pub fn choose(theme: Theme) {
    CHOSEN.set(theme);
    apply();
}

/// Whether what is drawn now is to be dark.
#[must_use]
pub fn is_dark() -> bool {
    match CHOSEN.get() {
        Theme::Light => false,
        Theme::Dark => true,
        Theme::System => gtk::Settings::default().is_some_and(|settings| {
            let name = settings.gtk_theme_name().unwrap_or_default();
            settings.is_gtk_application_prefer_dark_theme() || name.ends_with("-dark")
        }),
    }
}

fn apply() {
    if let Some(settings) = gtk::Settings::default() {
        settings.set_gtk_application_prefer_dark_theme(match CHOSEN.get() {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::System => DESKTOP.get(),
        });
    }
}

async fn follow_portal() -> Result<(), glib::Error> {
    let bus = gio::bus_get_future(BusType::Session).await?;
    watch(&bus);
    let asked = (NAMESPACE, KEY).to_variant();
    let kind = VariantTy::new("(v)").ok();
    let answer = bus
        .call_future(
            Some(PORTAL),
            OBJECT,
            SETTINGS,
            "Read",
            Some(&asked),
            kind,
            DBusCallFlags::NONE,
            ANSWER_LIMIT_MS,
        )
        .await?;
    take(&answer.child_value(0));
    Ok(())
}

/// The subscription lives as long as the program.
fn watch(bus: &DBusConnection) {
    let _subscription = bus.signal_subscribe(
        Some(PORTAL),
        Some(SETTINGS),
        Some("SettingChanged"),
        Some(OBJECT),
        Some(NAMESPACE),
        DBusSignalFlags::NONE,
        |_, _, _, _, _, changed| {
            if changed.n_children() == 3 && changed.child_value(1).str() == Some(KEY) {
                take(&changed.child_value(2));
            }
        },
    );
}

/// The value comes wrapped once or twice, depending on the portal's age.
fn take(value: &Variant) {
    let mut value = value.clone();
    while let Some(inner) = value.as_variant() {
        value = inner;
    }
    if let Some(scheme) = value.get::<u32>() {
        DESKTOP.set(scheme == PREFERS_DARK);
        apply();
    }
}

/// The library would start a bus of its own where there is none.
#[must_use]
pub fn has_session_bus() -> bool {
    let named = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| address != "disabled:");
    let usual =
        std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    named || usual
}
