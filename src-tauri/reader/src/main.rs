//! The program `shidi-reader`: reads one stranger's document, or texts of code, and can reach nothing meanwhile.
//!
//! The reader is a program of its own. So the other programs hold no parser of strangers' files, start sooner and are
//! smaller.

use std::io::{self, Write};
use std::process::ExitCode;

/// Tells the version to whoever asks for anything else, as `shidi doctor` does.
fn version() -> ExitCode {
    match writeln!(io::stdout(), "{}", env!("CARGO_PKG_VERSION")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn main() -> ExitCode {
    let asked = shidi_toolkits::reader::run_if_asked().or_else(shidi_reader::code::run_if_asked);
    asked.unwrap_or_else(version)
}
