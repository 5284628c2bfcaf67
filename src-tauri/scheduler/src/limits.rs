//! Bounds of schedules.

use std::time::Duration;

/// Schedules of a data folder. More would be a program's doing.
pub const SCHEDULES_MAX: usize = 200;

/// A question or a reminder's text, in characters.
pub const TEXT_MAX_CHARACTERS: usize = 8_000;

/// Records that a list holds.
pub const RUNS_LISTED_MAX: u32 = 500;

/// Times that are shown back before they are kept.
pub const DATES_SHOWN: usize = 5;

/// The clock is looked at that often: a machine that slept, or whose clock was set, tells nobody.
pub const LOOK_EVERY: Duration = Duration::from_secs(15);

/// A file that schedules wait for is looked at that often, in milliseconds.
pub const LOOK_AT_FILES_MS: u64 = 5_000;

/// A file has changed once nobody has written to it for that long, in milliseconds.
pub const FILE_SETTLES_MS: u64 = 2_000;

/// Entries of a folder whose changes are seen.
pub const FOLDER_ENTRIES_MAX: usize = 10_000;

/// A look at a file is waited for that long.
pub const LOOK_WITHIN: Duration = Duration::from_secs(3);

/// Looks at one path that may hang at once.
pub const LOOKS_AT_ONE_MAX: usize = 2;
