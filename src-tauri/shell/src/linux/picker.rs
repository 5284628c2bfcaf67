//! The picker of files, of the window library.

use crate::file_dialog::FileDialog;
use crate::words;
use gtk::prelude::*;
use shidi_locales::Language;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tauri::{AppHandle, Manager};
use tokio::sync::oneshot;

/// Shows the dialog in front of a window; answers with absolute paths, none when dismissed.
pub fn show(
    app: &AppHandle,
    window: &str,
    wanted: FileDialog,
    language: Language,
    answer: oneshot::Sender<Vec<String>>,
) {
    let parent = app
        .get_webview_window(window)
        .and_then(|window| window.gtk_window().ok());
    let dialog = gtk::FileChooserNative::new(
        Some(words::pick_title(language, &wanted)),
        parent.as_ref(),
        match wanted {
            FileDialog::Files => gtk::FileChooserAction::Open,
            FileDialog::Folder => gtk::FileChooserAction::SelectFolder,
            FileDialog::NewFile(_) => gtk::FileChooserAction::Save,
        },
        None,
        None,
    );
    dialog.set_select_multiple(wanted == FileDialog::Files);
    // The dialog would otherwise begin with recent files, where the user can neither choose a folder nor write.
    if wanted != FileDialog::Files {
        dialog.set_current_folder(gtk::glib::home_dir());
    }
    if let FileDialog::NewFile(name) = &wanted {
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
