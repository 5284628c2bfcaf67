//! The desktop program: a ball, a panel, a workbench, a tray, the keys that summon, and one connection to the
//! runtime.
//!
//! It shows and passes on; it decides nothing about questions, runs or memory.

mod arguments;
mod autostart;
#[cfg(target_os = "linux")]
mod ball;
#[cfg(not(target_os = "linux"))]
#[path = "ball_page.rs"]
mod ball;
mod commands;
mod deep_link;
mod desktop;
#[cfg(target_os = "linux")]
mod full_screen;
mod geometry;
mod hotkey;
#[cfg(target_os = "linux")]
mod lean;
mod link;
mod looking;
mod menu;
mod mood;
mod notices;
mod opening;
mod page;
mod panel;
mod picker;
mod places;
mod region;
#[cfg(target_os = "linux")]
mod screens;
mod settings;
#[cfg(target_os = "linux")]
mod shape;
mod streams;
#[cfg(target_os = "linux")]
mod theme;
mod tray;
mod wish;
mod words;
mod workbench;

use arguments::{Arguments, Parsed, Start};
use desktop::Desktop;
use hotkey::{Action, Early, Press, Presses};
use mood::{Happening, Sensing};
use opening::Opened;
use panel::{ActedAt, ShownBy};
use settings::{Settings, Shown};
use shidi_protocol::{DesktopSignal, ErrorCode, UserError};
use shidi_runtime::OpenOptions;
use std::process::ExitCode;
use tauri::async_runtime::{block_on, spawn};
use tauri::{App, AppHandle, Manager, RunEvent};
use tokio::sync::{mpsc, watch};
use words::Language;

fn main() -> ExitCode {
    // Must come first: this program may have been started as a reader of documents, or a supervisor of a job.
    if let Some(exit) = shidi_runtime::work_as_child() {
        return exit;
    }
    #[cfg(target_os = "linux")]
    lean::leave_out_drivers();
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
        ..OpenOptions::default()
    };
    let signal = match &arguments.link {
        Some(link) => DesktopSignal::Open { link: link.clone() },
        None => DesktopSignal::Show,
    };
    let connection = match block_on(opening::open(options, signal, language))? {
        Opened::Here(connection) => *connection,
        Opened::Elsewhere => return Ok(()),
    };
    open_display(language)?;
    let (data_folder, settings) = block_on(opening::configuration(&connection));
    let presses = Presses::default();
    let keys = Early::begin(settings.clone(), &presses);
    let desktop = Desktop::new(connection, language, settings, data_folder.as_deref());
    let wish = arguments.link.as_deref().and_then(deep_link::wish_of);
    let start = if arguments.link.is_some() {
        Start::WithPanel
    } else {
        arguments.start
    };
    if let Some(wish) = wish {
        desktop.add_wish(wish);
    }
    let app = tauri::Builder::default()
        .manage(desktop)
        .invoke_handler(tauri::generate_handler![
            commands::request,
            commands::close_stream,
            commands::hide_panel,
            commands::keep_on_top,
            commands::pick_files,
            commands::pick_new_file,
            commands::pick_folder,
            commands::open_link,
            commands::desktop_state,
            commands::take_wishes,
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
        RunEvent::Exit => block_on(app.state::<Desktop>().close()),
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => urls.iter().for_each(|url| open_link(app, url.as_str())),
        _ => {}
    });
    Ok(())
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
    let desktop = app.state::<Desktop>();
    let followed = app.clone();
    spawn(async move { followed.state::<Desktop>().follow(&followed).await });
    end_on_signals(&app);
    let pressed = app.clone();
    presses.act(move |press| panel::on_main(&pressed, move |app| act(app, &press)));
    keys.settle();
    spawn(hotkey::keep(app.clone(), desktop.settings(), keys));
    let behind = app.clone();
    ball::show(&app, desktop.settings(), desktop.moods(), move || {
        #[cfg(target_os = "linux")]
        follow_desktop(&behind);
        if let Err(error) = panel::build(&behind) {
            eprintln!("{}", internal(&error));
            return behind.exit(i32::from(ErrorCode::Internal.exit_code()));
        }
        if start == Start::WithPanel {
            panel::show(&behind, ShownBy::Start, ActedAt::Now);
        }
        tray::show(&behind);
        spawn(follow_settings(
            behind.clone(),
            behind.state::<Desktop>().settings(),
        ));
        spawn(obey(behind, signals));
    });
}

