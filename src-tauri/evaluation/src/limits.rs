//! Bounds of suites and their evaluation, with unit and reason.

/// Bytes of a suite or of a file that it names: thousands of tasks, or a table of 100,000 rows.
pub const FILE_BYTES_MAX: u64 = 16 << 20;

/// Files that one suite may name.
pub const FILES_MAX: usize = 500;

/// References that lead to one another before a value is there.
pub const REFERENCES_MAX: usize = 8;

/// Tasks of one suite after all lists of values are multiplied out.
pub const CASES_MAX: usize = 10_000;

/// Checks of one task.
pub const CHECKS_MAX: usize = 200;

/// Turns of one task, and answers to questions that the assistant asks.
pub const TURNS_MAX: usize = 50;

/// Providers of a suite and sides of an evaluation.
pub const SIDES_MAX: usize = 8;

/// Keys of metadata by which figures are told.
pub const GROUP_KEYS_MAX: usize = 8;

/// Words of such a key. More of them are names rather than kinds.
pub const GROUP_WORDS_MAX: usize = 24;

/// Attempts at the same task.
pub const REPEAT_MAX: u32 = 100;

/// Tasks at work at the same time, each with a space and a worker of its own (some 60 MB).
pub const PARALLEL_MAX: u32 = 16;

/// Tasks at work at the same time unless the suite or the user says otherwise. A model on this computer does one.
pub const PARALLEL_DEFAULT: u32 = 1;

/// Seconds of one turn unless the suite or the user says otherwise. A small model on a slow machine needs minutes.
pub const TURN_SECONDS: u32 = 300;

/// Most seconds of one turn.
pub const TURN_SECONDS_MAX: u32 = 86_400;

/// Steps of a template's program: a loop over a thousand rows fits.
pub const TEMPLATE_FUEL: u64 = 100_000;

/// Bytes of a compiled pattern.
pub const PATTERN_BYTES_MAX: usize = 4 << 20;

/// Characters of a text for the distance between two texts: its time grows with the product of both.
pub const DISTANCE_CHARACTERS_MAX: usize = 20_000;

/// Bytes of one file of a task, and of all of them, that are kept of what a task left.
pub const KEPT_FILE_BYTES_MAX: u64 = 4 << 20;
pub const KEPT_BYTES_MAX: u64 = 32 << 20;

/// Bytes of a file with an attempt of another agent: the files before and after in base64, and the steps.
pub const ATTEMPT_BYTES_MAX: u64 = 3 * KEPT_BYTES_MAX;

/// Files with attempts in one folder: as many as a suite may have tasks.
pub const ATTEMPTS_MAX: usize = CASES_MAX;

/// Files below a task's folder that are looked at.
pub const KEPT_FILES_MAX: usize = 2_000;

/// Questions of the assistant that are answered in one turn.
pub const ANSWERED_MAX: usize = 50;

/// Programs, calls and segments of one attempt that are kept, and characters of one text of them.
pub const STEPS_MAX: usize = 1_000;
pub const TEXT_CHARACTERS_MAX: usize = 20_000;

/// Characters of a text that a sentence or a table quotes.
pub const QUOTED_CHARACTERS: usize = 80;

/// Characters of a task's name that is made of its question.
pub const NAME_CHARACTERS: usize = 60;

/// Characters of an answer that a judging model reads.
pub const JUDGED_CHARACTERS_MAX: usize = 24_000;

/// Seconds of one program of a suite: its checks, and what writes its big files.
pub const PROGRAM_SECONDS: u32 = 30;

/// Samples that are drawn for an interval: its ends move by less than a hundredth beyond that.
pub const SAMPLES: usize = 2_000;
