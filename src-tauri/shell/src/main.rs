//! The desktop program: a ball, a panel, the keys that summon it, and one door to the runtime.
//!
//! It shows and passes on; it decides nothing about questions, runs or memory.

mod arguments;
#[cfg(target_os = "linux")]
mod ball;
#[cfg(not(target_os = "linux"))]
#[path = "ball_page.rs"]
mod ball;
mod commands;
mod desktop;
mod geometry;
mod hotkey;
mod link;
mod mood;
mod opening;
mod panel;
mod picker;
mod places;
#[cfg(target_os = "linux")]
mod screens;
#[cfg(target_os = "linux")]
mod shape;
mod streams;
#[cfg(target_os = "linux")]
mod theme;
mod words;

use arguments::{Arguments, Parsed, Start};
use desktop::Desktop;
use opening::Opened;
use panel::{ActedAt, ShownBy};
use shidi_protocol::{DesktopSignal, ErrorCode, UserError};
use shidi_runtime::OpenOptions;
use std::path::PathBuf;
use std::process::ExitCode;
use tauri::async_runtime::{block_on, spawn};
use tauri::{App, AppHandle, Manager, RunEvent};
use tokio::sync::mpsc;
use words::Language;

fn main() -> ExitCode {
    // Before anything else: as a reader of documents this is another program.
    if let Some(exit) = shidi_runtime::read_if_asked() {
        return exit;
    }
    let arguments = match arguments::parse(std::env::args_os().skip(1)) {
        Parsed::Run(arguments) => arguments,
        Parsed::Say(text) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Parsed::Wrong(text) => {
            eprintln!("{text}");
            return ExitCode::from(ErrorCode::Input.exit_code());
        }
    };
    keep_log();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            if let Some(hint) = &error.hint {
                eprintln!("{hint}");
            }
            ExitCode::from(error.code.exit_code())
        }
    }
}

/// Errors and warnings go to stderr, more of them with `SHIDI_LOG`.
fn keep_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("SHIDI_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}

fn run(arguments: &Arguments) -> Result<(), UserError> {
    let language = arguments.language;
    let (sender, signals) = mpsc::unbounded_channel();
    let options = OpenOptions {
        data_dir: arguments.data_dir.clone(),
        language: Some(language.code().to_owned()),
        desktop: Some(sender),
    };
    let door = match block_on(opening::open(options, language))? {
        Opened::Here(door) => *door,
        Opened::Elsewhere => return Ok(()),
    };
    open_display(language)?;
    let data_folder = block_on(opening::data_folder(&door));
    let desktop = Desktop::new(door, language, data_folder.as_deref());
    let start = arguments.start;
    let app = tauri::Builder::default()
        .manage(desktop)
        .invoke_handler(tauri::generate_handler![
            commands::door,
            commands::close_stream,
            commands::hide_panel,
            commands::keep_on_top,
            commands::pick_files,
            commands::open_link,
            commands::desktop_state,
        ])
        .setup(move |app| {
            open_windows(app, data_folder, signals, start);
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| internal(&error))?;
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            block_on(app.state::<Desktop>().close());
        }
    });
    Ok(())
}

/// The ball first: it is what the user waits for. Building the panel takes 200 ms, so it waits until the ball is seen.
fn open_windows(
    app: &mut App,
    data_folder: Option<PathBuf>,
    signals: mpsc::UnboundedReceiver<DesktopSignal>,
    start: Start,
) {
    let app = app.handle().clone();
    let desktop = app.state::<Desktop>();
    let followed = app.clone();
    spawn(async move { followed.state::<Desktop>().follow_runs().await });
    end_on_signals(&app);
    let summoned = app.clone();
    desktop.note_hotkey(hotkey::listen(move |press| {
        panel::on_main(&summoned, move |app| panel::toggle_by_keys(app, &press));
    }));
    let behind = app.clone();
    ball::show(&app, desktop.language(), desktop.moods(), move || {
        #[cfg(target_os = "linux")]
        theme::follow();
        if let Err(error) = panel::build(&behind, data_folder) {
            eprintln!("{}", internal(&error));
            return behind.exit(i32::from(ErrorCode::Internal.exit_code()));
        }
        if start == Start::WithPanel {
            panel::show(&behind, ShownBy::Start, ActedAt::Now);
        }
        spawn(obey(behind, signals));
    });
}

/// Does what the command line and second starts of the program ask for.
async fn obey(app: AppHandle, mut signals: mpsc::UnboundedReceiver<DesktopSignal>) {
    while let Some(signal) = signals.recv().await {
        match signal {
            DesktopSignal::Show => panel::on_main(&app, |app| panel::show(app, ShownBy::Start, ActedAt::Now)),
            DesktopSignal::Toggle => {
                panel::on_main(&app, |app| panel::toggle(app, ShownBy::Start, ActedAt::Now))
            }
            DesktopSignal::AskScreen => {
                panel::on_main(&app, |app| panel::show(app, ShownBy::Start, ActedAt::Now));
            }
            DesktopSignal::Pause | DesktopSignal::Resume => {}
            DesktopSignal::Quit => app.exit(0),
            DesktopSignal::Open { link: _ } => {
                panel::on_main(&app, |app| panel::show(app, ShownBy::Start, ActedAt::Now))
            }
        }
    }
}

/// The window library would panic without a display; X11 is preferred because only there a window can choose
/// its place and stay on top.
#[cfg(target_os = "linux")]
fn open_display(language: Language) -> Result<(), UserError> {
    gtk::gdk::set_allowed_backends("x11,*");
    gtk::init().map_err(|_| UserError::new(ErrorCode::System, words::no_display(language)))
}

#[cfg(not(target_os = "linux"))]
fn open_display(_language: Language) -> Result<(), UserError> {
    Ok(())
}

/// The end of the session and Ctrl+C close the program as the menu does.
#[cfg(target_os = "linux")]
fn end_on_signals(app: &AppHandle) {
    /// SIGINT and SIGTERM.
    const ENDING: [i32; 2] = [2, 15];
    for signal in ENDING {
        let app = app.clone();
        gtk::glib::unix_signal_add_local(signal, move || {
            app.exit(0);
            gtk::glib::ControlFlow::Continue
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn end_on_signals(_app: &AppHandle) {}

fn internal(error: &dyn std::error::Error) -> UserError {
    UserError::new(ErrorCode::Internal, format!("The window library failed: {error}"))
}
