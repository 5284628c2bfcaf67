//! Bounds of the reading of code, with unit and reason.

use std::time::Duration;

/// Largest source file that is read, in bytes: what people write is smaller, what is generated is not worth it.
pub const FILE_BYTES_MAX: u64 = 1 << 20;

/// Longest line of a file that is read, in bytes: longer ones are minified or data.
pub const LINE_BYTES_MAX: usize = 5_000;

/// Definitions and references that are kept of one file.
pub const SYMBOLS_MAX: usize = 5_000;
pub const REFERENCES_MAX: usize = 50_000;

/// Bytes of a name, and characters of a signature and of the sentence that describes it.
pub const NAME_BYTES_MAX: usize = 120;
pub const SIGNATURE_CHARACTERS_MAX: usize = 160;
pub const DOC_CHARACTERS_MAX: usize = 160;

/// Comments before a definition that are looked at.
pub const COMMENTS_MAX: usize = 40;

/// Time that the parser may take for one file.
pub const FILE_TIME: Duration = Duration::from_secs(2);
