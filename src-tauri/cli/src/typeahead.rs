//! A text that was typed or pasted before a question stood on the screen answers something else, and is dropped.
//!
//! A terminal hands over a long paste in pieces. Dropping once is not enough, so the paste is dropped until nothing
//! comes.

/// Drops what the terminal holds for this process; `false` where it does not come to rest. What is no terminal is left as it
/// is: nobody types there.
#[must_use]
pub fn drop_typed() -> bool {
    #[cfg(unix)]
    return own::drop_typed();
    #[cfg(not(unix))]
    true
}

#[cfg(unix)]
mod own {
    use crate::limits::{TYPED_DROPS_MAX, TYPED_QUIET_MS};
    use std::io::{IsTerminal, stdin};

    pub fn drop_typed() -> bool {
        if !stdin().is_terminal() {
            return true;
        }
        for _ in 0..TYPED_DROPS_MAX {
            drop_held();
            if !comes_more() {
                // A line without its end is held, too, and nothing tells of it.
                drop_held();
                return true;
            }
        }
        false
    }

    fn drop_held() {
        // SAFETY: takes two numbers and no pointer; it fails where standard input is no terminal, and drops nothing then.
        unsafe { libc::tcflush(libc::STDIN_FILENO, libc::TCIFLUSH) };
    }

    /// Whether a line comes within the time after which a terminal is taken to be quiet.
    fn comes_more() -> bool {
        let mut polled = libc::pollfd {
            fd: libc::STDIN_FILENO,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one structure of its own, alive during the call, and its number.
        let ready = unsafe { libc::poll(&raw mut polled, 1, TYPED_QUIET_MS) };
        ready > 0 && polled.revents & libc::POLLIN != 0
    }
}
