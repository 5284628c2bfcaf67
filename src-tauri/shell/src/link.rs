//! Opens links outside: the web view itself never leaves its own pages.

use crate::system::links;
use crate::words;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};

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
    links::hand_over(url).map_err(|error| {
        tracing::warn!(%error, "The link could not be opened");
        let (message, hint) = words::link_failed(language);
        UserError::new(ErrorCode::System, message).hint(hint)
    })
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
