//! The common parts of looking at a stranger's words, whatever they are: findings, and the reader's
//! decision.

use crate::console::{Console, Look};
use crate::failure::Failure;
use crate::follow::cards::clean;
use shidi_protocol::{ErrorCode, ReviewFinding, UserError};
use std::path::Path;

/// Findings that are shown in full.
const FINDINGS_SHOWN: usize = 20;

/// Whether a person agrees; where none can be asked, `--yes` has to say so.
pub fn decided(yes: bool, question: String, console: &Console) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if console.is_json() || !console.can_ask() {
        let words = console.words;
        let refused = UserError::new(ErrorCode::Input, words.needs_yes()).hint(words.look_and_say_yes());
        return Err(refused.into());
    }
    let agreed = console.confirms(&question);
    if !agreed {
        console.note(Look::Plain, console.words.declined());
    }
    Ok(agreed)
}

/// What was found in the words.
pub fn findings(findings: &[ReviewFinding], console: &Console) -> Result<(), Failure> {
    for found in findings.iter().take(FINDINGS_SHOWN) {
        let place = format!("{}:{}", clean(&found.file), found.line);
        let told = format!("    {place}  {}: {}", found.what, clean(&found.excerpt));
        console.line(&console.painted(Look::Bad, &told))?;
    }
    if findings.len() > FINDINGS_SHOWN {
        let more = console.words.more_findings(findings.len() - FINDINGS_SHOWN);
        console.line(&format!("    {more}"))?;
    }
    Ok(())
}

/// A path as it is from everywhere: who fetches may work in another folder.
pub fn whole_source(source: String) -> String {
    let is_here = Path::new(&source).exists();
    match std::path::absolute(&source) {
        Ok(path) if is_here => path.display().to_string(),
        Ok(_) | Err(_) => source,
    }
}

/// Whether a text names a place and nothing that is kept: an address, a path, or a file.
pub fn is_source(text: &str) -> bool {
    let is_path = text.starts_with('~') || text.contains(std::path::is_separator);
    is_path || Path::new(text).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_from_the_name_of_what_is_kept() {
        for place in [
            "https://example.org/plugins.git",
            "./care",
            "/srv/care.zip",
            "~/care",
            "Cargo.toml",
        ] {
            assert!(is_source(place), "{place}");
        }
        for name in ["care", "customer-care", "care.zip", ""] {
            assert!(!is_source(name), "{name}");
        }
    }
}
