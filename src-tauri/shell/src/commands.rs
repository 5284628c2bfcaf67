//! The commands that the panel may call: the one connection to the runtime, and a few about its own window.
//!
//! For the pages, in TypeScript terms:
//!
//! * `invoke('request', { stream: number, request: Request, channel: Channel<Reply[]> }): Promise<void>` sends a
//!   request. Its replies come through the channel in batches; the promise resolves after the last one, and
//!   rejects with a `UserError`. The page counts its streams itself.
//! * `invoke('close_stream', { stream })` stops listening, such as to a `Watch`; the work itself goes on.
//! * `invoke('hide_panel')`, `invoke('keep_on_top', { pinned: boolean })`.
//! * `invoke('pick_files')`, `invoke('pick_folder')`: `Promise<string[]>` of absolute paths, none when dismissed.
//! * `invoke('pick_new_file', { name: string }): Promise<string | null>` is where to write something.
//! * `invoke('open_link', { url: string })`: http, https and mailto only.
//! * `invoke('open_file', { path: string })`, `invoke('show_file', { path: string })`: a file that a task made, shown
//!   by its program or in its folder. A file that can run is shown only in its folder.
//! * `invoke('desktop_state'): Promise<{ hotkey: string | null, notice: string | null, hotkeys: { action:
//!   string, keys: string, notice: string | null }[], language: string, version: string }>`; the first two are those of the
//!   keys that summon. An action is its name in the configuration, or `assistant/NAME`.
//! * `invoke('take_commands'): Promise<ShellCommand[]>`: what the panel is asked to do (`shell_command.rs`), each given
//!   out once: `{ command: 'card', session, run, call } | { command: 'run', session, run } | { command: 'new_session' } |
//!   { command: 'settings', find: string } | { command: 'text', text } |
//!   { command: 'assistant', name, text }`.
//! * `invoke('capture', { what: LookAt }): Promise<ScreenView>` looks with our own windows hidden.
//! * `invoke('pick_region'): Promise<LookAt | null>` lets the user drag a rectangle; give it to `capture` at once.
//! * `invoke('practise_hotkey'): Promise<boolean>`: whether the keys that summon were pressed within a minute; that
//!   press does nothing else.
//! * `invoke('open_workbench', { at: BenchPlace | null })` opens the workbench, at that place;
//!   `invoke('take_wanted_place'): Promise<BenchPlace | null>` is what its page asks then, again after `workbench-wanted`.
//! * `invoke('show_run', { session, run })` shows the panel at a run, `invoke('show_settings', { find: string })` at the
//!   settings that hold those words; `invoke('close_workbench')`.
//! * `invoke('suggest', { number: number | null })`: the ball shows for 30 s that a question is ready; `null` takes it back.
//! * Events: `panel-shown` with `'hotkey' | 'ball' | 'start' | 'screen'` (put the focus into the input), and
//!   `panel-command` (fetch the commands). `ball-dropped` comes with `string[]` (absolute paths of files dropped on the
//!   ball). `screen-looked` comes with a `ScreenView`, `screen-failed` with a `UserError`, `desktop-changed` with the
//!   result of `desktop_state`.
//!
//! Nothing here looks inside a request.

#![expect(clippy::let_underscore_must_use, reason = "the command macro's own code")]

use crate::capture::Afterwards;
use crate::connection::RuntimeConnection;
use crate::desktop_state::DesktopState;
use crate::file_dialog::FileDialog;
use crate::hotkey::Hotkeys;
use crate::mood::Happening;
use crate::moods::Moods;
use crate::settings::LiveSettings;
use crate::shell_command::{BenchPlace, PendingCommands, ShellCommand};
use crate::streams::{Delivery, PageStreams, StreamId, carry};
use crate::summon::{ActedAt, ShownBy};
use crate::system::window;
use crate::words;
use crate::workbench::{self, WantedPlace};
use crate::{link, panel, picker, produced_file};
use parking_lot::Mutex;
use shidi_protocol::{ErrorCode, LookAt, Reply, Request, RunId, ScreenView, SessionId, UserError};
use std::time::Duration;
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, WebviewWindow};

/// Longest wait for the user to press the keys once.
const PRACTICE_LIMIT: Duration = Duration::from_secs(60);

/// Time that the ball shows a suggestion, from the design sheet.
const SUGGESTION_FADES: Duration = Duration::from_secs(30);

/// Passes a request to the runtime and its replies to the page.
#[tauri::command]
pub async fn request(
    connection: State<'_, RuntimeConnection>,
    streams: State<'_, PageStreams>,
    window: WebviewWindow,
    stream: StreamId,
    request: Request,
    channel: Channel<Vec<Reply>>,
) -> Result<(), UserError> {
    let deliver = |batch| match channel.send(batch) {
        Ok(()) => Delivery::Arrived,
        Err(_) => Delivery::PageGone,
    };
    let streams = streams.of(window.label());
    let closed = streams.enter(stream)?;
    let Some(replies) = connection.send(request) else {
        streams.close(stream);
        let (message, hint) = words::closing(window.state::<LiveSettings>().language());
        return Err(UserError::new(ErrorCode::Cancelled, message).hint(hint));
    };
    carry(replies, closed, deliver).await;
    streams.close(stream);
    Ok(())
}

/// Stops passing replies of a stream; closing a stream that is over already is no error.
#[tauri::command]
pub async fn close_stream(
    streams: State<'_, PageStreams>,
    window: WebviewWindow,
    stream: StreamId,
) -> Result<(), UserError> {
    streams.of(window.label()).close(stream);
    Ok(())
}

/// Hides the panel; the focus returns to the window that had it.
#[tauri::command]
pub async fn hide_panel(app: AppHandle) -> Result<(), UserError> {
    window::on_main(&app, panel::hide);
    Ok(())
}

