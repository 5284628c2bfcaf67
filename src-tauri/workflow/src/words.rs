//! Faults and failures in a person's language: what is wrong, and what to do.

use crate::failure::Failure;
use crate::limits::FILE_BYTES_MAX;
use crate::problem::{Example, Fault, Many, Problem, Reason, Wanted};
use crate::run::GivenFault;
use shidi_locales::{Language, Workflow as Sentences};
use shidi_protocol::{ErrorCode, UserError};

/// Names that a remedy lists when none is near.
const NAMES_SHOWN: usize = 12;

impl Fault {
    /// The fault as people read it: its place, what is wrong, and beside it the remedy.
    #[must_use]
    pub fn told(&self, language: Language) -> UserError {
        let message = format!("{}: {}", self.place, self.problem.sentence(language));
        UserError::new(ErrorCode::Input, message).hint(self.problem.remedy(language))
    }
}

impl Problem {
    /// What is wrong.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.workflow();
        match self {
            Self::NotText => say.not_text().to_owned(),
            Self::TooLarge => say.too_large(FILE_BYTES_MAX >> 10),
            Self::NotYaml(why) => say.not_yaml(why),
            Self::Twice(key) => say.twice(key),
            Self::Missing { key, example: _ } => say.key_missing(key),
            Self::UnknownKey { key, known: _ } => say.unknown_key(key),
            Self::KeyNotHere { key, kind } => say.key_not_here(key, kind),
            Self::BothForms { one, other } => say.both_forms(one, other),
            Self::Wants(wanted) => wanted.sentence(say).to_owned(),
            Self::UnknownVersion { version, known: _ } => say.unknown_version(version),
            Self::UnknownValueType { written, known: _ } => say.unknown_value_type(written),
            Self::UnknownStepType { written, known: _ } => say.unknown_step_type(written),
            Self::UnknownRole { written, known: _ } => say.unknown_role(written),
            Self::BadName(name) => say.bad_name(name),
            Self::ReservedName(name) => say.reserved_name(name),
            Self::NameTaken { name, line } => say.name_taken(line, name),
            Self::BrokenReference(text) => say.broken_reference(text),
            Self::DoubleBraces(name) => say.double_braces(name),
            Self::UnknownName { name, known: _ } => say.unknown_name(name),
            Self::UnknownStep { name, known: _ } => say.unknown_step(name),
            Self::UsedBeforeMade { name, step } => say.used_before_made(name, step),
            Self::Cycle(steps) => say.cycle(steps.join(" → ")),
            Self::MaybeMissing { name, step } => say.maybe_missing(name, step),
            Self::NoParts { name, kind } => say.no_parts(kind.name(), name),
            Self::WrongType { wanted, found } => say.wrong_type(found.name(), wanted.name()),
            Self::NotOfType(kind) => say.not_of_type(kind.name()),
            Self::MissingOutput(kind) => say.missing_output(kind),
            Self::Unreachable(step) => say.unreachable(step),
            Self::BadCondition(why) => say.bad_condition(why),
            Self::BareName(name) => say.bare_name(name),
            Self::BadPermission(written) => say.bad_permission(written),
            Self::OutOfBounds { key, least, most } => say.out_of_bounds(key, least, most),
            Self::TooMany {
                what: Many::Steps,
                most,
            } => say.too_many_steps(most),
            Self::TooMany {
                what: Many::Levels,
                most,
            } => say.too_many_levels(most),
            Self::TooMany {
                what: Many::Characters,
                most,
            } => say.condition_too_long(most),
            Self::UnknownFormat => say.unknown_format().to_owned(),
            Self::Unmapped { what, reason: _ } => say.unmapped(what),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self, language: Language) -> String {
        let say = language.workflow();
        match self {
            Self::NotText => say.save_as_utf8().to_owned(),
            Self::TooLarge => say.split_file().to_owned(),
            Self::NotYaml(_) => say.mend_yaml().to_owned(),
            Self::Twice(key) => say.write_a_list(key),
            Self::Missing { key: _, example } => example.sentence(say).to_owned(),
            Self::UnknownKey { key, known } => near(say, key, known),
            Self::KeyNotHere { key, kind: _ } => say.take_key_away(key),
            Self::BothForms { one, other: _ } => say.keep_first(one),
            Self::Wants(wanted) => wanted.remedy(say).to_owned(),
            Self::UnknownVersion { version: _, known } => say.write_version(known),
            Self::UnknownValueType { written, known }
            | Self::UnknownStepType { written, known }
            | Self::UnknownRole { written, known }
            | Self::UnknownName { name: written, known }
            | Self::UnknownStep { name: written, known } => near(say, written, known),
            Self::BadName(_) => say.name_rules().to_owned(),
            Self::ReservedName(_) | Self::NameTaken { .. } => say.other_name().to_owned(),
            Self::BrokenReference(_) => say.reference_forms().to_owned(),
            Self::DoubleBraces(name) => say.single_braces(format!("{{{name}}}")),
            Self::UsedBeforeMade { name: _, step } => say.move_step(step),
            Self::Cycle(_) => say.break_cycle().to_owned(),
            Self::MaybeMissing { name, step: _ } => say.give_default(name),
            Self::NoParts { name, kind: _ } => say.declare_dict(name),
            Self::WrongType { wanted, found: _ } => say.change_type(wanted.name()),
            Self::NotOfType(kind) => say.change_type(kind.name()),
            Self::MissingOutput(_) => say.output_example().to_owned(),
            Self::Unreachable(_) => say.change_condition().to_owned(),
            Self::BadCondition(_)
            | Self::TooMany {
                what: Many::Characters,
                most: _,
            } => say.condition_example().to_owned(),
            Self::BareName(name) => say.add_braces(format!("{{{name}}}")),
            Self::BadPermission(_) => say.permission_example().to_owned(),
            Self::OutOfBounds { .. } => say.stay_within().to_owned(),
            Self::TooMany {
                what: Many::Steps | Many::Levels,
                most: _,
            } => say.split_file().to_owned(),
            Self::UnknownFormat => say.known_formats().to_owned(),
            Self::Unmapped { what: _, reason } => reason.sentence(say).to_owned(),
        }
    }
}

