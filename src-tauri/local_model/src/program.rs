//! The user's `llama-server`: where it is, what it is told, and which of its flags it knows.
//!
//! Versions differ in their flags, and one unknown flag ends the program at once. So its help is read first, and it is told
//! what it knows.

use crate::limits::{HELP_BYTES_MAX, HELP_WITHIN};
use crate::plan::Plan;
use shidi_toolkits::shell::{SandboxUnavailable, Serving, serve};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

const NAME: &str = "llama-server";

/// The variable in which it takes its key: arguments can be read by other users.
pub const KEY: &str = "LLAMA_API_KEY";

/// Columns of help in which flags begin; behind them stands what they are for.
const FLAG_COLUMNS: usize = 40;

/// An origin that no page has: pages of a browser may not speak to the server.
const NO_ORIGIN: &str = "https://shidi.invalid";

/// Folders where it is usually installed, `~` for the home.
const USUAL: [&str; 8] = [
    "/usr/local/bin",
    "/usr/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "~/.local/bin",
    "~/llama.cpp/build/bin",
    "~/.local/share/llama.cpp/bin",
    "~/bin",
];

/// Where to look.
pub struct Places<'a> {
    /// The program that the user named.
    pub named: &'a str,
    pub path: OsString,
    pub home: Option<PathBuf>,
    /// The folder of the one that was downloaded: whoever did that wants it.
    pub downloaded: Option<PathBuf>,
    /// Folders that programs of a task write to: nothing is taken from there by itself.
    pub granted: Vec<PathBuf>,
}

/// Finds the program, all links followed; `None` where there is none.
pub fn find(places: &Places<'_>) -> Option<PathBuf> {
    if !places.named.is_empty() {
        let named = from_home(Path::new(places.named), places.home.as_deref())?;
        return program(&named);
    }
    let usual = USUAL
        .iter()
        .filter_map(|folder| from_home(Path::new(folder), places.home.as_deref()));
    let granted: Vec<PathBuf> = places
        .granted
        .iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .collect();
    places
        .downloaded
        .clone()
        .into_iter()
        .chain(std::env::split_paths(&places.path))
        .chain(usual)
        .filter(|folder| folder.is_absolute())
        .filter_map(|folder| in_folder(&folder))
        .find(|program| !granted.iter().any(|folder| program.starts_with(folder)))
}

/// An absolute path; `~` at its beginning is the home.
pub fn from_home(path: &Path, home: Option<&Path>) -> Option<PathBuf> {
    match path.strip_prefix("~") {
        Ok(rest) => Some(home?.join(rest)),
        Err(_) => Some(path.to_owned()).filter(|path| path.is_absolute()),
    }
}

/// The program in a folder, all links followed.
pub fn in_folder(folder: &Path) -> Option<PathBuf> {
    program(&folder.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX)))
}

fn program(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok().filter(|path| path.is_file())?;
    is_executable(&path).then_some(path)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|facts| facts.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}

/// What a program knows of the flags that it would be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    known: BTreeSet<String>,
    /// Whether it can listen at a socket in a folder.
    pub at_socket: bool,
    /// Whether it takes its key from its environment.
    takes_key: bool,
}

impl Flags {
    /// Reads a help.
    pub fn of(help: &str) -> Self {
        let lines = help.lines().filter(|line| line.starts_with('-'));
        let known = lines.flat_map(flags_of).map(str::to_owned).collect();
        Self {
            known,
            at_socket: cfg!(unix) && help.to_ascii_lowercase().contains("unix socket"),
            takes_key: help.contains(KEY),
        }
    }

    fn knows(&self, flag: &str) -> bool {
        self.known.contains(flag)
    }

    /// Whether it can be used at all: it serves a file to who has the key, and to nobody else.
    pub fn suffice(&self) -> bool {
        self.takes_key
            && ["--model", "--host", "--port"]
                .iter()
                .all(|flag| self.knows(flag))
    }
}

