//! Lets the user pick files, a folder, or the path of a new file, with the platform's dialog.

use crate::words::{self, Language};
use tauri::{AppHandle, Manager};
use tokio::sync::oneshot;

/// The kind of path to be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Files,
    Folder,
    /// The path of a new file, with this name unless the user gives another.
    NewFile(String),
}

/// Absolute paths that the user picked in a dialog in front of that window; empty when dismissed.
pub async fn pick(app: &AppHandle, window: &str, wanted: Wanted, language: Language) -> Vec<String> {
    let (answer, picked) = oneshot::channel();
    let window = window.to_owned();
    crate::panel::on_main(app, move |app| show(app, &window, wanted, language, answer));
    picked.await.unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn show(
    app: &AppHandle,
    window: &str,
    wanted: Wanted,
    language: Language,
    answer: oneshot::Sender<Vec<String>>,
) {
    use gtk::prelude::*;
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    let parent = app
        .get_webview_window(window)
        .and_then(|window| window.gtk_window().ok());
    let dialog = gtk::FileChooserNative::new(
        Some(words::pick_title(language, &wanted)),
        parent.as_ref(),
        match wanted {
            Wanted::Files => gtk::FileChooserAction::Open,
            Wanted::Folder => gtk::FileChooserAction::SelectFolder,
            Wanted::NewFile(_) => gtk::FileChooserAction::Save,
        },
        None,
        None,
    );
    dialog.set_select_multiple(wanted == Wanted::Files);
    // The dialog would otherwise begin with recent files, where the user can neither choose a folder nor write.
    if wanted != Wanted::Files {
        dialog.set_current_folder(gtk::glib::home_dir());
    }
    if let Wanted::NewFile(name) = &wanted {
        dialog.set_current_name(name);
        dialog.set_do_overwrite_confirmation(true);
    }
    dialog.set_modal(true);
    // The dialog's own handler keeps it alive until it has answered.
    let kept = Rc::new(RefCell::new(Some(dialog.clone())));
    let answer = Cell::new(Some(answer));
    dialog.connect_response(move |dialog, response| {
        let picked = match response {
            gtk::ResponseType::Accept => dialog.filenames(),
            _ => Vec::new(),
        };
        let paths = picked
            .into_iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        let sent = answer.take().map(|answer| answer.send(paths));
        if let Some(Err(_)) = sent {
            tracing::debug!("Nobody waits for the picked files any more");
        }
        kept.take();
    });
    dialog.show();
}

#[cfg(not(target_os = "linux"))]
fn show(
    _app: &AppHandle,
    _window: &str,
    wanted: Wanted,
    language: Language,
    answer: oneshot::Sender<Vec<String>>,
) {
    let dialog = rfd::AsyncFileDialog::new().set_title(words::pick_title(language, &wanted));
    tauri::async_runtime::spawn(async move {
        let files = match wanted {
            Wanted::Files => dialog.pick_files().await.unwrap_or_default(),
            Wanted::Folder => dialog.pick_folder().await.into_iter().collect(),
            Wanted::NewFile(name) => {
                let dialog = dialog.set_file_name(name);
                dialog.save_file().await.into_iter().collect()
            }
        };
        let paths = files
            .iter()
            .map(|file| file.path().to_string_lossy().into_owned())
            .collect();
        if answer.send(paths).is_err() {
            tracing::debug!("Nobody waits for the picked files any more");
        }
    });
}
