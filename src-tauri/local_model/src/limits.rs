//! Bounds of model files and of their servers, with unit and reason.

use std::time::Duration;

/// Bytes of a header that are read: vocabularies of the largest models take 20 MB.
pub const HEADER_BYTES_MAX: u64 = 256 << 20;
/// Entries of a header: real ones have some fifty.
pub const ENTRIES_MAX: u64 = 65_536;
/// Tensors of a file: models of mixed experts have some ten thousand.
pub const TENSORS_MAX: u64 = 1 << 20;
/// Dimensions of a tensor; the format has four.
pub const DIMENSIONS_MAX: u32 = 8;
/// Lists within lists; real headers have none.
pub const DEPTH_MAX: u32 = 4;
/// Bytes of a text that is kept, such as a model's name.
pub const TEXT_BYTES_MAX: u64 = 1_024;
/// Bytes of an entry's name.
pub const NAME_BYTES_MAX: u64 = 65_535;
/// Characters of a name that is shown.
pub const NAME_CHARS_MAX: usize = 80;
/// Numbers of a list that is kept: a model's layers.
pub const NUMBERS_MAX: u64 = 4_096;

/// Contexts that are tried, from the largest. Beyond the first, small models lose the thread. Below the last, a
/// task has no room for an answer.
pub const CONTEXTS: [u32; 5] = [16_384, 12_288, 8_192, 6_144, 4_096];
/// The context where a computer doesn't tell its memory.
pub const CONTEXT_UNTOLD: u32 = 8_192;
/// Threads at most: beyond, cores wait for memory.
pub const THREADS_MAX: u32 = 16;
/// Bytes that a server needs beside the model and its context.
pub const OVERHEAD_BYTES: u64 = 400 << 20;
/// Bytes that are left to everything else.
pub const SPARED_BYTES: u64 = 512 << 20;
/// Mebibytes of earlier prompts that a server keeps at most; its own default of 8,192 fills small computers.
pub const CACHE_MIB_MAX: u64 = 1_024;

/// Time in which a program says what it knows.
pub const HELP_WITHIN: Duration = Duration::from_secs(20);
/// Time until a program that said nothing is asked again.
pub const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(15);
/// Bytes of that which are read; today's help has 60 kB.
pub const HELP_BYTES_MAX: u64 = 1 << 20;
/// Time until a server listens.
pub const LISTENS_WITHIN: Duration = Duration::from_secs(30);
/// Time until a model is loaded: some 30 GB from a slow disk.
pub const LOADED_WITHIN: Duration = Duration::from_secs(600);
/// Time for one answer about a server's health.
pub const HEALTH_WITHIN: Duration = Duration::from_secs(5);
/// The first and the longest pause between two looks at a server that loads.
pub const LOOKED_AT_AFTER: Duration = Duration::from_millis(50);
pub const LOOKED_AT_EVERY: Duration = Duration::from_millis(400);
/// Time in which a server whose connection broke is seen to end.
pub const DEATH_WITHIN: Duration = Duration::from_secs(2);
/// Time in which a killed server is gone.
pub const GONE_WITHIN: Duration = Duration::from_secs(5);
/// The pause before a server is started after its first death; each further death without an answer doubles it.
pub const RESTARTED_AFTER: Duration = Duration::from_millis(250);
pub const RESTARTED_AFTER_MAX: Duration = Duration::from_secs(30);
/// How often a server's process is looked at.
pub const WATCHED_EVERY: Duration = Duration::from_millis(50);
/// Bytes of a server's last words.
pub const WORDS_BYTES_MAX: usize = 32 * 1_024;
/// Bytes of an answer about health.
pub const HEALTH_BYTES_MAX: u64 = 64 * 1_024;
/// Tokens of an answer from which its speed is taken: shorter ones tell little.
pub const TIMED_TOKENS_MIN: u32 = 8;
/// The shortest and the longest pause between two looks at whether a server is idle.
pub const IDLE_LOOKED_AT_MIN: Duration = Duration::from_millis(100);
pub const IDLE_LOOKED_AT_MAX: Duration = Duration::from_secs(30);

/// Time until a host of downloads is connected, and between two pieces of its answer.
pub const CONNECTED_WITHIN: Duration = Duration::from_secs(20);
pub const ANSWERS_WITHIN: Duration = Duration::from_secs(60);
/// Pause between two tellings of how far a download is: whoever hears reads the whole catalogue.
pub const TOLD_EVERY: Duration = Duration::from_millis(250);
/// Redirects of a download; real ones have two.
pub const REDIRECTS_MAX: usize = 10;
/// How often a download that brings nothing more is tried again, after growing pauses.
pub const BROKEN_TRIES: u32 = 5;
/// The same where nothing has come at all.
pub const UNBEGUN_TRIES: u32 = 2;
pub const BROKEN_PAUSE: Duration = Duration::from_millis(500);
pub const BROKEN_PAUSE_MAX: Duration = Duration::from_secs(15);
/// Pieces of an answer that wait for the disk: some megabytes.
pub const PIECES_QUEUED: usize = 64;
/// Bytes that are read at once where a digest is computed.
pub const HASHED_BYTES: usize = 1 << 20;
/// Bytes of a disk that a download leaves free.
pub const SPARED_DISK_BYTES: u64 = 256 << 20;
/// Files and bytes of an unpacked server: today's have some hundred files and 100 MB.
pub const UNPACKED_FILES_MAX: usize = 2_000;
pub const UNPACKED_BYTES_MAX: u64 = 4 << 30;
/// Folders within which an unpacked server is looked for.
pub const UNPACKED_DEPTH_MAX: usize = 3;
