//! Why a model file can't be used, and what helps, in the user's words.

use crate::header::HeaderError;
use crate::limits::LOADED_WITHIN;
use crate::plan::TooLarge;
use crate::program::Unsaid;
use crate::server::Unready;
use crate::words::End;
use shidi_locales::{Language, LocalModel as Sentences};
use shidi_protocol::{ErrorCode, UserError, Worded};
use shidi_space::errors::error;
use shidi_toolkits::shell::SandboxUnavailable;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// No file is chosen.
    NoFile,
    File(HeaderError),
    /// No program was found, or none at the place that the user named.
    NoProgram(Option<PathBuf>),
    /// The program takes no key, so anybody could ask it.
    OldProgram,
    Unsaid(Unsaid),
    TooLarge(TooLarge),
    Unready(Unready),
    /// A thread of ours broke off.
    Own(String),
}

impl Trouble {
    /// The sentence with its remedy, as one text in every language.
    pub fn worded(&self) -> Worded {
        Worded::of(|language| {
            let (message, remedy) = self.told(language.local_model());
            language.local_model().with_remedy(message, remedy)
        })
    }

    pub fn explain(&self, language: Language) -> UserError {
        let (message, remedy) = self.told(language.local_model());
        error(ErrorCode::Model, capitalised(&message), remedy)
    }

    fn told(&self, say: Sentences) -> (String, String) {
        match self {
            Self::NoFile => pair(say.no_file(), say.no_file_hint()),
            Self::File(cause) => of_file(cause, say),
            Self::NoProgram(None) => pair(say.no_program(), say.no_program_hint()),
            Self::NoProgram(Some(named)) => {
                pair(say.named_program(named.display()), say.named_program_hint())
            }
            Self::OldProgram => pair(say.old_program(), say.update_program()),
            Self::Unsaid(Unsaid::Walls(cause)) => of_walls(cause, say),
            Self::Unsaid(Unsaid::Silent) => pair(say.program_silent(), say.try_by_hand()),
            Self::Unsaid(Unsaid::Ended(status)) => pair(say.program_ended(status), say.try_by_hand()),
            Self::TooLarge(found) => of_memory(*found, say),
            Self::Unready(cause) => of_server(cause, say),
            Self::Own(cause) => pair(cause, say.ask_again()),
        }
    }
}

/// Why a server ended, in every language.
pub fn of_end(end: &End) -> Worded {
    Worded::of(|language| {
        let (message, remedy) = ended(end, language.local_model());
        language.local_model().with_remedy(message, remedy)
    })
}

fn pair(message: impl Into<String>, remedy: impl Into<String>) -> (String, String) {
    (message.into(), remedy.into())
}

/// Sentences stand alone or within another one.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // Programs are called as they are called.
        Some(_) if text.starts_with("llama-server") || text.starts_with("bubblewrap") => text.to_owned(),
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn of_file(cause: &HeaderError, say: Sentences) -> (String, String) {
    match cause {
        HeaderError::Unreadable(cause) => pair(say.file_unreadable(cause), say.check_file()),
        HeaderError::NotGguf => pair(say.file_not_gguf(), say.choose_gguf()),
        HeaderError::Version(version) => pair(say.file_version(version), say.choose_version()),
        HeaderError::Broken(_) => pair(say.file_broken(), say.download_again()),
        HeaderError::Incomplete => pair(say.file_incomplete(), say.download_again()),
        HeaderError::Part(parts) => pair(say.file_part(parts), say.join_parts()),
        HeaderError::OtherKind(kind) => pair(say.file_of_other_kind(kind), say.choose_chat_model()),
    }
}

fn of_walls(cause: &SandboxUnavailable, say: Sentences) -> (String, String) {
    match cause {
        SandboxUnavailable::System => pair(say.walls_unknown(), say.use_other_server()),
        SandboxUnavailable::Missing => pair(say.bubblewrap_missing(), say.install_bubblewrap()),
        SandboxUnavailable::Refused { cause } => pair(say.bubblewrap_refused(cause), say.use_other_server()),
    }
}

fn of_memory(found: TooLarge, say: Sentences) -> (String, String) {
    let (free, needs) = (gigabytes(found.free), gigabytes(found.needs));
    match found.by_context {
        Some(context) => pair(say.context_too_large(context, free, needs), say.lower_context()),
        None => pair(say.too_large(free, needs), say.choose_smaller()),
    }
}

fn of_server(cause: &Unready, say: Sentences) -> (String, String) {
    match cause {
        Unready::Walls(cause) => of_walls(cause, say),
        Unready::NoPlace(cause) => pair(say.no_place(cause), say.ask_again()),
        Unready::Ended(end) => ended(end, say),
        Unready::Deaf => pair(say.deaf(), say.try_by_hand()),
        Unready::Slow => pair(say.slow(LOADED_WITHIN.as_secs() / 60), say.choose_smaller()),
        Unready::Open => pair(say.open(), say.update_program()),
    }
}

fn ended(end: &End, say: Sentences) -> (String, String) {
    match end {
        End::Memory => pair(say.end_memory(), say.lower_context_or_smaller()),
        End::Processor => pair(say.end_processor(), say.install_other_build()),
        End::Architecture(name) => pair(say.end_architecture(name), say.update_program()),
        End::File => pair(say.end_file(), say.download_or_update()),
        End::Killed => pair(say.end_killed(), say.lower_context_or_smaller()),
        End::Said(line) => pair(say.end_said(line), say.update_or_other_file()),
        End::Silent(Some(code)) => pair(say.end_with_code(code), say.update_or_other_file()),
        End::Silent(None) => pair(say.end_silent(), say.update_or_other_file()),
    }
}

/// Bytes as gigabytes with one decimal.
pub fn gigabytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trouble_has_a_sentence_and_a_remedy_in_every_language() {
        let ends = [
            End::Memory,
            End::Processor,
            End::Architecture("x".to_owned()),
            End::File,
            End::Killed,
            End::Said("assert".to_owned()),
            End::Silent(Some(3)),
            End::Silent(None),
        ];
        let large = TooLarge {
            needs: 6_050_000_000,
            free: 3_000_000_000,
            by_context: None,
        };
        let mut all = vec![
            Trouble::NoFile,
            Trouble::File(HeaderError::Part(3)),
            Trouble::NoProgram(None),
            Trouble::NoProgram(Some("/x".into())),
            Trouble::OldProgram,
            Trouble::Unsaid(Unsaid::Walls(SandboxUnavailable::Missing)),
            Trouble::TooLarge(large),
            Trouble::Unready(Unready::Open),
            Trouble::Unready(Unready::Slow),
        ];
        all.extend(ends.map(|end| Trouble::Unready(Unready::Ended(end))));
        for language in Language::ALL {
            for trouble in &all {
                let told = trouble.explain(*language);
                assert!(!told.message.is_empty() && told.hint.is_some(), "{trouble:?}");
                assert!(!trouble.worded().text(*language).is_empty());
            }
        }
        let said = Trouble::TooLarge(large).explain(Language::named("en")).message;
        assert!(said.contains("6.1 GB") && said.contains("3.0 GB"), "{said}");
    }
}
