//! Shows a file's folder with the file manager of macOS and Windows (compiled there, not tried yet).

use std::path::PathBuf;
use tauri::AppHandle;

/// Opens the folder of the file.
pub fn show(_app: &AppHandle, path: PathBuf) {
    let folder = path.parent().unwrap_or(&path);
    if let Err(error) = open::that_detached(folder) {
        tracing::warn!(%error, "A folder could not be opened");
    }
}
