//! The common parts of windows that show a page: their names, and their page's bounds.

use std::path::{Path, PathBuf};
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, WebviewUrl, WebviewWindowBuilder, Wry};

/// Names of the windows, in capabilities and events.
pub const PANEL: &str = "panel";
pub const WORKBENCH: &str = "workbench";

/// The folder where pages store their data; both windows are one site.
pub struct PageFolder(Option<PathBuf>);

impl PageFolder {
    #[must_use]
    pub fn within(data_folder: Option<&Path>) -> Self {
        Self(data_folder.map(|folder| folder.join("panel")))
    }
}

/// Begins a hidden window with a page that leaves its own site neither by itself nor by a download.
#[must_use]
pub fn builder<'a>(app: &'a AppHandle, label: &str, page: &str) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    let builder = WebviewWindowBuilder::new(app, label, WebviewUrl::App(page.into()))
        .visible(false)
        .on_navigation(|url| url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost"))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false);
    match &app.state::<PageFolder>().0 {
        Some(folder) => builder.data_directory(folder.clone()),
        None => builder,
    }
}
