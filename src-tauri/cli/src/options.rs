//! What every command takes: the form of its output, its data folder, its language.

use crate::console::Format;
use crate::words::{Language, Words};
use clap::Args;
use std::path::PathBuf;

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Print one JSON object per line on stdout and nothing else
    #[arg(long, global = true)]
    json: bool,
    /// Where everything is stored (also SHIDI_DATA_DIR) [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Language of messages [default: as the environment says]
    #[arg(long, global = true, value_name = "zh|en", value_parser = ["zh", "en"])]
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
        Words {
            language: self.language(),
        }
    }

    #[must_use]
    pub fn language(&self) -> Language {
        self.lang
            .as_deref()
            .map_or_else(Language::of_environment, Language::named)
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
