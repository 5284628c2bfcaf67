//! The picker of files on macOS and Windows (compiled there, not tried yet).

use crate::file_dialog::FileDialog;
use crate::words;
use shidi_locales::Language;
use tauri::AppHandle;
use tokio::sync::oneshot;

/// Shows the dialog; answers with absolute paths, none when dismissed.
pub fn show(
    _app: &AppHandle,
    _window: &str,
    wanted: FileDialog,
    language: Language,
    answer: oneshot::Sender<Vec<String>>,
) {
    let dialog = rfd::AsyncFileDialog::new().set_title(words::pick_title(language, &wanted));
    tauri::async_runtime::spawn(async move {
        let files = match wanted {
            FileDialog::Files => dialog.pick_files().await.unwrap_or_default(),
            FileDialog::Folder => dialog.pick_folder().await.into_iter().collect(),
            FileDialog::NewFile(name) => {
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
