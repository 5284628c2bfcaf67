//! Bounds of bad cases.

use std::time::Duration;

/// Cases that are listed; an evaluation of more takes a night.
pub const CASES_MAX: usize = 500;

/// Exchanges before the question that go along: a model's window holds hardly more.
pub const HISTORY_MAX: usize = 20;

/// Bytes of one file of a case, and of all of them. A person looks through the files before they are
/// kept.
pub const FILE_BYTES_MAX: usize = 64 * 1024;
pub const FILES_BYTES_MAX: usize = 512 * 1024;

/// Characters of the answer that was not good, and of each one before it.
pub const ANSWER_CHARACTERS_MAX: usize = 8_000;

/// Characters of a page's text.
pub const PAGE_CHARACTERS_MAX: usize = 64 * 1024;

/// Bytes of a case's whole text.
pub const TEXT_BYTES_MAX: usize = 2 << 20;

/// Longest wait for a proposal: a small model on a slow machine reads for minutes.
pub const PROPOSAL_TIMEOUT: Duration = Duration::from_secs(600);

/// Characters of a proposal's texts: a person reads them before anything comes of them.
pub const PROPOSED_CHARACTERS_MAX: usize = 4_000;

/// Characters of a proposed program.
pub const CODE_CHARACTERS_MAX: usize = 4_000;

/// Attempts at a case, and suites that are tried along with it.
pub const REPEAT_MAX: u32 = 20;
pub const SUITES_MAX: usize = 8;

/// Programs of a run that a case tells of, and characters of each with its output.
pub const STEPS_MAX: usize = 6;
pub const STEP_CHARACTERS_MAX: usize = 2_000;
