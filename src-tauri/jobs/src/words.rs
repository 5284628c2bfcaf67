//! What there is to say of commands and jobs, in both languages: what keeps one from running, and how one ended.

use shidi_protocol::{CallOutcome, ErrorCode, UserError};
use shidi_space::home::Home;
use shidi_space::words::{Words, error};
use shidi_toolkits::shell::{Ended, NotRun, SandboxUnavailable};
use std::path::PathBuf;

/// Why no job can begin for a program outside of any session, or in one that leaves nothing.
pub(crate) fn nowhere(words: Words) -> &'static str {
    words.pick(
        "这里不能开后台任务：它属于一个会留下的会话。改用 shell.run，或 shidi exec --session new",
        "No background job can begin here: it belongs to a session that stays. Use shell.run, or shidi exec --session new",
    )
}

pub(crate) fn too_many(words: Words) -> &'static str {
    words.pick(
        "后台任务太多了：一个会话最多 4 个，一共最多 8 个。先等一个结束（shell.wait），或结束一个（shell.kill）",
        "Too many background jobs: at most 4 in a session and 8 in all. Wait for one (shell.wait), or end one (shell.kill)",
    )
}

/// How a job ended, for people.
pub(crate) fn ended(words: Words, ended: Ended) -> String {
    match ended {
        Ended::Exited { code } => {
            format!(
                "{} {code}",
                words.pick("结束了，退出码", "has ended with exit code")
            )
        }
        Ended::TimedOut => words
            .pick(
                "到了 12 小时的时限，已结束",
                "was ended at its time limit of 12 hours",
            )
            .to_owned(),
        Ended::OutOfMemory => words
            .pick("占用内存太多，已结束", "was ended for taking too much memory")
            .to_owned(),
        Ended::TooManyProcesses => words
            .pick("进程太多，已结束", "was ended for starting too many processes")
            .to_owned(),
        Ended::Stopped => words.pick("被结束了", "was ended").to_owned(),
    }
}

/// What no command sees, whatever is granted: our own data.
pub(crate) fn hidden(home: &Home) -> Vec<PathBuf> {
    let mut hidden = vec![home.folder().to_owned()];
    hidden.extend(home.files().map(PathBuf::from));
    hidden.dedup();
    hidden
}

pub(crate) fn not_run(words: Words, cause: &NotRun) -> CallOutcome {
    match cause {
        NotRun::Argument(cause) => cause.outcome(),
        NotRun::Text => CallOutcome::failure(
            "ValueError",
            words.pick(
                "命令是空的、超过 32 KiB，或含有 NUL 字符；长的内容请写进文件再运行",
                "The command is empty, longer than 32 KiB or holds a NUL; put long text into a file and run that",
            ),
        )
        .own(),
        NotRun::NoFolder => CallOutcome::failure(
            "PermissionError",
            words.pick(
                "没有授权的工作文件夹，命令没有地方运行。请用户授权一个：面板里的“文件夹”，或 shidi ask --folder 目录",
                "No work folder is granted that a command could run in. Ask the user to grant one: “Folders” in the panel, or \
                 shidi ask --folder DIR",
            ),
        )
        .own(),
        NotRun::NotInside { folder } => CallOutcome::failure(
            "PermissionError",
            format!(
                "{} '{folder}'{}",
                words.pick("不在授权的文件夹里：", "Not within the granted folders:"),
                words.pick("。请用户授权它", ". Ask the user to grant it")
            ),
        )
        .own(),
        NotRun::Failed { cause } => CallOutcome::failure("OSError", cause.clone()),
        NotRun::SandboxUnavailable(cause) => {
            let told = no_walls(words, cause);
            CallOutcome::failure("OSError", format!("{}. {}", told.message, told.hint.unwrap_or_default()))
        }
    }
}

/// Why commands can't be confined here, and what helps. For `shidi doctor` as well.
pub fn no_walls(words: Words, cause: &SandboxUnavailable) -> UserError {
    let (message, hint) = match cause {
        SandboxUnavailable::System => (
            words
                .pick(
                    "这个系统上还不能隔离命令，所以不运行命令",
                    "Commands can't be confined on this system yet, so none is run",
                )
                .to_owned(),
            words.pick("目前只在 Linux 上可用；其他工具照常可用", "They work on Linux; all other tools work here too"),
        ),
        SandboxUnavailable::Missing => (
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
        SandboxUnavailable::Refused { cause } => (
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
