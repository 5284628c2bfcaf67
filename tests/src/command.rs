//! Runs the real `shidi` as a child process with its own data folder, and reads what it prints.

use crate::patience::ended;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

/// A data folder of its own, removed at the end of the test.
pub struct Desk {
    folder: tempfile::TempDir,
    environment: Vec<(String, String)>,
}

/// What a finished command printed.
#[derive(Debug)]
pub struct Printed {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

impl Desk {
    /// # Panics
    /// When no temporary folder can be made.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self {
            folder,
            environment: Vec::new(),
        }
    }

    /// A desk whose model is the one at `url`.
    #[must_use]
    pub fn with_model(url: &str) -> Self {
        let mut desk = Self::new();
        desk.set("SHIDI_KEY_OPENAI", "sk-test-0000000000001234");
        desk.write_config(&format!(
            "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{url}\"\n"
        ));
        desk
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Whether commands can be confined here; says NOT RUN where they can't.
    ///
    /// # Panics
    /// When `shidi doctor` says nothing of it.
    #[must_use]
    pub fn can_confine(&self) -> bool {
        let checks = self.run(["--json", "doctor"]).json();
        let shell = checks.iter().find(|check| check["name"] == "shell");
        let can = shell.expect("a check of the shell")["ok"] == true;
        if !can {
            println!("NOT RUN: commands can't be confined here: {shell:?}");
        }
        can
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A path for a file of the test's own.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// # Panics
    /// When the file can't be written.
    pub fn write_config(&self, text: &str) {
        std::fs::create_dir_all(self.data()).expect("the data folder");
        std::fs::write(self.data().join("config.toml"), text).expect("the configuration");
    }

    /// Prepares `shidi` with `arguments`, in English and in a clean environment.
    pub fn command<Argument: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = Argument>) -> Command {
        self.command_of(shidi(), arguments)
    }

    /// The same for another build of it.
    pub fn command_of<Argument: AsRef<OsStr>>(
        &self,
        program: &Path,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env_clear();
        let runtime = self.folder.path().join("run");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("HOME", self.folder.path())
            .env("XDG_RUNTIME_DIR", runtime);
        command
            .env("SHIDI_DATA_DIR", self.data())
            .env("LANG", "en_US.UTF-8")
            .env("TZ", "UTC");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs `shidi` to its end.
    ///
    /// # Panics
    /// When it can't be started, or does not end.
    pub fn run<Argument: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = Argument>) -> Printed {
        Printed::of(ended(self.spawn(arguments, Stdio::null())))
    }

    /// Runs `shidi` with `text` on its standard input.
    ///
    /// # Panics
    /// When it can't be started, or does not end.
    pub fn run_with<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
        text: &str,
    ) -> Printed {
        let mut child = self.spawn(arguments, Stdio::piped());
        child
            .stdin
            .take()
            .expect("its input")
            .write_all(text.as_bytes())
            .expect("it reads");
        Printed::of(ended(child))
    }

    /// Runs `shidi` where no file grows beyond `megabytes`, as on a full disk.
    ///
    /// # Panics
    /// When it can't be started.
    #[must_use]
    pub fn run_on_full_disk(&self, megabytes: u32, words: &[&str]) -> Printed {
        // Blocks of 512 bytes; who writes beyond is refused, not killed.
        let blocks = megabytes * 2_048;
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = self.command_of(Path::new("sh"), ["-c", &line]);
        Printed::of(ended(
            command.arg(shidi()).args(words).spawn().expect("shidi starts"),
        ))
    }

    /// Starts `shidi` and leaves it running.
    ///
    /// # Panics
    /// When it can't be started.
    pub fn spawn<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
        input: Stdio,
    ) -> Child {
        self.command(arguments)
            .stdin(input)
            .spawn()
            .expect("shidi starts")
    }
}

/// A process that stays and in which commands are carried out, as the desktop program is; dropping it ends it.
pub struct Staying(Child);

impl Staying {
    /// Returns when it has the data folder.
    ///
    /// # Panics
    /// When it does not say so.
    #[must_use]
    pub fn start(desk: &Desk) -> Self {
        let mut child = desk.spawn(["companion", "pair"], Stdio::null());
        let mut line = String::new();
        let said = child.stderr.as_mut().expect("what it says");
        BufReader::new(said).read_line(&mut line).expect("a line");
        assert!(line.contains("browser"), "{line}");
        Self(child)
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        self.0.kill().expect("it was at work");
        self.0.wait().expect("it ends");
    }
}

impl Printed {
    /// What a program printed.
    #[must_use]
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The lines as JSON.
    ///
    /// # Panics
    /// When a line is none: `--json` prints nothing else.
    #[must_use]
    pub fn json(&self) -> Vec<Value> {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(read).collect()
    }

    /// The first event of a type.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn event(&self, kind: &str) -> Value {
        let found = self.json().into_iter().find(|event| event["type"] == kind);
        found.unwrap_or_else(|| panic!("no {kind} in:\n{}\n{}", self.stdout, self.stderr))
    }

    /// The texts of all segments of a kind.
    #[must_use]
    pub fn segments(&self, kind: &str) -> Vec<String> {
        let events = self.json().into_iter();
        let segments = events.filter(|event| event["type"] == "segment" && event["kind"] == kind);
        segments
            .map(|event| event["text"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

/// The program under test, built first if need be: `cargo test` alone builds no other package's programs.
///
/// # Panics
/// When it can't be built; it is tried once.
pub fn shidi() -> &'static Path {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM
        .get_or_init(build)
        .as_deref()
        .expect("the command line could not be built")
}

fn build() -> Option<PathBuf> {
    let profile: &[&str] = if cfg!(debug_assertions) {
        &[]
    } else {
        &["--profile", "bench"]
    };
    let mut cargo = Command::new(env!("CARGO"));
    // What cargo says to a test of its package would have libraries built anew that ask for it, and once more after the test.
    let of_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(of_package) {
            cargo.env_remove(name);
        }
    }
    let status = cargo
        .args([
            "build",
            "--quiet",
            "--workspace",
            "--bin",
            "shidi",
            "--bin",
            "shidi-reader",
        ])
        .args(profile)
        .current_dir(crate::folder())
        .status();
    let test = std::env::current_exe().ok()?;
    let folder = test.ancestors().nth(2)?;
    let program = folder.join(format!("shidi{}", std::env::consts::EXE_SUFFIX));
    status
        .ok()
        .filter(std::process::ExitStatus::success)
        .map(|_| program)
}
