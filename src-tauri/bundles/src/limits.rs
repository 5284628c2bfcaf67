//! Bounds of bundles, with unit and reason.

use std::time::Duration;

/// Files of one folder that is kept, the depth of its folders, and its bytes. They hold scripts, references and a few
/// pictures.
pub const FILES_MAX: usize = 200;
pub const FILES_DEPTH_MAX: usize = 6;
pub const BYTES_MAX: u64 = 16 << 20;
/// Bytes of a file that a program reads, or that is scanned.
pub const READ_BYTES_MAX: u64 = 256 << 10;

/// Bytes of an archive, entries in it, and bytes of all that is unpacked.
pub const ARCHIVE_BYTES_MAX: u64 = 64 << 20;
pub const ENTRIES_MAX: usize = 10_000;
pub const UNPACKED_BYTES_MAX: u64 = 128 << 20;
/// Reviews that wait for a decision; the oldest goes.
pub const REVIEWS_MAX: usize = 4;

/// Time of fetching from a Git address, and bytes of its largest file.
pub const GIT_TIMEOUT: Duration = Duration::from_secs(120);
pub const GIT_FILE_BYTES_MAX: u64 = 256 << 20;
/// Characters of an error of git that are shown.
pub const GIT_ERROR_CHARACTERS: usize = 300;
