//! Finds the source of a fetch from a person's words: a folder, an archive, or a Git address over https.
//!
//! Pure but for a look at the disk. An address of any other transport is refused before anything is asked of it.

use super::Refused;
use shidi_space::names::NAME_CHARACTERS_MAX;
use shidi_space::typed_path;
use std::path::PathBuf;

/// Where something is fetched from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Folder(PathBuf),
    Archive(PathBuf),
    Git(String),
}

const HTTPS: &str = "https://";
/// A source of a name without letters.
const UNNAMED: &str = "unnamed";

impl Source {
    /// The source that a text names.
    ///
    /// # Errors
    /// Nothing is there, or an address that is not https.
    pub fn named(text: &str) -> Result<Self, Refused> {
        let text = text.trim();
        if is_address(text) {
            return Self::address(text);
        }
        let path = typed_path::expanded(text);
        // What a person names may be a link of theirs: it is where it leads that is copied.
        let path = path.canonicalize().map_err(|_| Refused::Nowhere)?;
        match path.is_dir() {
            true => Ok(Self::Folder(path)),
            false => Ok(Self::Archive(path)),
        }
    }

    /// The last name of the source, by which what lies at its root is known.
    #[must_use]
    pub fn name(&self) -> String {
        let name = match self {
            Self::Folder(path) | Self::Archive(path) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned())
            }
            Self::Git(address) => address
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .map(str::to_owned),
        };
        let name = name.unwrap_or_default();
        let ends = [".zip", ".tar.gz", ".tgz", ".tar", ".git", ".skill"];
        let bare = ends
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        let is_fit = |sign: &char| sign.is_alphanumeric() || matches!(sign, '-' | '_');
        let plain: String = bare.chars().filter(is_fit).take(NAME_CHARACTERS_MAX).collect();
        if plain.is_empty() {
            UNNAMED.to_owned()
        } else {
            plain
        }
    }

    fn address(text: &str) -> Result<Self, Refused> {
        let host = text
            .get(..HTTPS.len())
            .filter(|scheme| scheme.eq_ignore_ascii_case(HTTPS))
            .and_then(|_| text.get(HTTPS.len()..))
            .ok_or(Refused::OtherTransport)?;
        let is_plain =
            |sign: char| sign.is_ascii_graphic() && !matches!(sign, '"' | '\'' | '\\' | '`' | '<' | '>');
        let is_fit = host.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '[');
        match is_fit && text.chars().all(is_plain) {
            true => Ok(Self::Git(text.to_owned())),
            false => Err(Refused::OtherTransport),
        }
    }
}

/// Whether a text is an address or the form in which git writes one for ssh, and no path.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").or_else(|| text.split_once("::"));
    let is_scheme = |(scheme, _): (&str, &str)| {
        scheme.len() > 1
            && scheme
                .chars()
                .all(|sign| sign.is_ascii_alphanumeric() || "+-.".contains(sign))
    };
    let is_ssh = || {
        let host = text.split_once(':').map(|(host, _)| host);
        host.is_some_and(|host| host.contains('@') && !host.contains('/'))
    };
    scheme.is_some_and(is_scheme) || is_ssh()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_https_is_an_address_that_is_asked() {
        assert_eq!(
            Source::named(" https://a.example/b.git "),
            Ok(Source::Git("https://a.example/b.git".to_owned()))
        );
        for other in [
            "http://a.example/b.git",
            "git://a.example/b",
            "ssh://git@a.example/b",
            "git@a.example:b.git",
            "file:///tmp/b",
            "ext::sh -c id",
            "https://--upload-pack=id/b",
            "https://a.example/b git",
        ] {
            assert_eq!(Source::named(other), Err(Refused::OtherTransport), "{other}");
        }
        assert_eq!(Source::named("/no/such/folder"), Err(Refused::Nowhere));
        assert_eq!(Source::named("-b"), Err(Refused::Nowhere));
    }

    proptest! {
        #[test]
        fn no_text_becomes_an_option_or_another_transport(text in "\\PC{0,40}|[-a-z]{1,6}:(//)?.{0,20}") {
            if let Ok(Source::Git(address)) = Source::named(&text) {
                prop_assert!(address.to_ascii_lowercase().starts_with(HTTPS));
                prop_assert!(!address.contains(char::is_whitespace));
            }
        }
    }
}
