//! Notifications on macOS and Windows (compiled there, not tried yet). A click does nothing.

use crate::notices::{Clicked, Notification};
use tauri::AppHandle;

pub fn show(_app: &AppHandle, notification: Notification, _clicked: Clicked) {
    let mut shown = notify_rust::Notification::new();
    shown
        .summary(notification.title)
        .body(&format!("{} {}", notification.text, notification.detail));
    if let Err(error) = shown.show() {
        tracing::debug!(%error, "The desktop shows no notifications");
    }
}

pub fn withdraw() {}
