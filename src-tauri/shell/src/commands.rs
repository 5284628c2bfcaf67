//! The commands that the panel may call: the one door to the runtime, and a few about its own window.
//!
//! For the pages, in TypeScript terms:
//!
//! * `invoke('door', { stream: number, request: Request, channel: Channel<Reply[]> }): Promise<void>` sends a
//!   request. Its replies come through the channel in batches; the promise resolves after the last one, and
//!   rejects with a `UserError`. The page counts its streams itself.
//! * `invoke('close_stream', { stream })` stops listening, such as to a `Watch`; the work itself goes on.
//! * `invoke('hide_panel')`, `invoke('keep_on_top', { pinned: boolean })`.
//! * `invoke('pick_files'): Promise<string[]>`: absolute paths, none when dismissed.
//! * `invoke('open_link', { url: string })`: http, https and mailto only.
//! * `invoke('desktop_state'): Promise<{ hotkey: string | null, notice: string | null, language: 'zh' | 'en',
//!   version: string }>`.
//! * Events: `panel-shown` with `'hotkey' | 'ball' | 'start'` (put the focus into the input), `ball-dropped` with
//!   `string[]` (absolute paths of files dropped on the ball).
//!
//! Nothing here looks inside a request.

#![expect(clippy::let_underscore_must_use, reason = "the command macro's own code")]

use crate::desktop::Desktop;
use crate::panel;
use crate::streams::{Delivery, StreamId};
use crate::{link, picker};
use serde::Serialize;
use shidi_protocol::{Reply, Request, UserError};
use tauri::ipc::Channel;
use tauri::{AppHandle, State};

/// What the pages may know about the surroundings.
#[derive(Debug, Clone, Serialize)]
pub struct DesktopState {
    /// The keys that summon the panel, if they are ours.
    pub hotkey: Option<&'static str>,
    /// Why they are not, with the remedy.
    pub notice: Option<String>,
    /// `zh` or `en`.
    pub language: &'static str,
    pub version: &'static str,
}

/// Passes a request to the runtime and its replies to the page.
#[tauri::command]
pub async fn door(
    desktop: State<'_, Desktop>,
    stream: StreamId,
    request: Request,
    channel: Channel<Vec<Reply>>,
) -> Result<(), UserError> {
    let deliver = |batch| match channel.send(batch) {
        Ok(()) => Delivery::Arrived,
        Err(_) => Delivery::PageGone,
    };
    desktop.carry(stream, request, deliver).await
}

/// Stops passing replies of a stream; one that is already over is as good.
#[tauri::command]
pub async fn close_stream(desktop: State<'_, Desktop>, stream: StreamId) -> Result<(), UserError> {
    desktop.streams().close(stream);
    Ok(())
}

/// Hides the panel; the focus returns to the window that had it.
#[tauri::command]
pub async fn hide_panel(app: AppHandle) -> Result<(), UserError> {
    panel::on_main(&app, panel::hide);
    Ok(())
}

/// Keeps the panel above other windows, or lets it sink again.
#[tauri::command]
pub async fn keep_on_top(app: AppHandle, pinned: bool) -> Result<(), UserError> {
    panel::on_main(&app, move |app| panel::keep_on_top(app, pinned));
    Ok(())
}

/// Lets the user pick files; none when dismissed.
#[tauri::command]
pub async fn pick_files(app: AppHandle, desktop: State<'_, Desktop>) -> Result<Vec<String>, UserError> {
    Ok(picker::pick_files(&app, desktop.language()).await)
}

/// Opens a link in the user's browser or mail program.
#[tauri::command]
pub async fn open_link(desktop: State<'_, Desktop>, url: String) -> Result<(), UserError> {
    link::open(&url, desktop.language())
}

/// How the panel can be summoned.
#[tauri::command]
pub async fn desktop_state(desktop: State<'_, Desktop>) -> Result<DesktopState, UserError> {
    Ok(desktop.state())
}
