//! Bounds of the command line, with unit and reason.

use std::time::Duration;

/// Bytes of a question, program or snapshot read from a file or stdin: far above any prompt, far below memory.
pub const INPUT_BYTES_MAX: u64 = 4 << 20;

/// Characters of an argument or output that a one-line step shows.
pub const STEP_CHARS_MAX: usize = 100;

/// Characters of what the line of a traced step says it was about.
pub const ATTRIBUTE_CHARS_MAX: usize = 80;

/// Characters of a call that are shown before the next part is asked for. They still fit on a screen of some 40 lines.
pub const APPROVAL_PART_CHARS: usize = 3_000;

/// Times that an unclear answer at the terminal is asked for again.
pub const PROMPT_TRIES_MAX: u32 = 10;

/// A terminal that brings nothing for so long, in milliseconds, has handed over all earlier typing and pasting. Nobody
/// reads a question faster.
pub const TYPED_QUIET_MS: i32 = 150;

/// Times that input which does not end is dropped before a question is left open: six seconds.
pub const TYPED_DROPS_MAX: u32 = 40;

/// Entries, fields and lines of a change that are shown of one card that asks.
pub const ASKED_MAX: usize = 50;

/// Time for a cancelled run to wind up, in milliseconds. The run waits up to 2,000 for the last words of its model or
/// program.
pub const CANCEL_WAIT_MS: u64 = 5_000;

/// A model that answers within this is not said to think.
pub const THINKING_TOLD_AFTER: Duration = Duration::from_millis(500);

/// After this it is said what is waited for.
pub const THINKING_NAMED_AFTER: Duration = Duration::from_secs(2);

/// A server of MCP that answers within this is not said to be waited for.
pub const SERVER_TOLD_AFTER: Duration = Duration::from_secs(2);

/// Time between two counts of a wait.
pub const WAIT_COUNTED_EVERY: Duration = Duration::from_millis(500);

/// Sessions, runs and hits that a list shows when the user names no number.
pub const LIST_LIMIT_DEFAULT: u32 = 20;

/// Days that statistics cover when the user names no number: as long as traces are kept by default.
pub const STATISTICS_DAYS_DEFAULT: u32 = 30;

/// Runs of one export of traces, the newest ones: as many as the runtime lists at once.
pub const TRACES_EXPORTED_MAX: u32 = 500;

/// Levels of a value that are drawn before it is shortened. They are more than the 120 of a call's arguments and the
/// 128 of a message. So a call is shown whole.
pub const VALUE_DEPTH_MAX: usize = 200;

/// Time for which a desktop program that was just started is watched, in milliseconds. A missing library or a display
/// that refuses shows within it.
pub const DESKTOP_WATCH_MS: u64 = 400;

/// Time for a desktop program that was just started to open its connection, in milliseconds. A slow disk makes a cold
/// start long.
pub const DESKTOP_DOOR_MS: u64 = 20_000;

/// Time between two looks at it, in milliseconds.
pub const DESKTOP_LOOK_MS: u64 = 20;

/// How often a passphrase is asked for before the command gives up.
pub const PASSPHRASE_TRIES: u32 = 3;

/// Pieces of a knowledge base that a query shows when the user names no number.
pub const PIECES_LIMIT_DEFAULT: u32 = 6;

/// Documents that are asked for at once while a base is listed.
pub const DOCUMENTS_LISTED: u32 = 500;

/// Bytes of a file that is handed over through a pipe: as much as the largest import takes.
pub const HANDED_OVER_BYTES_MAX: u64 = 1 << 30;

/// Longest wait for a browser that asks to be let in: the user has to find its icon.
pub const BROWSER_ASKS_WAIT: Duration = Duration::from_secs(120);

/// Wait for a browser before the list is shown without it. The browser's companion looks every half second for a
/// process that has begun.
pub const BROWSER_COMES_WAIT: Duration = Duration::from_secs(1);

/// Longest wait for a browser to tell of its page, which is needed. A busy machine takes some seconds for it.
pub const PAGE_COMES_WAIT: Duration = Duration::from_secs(6);

/// Wait for a browser where another process is asked, which has been there before: its browsers have found it. One that
/// has just been opened takes so long.
pub const BROWSER_BACK_WAIT: Duration = Duration::from_secs(2);

/// Wait for another command before it is said who is waited for, at the beginning and at the end.
pub const WAITS_SILENTLY: Duration = Duration::from_secs(1);

/// Further wait for the end of a process before its user is told the reason. An end takes milliseconds, or seconds where
/// a lesson is still to be kept.
pub const CLOSES_SILENTLY: Duration = Duration::from_secs(3);

/// Bytes of an assistant's file that is looked at: as much as an import takes, a card in a picture.
pub const IMPORT_BYTES_MAX: u64 = 16 << 20;
