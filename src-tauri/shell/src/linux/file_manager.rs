//! Shows a file in its folder, by the file manager's own interface on the session bus. Where no file manager has the
//! interface, the folder is opened.

use super::{links, theme::has_session_bus, window};
use gtk::gio::{self, BusType, DBusCallFlags};
use gtk::glib::{self, ToVariant};
use std::path::{Path, PathBuf};
use tauri::AppHandle;

const NAME: &str = "org.freedesktop.FileManager1";
const OBJECT: &str = "/org/freedesktop/FileManager1";
/// Longest wait for the file manager to start, in milliseconds; no other work waits for it.
const ANSWER_LIMIT_MS: i32 = 5_000;

/// Shows the file with its folder.
pub fn show(app: &AppHandle, path: PathBuf) {
    window::on_main(app, move |_| {
        glib::MainContext::default().spawn_local(async move {
            let shown = match has_session_bus() {
                true => select(&path).await.map_err(|error| error.to_string()),
                false => Err("there is no session bus".to_owned()),
            };
            if let Err(error) = shown {
                tracing::debug!(%error, "No file manager selects files");
                open_folder(&path);
            }
        });
    });
}

async fn select(path: &Path) -> Result<(), glib::Error> {
    let address = glib::filename_to_uri(path, None)?;
    let bus = gio::bus_get_future(BusType::Session).await?;
    let asked = (vec![address.as_str()], "").to_variant();
    let call = bus.call_future(
        Some(NAME),
        OBJECT,
        NAME,
        "ShowItems",
        Some(&asked),
        None,
        DBusCallFlags::NONE,
        ANSWER_LIMIT_MS,
    );
    call.await.map(drop)
}

fn open_folder(path: &Path) {
    let folder = path.parent().unwrap_or(path);
    if let Err(error) = links::hand_over(&folder.to_string_lossy()) {
        tracing::warn!(%error, "A folder could not be opened");
    }
}
