//! Light or dark, for the pages, the ball's menu and the dialogs: the user's choice, else the desktop's preference.
//!
//! The desktop portal is asked without waiting. Without a session bus or a portal, the toolkit's own theme
//! stays. Main thread only, except for [`has_session_bus`].

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
/// Longest wait for the portal's answer, in milliseconds; no other work waits for it.
const ANSWER_LIMIT_MS: i32 = 5_000;
/// The portal's value for a preference of dark; 0 is no preference, 2 is light.
const PREFERS_DARK: u32 = 1;

thread_local! {
    static CHOSEN: Cell<Theme> = const { Cell::new(Theme::System) };
    /// Whether the desktop prefers dark.
    static DESKTOP: Cell<bool> = const { Cell::new(false) };
}

/// Applies the desktop's preference now, and each later one.
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

/// Applies the user's choice, which goes before the desktop's preference.
pub fn choose(theme: Theme) {
    CHOSEN.set(theme);
    apply();
}

/// Whether windows are to be drawn dark now.
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

/// Subscribes to the portal's changes; the subscription lives as long as the program.
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

/// Unwraps the preference, which is wrapped once or twice, depending on the portal's age.
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

/// Whether a session bus exists: without one, the library would start a bus of its own.
#[must_use]
pub fn has_session_bus() -> bool {
    let named = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| address != "disabled:");
    let usual =
        std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    named || usual
}
