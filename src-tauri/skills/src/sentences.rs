//! What people are told of a skill: why it is left out, what is wrong with it, and what was found in it.

use crate::catalogue::Skill;
use crate::front_matter::{Note, Skipped};
use crate::install::Refused;
use crate::limits::{ARCHIVE_BYTES_MAX, GIT_TIMEOUT, UNPACKED_BYTES_MAX};
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
        Skipped::Link { path } => words.holds_link(visible(path)),
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

/// Why nothing is installed.
pub fn refused(refused: &Refused, source: &str, language: Language) -> UserError {
    let words = language.skills();
    let shown = visible(source);
    let input = |message: String, hint: &str| error(ErrorCode::Input, message, hint);
    match refused {
        Refused::Nowhere => input(words.nothing_there(shown), words.name_a_source()),
        Refused::OtherTransport => input(words.not_https(shown), words.name_a_source()),
        Refused::NotAnArchive => input(words.not_an_archive(shown), words.name_a_source()),
        Refused::Broken { why } => input(words.broken_archive(visible(why)), words.fetch_again()),
        Refused::Link { path } => input(words.holds_link(visible(path)), words.trust_no_link()),
        Refused::Outside { path } => input(words.leads_outside(visible(path)), words.trust_no_link()),
        Refused::TooLarge => {
            let most = UNPACKED_BYTES_MAX.min(ARCHIVE_BYTES_MAX) >> 20;
            input(words.source_too_large(most), words.name_a_smaller_source())
        }
        Refused::NoSkill => input(words.no_skill_in(shown), words.needs_a_text()),
        Refused::NoGit => error(ErrorCode::System, words.no_git(), words.install_git()),
        Refused::Git { why } => input(words.git_failed(visible(why)), words.check_address()),
        Refused::GitTooSlow => input(words.git_too_slow(GIT_TIMEOUT.as_secs()), words.check_address()),
        Refused::Disk { why } => error(ErrorCode::Storage, words.not_kept(why), words.check_disk()),
    }
}