/// Performs the action of the pressed keys.
fn act(app: &AppHandle, press: &Press) {
    let desktop = app.state::<Desktop>();
    match press.action {
        Action::Summon if desktop.was_practice() => {}
        Action::Summon => panel::toggle_by_keys(app, press),
        Action::AskScreen => looking::ask_screen(app),
        Action::Pause => desktop.toggle_sensing(),
    }
}

/// Follows the desktop's theme, and full-screen windows.
#[cfg(target_os = "linux")]
fn follow_desktop(app: &AppHandle) {
    theme::follow();
    let app = app.clone();
    full_screen::follow(move |place| {
        app.state::<Desktop>().note_full_screen(place.is_some());
        panel::on_main(&app, move |_| ball::make_way(place));
    });
}

/// Applies the configuration, at the start and whenever it changes.
async fn follow_settings(app: AppHandle, mut settings: watch::Receiver<Settings>) {
    loop {
        let Settings {
            ball,
            sensing,
            autostart,
            theme,
            ..
        } = settings.borrow_and_update().clone();
        autostart::follow(autostart);
        app.state::<Desktop>().note(&Happening::Sensing(sensing));
        panel::on_main(&app, move |app| {
            match ball {
                Shown::Shown => ball::show_for(ball::Reason::Settings),
                Shown::Hidden => ball::hide_for(ball::Reason::Settings),
            }
            panel::speak(app);
            #[cfg(target_os = "linux")]
            theme::choose(theme);
        });
        if settings.changed().await.is_err() {
            return;
        }
    }
}

/// Performs requests of the command line, of second starts of the program, and of the runtime.
async fn obey(app: AppHandle, mut signals: mpsc::UnboundedReceiver<DesktopSignal>) {
    while let Some(signal) = signals.recv().await {
        match signal {
            DesktopSignal::Show => panel::on_main(&app, |app| panel::show(app, ShownBy::Start, ActedAt::Now)),
            DesktopSignal::Toggle => {
                panel::on_main(&app, |app| panel::toggle(app, ShownBy::Start, ActedAt::Now))
            }
            DesktopSignal::Open { link } => open_link(&app, &link),
            DesktopSignal::AskScreen => looking::ask_screen(&app),
            DesktopSignal::Pause => app.state::<Desktop>().note(&Happening::Sensing(Sensing::Paused)),
            DesktopSignal::Resume => app.state::<Desktop>().note(&Happening::Sensing(Sensing::On)),
            DesktopSignal::Quit => app.exit(0),
        }
    }
}

/// Shows the panel with a link's wish; nothing is ever sent by a link.
fn open_link(app: &AppHandle, link: &str) {
    let wish = deep_link::wish_of(link);
    panel::on_main(app, |app| {
        panel::show_with(app, wish, ShownBy::Start, ActedAt::Now)
    });
}

/// Opens the display, without which the window library would panic. X11 is preferred: only there can a window
/// choose its place and stay on top.
#[cfg(target_os = "linux")]
fn open_display(language: Language) -> Result<(), UserError> {
    gtk::gdk::set_allowed_backends("x11,*");
    gtk::init().map_err(|_| UserError::new(ErrorCode::System, words::no_display(language)))
}

#[cfg(not(target_os = "linux"))]
fn open_display(_language: Language) -> Result<(), UserError> {
    Ok(())
}

/// Closes the program as the menu does when the session ends, or on Ctrl+C.
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
