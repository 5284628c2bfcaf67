//! The walls around a command: bubblewrap with namespaces of its own, a file system of read-only programs and granted
//! folders, and nothing else. Where they can't be built, nothing runs.

use crate::limits::{
    COMMAND_FILE_BYTES_MAX, COMMAND_MEMORY_BYTES_MAX, COMMAND_NICE, COMMAND_PROCESSES_MAX,
    COMMAND_TEMPORARY_BYTES_MAX,
};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The program that builds them.
const BUILDER: &str = "bwrap";

/// Where the home of a command is: empty, and gone with it.
const HOME: &str = "/tmp/home";

/// Folders of programs and their libraries, as they are.
const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/run/current-system",
];

/// Of the system's settings what programs need to start, to speak the user's language, to tell the time and to check a
/// certificate; none of it is secret.
const SETTINGS: &[&str] = &[
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/fonts",
    "/etc/group",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki",
    "/etc/protocols",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/timezone",
];

/// Places of the system itself: whoever may change these, or everything, stands before no wall.
const SYSTEM: &[&str] = &["/proc", "/sys", "/dev"];

/// Why no walls can be built here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoWalls {
    /// The system has none that we know how to build.
    System,
    /// bubblewrap is not installed.
    Missing,
    /// It is, and the system doesn't let it.
    Refused { cause: String },
}

/// What a command may see and change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inside {
    /// Folders it may read and write, absolute.
    pub(crate) folders: Vec<PathBuf>,
    /// Folders that are empty for it, all links followed.
    pub(crate) hidden: Vec<PathBuf>,
    /// Where it begins.
    pub(crate) at: PathBuf,
}

/// Whether commands can be confined on this system.
///
/// # Errors
/// The reason why not.
pub fn ready() -> Result<(), NoWalls> {
    let inside = Inside {
        folders: Vec::new(),
        hidden: Vec::new(),
        at: PathBuf::from("/"),
    };
    checked(&inside).map(drop)
}

/// Starts `text` behind the walls, with pipes for what it prints.
pub(crate) fn start(text: &str, inside: &Inside) -> Result<std::process::Child, NoWalls> {
    let builder = checked(inside)?;
    spawn(&builder, text, inside)
}

