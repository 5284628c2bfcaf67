//! The sandbox of a command: bubblewrap with own namespaces, and a file system of read-only programs and
//! granted folders alone. Where no sandbox can be built, nothing runs.

use super::builder;
use super::covering::Covering;
#[cfg(target_os = "linux")]
use super::way_out;
use super::way_out::WayOut;
use crate::identity::Identity;
use crate::limits::{
    COMMAND_FILE_BYTES_MAX, COMMAND_MEMORY_BYTES_MAX, COMMAND_NICE, COMMAND_PROCESSES_MAX,
    COMMAND_TEMPORARY_BYTES_MAX,
};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The home folder of a command: empty, and gone with the command.
const HOME: &str = "/tmp/home";

/// Folders of programs and their libraries, mounted unchanged.
pub(super) const PROGRAMS: &[&str] = &[
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

/// Settings of the system that programs need: to start, to speak the user's language, to tell the time.
/// Certificates are checked with them, too. None is secret.
pub(super) const SETTINGS: &[&str] = &[
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

/// Folders of the system itself: a program that may write there could break out of any sandbox.
const SYSTEM: &[&str] = &["/proc", "/sys", "/dev"];

/// The message and exit code for a folder that was exchanged before the command began.
const EXCHANGED: &str = "A folder was exchanged while the command was about to begin; try again";
const NOT_BEGUN: u8 = 126;

/// Why no sandbox can be built here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxUnavailable {
    /// The system has no sandbox that we know how to build.
    System,
    /// bubblewrap is not installed.
    Missing,
    /// bubblewrap is installed, but the system refuses it.
    Refused { cause: String },
}

/// The files that a command may see and change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SandboxSpec {
    /// Folders that the command may read and write, absolute.
    pub(crate) folders: Vec<PathBuf>,
    /// Folders that appear empty to the command, all links followed.
    pub(crate) hidden: Vec<PathBuf>,
    /// The folder in which the command begins.
    pub(crate) at: PathBuf,
    /// Whether a person decided on this very command: then it may write files that git runs by itself.
    #[serde(default)]
    pub(crate) is_decided: bool,
}

impl SandboxSpec {
    /// A sandbox with the system's programs alone.
    pub(super) fn bare() -> Self {
        Self {
            at: PathBuf::from("/"),
            ..Self::default()
        }
    }
}

/// Whether commands can be confined on this system.
///
/// # Errors
/// Why they can't.
pub fn ready() -> Result<(), SandboxUnavailable> {
    checked(&SandboxSpec::bare()).map(drop)
}

/// Whether commands can have a way to the network on this system.
///
/// # Errors
/// Why they can't.
pub fn ready_for_net() -> Result<(), SandboxUnavailable> {
    /// Serves nobody.
    struct Closed;
    impl WayOut for Closed {
        fn serve(&self, listener: std::net::TcpListener) -> std::io::Result<Box<dyn Send>> {
            Ok(Box::new(listener))
        }
    }
    static SHOWN: Mutex<Option<PathBuf>> = Mutex::new(None);
    let bare = SandboxSpec::bare();
    let builder = checked(&bare)?;
    let mut shown = SHOWN.lock();
    if shown.as_ref() == Some(&builder) {
        return Ok(());
    }
    let mut running = spawn(&builder, "true", &bare, Some(&Closed))?;
    // Whatever it says, only the listener is of interest.
    running
        .child
        .wait()
        .map_err(|cause| refused(&cause.to_string()))?;
    running.served?;
    *shown = Some(builder);
    Ok(())
}

/// A command at work, with its way to the network.
pub(crate) struct Running {
    pub(crate) child: std::process::Child,
    /// Who serves its connections; nobody where it has no network, or where the system refuses one.
    pub(crate) served: Result<Option<Box<dyn Send>>, SandboxUnavailable>,
}

/// Starts `text` in the sandbox, with pipes for its output. The command has a network only where there is a way
/// out.
pub(crate) fn start(
    text: &str,
    inside: &SandboxSpec,
    way_out: Option<&dyn WayOut>,
) -> Result<Running, SandboxUnavailable> {
    let builder = checked(inside)?;
    // A name of a proxy that nobody serves would only mislead.
    let way_out = way_out.filter(|_| ready_for_net().is_ok());
    spawn(&builder, text, inside, way_out)
}

