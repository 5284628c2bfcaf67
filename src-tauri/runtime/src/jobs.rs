//! Commands of the toolkit `shell`: waits for them, and words what keeps one from running.

use crate::home::Home;
use crate::limits::COMMANDS_AT_ONCE;
use crate::words::{Words, error};
use shidi_protocol::{Call, CallOutcome, ErrorCode, UserError};
use shidi_toolkits::Environment;
use shidi_toolkits::shell::{self, NoWalls, NotRun};
use std::path::PathBuf;
use tokio::sync::Semaphore;

/// What of the shell lives as long as the process.
#[derive(Debug)]
pub struct Jobs {
    /// Places for commands that are waited for.
    places: Semaphore,
}

impl Default for Jobs {
    fn default() -> Self {
        Self {
            places: Semaphore::new(COMMANDS_AT_ONCE),
        }
    }
}

impl Jobs {
    /// Waits for a place; without one the process ends.
    pub async fn place(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }
}

/// Whether a call is for this toolkit.
pub fn is_for_the_shell(call: &Call) -> bool {
    call.toolkit == shell::NAME
}

/// Runs a command to its end, on this thread.
pub fn run(
    call: &Call,
    environment: &Environment,
    home: &Home,
    words: Words,
    is_wanted: &dyn Fn() -> bool,
) -> CallOutcome {
    let performed =
        shell::order(call, environment, &hidden(home)).and_then(|order| shell::perform(&order, is_wanted));
    performed.unwrap_or_else(|cause| not_run(words, &cause))
}

/// What no command sees, whatever is granted: our own data.
fn hidden(home: &Home) -> Vec<PathBuf> {
    let mut hidden = vec![home.folder().to_owned()];
    hidden.extend(home.files().map(PathBuf::from));
    hidden.dedup();
    hidden
}

fn not_run(words: Words, cause: &NotRun) -> CallOutcome {
    match cause {
        NotRun::Argument(cause) => CallOutcome::failure(cause.kind(), cause.to_string()),
        NotRun::Text => CallOutcome::failure(
            "ValueError",
            words.pick(
                "命令是空的、超过 32 KiB，或含有 NUL 字符；长的内容请写进文件再运行",
                "The command is empty, longer than 32 KiB or holds a NUL; put long text into a file and run that",
            ),
        ),
        NotRun::NoFolder => CallOutcome::failure(
            "PermissionError",
            words.pick(
                "没有授权的工作文件夹，命令没有地方运行。请用户授权一个：面板里的“文件夹”，或 shidi ask --folder 目录",
                "No work folder is granted that a command could run in. Ask the user to grant one: “Folders” in the panel, or \
                 shidi ask --folder DIR",
            ),
        ),
        NotRun::NotInside { folder } => CallOutcome::failure(
            "PermissionError",
            format!(
                "{} '{folder}'{}",
                words.pick("不在授权的文件夹里：", "Not within the granted folders:"),
                words.pick("。请用户授权它", ". Ask the user to grant it")
            ),
        ),
        NotRun::NoWalls(cause) => {
            let told = no_walls(words, cause);
            CallOutcome::failure("OSError", format!("{}. {}", told.message, told.hint.unwrap_or_default()))
        }
    }
}

/// Why commands can't be confined here, and what helps. For `shidi doctor` as well.
pub fn no_walls(words: Words, cause: &NoWalls) -> UserError {
    let (message, hint) = match cause {
        NoWalls::System => (
            words
                .pick(
                    "这个系统上还不能隔离命令，所以不运行命令",
                    "Commands can't be confined on this system yet, so none is run",
                )
                .to_owned(),
            words.pick("目前只在 Linux 上可用；其他工具照常可用", "They work on Linux; all other tools work here too"),
        ),
        NoWalls::Missing => (
            words
                .pick(
                    "没有安装 bubblewrap，命令无法隔离，所以不运行命令",
                    "bubblewrap is not installed, so commands can't be confined and none is run",
                )
                .to_owned(),
            words.pick(
                "安装它：sudo apt install bubblewrap（或用你的发行版的包管理器）",
                "Install it: sudo apt install bubblewrap, or with your distribution's package tool",
            ),
        ),
        NoWalls::Refused { cause } => (
            format!(
                "{} ({cause})",
                words.pick(
                    "系统不让 bubblewrap 隔离命令，所以不运行命令",
                    "The system doesn't let bubblewrap confine commands, so none is run"
                )
            ),
            words.pick(
                "允许普通用户建命名空间：sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0 或 kernel.unprivileged_userns_clone=1；太旧的 bubblewrap 要升级",
                "Allow namespaces of users: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, or \
                 kernel.unprivileged_userns_clone=1; a bubblewrap older than 0.6 needs an update",
            ),
        ),
    };
    error(ErrorCode::System, message, hint)
}
