//! Every bound of the toolkits, with its unit and its reason.

/// Text that one `files.read` returns, in bytes of UTF-8. Larger values make a program's own memory limit the
/// first thing that fails.
pub const READ_TEXT_BYTES_MAX: usize = 4 << 20;

/// Lines that one `files.read` returns when the program names no number.
pub const READ_LINES_DEFAULT: u64 = 100_000;

/// Bytes that one read goes through to reach its first line: about half a second of a warm disk.
pub const READ_SCAN_BYTES_MAX: u64 = 256 << 20;

/// Head of a file by which its kind and encoding are told, in bytes; the detector is right from 64 KiB on.
pub const SNIFF_BYTES: usize = 64 << 10;

/// Bytes read at once.
pub const CHUNK_BYTES: usize = 64 << 10;

/// Entries that `files.list` returns: more is no longer an overview.
pub const LIST_ENTRIES_MAX: usize = 2_000;

/// Levels that `files.list` goes down when asked to.
pub const LIST_DEPTH_MAX: u64 = 16;

/// Paths that `files.glob` returns.
pub const GLOB_PATHS_MAX: usize = 5_000;

/// Lines that `files.grep` returns.
pub const GREP_MATCHES_MAX: usize = 1_000;

/// Characters of a matching line that are returned; minified files have lines of megabytes.
pub const GREP_LINE_CHARS_MAX: usize = 500;

/// Bytes of one file that `files.grep` searches.
pub const GREP_FILE_BYTES_MAX: u64 = 8 << 20;

/// Bytes that one `files.grep` searches in all: about a second of work.
pub const GREP_ALL_BYTES_MAX: u64 = 256 << 20;

/// Files, folders and links that one walk looks at.
pub const WALK_ENTRIES_MAX: usize = 200_000;

/// Levels that one walk goes down: deeper trees are made by mistake.
pub const WALK_DEPTH_MAX: usize = 64;

/// Folders that a walk names but does not enter: bulk that is generated or kept by version control.
pub const WALK_PASSES_BY: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "__pycache__",
    ".venv",
    ".tox",
    ".cache",
];

/// Characters of a glob or a regular expression.
pub const PATTERN_CHARS_MAX: usize = 1_000;

/// Memory of a compiled regular expression, in bytes.
pub const PATTERN_COMPILED_BYTES_MAX: usize = 4 << 20;

/// Bytes of a path: what Linux accepts.
pub const PATH_BYTES_MAX: usize = 4_096;

/// Links followed while finding where a path leads: what Linux follows.
pub const LINKS_MAX: usize = 40;

/// Seconds that `system.sleep` waits at most: a whole run's default limit.
pub const SLEEP_SECONDS_MAX: u64 = 3_600;

/// Lines of a cached result that `results.read` returns when the program names no number.
pub const RESULT_LINES_DEFAULT: u64 = 200;

/// Memories that `memory.search` returns when the program names no number, and at most.
pub const MEMORY_HITS_DEFAULT: u64 = 8;
pub const MEMORY_HITS_MAX: u64 = 50;
