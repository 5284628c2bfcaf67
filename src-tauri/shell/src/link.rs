//! Opens links outside: the web view itself never leaves its own pages.

use crate::words::{self, Language};
use shidi_protocol::{ErrorCode, UserError};
use std::io;
#[cfg(target_os = "linux")]
use std::process::Stdio;

/// Schemes that only show a page or a draft to the user.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Opens a link in the user's browser or mail program.
///
/// # Errors
/// The scheme is another one, or no program opens the link.
pub fn open(url: &str, language: Language) -> Result<(), UserError> {
    if !is_harmless(url) {
        let (message, hint) = words::link_refused(language);
        return Err(UserError::new(ErrorCode::Input, message).hint(hint));
    }
    hand_over(url).map_err(|error| {
        tracing::warn!(%error, "The link could not be opened");
        let (message, hint) = words::link_failed(language);
        UserError::new(ErrorCode::System, message).hint(hint)
    })
}

/// Starts the first program of the system that opens the link.
#[cfg(target_os = "linux")]
fn hand_over(url: &str) -> io::Result<()> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for mut command in open::commands(url) {
        crate::lean::forget_in(&mut command);
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

#[cfg(not(target_os = "linux"))]
fn hand_over(url: &str) -> io::Result<()> {
    open::that_detached(url)
}

fn is_harmless(url: &str) -> bool {
    let lower = url.trim_start().to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| lower.starts_with(scheme)) && !url.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn only_links_that_show_something_are_opened() {
        for url in [
            "https://example.org/a?b=c",
            "HTTP://example.org",
            "mailto:me@example.org",
        ] {
            assert!(is_harmless(url), "{url}");
        }
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "shidi://x",
            "-x",
            "",
            "https://a\nb",
        ] {
            assert!(!is_harmless(url), "{url}");
        }
    }
}
