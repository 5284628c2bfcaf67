//! Bounds of workflows' runs, with unit and reason.

use std::time::Duration;

/// Files of the folder that are looked at.
pub const WORKFLOWS_MAX: usize = 1_000;

/// Letters of a kept file's name.
pub const NAME_LETTERS_MAX: usize = 60;

/// Runs of one listing.
pub const RUNS_LISTED_MAX: u32 = 500;

/// Records of a run's steps that are read at once: a loop of a thousand rounds with three steps each.
pub const RECORDS_READ_MAX: u32 = 10_000;

/// Steps of a run that are shown: the last ones.
pub const STEPS_SHOWN_MAX: usize = 1_000;

/// Letters of a value in a plan: a message is read whole, a document is not.
pub const PLAN_LETTERS: usize = 400;

/// Tokens of an `llm` step's answer: some ten pages.
pub const ANSWER_TOKENS_MAX: u32 = 8_192;

/// How long a model may take for one step that sets no time of its own.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(600);

/// Characters of a prompt: what a window of 64,000 tokens takes.
pub const PROMPT_CHARACTERS_MAX: usize = 200_000;

/// Bytes of one file that a case brings along, and of all of them: a person looks through the case before they keep it.
pub const CASE_FILE_BYTES_MAX: usize = 64 << 10;
pub const CASE_FILES_BYTES_MAX: usize = 512 << 10;

/// Workflows that run at the same time in one process.
pub const RUNS_AT_ONCE_MAX: usize = 32;

/// Workflows that call each other of which waiting cards are looked for.
pub const NESTED_RUNS_MAX: usize = 8;

/// How long a run waits for one who watches and has no room for more. Records of one event come in a burst. A reader that
/// stands still for longer is let go, and opens the run again.
pub const WATCHER_PATIENCE: Duration = Duration::from_secs(2);
