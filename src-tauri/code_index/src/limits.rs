//! Bounds of the index of code, with unit and reason.

use std::time::Duration;

/// Source files of one folder. The figures in docs/decisions/code.md are of 5,000.
pub const FILES_MAX: usize = 20_000;

/// Bytes of all source files of one folder: an index takes some two bytes of memory for each of them.
pub const SOURCES_BYTES_MAX: u64 = 128 << 20;

/// Time that a reader may take to answer: three times what its parser may take for one file.
pub const REPLY_WAIT: Duration = Duration::from_secs(6);

/// Largest message of a reader, in bytes: the largest outline takes a tenth of it.
pub const REPLY_BYTES_MAX: usize = 16 << 20;

/// Readers that work at the same time.
pub const READERS_MAX: usize = 4;

/// Time that one call spends on files that are new or changed; the rest goes on in the background.
pub const CALL_TIME: Duration = Duration::from_millis(3_500);

/// Time that is spent in the background for one folder at a time.
pub const BACKGROUND_TIME: Duration = Duration::from_secs(180);

/// Folders that are held in memory, and bytes of the largest index that is kept on the disk.
pub const FOLDERS_HELD_MAX: usize = 2;
pub const KEPT_BYTES_MAX: usize = 128 << 20;

/// Indexes that are kept on the disk.
pub const KEPT_MAX: usize = 12;

/// Levels that are looked at to tell whether a folder holds code.
pub const LOOKED_FOR_DEPTH: usize = 3;

/// Other names that are mentioned beside exact ones.
pub const ALIKE_SHOWN: usize = 8;

/// Lines of `code.callers`, and definitions above them.
pub const CALLERS_LINES_MAX: usize = 60;
pub const DEFINITIONS_SHOWN: usize = 5;

/// Lines of numbers that are named for one caller.
pub const CALL_LINES_SHOWN: usize = 6;

/// Entries of the outline of one file, about 4,000 tokens.
pub const OUTLINE_ENTRIES_MAX: usize = 250;

/// Bytes of a digest: some 1,500 tokens.
pub const DIGEST_BYTES_MAX: usize = 6_000;

/// Rooms of a digest, and names in one of them.
pub const ROOMS_MAX: usize = 26;
pub const ROOM_NAMES: usize = 8;

/// Words of one question that are looked for.
pub const WORDS_MAX: usize = 12;

/// Files that get vectors, and files that one call asks vectors for. Then files that a question is answered with by
/// meaning.
pub const MEANING_FILES_MAX: usize = 512;
pub const MEANING_FILES_AT_ONCE: usize = 96;
pub const MEANING_FILES_FOUND: usize = 6;

/// Characters of a file's description that its vector is made of.
pub const MEANING_CHARACTERS: usize = 900;