/// The program that builds the walls, after it has shown once that it can.
pub(super) fn checked(inside: &Inside) -> Result<PathBuf, NoWalls> {
    static SHOWN: Mutex<Option<PathBuf>> = Mutex::new(None);
    if cfg!(not(target_os = "linux")) {
        return Err(NoWalls::System);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let builder = found(&path, &inside.folders).ok_or(NoWalls::Missing)?;
    let mut shown = SHOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if shown.as_ref() == Some(&builder) {
        return Ok(builder);
    }
    let bare = Inside {
        folders: Vec::new(),
        hidden: Vec::new(),
        at: PathBuf::from("/"),
    };
    let child = spawn(&builder, "true", &bare)?;
    let ended = child
        .wait_with_output()
        .map_err(|cause| refused(&cause.to_string()))?;
    if !ended.status.success() {
        return Err(refused(&String::from_utf8_lossy(&ended.stderr)));
    }
    *shown = Some(builder.clone());
    Ok(builder)
}

fn refused(cause: &str) -> NoWalls {
    let line = cause.lines().map(str::trim).find(|line| !line.is_empty());
    NoWalls::Refused {
        cause: line.unwrap_or("bwrap").chars().take(200).collect(),
    }
}

/// bubblewrap where systems keep it, else on `PATH`: what a command of another session put there must not come first.
fn found(path: &OsStr, folders: &[PathBuf]) -> Option<PathBuf> {
    let of_system = ["/usr/bin", "/bin", "/run/current-system/sw/bin"].map(PathBuf::from);
    first_of(of_system.into_iter().chain(std::env::split_paths(path)), folders)
}

/// The first of some places that has it and lies in no granted folder.
fn first_of(places: impl IntoIterator<Item = PathBuf>, folders: &[PathBuf]) -> Option<PathBuf> {
    let granted: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .collect();
    places
        .into_iter()
        .filter(|place| place.is_absolute())
        .filter_map(|place| place.join(BUILDER).canonicalize().ok())
        .find(|program| program.is_file() && !granted.iter().any(|folder| program.starts_with(folder)))
}

#[cfg(target_os = "linux")]
fn spawn(builder: &Path, text: &str, inside: &Inside) -> Result<std::process::Child, NoWalls> {
    use std::io::Write;
    let filter = super::seccomp::program().map_err(|cause| refused(&cause))?;
    let started = Command::new(builder)
        .args(arguments(inside))
        .args(["--seccomp", "0", "--", "bash", "-c", &limits(), text])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.map_err(|cause| refused(&cause.to_string()))?;
    // The filter comes as standard input, which is nobody's once it is read.
    let written = child.stdin.take().map(|mut input| input.write_all(&filter));
    match written {
        Some(Ok(())) => Ok(child),
        Some(Err(_)) | None => {
            let ended = child
                .wait_with_output()
                .map_err(|cause| refused(&cause.to_string()))?;
            Err(refused(&String::from_utf8_lossy(&ended.stderr)))
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn spawn(_builder: &Path, _text: &str, _inside: &Inside) -> Result<std::process::Child, NoWalls> {
    Err(NoWalls::System)
}

/// Limits that the kernel keeps, set within the walls: there they count what runs within them alone. Before Linux 5.14
/// processes are counted for the user as a whole, so no limit is set there.
fn limits() -> String {
    let processes = match counts_by_namespace() {
        true => format!("ulimit -u {COMMAND_PROCESSES_MAX};"),
        false => String::new(),
    };
    let (memory, file) = (COMMAND_MEMORY_BYTES_MAX >> 10, COMMAND_FILE_BYTES_MAX >> 10);
    format!(
        "{{ renice -n {COMMAND_NICE} $$ >&2; {processes} ulimit -d {memory}; ulimit -f {file}; ulimit -c 0; }} 2>/dev/null; exec bash -c \"$0\" </dev/null"
    )
}

fn counts_by_namespace() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or_default());
    (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    ) >= (5, 14)
}

/// What bubblewrap is told: later places lie over earlier ones.
fn arguments(inside: &Inside) -> Vec<OsString> {
    let mut told = Told::default();
    for word in [
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
    ] {
        told.word(word);
    }
    told.words(&["--cap-drop", "ALL", "--hostname", "shidi"]);
    let language = std::env::var("LANG").unwrap_or_else(|_| "C.UTF-8".to_owned());
    for (name, value) in [
        (
            "PATH",
            "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/run/current-system/sw/bin",
        ),
        ("HOME", HOME),
        ("TERM", "dumb"),
        ("LANG", language.as_str()),
    ] {
        told.words(&["--setenv", name, value]);
    }
    for folder in PROGRAMS.iter().map(Path::new) {
        match folder.read_link() {
            // `/bin` is `usr/bin` on most systems.
            Ok(target) if target.is_relative() => told.pair("--symlink", &target, folder),
            Ok(_) | Err(_) => told.pair("--ro-bind-try", folder, folder),
        }
    }
    for file in SETTINGS.iter().map(Path::new) {
        told.pair("--ro-bind-try", file, file);
    }
    told.words(&["--proc", "/proc", "--dev", "/dev"]);
    for place in of_the_kernel(Path::new("/proc")) {
        told.pair("--ro-bind-try", &place, &place);
    }
    let temporary = COMMAND_TEMPORARY_BYTES_MAX.to_string();
    for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
        told.words(&["--perms", "1777", "--size", &temporary, "--tmpfs", folder]);
    }
    told.words(&["--dir", HOME]);
    granted(&mut told, inside);
    // What is put between the places above would be gone with the command; it is refused instead.
    told.words(&["--remount-ro", "/dev", "--remount-ro", "/"]);
    told.word("--chdir");
    told.0.push(inside.at.clone().into_os_string());
    told.0
}

/// Places of the kernel that say something to it when they are written to: of the whole machine, not of a command. Whoever
/// runs as the first user may open them in any namespace, so they lie read-only over the command's own. Processes are left
/// out, which are its own, and links, which lead to them.
fn of_the_kernel(proc: &Path) -> Vec<PathBuf> {
    let Ok(entries) = proc.read_dir() else {
        return Vec::new();
    };
    let is_process = |name: &OsStr| name.to_string_lossy().chars().all(|digit| digit.is_ascii_digit());
    let others = entries
        .flatten()
        .filter(|entry| !is_process(&entry.file_name()) && is_spoken_to(entry));
    let mut places: Vec<PathBuf> = others.map(|entry| entry.path()).collect();
    places.sort_unstable();
    places
}

/// Whether an entry is a folder, or a file that somebody may write to.
fn is_spoken_to(entry: &std::fs::DirEntry) -> bool {
    let is_open = |facts: std::fs::Metadata| facts.is_file() && !facts.permissions().readonly();
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => true,
        Ok(kind) => kind.is_file() && entry.metadata().is_ok_and(is_open),
        Err(_) => false,
    }
}

