//! The plugins that come along, in each language that has one. Nothing of them is used until their user installs them.

use crate::manifest::FILE;
use shidi_locales::Language;

/// Texts by their paths within a folder.
pub type Files = &'static [(&'static str, &'static str)];

// By the code of their language, and their name.
include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The files of one that comes along.
#[must_use]
pub fn named(name: &str, language: Language) -> Option<Files> {
    let of = |code: &str| {
        let mut known = SHIPPED.iter();
        known.find(|(of, known, _)| *of == code && *known == name)
    };
    let found = of(language.code()).or_else(|| of(Language::SOURCE.code()));
    found.map(|(_, _, files)| *files)
}

/// The plugins that come along, with their manifests.
pub fn all(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = SHIPPED
        .iter()
        .filter(move |(code, _, _)| *code == language.code());
    own.filter_map(|(_, name, files)| {
        let manifest = files.iter().find(|(path, _)| *path == FILE)?;
        Some((*name, manifest.1))
    })
}
