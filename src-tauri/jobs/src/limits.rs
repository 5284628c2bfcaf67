//! Bounds of background jobs, with unit and reason.

use std::time::Duration;

/// Commands that run at the same time while somebody waits for them; more wait for their turn.
pub const COMMANDS_AT_ONCE: usize = 4;

/// Connections of a command that are told of one by one; more are added up by host.
pub const CONNECTIONS_TOLD_MAX: u32 = 200;

/// Hosts of a command that are told of: a command may invent any number.
pub const HOSTS_TOLD_MAX: usize = 50;

/// Background jobs at work at the same time, of one session and in all: each may take a core.
pub const JOBS_OF_SESSION_AT_ONCE: usize = 4;
pub const JOBS_AT_ONCE: usize = 8;

/// Jobs that are kept, with the end of what they printed; the oldest ones that have ended go first.
pub const JOBS_KEPT_MAX: usize = 200;

/// Seconds that `shell.wait` waits at most: as long as a job may take.
pub const JOB_WAIT_SECONDS_MAX: f64 = 43_200.0;
pub const JOB_WAIT_SECONDS_DEFAULT: f64 = 3_600.0;

/// How long `shell.kill` waits for the end that it asks for.
pub const JOB_ENDS_WAIT: Duration = Duration::from_secs(5);

/// Characters of a command in the news that it has ended.
pub const JOB_COMMAND_SHOWN_CHARACTERS: usize = 100;

/// Lines of a job's output that people are shown, and characters of each. The whole output is in the text that the
/// job's task reads.
pub const JOB_LINES_SHOWN: usize = 3;
pub const JOB_LINE_SHOWN_CHARACTERS: usize = 300;

/// Bytes of a job's output that are read for these lines, each second while the job is looked at. Long lines and blank
/// ones count, too.
pub const JOB_LINES_READ_BYTES: usize = 8 << 10;