/// The name that was probably meant, or those that there are.
fn near(say: Sentences, name: &str, known: &[String]) -> String {
    match shidi_yaml::nearest(name, known.iter().map(String::as_str)) {
        Some(other) => say.did_you_mean(other),
        None if known.is_empty() => say.there_are_none().to_owned(),
        None => {
            let shown: Vec<&str> = known.iter().take(NAMES_SHOWN).map(String::as_str).collect();
            say.there_are(shown.join(", "))
        }
    }
}

impl Wanted {
    fn sentence(self, say: Sentences) -> &'static str {
        match self {
            Self::Map => say.wants_map(),
            Self::List => say.wants_list(),
            Self::Text => say.wants_text(),
            Self::Number => say.wants_number(),
            Self::Duration => say.wants_duration(),
            Self::Time => say.wants_time(),
            Self::Steps => say.wants_steps(),
            Self::OnError => say.wants_on_error(),
        }
    }

    fn remedy(self, say: Sentences) -> &'static str {
        match self {
            Self::Map => say.map_example(),
            Self::List => say.list_example(),
            Self::Text => say.text_example(),
            Self::Number => say.number_example(),
            Self::Duration => say.duration_example(),
            Self::Time => say.time_example(),
            Self::Steps => say.steps_example(),
            Self::OnError => say.on_error_example(),
        }
    }
}

impl Example {
    fn sentence(self, say: Sentences) -> &'static str {
        match self {
            Self::Head => say.head_example(),
            Self::Steps => say.steps_example(),
            Self::Step => say.step_example(),
            Self::Parameter => say.parameter_example(),
            Self::Output => say.output_example(),
            Self::Action => say.action_example(),
            Self::Loop => say.loop_example(),
            Self::Wait => say.wait_example(),
            Self::Arms => say.arms_example(),
            Self::Inputs => say.inputs_example(),
        }
    }
}

impl Reason {
    /// Why it has no counterpart, and what stands in its place.
    #[must_use]
    pub fn sentence(self, say: Sentences) -> &'static str {
        match self {
            Self::ModelByRole => say.model_by_role(),
            Self::InstalledApart => say.installed_apart(),
            Self::OtherFile => say.other_file(),
            Self::OtherLanguage => say.other_language(),
            Self::ShellCommand => say.shell_command(),
            Self::NoStructure => say.no_structure(),
            Self::NoCounterpart => say.no_counterpart(),
            Self::Secret => say.secret(),
        }
    }
}

impl Failure {
    /// What happened, for people.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.workflow();
        match self {
            Self::Performer { message } | Self::Impossible { message } => message.clone(),
            Self::Denied { message } => say.denied(message),
            Self::Refused { reason } if reason.is_empty() => say.refused().to_owned(),
            Self::Refused { reason } => say.refused_because(reason),
            Self::TimedOut { limit_ms } => say.timed_out(seconds(*limit_ms)),
            Self::MissingPart { reference } => say.missing_part(reference),
            Self::MissingOutput { output } => say.result_without(output),
            Self::WrongType { output, wanted } => say.result_of_other_type(output, wanted),
            Self::BadTime { written } => say.bad_time(written),
            Self::BadCondition { message } => say.bad_condition(message),
            Self::TooManyRounds { most } => say.too_many_rounds(most),
            Self::TooManySteps { most } => say.too_many_begun(most),
            Self::TooLarge { most } => say.values_too_large(most >> 20),
            Self::GivenUp => say.given_up().to_owned(),
        }
    }
}

impl GivenFault {
    /// What a run lacks, and what to do.
    #[must_use]
    pub fn told(&self, language: Language) -> UserError {
        let say = language.workflow();
        let (message, hint) = match self {
            Self::Missing(name) => (say.value_missing(name), say.give_value(name)),
            Self::Unknown { name, known } => (say.value_unknown(name), near(say, name, known)),
            Self::WrongType { name, wanted } => {
                (say.value_of_other_type(name, wanted.name()), say.give_value(name))
            }
        };
        UserError::new(ErrorCode::Input, message).hint(hint)
    }
}

/// Seconds as people read them.
fn seconds(milliseconds: u64) -> String {
    match milliseconds % 1_000 {
        0 => (milliseconds / 1_000).to_string(),
        rest => format!("{}.{rest:03}", milliseconds / 1_000),
    }
}
