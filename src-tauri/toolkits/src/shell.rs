//! `shell`: commands in granted folders, in a sandbox that the system enforces (F7.3, DESIGN §8).
//!
//! A command has no network and sees no key, no home and no data of Shidi's. Its output is a stranger's text. Where no
//! sandbox can be built, nothing runs. Permissions decide whether a command may run; [`is_dangerous`] only tells which
//! commands are asked about every time.

mod builder;
mod command;
mod covering;
mod danger;
mod job;
mod lexer;
mod moving;
mod output;
mod sandbox;
#[cfg(target_os = "linux")]
mod seccomp;
mod serving;
mod supervisor;
mod tree;
mod way_out;

pub use command::Ended;
pub use danger::is_dangerous;
pub use job::{AllowedHost, End, Facts, Job, Standing, Supervision, all as jobs};
pub use sandbox::{SandboxUnavailable, ready, ready_for_net};
pub use serving::{Confined, Serving, of_program, serve};
pub use supervisor::{PROXY, run_if_asked as supervise_if_asked};
pub use way_out::WayOut;

use crate::arguments::Arguments;
use crate::declare::{idempotent, method, optional, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::identity;
use crate::limits::{
    COMMAND_CHARACTERS_MAX, COMMAND_OUTPUT_BYTES_MAX, COMMAND_SECONDS_DEFAULT, COMMAND_SECONDS_MAX,
    COMMAND_STOPPED_WITHIN, JOB_SECONDS_MAX, JOB_WAIT_SECONDS_DEFAULT,
};
use command::Streams;
use sandbox::SandboxSpec;
use serde_json::{Value, json};
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The toolkit's name.
pub const NAME: &str = "shell";

/// The method by which hosts are asked for, and its parameter. Beside it stands the network where that is the own one.
pub const CONNECT: &str = "connect";
pub const HOST: &str = "host";
pub const NETWORK: &str = "network";

/// The parameter that names the hosts that a background command may reach.
pub const HOSTS: &str = "hosts";

/// The parameter that names a command's folder.
pub(crate) const FOLDER: &str = "cwd";

pub(crate) fn declaration() -> ToolkitSpec {
    let doc = "Commands of bash in the granted folders: confined, without the user's home; each has its own /tmp, gone with it. \
               The user is asked about each host of the network. For what the other toolkits can't do: builds, tests, version \
               control, packages, converting files.";
    let methods = vec![
        run_declaration(),
        background_declaration(),
        status_declaration(),
        wait_declaration(),
        kill_declaration(),
        connect_declaration(),
    ];
    toolkit(NAME, doc, methods)
}

fn on_command(mut method: MethodSpec) -> MethodSpec {
    method.matters.extend(["command".to_owned(), FOLDER.to_owned()]);
    method
}

fn run_declaration() -> MethodSpec {
    let parameters = vec![
        required("command", ParameterKind::Text, "as for bash -c"),
        optional(
            "timeout",
            ParameterKind::Integer,
            COMMAND_SECONDS_DEFAULT,
            "seconds, to 600",
        ),
        optional(
            "cwd",
            ParameterKind::Text,
            ".",
            "a folder within the granted ones",
        ),
    ];
    let doc = "Runs a command and waits. A failing one raises nothing: look at exit_code. .data is {exit_code: int or None, \
               stdout: str, stderr: str, ended: 'exit'|'timeout'|'memory'|'processes'}.";
    on_command(method("run", Class::Execute, parameters, "dict", doc))
}

fn background_declaration() -> MethodSpec {
    let parameters = vec![
        required("command", ParameterKind::Text, "as for bash -c"),
        optional(
            "cwd",
            ParameterKind::Text,
            ".",
            "a folder within the granted ones",
        ),
        optional(
            HOSTS,
            ParameterKind::List,
            json!([]),
            "names or name:port that it may reach; it reaches no other",
        ),
    ];
    let doc = "Begins a command that takes long, up to 12 hours, and goes on by itself; you are told when it has ended. \
               .data is {id: str, command: str}.";
    // The call that began a job gives the job its id.
    idempotent(on_command(method(
        "background",
        Class::Execute,
        parameters,
        "dict",
        doc,
    )))
}

fn status_declaration() -> MethodSpec {
    let parameters = vec![required("id", ParameterKind::Text, "of a background job")];
    let doc = "Tells how a background job stands. .data is {id: str, command: str, state: 'running'|'ended'|'lost', \
               exit_code: int or None, ended: str or None, output: str, seconds: int}.";
    // The status tells only of jobs of its own session.
    method("status", Class::Read, parameters, "dict", doc)
}

fn wait_declaration() -> MethodSpec {
    let parameters = vec![
        required("id", ParameterKind::Text, "of a background job"),
        optional(
            "timeout",
            ParameterKind::Number,
            JOB_WAIT_SECONDS_DEFAULT,
            "seconds, to 43200",
        ),
    ];
    let doc = "Waits until a background job has ended, at no cost of the program's own time. .data is what status tells; \
               state is 'running' when the timeout came first.";
    // Recorded before it is performed, so that a restart waits for the remaining time alone.
    idempotent(method("wait", Class::Read, parameters, "dict", doc))
}

fn kill_declaration() -> MethodSpec {
    let parameters = vec![required("id", ParameterKind::Text, "of a background job")];
    // A stop ends only a job that the session itself began.
    method(
        "kill",
        Class::Write,
        parameters,
        "dict",
        "Ends a background job. .data is what status tells.",
    )
}

fn connect_declaration() -> MethodSpec {
    let parameters = vec![required(HOST, ParameterKind::Text, "name, or name:port")];
    let doc = "Asks that this task's commands may reach a host over HTTP or SOCKS, by the proxies that their environment \
               names. Only needed after one was not reached. .data is the host.";
    let mut method = method(CONNECT, Class::Connect, parameters, "str", doc);
    method.matters.extend([HOST, NETWORK].map(str::to_owned));
    // The leave is the record of the call itself.
    idempotent(method)
}

/// The class of a call of this toolkit: a dangerous command has the class of a command without a sandbox.
pub(crate) fn class_of(call: &Call, declared: Class) -> Class {
    let text = call.args.get("command").and_then(Value::as_str);
    match (declared, text) {
        (Class::Execute, Some(text)) if is_dangerous(text) => Class::ExecuteOpen,
        (_, _) => declared,
    }
}

/// The folder in which a call's command would work, all links followed.
pub(crate) fn folder_of(call: &Call, environment: &Environment) -> Option<PathBuf> {
    let method = crate::declared_method(call)?;
    let parameter = method
        .parameters
        .iter()
        .find(|parameter| parameter.name == FOLDER)?;
    let cwd = call.args.get(FOLDER).or(parameter.default.as_ref())?.as_str()?;
    let own = environment.own.as_ref().and_then(|own| own.canonicalize().ok());
    let is_ours = |folder: &Path| own.as_ref().is_some_and(|own| identity::is_within(folder, own));
    let mut roots = sandbox::roots(&environment.folders).into_iter();
    let (first, _) = roots.find(|(folder, _)| !is_ours(folder))?;
    first.join(cwd).canonicalize().ok()
}

/// A command that is ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    text: String,
    inside: SandboxSpec,
    timeout: Duration,
}

