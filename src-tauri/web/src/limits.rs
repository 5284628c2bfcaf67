//! Bounds of the web, with unit and reason.

use std::time::Duration;

/// Bytes, time and redirects of fetching an address.
pub const FETCHED_BYTES_MAX: usize = 64 << 20;
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(60);
pub const FETCH_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
pub const FETCH_REDIRECTS_MAX: usize = 5;

/// Bytes of a page that a program reads, unpacked: what the reader of pages takes.
pub const PAGE_BYTES_MAX: usize = 16 << 20;
/// Time that a program waits for a page.
pub const PAGE_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of a page's text that a program gets: a book's chapter, some 150,000 tokens.
pub const PAGE_TEXT_BYTES_MAX: usize = 512 << 10;
/// Bytes and time of a site's rules for programs; RFC 9309 asks for 500 KB.
pub const ROBOTS_BYTES_MAX: usize = 512 << 10;
pub const ROBOTS_TIMEOUT: Duration = Duration::from_secs(3);

/// Links of a page that get a number, and bytes of one: pages of more are lists for machines.
pub const LINKS_MAX: usize = 2_000;
pub const LINK_BYTES_MAX: usize = 2_048;

/// Pages that are kept for their sessions, their bytes together, and how long.
pub const CACHED_PAGES_MAX: usize = 64;
pub const CACHED_BYTES_MAX: usize = 32 << 20;
pub const CACHED_FOR: Duration = Duration::from_secs(15 * 60);

/// Bytes and time of a search provider's answer, and bytes of one that tells of an error.
pub const SEARCH_BYTES_MAX: usize = 4 << 20;
pub const SEARCH_REFUSAL_BYTES: usize = 64 << 10;
pub const SEARCH_TIMEOUT: Duration = Duration::from_secs(20);
/// Results of a search: providers give no more at once.
pub const SEARCH_RESULTS_MAX: usize = 20;
/// Characters of a result's title and text: what a provider shows of a page.
pub const SEARCH_TITLE_CHARACTERS: usize = 200;
pub const SEARCH_TEXT_CHARACTERS: usize = 1_000;
/// Characters of a query: more is a text, and no search.
pub const QUERY_CHARACTERS_MAX: usize = 400;
