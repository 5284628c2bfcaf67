//! The options of every command: the form of its output, its data folder, its language.

use crate::console::Format;
use crate::words::Words;
use clap::Args;
use clap::builder::PossibleValuesParser;
use shidi_locales::Language;
use std::path::PathBuf;

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Options {
    #[arg(long, global = true)]
    json: bool,
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[arg(long, global = true, value_name = Language::CODES, value_parser = codes())]
    lang: Option<String>,
}

impl Options {
    #[must_use]
    pub fn format(&self) -> Format {
        if self.json {
            Format::JsonLines
        } else {
            Format::Human
        }
    }

    #[must_use]
    pub fn words(&self) -> Words {
        Words::of(self.language())
    }

    #[must_use]
    pub fn language(&self) -> Language {
        Language::of(self.lang.as_deref())
    }

    /// The folder that the user named, by option or by environment.
    #[must_use]
    pub fn data_dir(&self) -> Option<PathBuf> {
        let from_environment = || {
            std::env::var_os("SHIDI_DATA_DIR")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let named = self.data_dir.clone().or_else(from_environment);
        named.map(|folder| std::path::absolute(&folder).unwrap_or(folder))
    }
}

fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(Language::ALL.iter().map(|language| language.code()))
}
