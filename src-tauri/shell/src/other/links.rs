//! Opens links with the programs of macOS and Windows (compiled there, not tried yet).

use std::io;

/// Starts the program of the system that opens the link.
pub fn hand_over(url: &str) -> io::Result<()> {
    open::that_detached(url)
}
