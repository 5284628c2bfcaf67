//! Bounds of the runtime, with unit and reason.

pub use shidi_space::limits::{
    AFTER_RUN_WAIT, CONNECT_PAUSE, LISTED_MAX, PICTURES_MAX, REPLIES_QUEUED, REPLY_WAIT,
};
pub use shidi_toolkits::limits::RESULT_LINES_DEFAULT;
use std::time::Duration;

/// Time between two reports of how much of a prompt is read: nobody reads faster.
pub const AWAITING_PAUSE: Duration = Duration::from_millis(250);

/// Pause before what an answer has said so far is written again: what a kill may cost of it.
pub const PART_PAUSE: Duration = Duration::from_secs(1);

/// Bytes of an answer under way that are written in a second at most. Answers of 8,192 tokens, the most that is asked
/// for, have some 40 kB. A model that thinks much longer is written more seldom.
pub const PART_BYTES_PER_SECOND: usize = 64 << 10;

/// Longest wait for the request of a connection: a client writes it as soon as it is connected. Less than
/// [`CONNECT_TIMEOUT`], so that whoever comes meanwhile sees the end of it.
pub const REQUEST_WAIT: Duration = Duration::from_secs(2);

/// Longest wait for whoever holds the lock to open its socket.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A worker without work is ended after this long; its variables are in the store.
pub const WORKER_IDLE: Duration = Duration::from_secs(600);

/// Variables that a worker names at the end of a program: it leaves out what is more.
pub const VARIABLES_NAMED_MAX: usize = 500;

/// Replies that must still fit into a watcher's queue where something is only offered: the others must come.
pub const OFFERED_WITH_ROOM: usize = REPLIES_QUEUED / 2;

/// Longest wait of who deletes a variable for a program that is running in its session.
pub const VARIABLE_WAIT: Duration = Duration::from_secs(5);

/// Wall clock of one program (F5.1).
pub const PROGRAM_WALL_MS: u64 = 3_600_000;

/// Time that the interpreter itself may work in one program; waits don't count.
pub const PROGRAM_CPU_MS: u64 = 60_000;

/// Memory of one program. Tables of some hundred thousand rows fit; the worker itself needs about 10 MB.
pub const PROGRAM_MEMORY_BYTES: u64 = 256 << 20;

/// Standard output of one program.
pub const PROGRAM_OUTPUT_BYTES: u64 = 1 << 20;

/// Calls of one program.
pub const PROGRAM_CALLS: u32 = 10_000;

/// Characters of a variable's value that a person is shown at once: a page of a hundred sheets.
pub const VARIABLE_VALUE_CHARACTERS_MAX: usize = 200_000;

/// Characters that a worker tells of a value without a stored form.
pub const VARIABLE_TEXT_CHARACTERS: usize = 300;

/// Largest picture that is sent to a model.
pub const PICTURE_BYTES_MAX: u64 = 4 << 20;

/// Pause between two looks for traces that are too old.
pub const TRACES_SWEPT_EVERY: Duration = Duration::from_secs(6 * 3_600);

/// Lines of a session's file, and bytes of one: a program's longest output, or a result of 8 MB, escaped.
pub const SESSION_LINES_MAX: usize = 200_000;
pub const SESSION_LINE_BYTES_MAX: u64 = 64 << 20;

/// Bytes of all of such a file, which is read into memory before anything of it is kept.
pub const SESSION_FILE_BYTES_MAX: u64 = 256 << 20;

/// Characters of an id from such a file; ours have 32. Folders are named by it.
pub const SESSION_ID_CHARACTERS_MAX: usize = 64;

/// Characters of a session's title: what a list shows on one line, twice.
pub const TITLE_CHARACTERS_MAX: usize = 160;

/// Passages of one `results.find`; how much text they have together is bounded where they are chosen.
pub const EXCERPTS_MAX: usize = 12;

/// Passages that the fast model may choose from. Then letters of the passages that come back (some 1,500 tokens, as by
/// words alone). Then how long the model may take, since a program waits for it.
pub const CANDIDATES_MAX: usize = 24;
pub const EXCERPTS_UNITS: usize = 6_000;
pub const LOOK_UP_TIMEOUT: Duration = Duration::from_secs(20);

/// Lines of one `results.read` at most.
pub const RESULT_LINES_MAX: usize = 2_000;

/// Seconds that `system.sleep` may take.
pub const SLEEP_SECONDS_MAX: f64 = 3_600.0;

/// Tokens of a model's window when neither the user nor its profile says more.
pub const WINDOW_TOKENS_DEFAULT: u32 = 64_000;

/// How long a stopped run waits for the last words of its model or program. Both end at once, unless the machine is
/// very busy.
pub const STOP_WAIT: Duration = Duration::from_secs(2);

/// Runs with something left to learn that a start takes up. A day without a restart leaves as many.
pub const LEARNINGS_TAKEN_UP: u32 = 100;

/// Runs that may wait for the fast model; those beyond wait for the next start.
pub const LEARNINGS_QUEUED: usize = 64;

/// How long the fast model may take to say what a task leaves: nobody waits for it.
pub const LEARNING_TIMEOUT: Duration = Duration::from_secs(60);

/// Incognito sessions that are open at once: each has a database and threads of its own.
pub const INCOGNITO_MAX: usize = 8;

/// How long the end of the program waits for these sessions to end. Runs are cancelled, workers killed, files in memory
/// removed.
pub const INCOGNITO_END_WAIT: Duration = Duration::from_secs(5);

/// Sub-agents at work at the same time, each with an interpreter of its own (some 40 MB). More wait for their turn.
pub const SUB_AGENTS_MAX: usize = 4;

/// A page that has not answered by then waits for the person in front of it. The task waits, too.
pub const PAGE_RESTS_AFTER: Duration = Duration::from_secs(2);

/// Longest wait for a model that a program asks a question. A local model reads a long text for a minute.
pub const MODEL_CALL_TIMEOUT: Duration = Duration::from_secs(120);

/// Longest wait of a command's connection for a person who decides on its host. Programs give up after that by themselves.
pub const HOST_DECIDED_WITHIN: Duration = Duration::from_secs(120);

/// Longest wait of a server for a person who answers its question. A form is read and filled in within ten minutes, or
/// not at all.
pub const SERVER_ANSWERED_WITHIN: Duration = Duration::from_secs(600);

/// Bytes of files that the calls of one run may keep: eight full answers of a server with pictures.
pub const KEPT_BY_CALLS_BYTES_MAX: usize = 48 << 20;