/// The program that builds the sandbox, after one successful trial.
pub(super) fn checked(inside: &SandboxSpec) -> Result<PathBuf, SandboxUnavailable> {
    static SHOWN: Mutex<Option<PathBuf>> = Mutex::new(None);
    if cfg!(not(target_os = "linux")) {
        return Err(SandboxUnavailable::System);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let builder = builder::found(&path, &inside.folders).ok_or(SandboxUnavailable::Missing)?;
    let mut shown = SHOWN.lock();
    if shown.as_ref() == Some(&builder) {
        return Ok(builder);
    }
    let running = spawn(&builder, "true", &SandboxSpec::bare(), None)?;
    let ended = running
        .child
        .wait_with_output()
        .map_err(|cause| refused(&cause.to_string()))?;
    if !ended.status.success() {
        return Err(refused(&String::from_utf8_lossy(&ended.stderr)));
    }
    *shown = Some(builder.clone());
    Ok(builder)
}

pub(super) fn refused(cause: &str) -> SandboxUnavailable {
    let line = cause.lines().map(str::trim).find(|line| !line.is_empty());
    SandboxUnavailable::Refused {
        cause: line.unwrap_or("bwrap").chars().take(200).collect(),
    }
}

#[cfg(target_os = "linux")]
fn spawn(
    builder: &Path,
    text: &str,
    inside: &SandboxSpec,
    way_out: Option<&dyn WayOut>,
) -> Result<Running, SandboxUnavailable> {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    let failed = |cause: std::io::Error| refused(&cause.to_string());
    let held = way_out.map(|way| way_out::Held::new().map(|held| (held, way)));
    let held = held.transpose().map_err(failed)?;
    let inherited = held.as_ref().map(|(held, _)| held.inherited());
    let filter = super::seccomp::program().map_err(|cause| refused(&cause))?;
    let mut command = command(builder, text, inside, held.as_ref().map(|(held, _)| held))?;
    let close = move || {
        crate::descriptors::close_for_children();
        let mut inherited = inherited.into_iter().flatten();
        inherited.try_for_each(crate::descriptors::leave_open)
    };
    // SAFETY: between `fork` and `exec` the closure only makes system calls.
    let mut child = unsafe { command.pre_exec(close) }.spawn().map_err(failed)?;
    // bubblewrap reads the filter from standard input; nobody uses that stream afterwards.
    let written = child.stdin.take().map(|mut input| input.write_all(&filter));
    match written {
        Some(Ok(())) => {
            let served = held.map(|(held, way)| held.begin(way)).transpose();
            let served = served.map_err(failed);
            Ok(Running { child, served })
        }
        Some(Err(_)) | None => {
            // One that is held back would wait for ever.
            drop(held);
            let ended = child.wait_with_output().map_err(failed)?;
            Err(refused(&String::from_utf8_lossy(&ended.stderr)))
        }
    }
}

/// bubblewrap with everything that it is told.
#[cfg(target_os = "linux")]
fn command(
    builder: &Path,
    text: &str,
    inside: &SandboxSpec,
    held: Option<&way_out::Held>,
) -> Result<Command, SandboxUnavailable> {
    let roots = roots(&inside.folders);
    let folders: Vec<PathBuf> = roots.iter().map(|(folder, _)| folder.clone()).collect();
    let covering = Covering::of(inside, &folders).map_err(|folder| refused(&folder.to_string_lossy()))?;
    let mut command = Command::new(builder);
    command.args(arguments(inside, &roots, &covering));
    if let Some(held) = held {
        let named = way_out::environment();
        let words = named.iter().flat_map(|(name, value)| ["--setenv", name, value]);
        command.args(words).args(held.arguments());
    }
    command
        .args(["--seccomp", "0", "--", "bash", "-c", &begins(), text])
        .args(expected(&covering.expected))
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

#[cfg(not(target_os = "linux"))]
fn spawn(
    _builder: &Path,
    _text: &str,
    _inside: &SandboxSpec,
    _way_out: Option<&dyn WayOut>,
) -> Result<Running, SandboxUnavailable> {
    Err(SandboxUnavailable::System)
}

/// The first script in the sandbox. The script sets the kernel's limits there, so that they count the sandbox's
/// processes alone. Before Linux 5.14 processes are counted for the whole user, so no limit is set there. The
/// command begins only when each folder mounted by name has the expected identity: another program may have
/// exchanged one.
fn begins() -> String {
    let processes = match counts_by_namespace() {
        true => format!("ulimit -u {COMMAND_PROCESSES_MAX};"),
        false => String::new(),
    };
    let (memory, file) = (COMMAND_MEMORY_BYTES_MAX >> 10, COMMAND_FILE_BYTES_MAX >> 10);
    format!(
        "[ -z \"$1\" ] || [ \"$(stat -c %d:%i -- \"${{@:2}}\")\" = \"$1\" ] || {{ echo '{EXCHANGED}' >&2; exit {NOT_BEGUN}; }}; \
         {{ renice -n {COMMAND_NICE} $$ >&2; {processes} ulimit -d {memory}; ulimit -f {file}; ulimit -c 0; }} 2>/dev/null; \
         exec bash -c \"$0\" </dev/null"
    )
}

/// The expected identities as `stat` writes them, and the folders.
fn expected(places: &[(PathBuf, Identity)]) -> Vec<OsString> {
    let mut numbers = String::new();
    for (at, (_, (device, number))) in places.iter().enumerate() {
        let between = if at > 0 { "\n" } else { "" };
        // Writing to a string can't fail.
        write!(numbers, "{between}{device}:{number}").unwrap_or_default();
    }
    let places = places.iter().map(|(place, _)| place.clone().into_os_string());
    std::iter::once(numbers.into()).chain(places).collect()
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

/// The arguments of bubblewrap: later mounts lie over earlier ones.
fn arguments(inside: &SandboxSpec, roots: &[(PathBuf, PathBuf)], covering: &Covering) -> Vec<OsString> {
    let mut told = SandboxArguments::default();
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
    granted(&mut told, roots, covering);
    // Files written to the folders above would vanish with the command; writing there is refused instead.
    told.words(&["--remount-ro", "/dev", "--remount-ro", "/"]);
    told.word("--chdir");
    told.0.push(inside.at.clone().into_os_string());
    told.0
}

/// Files of `/proc` through which a write reaches the whole machine's kernel. Root may open them in any
/// namespace, so they are mounted read-only. The command's own processes, and links to them, are left out.
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

/// Whether an entry is a folder, or a file with a write permission.
fn is_spoken_to(entry: &std::fs::DirEntry) -> bool {
    let is_open = |facts: std::fs::Metadata| facts.is_file() && !facts.permissions().readonly();
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => true,
        Ok(kind) => kind.is_file() && entry.metadata().is_ok_and(is_open),
        Err(_) => false,
    }
}

fn granted(told: &mut SandboxArguments, roots: &[(PathBuf, PathBuf)], covering: &Covering) {
    for (folder, written) in roots {
        told.pair("--bind", folder, folder);
        let has_place =
            written.is_absolute() && !PROGRAMS.iter().any(|programs| written.starts_with(programs));
        if folder != written && has_place {
            told.pair("--symlink", folder, written);
        }
    }
    for folder in &covering.held {
        told.pair("--bind", folder, folder);
    }
    for place in &covering.read_only {
        told.pair("--ro-bind", place, place);
    }
    for hidden in &covering.empty {
        for option in ["--tmpfs", "--remount-ro"] {
            told.word(option);
            told.0.push(hidden.into());
        }
    }
}

/// Granted folders with all links followed, and their granted names. A folder within another one comes with the
/// outer folder: a command may have replaced it since.
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
struct SandboxArguments(Vec<OsString>);

impl SandboxArguments {
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
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::identity;

    #[test]
    fn a_command_does_not_begin_where_a_folder_was_exchanged() {
        let root = tempfile::tempdir().unwrap();
        let places = ["one", "it's two"].map(|name| root.path().canonicalize().unwrap().join(name));
        let known = places.clone().map(|place| {
            std::fs::create_dir(&place).unwrap();
            let known = identity::without_links(&place).unwrap();
            (place, known)
        });
        let code = |expected_of: &[(PathBuf, Identity)]| {
            let mut command = Command::new("bash");
            command
                .args(["-c", &begins(), "exit 7"])
                .args(expected(expected_of));
            let ended = command.stderr(Stdio::null()).status().unwrap();
            ended.code().unwrap()
        };
        assert_eq!(code(&[]), 7);
        assert_eq!(code(&known), 7);
        std::fs::rename(&places[1], root.path().join("three")).unwrap();
        assert_eq!(code(&known), i32::from(NOT_BEGUN), "it is gone");
        std::fs::create_dir(&places[1]).unwrap();
        assert_eq!(code(&known), i32::from(NOT_BEGUN), "it is another one");
        std::fs::remove_dir(&places[1]).unwrap();
        std::os::unix::fs::symlink(root.path().join("three"), &places[1]).unwrap();
        assert_eq!(identity::without_links(&places[1]), None);
    }
}
