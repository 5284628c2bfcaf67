//! Bounds of changes to files, with unit and reason.

use std::time::Duration;

/// What stood in files before tasks changed them is kept so long: whoever misses it looks within a month.
pub const EARLIER_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Changes of files in one list unless more are wanted: some pages of a terminal.
pub const CHANGES_LISTED: u32 = 200;

/// Changes of files in one list at most: some megabytes. So many of a run are taken back at once. It makes no more calls than
/// these, and each makes one change at most.
pub const CHANGES_MAX: u32 = 10_000;

/// Changes of one file that are looked through for what has brought it back.
pub const CHANGES_OF_FILE_MAX: u32 = 1_000;

/// Changes that are looked up for a name that fits several: two tell already.
pub const CHANGES_NAMED_MAX: u32 = 2;