/// Keeps the panel above other windows, or lets it sink again.
#[tauri::command]
pub async fn keep_on_top(app: AppHandle, pinned: bool) -> Result<(), UserError> {
    window::on_main(&app, move |app| panel::keep_on_top(app, pinned));
    Ok(())
}

/// Lets the user pick files; none when dismissed.
#[tauri::command]
pub async fn pick_files(
    app: AppHandle,
    window: WebviewWindow,
    settings: State<'_, LiveSettings>,
) -> Result<Vec<String>, UserError> {
    Ok(picker::pick(&app, window.label(), FileDialog::Files, settings.language()).await)
}

/// Lets the user pick a folder; none when dismissed.
#[tauri::command]
pub async fn pick_folder(
    app: AppHandle,
    window: WebviewWindow,
    settings: State<'_, LiveSettings>,
) -> Result<Vec<String>, UserError> {
    Ok(picker::pick(&app, window.label(), FileDialog::Folder, settings.language()).await)
}

/// Lets the user choose where to write a file; `None` when dismissed. The user has agreed to replace an
/// existing file.
#[tauri::command]
pub async fn pick_new_file(
    app: AppHandle,
    window: WebviewWindow,
    settings: State<'_, LiveSettings>,
    name: String,
) -> Result<Option<String>, UserError> {
    let dialog = FileDialog::NewFile(name);
    let picked = picker::pick(&app, window.label(), dialog, settings.language()).await;
    Ok(picked.into_iter().next())
}

/// Opens a link in the user's browser or mail program.
#[tauri::command]
pub async fn open_link(settings: State<'_, LiveSettings>, url: String) -> Result<(), UserError> {
    link::open(&url, settings.language())
}

/// Opens a file that a task made, with the system's program for it.
#[tauri::command]
pub async fn open_file(
    app: AppHandle,
    settings: State<'_, LiveSettings>,
    path: String,
) -> Result<(), UserError> {
    produced_file::open(&app, &path, settings.language())
}

/// Shows a file that a task made in its folder.
#[tauri::command]
pub async fn show_file(
    app: AppHandle,
    settings: State<'_, LiveSettings>,
    path: String,
) -> Result<(), UserError> {
    produced_file::show(&app, &path, settings.language())
}

/// The desktop's state: keys that summon the panel, language and version.
#[tauri::command]
pub async fn desktop_state(
    hotkeys: State<'_, Hotkeys>,
    settings: State<'_, LiveSettings>,
) -> Result<DesktopState, UserError> {
    Ok(DesktopState::of(&hotkeys, &settings))
}

/// The panel's pending commands; each is given out once.
#[tauri::command]
pub async fn take_commands(
    pending: State<'_, Mutex<PendingCommands>>,
) -> Result<Vec<ShellCommand>, UserError> {
    Ok(pending.lock().take())
}

/// Captures the screen with our own windows hidden; they come back unchanged.
#[tauri::command]
pub async fn capture(
    app: AppHandle,
    what: LookAt,
    session: Option<SessionId>,
) -> Result<ScreenView, UserError> {
    crate::capture::look(&app, what, session, Afterwards::AsBefore).await
}

/// Lets the user drag a rectangle over the ball's monitor; `None` when the user leaves it.
#[tauri::command]
pub async fn pick_region(app: AppHandle) -> Result<Option<LookAt>, UserError> {
    Ok(crate::capture::pick_region(&app).await)
}

/// Waits until the user has pressed the keys that summon; that press does nothing else.
#[tauri::command]
pub async fn practise_hotkey(hotkeys: State<'_, Hotkeys>) -> Result<bool, UserError> {
    let pressed = tokio::time::timeout(PRACTICE_LIMIT, hotkeys.practise()).await;
    Ok(matches!(pressed, Ok(Ok(()))))
}

/// Shows on the ball for a while that a question is ready; `None` takes the suggestion back.
#[tauri::command]
pub async fn suggest(moods: State<'_, Moods>, number: Option<u32>) -> Result<(), UserError> {
    if let Some(number) = number {
        moods.note(&Happening::Suggested(number));
        tokio::time::sleep(SUGGESTION_FADES).await;
    }
    moods.note(&Happening::SuggestionGone(number));
    Ok(())
}

/// Opens the workbench, at a place if one is given.
#[tauri::command]
pub async fn open_workbench(app: AppHandle, at: Option<BenchPlace>) -> Result<(), UserError> {
    window::on_main(&app, move |app| workbench::open(app, at));
    Ok(())
}

/// Closes the workbench.
#[tauri::command]
pub async fn close_workbench(app: AppHandle) -> Result<(), UserError> {
    window::on_main(&app, workbench::close);
    Ok(())
}

/// The place at which the workbench must open; given out once.
#[tauri::command]
pub async fn take_wanted_place(wanted: State<'_, WantedPlace>) -> Result<Option<BenchPlace>, UserError> {
    Ok(wanted.take())
}

/// Shows the panel at a run.
#[tauri::command]
pub async fn show_run(app: AppHandle, session: SessionId, run: RunId) -> Result<(), UserError> {
    window::on_main(&app, move |app| {
        panel::show_with(
            app,
            Some(ShellCommand::Run { session, run }),
            ShownBy::Start,
            ActedAt::Now,
        );
    });
    Ok(())
}

/// Shows the panel at the settings, narrowed to the words in `find`.
#[tauri::command]
pub async fn show_settings(app: AppHandle, find: String) -> Result<(), UserError> {
    window::on_main(&app, move |app| {
        panel::show_with(
            app,
            Some(ShellCommand::Settings { find }),
            ShownBy::Start,
            ActedAt::Now,
        );
    });
    Ok(())
}
