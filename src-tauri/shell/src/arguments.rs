//! The few arguments of the desktop program. The command line has all others (`shidi help`).

use crate::deep_link;
use shidi_locales::{Language, Shell};
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments with which the program was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    pub data_dir: Option<PathBuf>,
    pub language: Language,
    pub start: Start,
    /// A `shidi://` link that another program opened.
    pub link: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    WithPanel,
    WithBall,
}

/// The next step after the arguments were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    Run(Arguments),
    Say(String),
    Wrong(String),
}

/// Reads the arguments that follow the program's name.
#[must_use]
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Parsed {
    let mut parsed = Arguments {
        data_dir: None,
        language: Language::of_environment(),
        start: Start::WithBall,
        link: None,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let say = parsed.language.shell();
        let wrong = |sentence: &str| Parsed::Wrong(format!("{sentence}\n\n{}", usage(say)));
        match argument.to_str() {
            Some("--show") => parsed.start = Start::WithPanel,
            Some(link) if deep_link::is_link(link) => parsed.link = Some(link.to_owned()),
            Some("--help" | "-h") => return Parsed::Say(usage(say)),
            Some("--version" | "-V") => {
                return Parsed::Say(concat!("shidi-desktop ", env!("CARGO_PKG_VERSION")).to_owned());
            }
            Some("--data-dir") => match arguments.next().filter(|folder| !folder.is_empty()) {
                Some(folder) => parsed.data_dir = Some(PathBuf::from(folder)),
                None => return wrong(say.argument_data_dir()),
            },
            Some("--lang") => match arguments.next().as_deref().and_then(|name| name.to_str()) {
                Some(name) if Language::known(name).is_some() => parsed.language = Language::named(name),
                _ => return wrong(&say.argument_lang(Language::CODES)),
            },
            _ => return wrong(&say.argument_unknown(argument.to_string_lossy())),
        }
    }
    Parsed::Run(parsed)
}

fn usage(say: Shell) -> String {
    say.usage(Language::CODES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Parsed {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn folder_language_and_panel_can_be_chosen() {
        let Parsed::Run(arguments) = parsed(&["--lang", "zh", "--data-dir", "/tmp/数据", "--show"]) else {
            panic!("refused");
        };
        assert_eq!(arguments.language, Language::Zh);
        assert_eq!(arguments.data_dir, Some(PathBuf::from("/tmp/数据")));
        assert_eq!(arguments.start, Start::WithPanel);
    }

    #[test]
    fn a_link_is_taken_as_it_is() {
        let Parsed::Run(arguments) = parsed(&["shidi://ask?text=%E4%BD%A0"]) else {
            panic!("refused");
        };
        assert_eq!(arguments.link.as_deref(), Some("shidi://ask?text=%E4%BD%A0"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (arguments, word) in [
            (&["--lang", "fr"][..], Language::CODES),
            (&["--lang", "en", "--data-dir"], "folder"),
            (&["-x"], "-x"),
        ] {
            assert!(matches!(parsed(arguments), Parsed::Wrong(text) if text.contains(word)));
        }
    }
}
