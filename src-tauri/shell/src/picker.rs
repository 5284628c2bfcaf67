//! Lets the user pick files, a folder, or the place of a new file with the dialog of the platform.

use crate::words::{self, Language};
use tauri::{AppHandle, Manager};
use tokio::sync::oneshot;

/// What is to be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Files,
    Folder,
    /// Where to write something, by this name unless the user gives another.
    NewFile(String),
}

/// Absolute paths of what was picked in front of that window; none when dismissed.
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
    // Else it would begin with what was used lately, where no folder is and nothing can be written.
    if wanted != Wanted::Files {
        dialog.set_current_folder(gtk::glib::home_dir());
    }
    if let Wanted::NewFile(name) = &wanted {
        dialog.set_current_name(name);
        dialog.set_do_overwrite_confirmation(true);
    }
    dialog.set_modal(true);
    // The dialog lives in its own handler until it has answered.
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
