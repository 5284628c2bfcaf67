//! Why an address gave no answer, in words that people understand: libraries tell it in theirs, with the whole address.

use crate::limits::STDERR_QUOTED_CHARACTERS;
use crate::text::paragraph;
use shidi_locales::{Language, McpClient};
use std::error::Error;
use std::io;

/// How a library begins to tell an address, keys and all.
const ADDRESS: &str = " for url (";

/// Why nobody at an address was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreached {
    /// No computer has the name that stands in the address.
    NoName,
    /// Nobody listens at the port.
    NobodyListens,
    /// This computer has no way there.
    NoWay,
    TooSlow,
    /// No encrypted connection came about.
    Encryption,
    /// The connection ended in the middle.
    BrokenOff,
    /// What the system or a library says, where it is something else.
    Other(String),
}

impl Unreached {
    /// Reads it out of what a library says. The deepest cause that tells something counts.
    #[must_use]
    pub fn of(cause: &(dyn Error + 'static)) -> Self {
        let (mut found, mut deepest) = (of_one(cause), cause);
        while let Some(cause) = deepest.source() {
            found = of_one(cause).or(found);
            deepest = cause;
        }
        found.unwrap_or_else(|| Self::Other(quoted(deepest)))
    }

    /// The end of a sentence.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.mcp_client();
        match self {
            Self::NoName => say.no_name().to_owned(),
            Self::NobodyListens => say.nobody_listens().to_owned(),
            Self::NoWay => say.no_way().to_owned(),
            Self::TooSlow => say.too_slow().to_owned(),
            Self::Encryption => say.no_encryption().to_owned(),
            Self::BrokenOff => say.broken_off().to_owned(),
            Self::Other(said) => said.clone(),
        }
    }

    pub fn hint(&self, say: McpClient) -> &'static str {
        match self {
            Self::NoName => say.check_name(),
            Self::NobodyListens => say.check_port(),
            Self::Encryption => say.check_certificate(),
            Self::NoWay | Self::TooSlow | Self::BrokenOff | Self::Other(_) => say.check_network(),
        }
    }
}

/// What one of the causes tells, if anything.
fn of_one(cause: &(dyn Error + 'static)) -> Option<Unreached> {
    if let Some(cause) = cause.downcast_ref::<reqwest::Error>() {
        return match (cause.is_dns(), cause.is_timeout()) {
            (true, _) => Some(Unreached::NoName),
            (false, true) => Some(Unreached::TooSlow),
            // Whoever was connected to has gone away.
            (false, false) => (!cause.is_connect() && !cause.is_builder()).then_some(Unreached::BrokenOff),
        };
    }
    if cause.is::<rustls::Error>() {
        return Some(Unreached::Encryption);
    }
    let mut cause = cause.downcast_ref::<io::Error>()?;
    // Encryption speaks through errors of input and output, which do not name what they wrap as their source.
    while let Some(inner) = cause.get_ref() {
        if inner.is::<rustls::Error>() {
            return Some(Unreached::Encryption);
        }
        let Some(deeper) = inner.downcast_ref::<io::Error>() else {
            break;
        };
        cause = deeper;
    }
    match cause.kind() {
        io::ErrorKind::ConnectionRefused => Some(Unreached::NobodyListens),
        io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NetworkDown
        | io::ErrorKind::AddrNotAvailable => Some(Unreached::NoWay),
        io::ErrorKind::TimedOut => Some(Unreached::TooSlow),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof
        | io::ErrorKind::NotConnected => Some(Unreached::BrokenOff),
        // A name that is not found has no kind of its own: it was told above.
        _ => cause.raw_os_error().map(|_| Unreached::Other(quoted(cause))),
    }
}

/// What a cause says, without the address that libraries put behind it.
fn quoted(cause: &(dyn Error + 'static)) -> String {
    let said = cause.to_string();
    let said = said.split(ADDRESS).next().unwrap_or_default();
    paragraph(said, STDERR_QUOTED_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("Client error: error sending request for url (https://a.example/?api_key=s3cret)")]
    struct Outer(#[source] io::Error);

    fn of(kind: io::ErrorKind) -> Unreached {
        Unreached::of(&Outer(io::Error::from(kind)))
    }

    #[test]
    fn each_reason_of_a_system_has_words_and_a_remedy_and_none_of_a_library() {
        for (kind, wanted) in [
            (io::ErrorKind::ConnectionRefused, Unreached::NobodyListens),
            (io::ErrorKind::NetworkUnreachable, Unreached::NoWay),
            (io::ErrorKind::TimedOut, Unreached::TooSlow),
            (io::ErrorKind::ConnectionReset, Unreached::BrokenOff),
        ] {
            let found = of(kind);
            assert_eq!(found, wanted, "{kind:?}");
            for language in Language::ALL {
                let said = found.sentence(*language);
                assert!(
                    !said.is_empty() && !said.contains("error") && !said.contains("s3cret"),
                    "{said}"
                );
                assert!(!found.hint(language.mcp_client()).is_empty());
            }
        }
    }

    #[test]
    fn what_encryption_refuses_is_told_as_that() {
        let refused = io::Error::new(io::ErrorKind::InvalidData, rustls::Error::DecryptError);
        assert_eq!(
            Unreached::of(&Outer(io::Error::other(refused))),
            Unreached::Encryption
        );
    }

    #[test]
    fn what_has_no_words_here_is_quoted_without_the_address() {
        #[derive(Debug, thiserror::Error)]
        #[error("odd thing for url (https://a.example/?api_key=s3cret)")]
        struct Odd;
        assert_eq!(Unreached::of(&Odd), Unreached::Other("odd thing".to_owned()));
    }

    #[test]
    fn a_reason_of_a_system_without_words_here_is_quoted() {
        // No more descriptors.
        let Unreached::Other(said) = Unreached::of(&Outer(io::Error::from_raw_os_error(24))) else {
            panic!("another reason");
        };
        assert!(!said.is_empty() && !said.contains("Client error"), "{said}");
    }
}
