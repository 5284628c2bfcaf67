//! Bounds of changes to files, with unit and reason.

use std::time::Duration;

/// What stood in files before tasks changed them is kept so long: whoever misses it looks within a month.
pub const EARLIER_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Changes of files in one list.
pub const CHANGES_LISTED_MAX: u32 = 200;

/// Changes that are looked up for a name that fits several: two tell already.
pub const CHANGES_NAMED_MAX: u32 = 2;
