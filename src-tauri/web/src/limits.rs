//! Bounds of the web, with unit and reason.

use std::time::Duration;

/// Bytes, time and redirects of fetching an address.
pub const FETCHED_BYTES_MAX: usize = 64 << 20;
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(60);
pub const FETCH_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
pub const FETCH_REDIRECTS_MAX: usize = 5;
