//! Faults in a person's language: what is wrong, and what to do.

use crate::problem::{Fault, Problem, Reason, Wanted};
use shidi_locales::{Assistants as Sentences, Language};
use shidi_protocol::{AssistantFault, visible};

/// Names that a remedy lists when none is near.
const NAMES_SHOWN: usize = 20;

/// Faults as people read them.
#[must_use]
pub fn told(faults: &[Fault], language: Language) -> Vec<AssistantFault> {
    let told = faults.iter().map(|fault| AssistantFault {
        file: fault.place.file.to_string(),
        line: fault.place.line,
        column: fault.place.column,
        what: fault.problem.sentence(language),
        remedy: fault.problem.remedy(language),
    });
    told.collect()
}

impl Problem {
    /// What is wrong.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.assistants();
        match self {
            Self::NotText => say.not_text().to_owned(),
            Self::TooLarge { kilobytes } => say.too_large(kilobytes),
            Self::NotYaml(why) => say.not_yaml(visible(why)),
            Self::SeveralDocuments => say.several_documents().to_owned(),
            Self::NoItem => say.no_item().to_owned(),
            Self::Twice(key) => say.twice(visible(key)),
            Self::Missing(key) => say.key_missing(key),
            Self::UnknownKey { key, known: _ } => say.unknown_key(visible(key)),
            Self::Wants(wanted) => wanted.sentence(say).to_owned(),
            Self::UnknownVersion(version) => say.unknown_version(visible(version)),
            Self::BadName(name) => say.bad_name(visible(name)),
            Self::ReservedName(name) => say.reserved_name(visible(name)),
            Self::TooLong { key, most } => say.too_long(key, most),
            Self::TooMany { key, most } => say.over_limit(key, most),
            Self::OutOfBounds { key, least, most } => say.out_of_bounds(key, least, most),
            Self::UnknownValue {
                key,
                written,
                known: _,
            } => say.unknown_value(key, visible(written)),
            Self::BadPermission(written) => say.bad_permission(visible(written)),
            Self::BadHotkey { written, reason } => {
                let reason = reason.in_words(language);
                say.bad_hotkey(visible(written), visible(&reason))
            }
            Self::UnknownFormat => say.unknown_format().to_owned(),
            Self::Unmapped { what, reason: _ } => say.unmapped(visible(what)),
            Self::Shortened { key, most } => say.shortened(key, most),
            Self::Unfilled(what) => say.unfilled(visible(what)),
            Self::Repaired(key) => say.repaired(visible(key)),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self, language: Language) -> String {
        let say = language.assistants();
        match self {
            Self::NotText => say.save_as_utf8().to_owned(),
            Self::TooLarge { .. } => say.make_shorter().to_owned(),
            Self::NotYaml(_) => say.mend_yaml().to_owned(),
            Self::SeveralDocuments => say.one_document().to_owned(),
            Self::NoItem => say.item_example().to_owned(),
            Self::Twice(key) => say.keep_first(visible(key)),
            Self::Missing(_) => say.head_example().to_owned(),
            Self::UnknownKey { key, known } => near(say, key, known.iter().copied()),
            Self::Wants(wanted) => wanted.remedy(say).to_owned(),
            Self::UnknownVersion(_) => say.write_version().to_owned(),
            Self::BadName(_) => say.name_rules().to_owned(),
            Self::ReservedName(_) => say.other_name().to_owned(),
            Self::TooLong { .. } | Self::TooMany { .. } => say.make_shorter().to_owned(),
            Self::OutOfBounds { .. } => say.stay_within().to_owned(),
            Self::UnknownValue {
                key: _,
                written,
                known,
            } => near(say, written, known.iter().map(String::as_str)),
            Self::BadPermission(_) => say.permission_example().to_owned(),
            Self::BadHotkey { .. } => say.hotkey_example().to_owned(),
            Self::UnknownFormat => say.known_formats().to_owned(),
            Self::Unmapped { what: _, reason } => reason.sentence(say).to_owned(),
            Self::Shortened { .. } => say.whole_kept().to_owned(),
            Self::Unfilled(_) => say.placeholder().to_owned(),
            Self::Repaired(_) => say.read_as_quoted().to_owned(),
        }
    }
}

/// The name that was probably meant, or those that there are.
pub fn near<'a>(say: Sentences, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match shidi_yaml::nearest(name, known.clone()) {
        Some(other) => say.did_you_mean(other),
        None => say.there_are(known.take(NAMES_SHOWN).collect::<Vec<_>>().join(", ")),
    }
}

impl Wanted {
    fn sentence(self, say: Sentences) -> &'static str {
        match self {
            Self::Map => say.wants_map(),
            Self::List => say.wants_list(),
            Self::Text => say.wants_text(),
            Self::Number => say.wants_number(),
            Self::Words => say.wants_words(),
        }
    }

    fn remedy(self, say: Sentences) -> &'static str {
        match self {
            Self::Map => say.map_example(),
            Self::List => say.list_example(),
            Self::Text => say.text_example(),
            Self::Number => say.number_example(),
            Self::Words => say.words_example(),
        }
    }
}

impl Reason {
    fn sentence(self, say: Sentences) -> &'static str {
        match self {
            Self::ModelOfUser => say.model_of_user(),
            Self::SetUpApart => say.set_up_apart(),
            Self::KeptOnly => say.kept_only(),
            Self::Personal => say.personal(),
            Self::Placeholder => say.placeholder(),
            Self::FinerRules => say.finer_rules(),
            Self::YoursToAllow => say.yours_to_allow(),
            Self::Secret => say.secret(),
        }
    }
}
