//! The desktop program: a ball, a panel, a workbench, a tray, and the keys that summon. The program has one
//! connection to the runtime.
//!
//! The program shows and passes on; it decides nothing about questions, runs or memory.

mod actions;
mod arguments;
mod autostart;
mod ball;
mod capture;
mod commands;
mod connection;
mod deep_link;
mod desktop_state;
#[cfg(target_os = "linux")]
mod drawing;
mod file_dialog;
mod geometry;
mod hotkey;
mod keys;
mod link;
#[cfg(target_os = "linux")]
mod linux;
mod menu;
mod mood;
mod moods;
mod notices;
mod notifications;
#[cfg(not(target_os = "linux"))]
mod other;
mod page;
mod page_window;
mod panel;
mod picker;
mod places;
mod produced_file;
mod selection_act;
mod selection_bar;
mod settings;
mod shell_command;
mod skips;
mod startup;
mod streams;
mod summon;
mod system;
mod waiting_notices;
mod watch;
mod words;
mod workbench;

use arguments::{Arguments, Parsed, Start};
use ball::{BallHandles, Reason};
use capture::LookState;
use connection::RuntimeConnection;
use hotkey::{Hotkeys, Presses};
use mood::Happening;
use moods::Moods;
use notifications::Notifications;
use page::Page;
use page_window::PageFolder;
use parking_lot::Mutex;
use places::BallPlaces;
use settings::{LiveSettings, Settings, Shown};
use shell_command::PendingCommands;
use shidi_protocol::{DesktopSignal, ErrorCode, UserError};
use shidi_runtime::{Connection, OpenOptions};
use shidi_trials::OwnTrials;
use startup::Opened;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use streams::PageStreams;
use summon::{ActedAt, ShownBy};
use system::keyboard::Early;
use system::{session, window};
use tauri::async_runtime::{block_on, spawn};
use tauri::{App, AppHandle, Manager, RunEvent, Wry};
use tokio::sync::mpsc;
use workbench::WantedPlace;

