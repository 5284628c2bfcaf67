//! Lets the user pick files, a folder, or the path of a new file, with the platform's dialog.

use crate::file_dialog::FileDialog;
use crate::system::{self, window};
use shidi_locales::Language;
use tauri::AppHandle;
use tokio::sync::oneshot;

/// Absolute paths that the user picked in a dialog in front of that window; empty when dismissed.
pub async fn pick(app: &AppHandle, window: &str, wanted: FileDialog, language: Language) -> Vec<String> {
    let (answer, picked) = oneshot::channel();
    let window = window.to_owned();
    window::on_main(app, move |app| {
        system::picker::show(app, &window, wanted, language, answer)
    });
    picked.await.unwrap_or_default()
}
