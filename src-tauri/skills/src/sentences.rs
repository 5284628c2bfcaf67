//! Sentences for people about a skill: why it is left out, its faults, and the finds in it.

use crate::catalogue::Skill;
use crate::front_matter::{Note, Skipped};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError, visible};
use shidi_space::errors::error;

/// Why a skill is left out.
pub fn skipped(skipped: &Skipped, language: Language) -> String {
    let words = language.skills();
    match skipped {
        Skipped::NotText => words.not_text().to_owned(),
        Skipped::TooLarge => words.too_large().to_owned(),
        Skipped::NoFrontMatter => words.no_front_matter().to_owned(),
        Skipped::Unreadable { line, why } => words.unreadable(line, visible(why)),
        Skipped::NoDescription => words.no_description().to_owned(),
        Skipped::NoName => words.no_name().to_owned(),
        Skipped::Link { path } => language.bundles().holds_link(visible(path)),
        Skipped::Disk { why } => words.not_readable(why),
    }
}

/// What is wrong with a skill that is used all the same.
pub fn notes(skill: &Skill, language: Language) -> Vec<String> {
    let words = language.skills();
    let of_text = skill
        .text
        .iter()
        .flat_map(|text| &text.notes)
        .map(|note| match note {
            Note::BadName { name } => words.bad_name(&skill.name, visible(name)),
            Note::NotItsFolder { folder } => words.not_its_folder(visible(folder)),
            Note::LongDescription => words.long_description().to_owned(),
            Note::LongCompatibility => words.long_compatibility().to_owned(),
            Note::UnknownField { field } => words.unknown_field(visible(field)),
            Note::BadField { field } => words.bad_field(visible(field)),
            Note::Repaired => words.repaired().to_owned(),
            Note::LongBody => words.long_body().to_owned(),
        });
    let mut notes: Vec<String> = of_text.collect();
    if let Some(place) = &skill.hidden_by {
        notes.push(words.hidden_by(visible(place)));
    }
    notes
}

/// What is told where a source holds no skill.
pub fn no_skill(source: &str, language: Language) -> UserError {
    let words = language.skills();
    error(
        ErrorCode::Input,
        words.no_skill_in(visible(source)),
        words.needs_a_text(),
    )
}
