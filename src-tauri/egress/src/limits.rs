//! Bounds of what leaves through the proxy, with unit and reason.

use std::time::Duration;

/// Bytes of a request's head; programs send some hundred.
pub const HEAD_BYTES_MAX: usize = 16 << 10;
/// Lines of a request's head.
pub const HEADERS_MAX: usize = 96;
/// Time in which a request's head must have come.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections of one command that are open at once, each with two descriptors of this process. Others wait for their
/// turn. A package manager opens some ten.
pub const CONNECTIONS_AT_ONCE: usize = 48;
/// Connections of one command altogether.
pub const CONNECTIONS_MAX: u64 = 20_000;
/// Bytes of one command altogether, both ways: a large installation has some gigabytes.
pub const BYTES_MAX: u64 = 16 << 30;
/// Bytes that are copied at once.
pub const COPIED_BYTES: usize = 32 << 10;
/// Time for finding a name's addresses.
pub const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for reaching one address, or a proxy and its answer.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Addresses of one name that are tried.
pub const ADDRESSES_TRIED: usize = 6;
/// Time in which nothing passes before a connection is given up.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// Time for the last words to somebody who was refused.
pub const LAST_WORDS_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause after the system refused another descriptor.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