/// The flags in the first columns of a line of help.
fn flags_of(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split([' ', ',']).scan(0, move |at, word| {
        let begins = *at;
        *at += word.len() + 1;
        Some((begins, word))
    });
    words
        .take_while(|(begins, _)| *begins < FLAG_COLUMNS)
        .map(|(_, word)| word)
        .filter(|word| word.len() > 1 && word.starts_with('-'))
}

/// Where it listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Socket(PathBuf),
    Port(u16),
}

/// What it is told. No flag lets it run tools, fetch anything, or serve pages.
pub fn arguments(flags: &Flags, plan: &Plan, (file, name): (&Path, &str), place: &Place) -> Vec<OsString> {
    let mut told: Vec<OsString> = Vec::new();
    let mut pair = |flag: &str, value: &OsStr| told.extend([flag.into(), value.to_owned()]);
    pair("--model", file.as_os_str());
    match place {
        Place::Socket(socket) => pair("--host", socket.as_os_str()),
        Place::Port(port) => {
            pair("--host", "127.0.0.1".as_ref());
            pair("--port", port.to_string().as_ref());
        }
    }
    let optional = [
        ("--ctx-size", plan.context.to_string()),
        ("--threads", plan.threads.to_string()),
        // One answer at a time: further ones would share the context.
        ("--parallel", "1".to_owned()),
        ("--cache-ram", plan.cache_mib.to_string()),
        ("--alias", name.to_owned()),
        ("--cors-origins", NO_ORIGIN.to_owned()),
    ];
    for (flag, value) in optional {
        if flags.knows(flag) {
            pair(flag, value.as_ref());
        }
    }
    let switches = [
        ["--no-ui", "--no-webui"].as_slice(),
        &["--offline"],
        &["--no-slots"],
        &["--no-cors-credentials"],
        &["--jinja"],
    ];
    let known = switches
        .iter()
        .filter_map(|names| names.iter().find(|name| flags.knows(name)));
    told.extend(known.map(OsString::from));
    told
}

/// Why a program said nothing that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsaid {
    Walls(SandboxUnavailable),
    Silent,
    /// How it ended, where it ended badly without a word.
    Ended(String),
}

/// All that a program prints for one argument; blocks.
pub fn said(serving: &Serving) -> Result<String, Unsaid> {
    let (mut child, _) = serve(serving).map_err(Unsaid::Walls)?;
    let (sender, receiver) = mpsc::channel();
    let outputs: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|output| Box::new(output) as _),
        child.stderr.take().map(|output| Box::new(output) as _),
    ];
    let count = outputs.iter().flatten().count();
    for output in outputs.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let read = output.take(HELP_BYTES_MAX).read_to_end(&mut text);
            // Who waited too long is gone.
            sender.send(read.map(|_| text)).unwrap_or_default();
        });
    }
    let until = Instant::now() + HELP_WITHIN;
    let mut all = String::new();
    for _ in 0..count {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(text) => all.push_str(&String::from_utf8_lossy(&text.unwrap_or_default())),
            Err(_) => {
                child.kill().unwrap_or_default();
                child.wait().map(drop).unwrap_or_default();
                return Err(Unsaid::Silent);
            }
        }
    }
    match child.wait() {
        Ok(status) if all.trim().is_empty() => Err(Unsaid::Ended(status.to_string())),
        // What the system's loader complains of is no help.
        Ok(status) if !status.success() && !all.contains("--model") => {
            let last = all.lines().rev().map(str::trim).find(|line| !line.is_empty());
            Err(Unsaid::Ended(last.unwrap_or_default().to_owned()))
        }
        Ok(_) => Ok(all),
        Err(cause) => Err(Unsaid::Ended(cause.to_string())),
    }
}

/// The version that a program tells.
pub fn version(said: &str) -> Option<String> {
    let line = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("version:"))?;
    let line: String = line
        .trim()
        .chars()
        .filter(|letter| !letter.is_control())
        .take(60)
        .collect();
    Some(line).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests;