fn main() -> ExitCode {
    // Must come first: this program may have been started as a reader of documents, or a supervisor of a job.
    if let Some(exit) = shidi_runtime::work_as_child() {
        return exit;
    }
    #[cfg(target_os = "linux")]
    linux::lean::leave_out_drivers();
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
    // The library of MCP tells whole addresses, with their keys. What fails there is told by whoever uses it.
    let filter = tracing_subscriber::EnvFilter::try_from_env("SHIDI_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,rmcp=off"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}

fn open_options(arguments: &Arguments, desktop: mpsc::UnboundedSender<DesktopSignal>) -> OpenOptions {
    OpenOptions {
        data_dir: arguments.data_dir.clone(),
        language: Some(arguments.language.code().to_owned()),
        desktop: Some(desktop),
        trials: Some(Arc::new(OwnTrials)),
        ..OpenOptions::default()
    }
}

fn run(arguments: &Arguments) -> Result<(), UserError> {
    let language = arguments.language;
    let (sender, signals) = mpsc::unbounded_channel();
    let options = open_options(arguments, sender);
    let signal = match &arguments.link {
        Some(link) => DesktopSignal::Open { link: link.clone() },
        None => DesktopSignal::Show,
    };
    let connection = match block_on(startup::open(options, signal, language))? {
        Opened::Here(connection) => *connection,
        Opened::Elsewhere => return Ok(()),
    };
    session::open_display(language)?;
    let (data_folder, settings) = block_on(startup::configuration(&connection));
    let presses = Presses::default();
    let keys = Early::begin(settings.hotkeys.clone(), presses.taker());
    let mut pending = PendingCommands::default();
    if let Some(command) = arguments.link.as_deref().and_then(deep_link::command_of) {
        pending.add(command);
    }
    let start = if arguments.link.is_some() {
        Start::WithPanel
    } else {
        arguments.start
    };
    let settings = LiveSettings::new(settings, language);
    let app = with_handles(connection, settings, data_folder.as_deref(), pending)
        .invoke_handler(tauri::generate_handler![
            commands::request,
            commands::close_stream,
            commands::hide_panel,
            commands::keep_on_top,
            commands::pick_files,
            commands::pick_new_file,
            commands::pick_folder,
            commands::open_link,
            commands::open_file,
            commands::show_file,
            commands::desktop_state,
            commands::take_commands,
            commands::capture,
            commands::pick_region,
            commands::practise_hotkey,
            commands::suggest,
            commands::open_workbench,
            commands::close_workbench,
            commands::take_wanted_place,
            commands::show_run,
            commands::show_settings,
        ])
        .setup(move |app| {
            open_windows(app, signals, start, (keys, presses));
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| internal(&error))?;
    app.run(|app, event| match event {
        RunEvent::Exit => {
            app.state::<PageStreams>().close_all();
            block_on(app.state::<RuntimeConnection>().close());
        }
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => urls.iter().for_each(|url| actions::open_link(app, url.as_str())),
        _ => {}
    });
    Ok(())
}

/// Begins the program with the handles that its parts take, each by its type.
fn with_handles(
    connection: Connection,
    settings: LiveSettings,
    data_folder: Option<&Path>,
    pending: PendingCommands,
) -> tauri::Builder<Wry> {
    tauri::Builder::default()
        .manage(RuntimeConnection::new(connection))
        .manage(settings)
        .manage(BallPlaces::read(data_folder))
        .manage(PageFolder::within(data_folder))
        .manage(Mutex::new(pending))
        .manage(Notifications::new(actions::on_notification))
        .manage(Moods::default())
        .manage(Hotkeys::default())
        .manage(PageStreams::default())
        .manage(Mutex::<Page>::default())
        .manage(WantedPlace::default())
        .manage(LookState::default())
}

/// Opens the ball first, with its keys: the user waits for these. Building the panel takes 200 ms, so the panel
/// waits until the ball is visible.
fn open_windows(
    app: &mut App,
    signals: mpsc::UnboundedReceiver<DesktopSignal>,
    start: Start,
    (mut keys, presses): (Early, Presses),
) {
    let app = app.handle().clone();
    let watched = app.clone();
    spawn(async move { watch::watch(&watched).await });
    session::end_on_signals(&app);
    let pressed = app.clone();
    presses.act(move |press| window::on_main(&pressed, move |app| actions::on_keys(app, &press)));
    keys.settle();
    spawn(hotkey::keep(app.clone(), keys, desktop_state::tell_changed));
    let handles = BallHandles {
        settings: app.state::<LiveSettings>().inner().clone(),
        moods: app.state::<Moods>().inner().clone(),
        places: app.state::<BallPlaces>().inner().clone(),
    };
    let behind = app.clone();
    system::ball::show(&app, handles, actions::on_ball, move || {
        #[cfg(target_os = "linux")]
        follow_desktop(&behind);
        if let Err(error) = panel::build(&behind) {
            eprintln!("{}", internal(&error));
            return behind.exit(i32::from(ErrorCode::Internal.exit_code()));
        }
        if start == Start::WithPanel {
            panel::show(&behind, ShownBy::Start, ActedAt::Now);
        }
        let (moods, settings) = (behind.state::<Moods>(), behind.state::<LiveSettings>());
        system::tray::show(&behind, &moods, &settings, actions::on_tray);
        spawn(follow_settings(behind.clone()));
        spawn(follow_signals(behind.clone(), signals));
    });
}

/// Follows the desktop's theme, and full-screen windows.
#[cfg(target_os = "linux")]
fn follow_desktop(app: &AppHandle) {
    linux::theme::follow();
    let app = app.clone();
    linux::full_screen::follow(move |place| {
        app.state::<Notifications>().note_full_screen(place.is_some());
        window::on_main(&app, move |_| system::ball::make_way(place));
    });
}

/// Applies the configuration, at the start and whenever it changes.
async fn follow_settings(app: AppHandle) {
    let mut settings = app.state::<LiveSettings>().subscribe();
    loop {
        let Settings {
            ball,
            sensing,
            autostart,
            theme,
            ..
        } = settings.borrow_and_update().clone();
        autostart::follow(autostart);
        app.state::<Moods>().note(&Happening::Sensing(sensing));
        window::on_main(&app, move |app| {
            match ball {
                Shown::Shown => system::ball::show_for(Reason::Settings),
                Shown::Hidden => system::ball::hide_for(Reason::Settings),
            }
            panel::speak(app);
            #[cfg(target_os = "linux")]
            linux::theme::choose(theme);
        });
        if settings.changed().await.is_err() {
            return;
        }
    }
}

/// Performs requests of the command line, of second starts of the program, and of the runtime.
async fn follow_signals(app: AppHandle, mut signals: mpsc::UnboundedReceiver<DesktopSignal>) {
    while let Some(signal) = signals.recv().await {
        actions::on_signal(&app, signal);
    }
}

fn internal(error: &dyn std::error::Error) -> UserError {
    UserError::new(ErrorCode::Internal, format!("The window library failed: {error}"))
}
