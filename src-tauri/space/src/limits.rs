//! Bounds that several rooms share, with unit and reason.

use std::time::Duration;

/// Replies that may wait for a slow reader. A reader that lets more pile up is dropped and has to open the session
/// again.
pub const REPLIES_QUEUED: usize = 8_192;

/// Longest line of the socket's protocol in bytes: a request with a long question, an event with a long output.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// Longest wait for a client to take a reply. Somebody may have stopped the client for a moment, or read page by page.
/// Replies on their way fill some hundred kilobytes first. After this wait the client is let go like one that is gone.
pub const REPLY_WAIT: Duration = Duration::from_secs(60);

/// Pause between two attempts to take the lock or to connect.
pub const CONNECT_PAUSE: Duration = Duration::from_millis(20);

/// Pause between two reports of progress: a person sees no more.
pub const PROGRESS_PAUSE: Duration = Duration::from_millis(50);

/// What was pasted or fetched but never sent is dropped after this long.
pub const UNSENT_KEPT: Duration = Duration::from_secs(24 * 3_600);

/// Most pictures of one question; providers refuse about 20 MB in all.
pub const PICTURES_MAX: usize = 4;

/// Bytes of an export that are handed over at once: far below a message's length, also when each is escaped.
pub const EXPORT_PIECE_BYTES: usize = 256 << 10;

/// Sessions, traces and hits of one listing.
pub const LISTED_MAX: u32 = 500;

/// Characters of the name of something kept; file systems take 255 bytes, which are 63 characters at worst.
pub const KEPT_NAME_CHARACTERS: usize = 60;

/// How long a process that ends waits for the work that follows its runs. Local work takes milliseconds. A model may
/// take longer and is not needed.
pub const AFTER_RUN_WAIT: Duration = Duration::from_secs(3);

/// Findings of one review, and characters of the line that is shown.
pub const FINDINGS_MAX: usize = 100;
pub const EXCERPT_CHARACTERS: usize = 160;
