//! Bounds of traces, with unit and reason.

use std::time::Duration;

/// Characters of an answer in a trace: every answer that a model gives fits, a runaway text does not.
pub const SPAN_CHARACTERS_MAX: usize = 200_000;

/// Characters of one text of a prompt as sent: beyond the windows of most models.
pub const PROMPT_CHARACTERS_MAX: usize = 1_000_000;

/// Characters of a program, of its output, and of a model's thoughts in a trace.
pub const PROGRAM_CHARACTERS_MAX: usize = 100_000;
pub const STDOUT_CHARACTERS_MAX: usize = 20_000;
pub const REASONING_CHARACTERS_MAX: usize = 50_000;

/// Characters of a call's arguments, and of its result. They are enough to recognise the call; the whole is in the
/// record.
pub const RESULT_CHARACTERS_MAX: usize = 8_000;

/// Characters of a line about a step.
pub const STEP_TEXT_CHARACTERS: usize = 300;

/// Steps of one trace: every call that a run may make, and the rest of it.
pub const STEPS_MAX: u32 = 20_000;

/// Steps of one page of an outline; each has some hundred bytes.
pub const STEPS_LISTED_MAX: u32 = 2_000;

/// Steps that may wait to be kept: what a busy program makes while the disk is slow for a second.
pub const STEPS_QUEUED: usize = 8_192;

/// Steps are gathered for so long before they are written, so that a short step is written once. Then the most steps
/// that are gathered.
pub const STEPS_GATHERED: Duration = Duration::from_millis(50);
pub const STEPS_GATHERED_MOST: usize = 256;

/// Steps, and bytes of them, that may wait for the receiver of traces: some minutes of a busy task.
pub const EXPORT_QUEUED: usize = 4_096;
pub const EXPORT_BYTES_QUEUED: usize = 16 << 20;

/// Steps are gathered for so long before they are sent, and so many at most.
pub const EXPORT_GATHERED: Duration = Duration::from_millis(500);
pub const EXPORTED_AT_ONCE: usize = 256;

/// Steps that statistics are made of at most, and classes of failures that each tells of.
pub const STATISTICS_STEPS_MAX: u32 = 200_000;
pub const STATISTICS_CLASSES_MAX: usize = 5;

/// Days of a dashboard at most: a year, each day a row.
pub const DASHBOARD_DAYS_MAX: u32 = 366;

/// Runs that a dashboard counts at most, of the period and of the one before it: a busy year.
pub const DASHBOARD_RUNS_MAX: u32 = 50_000;

/// Models, tools and classes of errors that a dashboard lists at most, each.
pub const DASHBOARD_ROWS_MAX: usize = 100;

/// Parts of prompts that a dashboard lists at most, over all assistants and kinds of tasks.
pub const PROMPT_PARTS_SHOWN: usize = 300;
