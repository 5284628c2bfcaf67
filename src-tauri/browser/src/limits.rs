//! Bounds of browsers and their pages, with unit and reason.

use std::time::Duration;

/// Browsers that are let in, and browsers that may ask at a time. They are more than a person has, and few enough
/// to compare codes.
pub const BROWSERS_MAX: usize = 32;
pub const BROWSERS_ASKING_MAX: usize = 4;

/// Pages of one browser that are remembered as open, for the tasks that are bound to them.
pub const PAGES_OF_BROWSER_MAX: usize = 64;

/// Pages that are being read at a time: a summon reads one, and a few tasks one each.
pub const READS_MAX: usize = 16;

/// Files of PDFs that are fetched at a time: each is held whole, and a person looks at one.
pub const FETCHES_MAX: usize = 3;

/// Longest wait for a browser that fetches the file of a PDF once more: 20 MB on a slow line.
pub const PDF_FETCH_WAIT: Duration = Duration::from_secs(25);

/// Bytes of a PDF's text that are read of it: a book. A longer one is attached as a file.
pub const PDF_TEXT_BYTES_MAX: usize = 1_000_000;

/// Lines of a PDF that one search returns, as many as elements of a page, and characters of one.
pub const PDF_LINES_FOUND_MAX: usize = 20;
pub const PDF_LINE_CHARACTERS_MAX: usize = 300;

/// Longest wait for a page to take in one text or value that the user puts there: the user watches.
pub const FILL_WAIT: Duration = Duration::from_secs(5);

/// Longest silence of a companion before its first word.
pub const HELLO_WAIT: Duration = Duration::from_secs(10);

/// Longest wait for a browser to take in what was said last before the process ends.
pub const LAST_WORDS_WAIT: Duration = Duration::from_secs(1);
