//! Bounds of what editors send and get, with unit and reason.

use std::time::Duration;

/// Bytes of one message: a prompt with a few pictures as base64.
pub const LINE_BYTES_MAX: usize = 32 << 20;

/// Messages that wait to be written. An editor that reads nothing takes no more memory, and loses its run in the end.
pub const MESSAGES_QUEUED: usize = 256;

/// Wait for the last messages at the end: an editor that reads nothing does not hold the process.
pub const LAST_WORDS_WAIT: Duration = Duration::from_secs(2);

/// Requests at work at once. An editor waits for most of them; only prompts last.
pub const REQUESTS_AT_ONCE: usize = 128;

/// Sessions that are open for one editor.
pub const SESSIONS_MAX: usize = 256;

/// Sessions that are listed, the newest first: what fits into an editor's menu.
pub const SESSIONS_LISTED: u32 = 50;

/// Pieces of one prompt.
pub const BLOCKS_MAX: usize = 256;

/// Longest wait for a run that was cancelled to end.
pub const CANCEL_WAIT: Duration = Duration::from_secs(10);

/// Characters of a title, of a name that an editor gave, and of what a program printed.
pub const TITLE_CHARACTERS_MAX: usize = 120;
pub const NAME_CHARACTERS_MAX: usize = 60;
pub const OUTPUT_CHARACTERS_MAX: usize = 20_000;

/// Bytes of a file that stands beside what is to be written into it.
pub const PREVIEW_BYTES_MAX: u64 = 1 << 20;

/// Longest wait for that file.
pub const PREVIEW_WAIT: Duration = Duration::from_secs(2);

/// Rows of a table and entries of a list that are shown.
pub const ROWS_SHOWN: usize = 40;