/// Why a command was not run.
#[derive(Debug)]
pub enum NotRun {
    /// An argument or path that is invalid.
    Argument(ToolError),
    /// The text is empty, too long, or holds a NUL.
    Text,
    /// No granted folder is one that a command may work in.
    NoFolder,
    /// The named folder lies in no granted folder.
    NotInside {
        folder: String,
    },
    SandboxUnavailable(SandboxUnavailable),
    /// The disk or the system failed.
    Failed {
        cause: String,
    },
}

impl Order {
    /// The command's text, unchanged.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.text
    }
}

/// Reads the arguments of `shell.run` or `shell.background`. `hidden` are folders of ours that no command sees.
///
/// # Errors
/// Arguments that don't fit, a folder that isn't granted.
pub fn order(call: &Call, environment: &Environment, hidden: &[PathBuf]) -> Result<Order, NotRun> {
    let method = crate::declared_method(call).ok_or(NotRun::Text)?;
    let arguments = Arguments::of(call, method).map_err(NotRun::Argument)?;
    let seconds = match arguments.has("timeout") {
        true => arguments
            .count("timeout", 1..=COMMAND_SECONDS_MAX)
            .map_err(NotRun::Argument)?,
        false => JOB_SECONDS_MAX,
    };
    let text = arguments.text("command").to_owned();
    if text.trim().is_empty() || text.contains('\0') || text.len() > COMMAND_CHARACTERS_MAX {
        return Err(NotRun::Text);
    }
    let inside = inside(arguments.text(FOLDER), environment, hidden)?;
    let is_decided = |decided: &String| *decided == inside.at.to_string_lossy();
    if !call.places.get(FOLDER).is_none_or(is_decided) {
        let elsewhere = ToolError::Elsewhere(arguments.text(FOLDER).to_owned(), inside.at);
        return Err(NotRun::Argument(elsewhere));
    }
    Ok(Order {
        text,
        inside,
        timeout: Duration::from_secs(seconds),
    })
}

