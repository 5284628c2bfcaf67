//! Bounds of memory and experiences, with unit and reason.

use std::time::Duration;

/// Characters of one record: a statement is a sentence or a paragraph; longer texts belong into the knowledge base.
pub const MEMORY_TEXT_CHARS_MAX: usize = 8_000;

/// Characters of an experience's goal and lesson, and of its program: a few of them stand in every prompt.
pub const EXPERIENCE_TEXT_CHARACTERS_MAX: usize = 1_000;
pub const EXPERIENCE_CODE_CHARACTERS_MAX: usize = 6_000;

/// Characters of the id of an experience from a file; ours have 32. Tools and surroundings that one names.
pub const EXPERIENCE_ID_CHARACTERS_MAX: usize = 64;
pub const EXPERIENCE_LABELS_MAX: usize = 32;

/// Assistants, and sites, whose names a look at memory offers; more are found by searching.
pub const MEMORY_OWNERS_MAX: u32 = 200;

/// Experiences that an export reads at once: some milliseconds each.
pub const EXPERIENCE_FILE_TOGETHER: u32 = 200;

/// Bytes of one line of such a file: all its texts in their longest form, its votes and its runs.
pub const EXPERIENCE_LINE_BYTES_MAX: u64 = 1 << 20;

/// Lines of such a file: they are read into memory before the first is kept, and nobody reviews more.
pub const EXPERIENCE_LINES_MAX: usize = 20_000;

/// Bytes of all of such a file.
pub const EXPERIENCE_FILE_BYTES_MAX: u64 = 256 << 20;

/// Records that an import of a file commits, and an export reads, at once: some milliseconds each. A file may hold more than
/// memory has room for, so not all of it is one commit.
pub const MEMORY_FILE_TOGETHER: u32 = 400;

/// Bytes of one line of such a file. Four times the longest text in its longest form, plus the rest of a record.
pub const MEMORY_LINE_BYTES_MAX: u64 = 1 << 20;

/// Lines of such a file: far above what a person is told in a life.
pub const MEMORY_LINES_MAX: usize = 10_000_000;

/// Bytes of all of such a file: what is checked lies in the data folder until it is kept.
pub const MEMORY_FILE_BYTES_MAX: u64 = 1 << 30;

/// Characters of the id of a record of somebody else's; ours have 32.
pub const MEMORY_ID_CHARACTERS_MAX: usize = 64;

/// Times that a step of learning is begun; each ended with its process before the next.
pub const LEARNING_ATTEMPTS_MAX: u32 = 2;

/// Experiences that are not approved, and runs that a start scores after the end of their process.
pub const EXPERIENCES_UNAPPROVED_MAX: u32 = 2_000;
pub const UNSCORED_MAX: u32 = 100;

/// How long a model may take over one question about an experience, and votes of one candidate.
pub const QUESTION_TIMEOUT: Duration = Duration::from_secs(30);
pub const VOTES_MAX: usize = 9;

/// Approved experiences that are looked through for a fit to a question. Then past runs that a preview looks at, and
/// shows.
pub const EXPERIENCES_APPROVED_MAX: u32 = 1_000;
pub const RUNS_LOOKED_AT_MAX: u32 = 500;
pub const EFFECTS_SHOWN_MAX: usize = 50;

/// Characters of a task's question and answer that its summary holds, and words by which it is found again.
pub const SUMMARY_QUESTION_CHARACTERS: usize = 200;
pub const SUMMARY_ANSWER_CHARACTERS: usize = 300;
pub const SUMMARY_KEYS_MAX: usize = 12;

/// Pause between two looks for records whose time is over. Nothing finds such a record any more, but its text still
/// lies in the file.
pub const MEMORY_OVER_ERASED_EVERY: Duration = Duration::from_secs(600);

/// Pause between two looks whether memory is within its limits.
pub const MEMORY_SWEPT_EVERY: Duration = Duration::from_secs(24 * 3_600);

/// Hits of one `memory.search`, unless the program asks for more, and at most.
pub const HITS_DEFAULT: u64 = 8;
pub const HITS_MAX: u32 = 50;
