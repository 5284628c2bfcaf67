//! Faults of a suite in words: the place, what is wrong there, and what to do.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_yaml::{Entry, Place};
use std::fmt::Display;

/// A fault at a place.
pub fn fault(place: &Place, message: impl Display, hint: impl Into<String>) -> UserError {
    UserError::new(ErrorCode::Input, format!("{place}: {message}")).hint(hint)
}

/// A key that has no meaning where it stands.
pub fn unknown_key(language: Language, entry: &Entry, known: &[&str]) -> UserError {
    let message = language.evaluation().no_such_key(&entry.key);
    fault(&entry.place, message, meant(language, &entry.key, known))
}

/// The name that was probably meant, or all that there are.
pub fn meant(language: Language, name: &str, known: &[&str]) -> String {
    let near = known
        .iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), *other))
        .min();
    match near {
        Some((distance, other)) if distance <= 1 + name.chars().count() / 4 => {
            language.evaluation().did_you_mean(other)
        }
        Some(_) | None => language.evaluation().there_are(known.join(", ")),
    }
}