/// The sandbox of a command that works in `cwd`: a folder within the granted ones, all links followed.
fn inside(cwd: &str, environment: &Environment, hidden: &[PathBuf]) -> Result<SandboxSpec, NotRun> {
    let hidden: Vec<PathBuf> = hidden
        .iter()
        .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()))
        .collect();
    let is_ours = |folder: &Path| hidden.iter().any(|hidden| identity::is_within(folder, hidden));
    let roots = sandbox::roots(&environment.folders);
    let open = roots.into_iter().filter(|(folder, _)| !is_ours(folder));
    let (open, written): (Vec<PathBuf>, Vec<PathBuf>) = open.unzip();
    let Some(first) = open.first() else {
        return Err(NotRun::NoFolder);
    };
    let wanted = first.join(cwd);
    let at = wanted
        .canonicalize()
        .map_err(|cause| NotRun::Argument(ToolError::io(&wanted, cause)))?;
    if !at.is_dir() {
        return Err(NotRun::Argument(ToolError::NotFolder(cwd.to_owned())));
    }
    if is_ours(&at) || !open.iter().any(|folder| at.starts_with(folder)) {
        return Err(NotRun::NotInside {
            folder: cwd.to_owned(),
        });
    }
    Ok(SandboxSpec {
        folders: written,
        hidden,
        at,
        is_decided: environment.permitted == Class::ExecuteOpen,
    })
}

/// Runs a command to its end on this thread. The output counts as a stranger's text. Without a way out it has no network.
///
/// # Errors
/// No sandbox can be built; nothing ran.
pub fn perform(
    order: &Order,
    way_out: Option<&dyn WayOut>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<CallOutcome, NotRun> {
    let mut streams = Streams::new(COMMAND_OUTPUT_BYTES_MAX);
    let ended = command::run(
        &order.text,
        &order.inside,
        way_out,
        command::Pace {
            timeout: order.timeout,
            looked_at_every: COMMAND_STOPPED_WITHIN,
        },
        is_wanted,
        &mut |stream, bytes| streams.take(stream, bytes),
    )
    .map_err(NotRun::SandboxUnavailable)?;
    let (stdout, stderr) = streams.texts();
    let code = match ended {
        Ended::Exited { code } => Some(code),
        Ended::TimedOut | Ended::OutOfMemory | Ended::TooManyProcesses | Ended::Stopped => None,
    };
    let lines = stdout.lines().count() + stderr.lines().count();
    let summary = format!("{} · {lines} lines", ended.shown());
    let data = json!({"exit_code": code, "stdout": stdout, "stderr": stderr, "ended": ended.name()});
    Ok(CallOutcome::success(data, summary).untrusted())
}

impl Ended {
    /// The word that programs read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exited { .. } => "exit",
            Self::TimedOut => "timeout",
            Self::OutOfMemory => "memory",
            Self::TooManyProcesses => "processes",
            Self::Stopped => "stopped",
        }
    }

    /// A few words for people.
    #[must_use]
    pub fn shown(self) -> String {
        match self {
            Self::Exited { code } => format!("exit {code}"),
            Self::TimedOut => "time limit".to_owned(),
            Self::OutOfMemory => "too much memory".to_owned(),
            Self::TooManyProcesses => "too many processes".to_owned(),
            Self::Stopped => "stopped".to_owned(),
        }
    }
}
