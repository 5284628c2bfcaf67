//! Opens links with the programs of the system.

use std::io;
use std::process::Stdio;

/// Starts the first program of the system that opens the link.
pub fn hand_over(url: &str) -> io::Result<()> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for mut command in open::commands(url) {
        super::lean::forget_in(&mut command);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.spawn() {
            Ok(mut child) => {
                // The child is waited for, so that no zombie stays.
                std::thread::spawn(move || child.wait());
                return Ok(());
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
