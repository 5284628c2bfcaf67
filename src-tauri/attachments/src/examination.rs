//! What `shidi doctor` says of the program that reads documents.

use shidi_locales::Language;
use shidi_protocol::Check;
use shidi_space::space::reader_program;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for a program to tell its version, and bytes of what it says.
const VERSION_MOST: Duration = Duration::from_secs(5);
const VERSION_BYTES_MAX: u64 = 100;

/// Whether the program that reads documents is there, starts, and is of this version.
pub fn check_reader(language: Language) -> Check {
    let path = reader_program();
    let own = env!("CARGO_PKG_VERSION");
    let said = version_of(&path);
    let path = path.display();
    match said {
        Ok(version) if version == own => Check::good("reader", path.to_string()),
        Ok(version) => Check::bad(
            "reader",
            language
                .attachments()
                .reader_of_another_version(version, own, path.to_string()),
            language.attachments().install_reader_again(),
        ),
        Err(cause) => Check::bad(
            "reader",
            language.attachments().reader_not_started(cause, path.to_string()),
            language.attachments().install_reader_again(),
        ),
    }
}

/// What a program says of its version, if it says so in time.
fn version_of(program: &Path) -> io::Result<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let began = Instant::now();
    while child.try_wait()?.is_none() {
        if began.elapsed() > VERSION_MOST {
            child.kill()?;
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    if let Some(output) = child.stdout.take() {
        output.take(VERSION_BYTES_MAX).read_to_string(&mut said)?;
    }
    Ok(said.trim().to_owned())
}