fn granted(told: &mut Told, inside: &Inside) {
    let roots = roots(&inside.folders);
    for (folder, written) in &roots {
        told.pair("--bind", folder, folder);
        let has_place =
            written.is_absolute() && !PROGRAMS.iter().any(|programs| written.starts_with(programs));
        if folder != written && has_place {
            told.pair("--symlink", folder, written);
        }
    }
    for hidden in &inside.hidden {
        if roots.iter().any(|(folder, _)| hidden.starts_with(folder)) {
            told.word("--tmpfs");
            told.0.push(hidden.clone().into_os_string());
            told.word("--remount-ro");
            told.0.push(hidden.clone().into_os_string());
        }
    }
}

/// Granted folders with all links followed, and as they were granted. One that lies within another comes with it: what
/// stands there by name now may have been put there by a command.
pub(crate) fn roots(folders: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let is_within = |path: &Path, other: &Path| path != other && path.starts_with(other);
    let mut roots: Vec<(PathBuf, PathBuf)> = Vec::new();
    for written in folders {
        let is_ordinary = |folder: &PathBuf| {
            folder.is_dir()
                && folder.parent().is_some()
                && !SYSTEM.iter().any(|system| folder.starts_with(system))
        };
        let Some(folder) = written.canonicalize().ok().filter(is_ordinary) else {
            continue;
        };
        let mut others = folders.iter().filter(|other| *other != written);
        let is_covered = others.any(|other| {
            other
                .canonicalize()
                .is_ok_and(|other| is_within(written, &other) || is_within(&folder, &other))
                || is_within(written, other)
        });
        if !is_covered && !roots.iter().any(|(known, _)| *known == folder) {
            roots.push((folder, written.clone()));
        }
    }
    roots
}

#[derive(Default)]
struct Told(Vec<OsString>);

impl Told {
    fn word(&mut self, word: &str) {
        self.0.push(word.into());
    }

    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn pair(&mut self, option: &str, from: &Path, to: &Path) {
        self.0.extend([option.into(), from.into(), to.into()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_builds_the_walls_is_never_taken_from_a_granted_folder() {
        let root = tempfile::tempdir().unwrap();
        let [granted, other] =
            ["granted", "other"].map(|name| root.path().canonicalize().unwrap().join(name));
        for folder in [&granted, &other] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(BUILDER), "#!/bin/sh\n").unwrap();
        }
        let path = std::env::join_paths([Path::new("."), &granted, &other]).unwrap();
        let on_path = |folders: &[PathBuf]| first_of(std::env::split_paths(&path), folders);
        assert_eq!(on_path(&[]), Some(granted.join(BUILDER)));
        if Path::new("/usr/bin/bwrap").is_file() {
            let taken = found(&path, &[]).unwrap();
            assert!(
                taken.starts_with("/usr/bin") || taken.starts_with("/bin"),
                "{taken:?}"
            );
        } else {
            println!("NOT RUN: the system's bubblewrap before one on PATH; there is none");
        }
        assert_eq!(on_path(std::slice::from_ref(&granted)), Some(other.join(BUILDER)));
    }
}
