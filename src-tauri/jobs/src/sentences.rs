//! Sentences about commands and jobs: the reason that keeps one from running, and how one ended.

use shidi_locales::Language;
use shidi_protocol::{CallOutcome, Check, ErrorCode, UserError};
use shidi_space::errors::error;
use shidi_space::home::Home;
use shidi_toolkits::shell::{self, Ended, NotRun, SandboxUnavailable};
use std::path::PathBuf;

/// Why no job can begin for a program outside of any session, or in one that leaves nothing.
pub(crate) fn nowhere(language: Language) -> &'static str {
    language.jobs().no_session_for_job()
}

pub(crate) fn too_many(language: Language) -> &'static str {
    language.jobs().jobs_full()
}

/// How a job ended, for people.
pub(crate) fn ended(language: Language, ended: Ended) -> String {
    match ended {
        Ended::Exited { code } => language.jobs().exited(code),
        Ended::TimedOut => language.jobs().timed_out().to_owned(),
        Ended::OutOfMemory => language.jobs().out_of_memory().to_owned(),
        Ended::TooManyProcesses => language.jobs().processes_over_limit().to_owned(),
        Ended::Stopped => language.jobs().stopped().to_owned(),
    }
}

/// What no command sees, whatever is granted: our own data.
pub(crate) fn hidden(home: &Home) -> Vec<PathBuf> {
    let mut hidden = vec![home.folder().to_owned()];
    hidden.extend(home.files().map(PathBuf::from));
    hidden.dedup();
    hidden
}

pub(crate) fn not_run(language: Language, cause: &NotRun) -> CallOutcome {
    match cause {
        NotRun::Argument(cause) => cause.outcome(),
        NotRun::Text => CallOutcome::failure("ValueError", language.jobs().bad_command()).own(),
        NotRun::NoFolder => CallOutcome::failure("PermissionError", language.jobs().no_work_folder()).own(),
        NotRun::NotInside { folder } => {
            CallOutcome::failure("PermissionError", language.jobs().folder_not_granted(folder)).own()
        }
        NotRun::Failed { cause } => CallOutcome::failure("OSError", cause.clone()),
        NotRun::SandboxUnavailable(cause) => {
            let told = no_walls(language, cause);
            CallOutcome::failure(
                "OSError",
                format!("{}. {}", told.message, told.hint.unwrap_or_default()),
            )
        }
    }
}

/// Whether commands can be confined, and whether they can have a network, for `shidi doctor`.
#[must_use]
pub fn checks(language: Language) -> [Check; 2] {
    let checked = |name: &str, ready: Result<(), SandboxUnavailable>, detail: &str| match ready {
        Ok(()) => Check::good(name, detail),
        Err(cause) => {
            let told = no_walls(language, &cause);
            Check::bad(name, told.message, told.hint.as_deref().unwrap_or_default())
        }
    };
    [
        checked("shell", shell::ready(), "bubblewrap"),
        checked("shell net", shell::ready_for_net(), language.jobs().net_by_host()),
    ]
}

/// Why commands can't be confined here, and what helps. For `shidi doctor` as well.
pub fn no_walls(language: Language, cause: &SandboxUnavailable) -> UserError {
    let (message, hint) = match cause {
        SandboxUnavailable::System => (
            language.jobs().commands_unsupported().to_owned(),
            language.jobs().commands_on_linux(),
        ),
        SandboxUnavailable::Missing => (
            language.jobs().bubblewrap_missing().to_owned(),
            language.jobs().install_bubblewrap(),
        ),
        SandboxUnavailable::Refused { cause } => (
            language.jobs().bubblewrap_refused(cause),
            language.jobs().allow_namespaces(),
        ),
    };
    error(ErrorCode::System, message, hint)
}
