//! `shidi`, `shidi toggle`, `shidi ask-screen`, `shidi open`, `shidi quit`: signals for the desktop program, which is started when it is needed.

use crate::client::{close, open, open_options};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::limits::{DESKTOP_DOOR_MS, DESKTOP_LOOK_MS, DESKTOP_WATCH_MS};
use crate::options::Options;
use serde_json::json;
use shidi_protocol::{DesktopSignal, ErrorCode, UserError, request};
use shidi_runtime::Connection;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = "shidi-desktop";
const SCHEME: &str = "shidi://";

#[derive(Debug, clap::Args)]
pub struct Link {
    link: String,
}

/// Signals the running desktop program, or starts one.
///
/// # Errors
/// No display, no desktop program, or a data folder that can't be opened.
pub async fn signal(signal: DesktopSignal, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let ends = signal == DesktopSignal::Quit;
    let link = match &signal {
        DesktopSignal::Open { link } => Some(link.clone()),
        _ => None,
    };
    if reached(signal, options).await? {
        report("signalled", console)?;
        return Ok(Exit::Done);
    }
    if ends {
        report("not running", console)?;
        if !console.is_json() {
            console.note(Look::Plain, console.words.nothing_runs());
        }
        return Ok(Exit::Done);
    }
    start(link.as_deref(), options, console)?;
    report("started", console)?;
    Ok(Exit::Done)
}

/// Shows the panel with what a link of our own asks for. Nothing is sent by it.
///
/// # Errors
/// Another link, and as [`signal`].
pub async fn open_link(Link { link }: Link, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let is_ours = link
        .get(..SCHEME.len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME));
    if !is_ours {
        return Err(Failure::input(
            console.words.no_own_link(),
            console.words.own_links(),
        ));
    }
    signal(DesktopSignal::Open { link }, options, console).await
}

/// Signals the running desktop program to look and to show its panel; starts one first when none runs.
///
/// # Errors
/// As [`signal`], and a program that opens no connection.
pub async fn ask_screen(options: &Options, console: &Console) -> Result<Exit, Failure> {
    if reached(DesktopSignal::AskScreen, options).await? {
        report("signalled", console)?;
        return Ok(Exit::Done);
    }
    start(None, options, console)?;
    let patience = Duration::from_millis(DESKTOP_DOOR_MS);
    let connection = Connection::join(open_options(options), patience).await?;
    let signal = DesktopSignal::AskScreen;
    connection.ask(request::Desktop { signal }).await?;
    close(connection, options).await;
    report("started", console)?;
    Ok(Exit::Done)
}

/// Whether a desktop program was there to take the signal.
async fn reached(signal: DesktopSignal, options: &Options) -> Result<bool, Failure> {
    let connection = open(options).await?;
    let reached = if connection.is_runtime() {
        Ok(false)
    } else {
        match connection.ask(request::Desktop { signal }).await {
            Ok(_) => Ok(true),
            Err(error) if error.code == ErrorCode::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    };
    close(connection, options).await;
    reached
}

fn start(link: Option<&str>, options: &Options, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let system =
        |message: &str, hint: &str| Failure::User(UserError::new(ErrorCode::System, message).hint(hint));
    if !has_display() {
        return Err(system(words.no_display(), words.use_ask()));
    }
    let Some(program) = shidi_installation::beside(PROGRAM).or_else(in_path) else {
        return Err(system(words.no_desktop_program(), words.install_desktop()));
    };
    let mut command = Command::new(&program);
    command.args(["--show", "--lang", options.language().code()]);
    if let Some(folder) = options.data_dir() {
        command.arg("--data-dir").arg(folder);
    }
    command.args(link);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0); // outlives this terminal
    let started = command
        .spawn()
        .and_then(|mut desktop| ended_at_once(&mut desktop));
    match started {
        Ok(false) => Ok(()),
        Ok(true) => Err(system(words.desktop_ended(), &words.see_why(program.display()))),
        Err(error) => Err(system(
            &words.started_desktop_failed(error, program.display()),
            words.install_desktop(),
        )),
    }
}

/// Whether the program failed while it was being watched.
fn ended_at_once(desktop: &mut Child) -> io::Result<bool> {
    let watched_until = Instant::now() + Duration::from_millis(DESKTOP_WATCH_MS);
    while Instant::now() < watched_until {
        if let Some(status) = desktop.try_wait()? {
            return Ok(!status.success());
        }
        std::thread::sleep(Duration::from_millis(DESKTOP_LOOK_MS));
    }
    Ok(false)
}

fn report(desktop: &str, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        console.json(&json!({"ok": true, "desktop": desktop}))
    } else {
        Ok(())
    }
}

/// Whether windows can be shown: X11 and Wayland say so in the environment, other systems always can.
fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

fn in_path() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
}
