//! A fault in a plugin: the place, the fault itself, and the remedy, in a person's language.

use crate::limits::{FAULTS_MAX, MANIFEST_BYTES_MAX, NAMES_SHOWN};
use crate::manifest::FILE;
use shidi_bundles::{FILES_MAX, Unfit};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, PluginFault, UserError, visible};
use shidi_workflow::ValueType;
use shidi_yaml::{Place, nearest};

/// A fault at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub place: Place,
    pub problem: Problem,
}

/// What keeps a folder from being a plugin.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    NotText,
    TooLarge,
    /// The reader's own words.
    NotYaml(String),
    /// A key that stands there for the second time.
    Twice(String),
    Missing(&'static str),
    UnknownKey {
        key: String,
        known: Vec<String>,
    },
    Wants(Wanted),
    BadName(String),
    /// Names of tools and inputs are written in Python.
    BadToolName(String),
    NameTaken {
        name: String,
        line: u64,
    },
    UnknownType {
        written: String,
        known: Vec<String>,
    },
    UnknownClass {
        written: String,
        known: Vec<String>,
    },
    NotOfType(ValueType),
    BadPermission(String),
    /// A family whose calls would go on beyond the tool.
    Unbounded(String),
    TooLong {
        key: &'static str,
        most: usize,
    },
    TooMany {
        key: &'static str,
        most: usize,
    },
    NoFunction(String),
    TwoFunctions(String),
    /// Something else has the name by which programs would call its tools.
    ToolkitTaken(String),
    /// A file in one of its folders that is not called as it should be.
    BadFileName,
    NoSkillText,
    /// The whole folder is refused.
    Refused(String),
    /// In the words of whoever reads that kind of file.
    OfFile(UserError),
}

/// The kind of value that belongs at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Map,
    List,
    Text,
}

impl Fault {
    pub fn new(place: &Place, problem: Problem) -> Self {
        Self {
            place: place.clone(),
            problem,
        }
    }

    /// A fault of a file as a whole.
    pub fn of_file(path: &str, problem: Problem) -> Self {
        Self {
            place: beginning(path),
            problem,
        }
    }

    /// Why a folder is refused whatever it holds.
    pub fn unfit(unfit: &Unfit, language: Language) -> Self {
        let words = language.bundles();
        let told = match unfit {
            Unfit::Link(path) => words.holds_link(visible(path)),
            Unfit::TooMany | Unfit::TooLarge => words.too_much(FILES_MAX, shidi_bundles::BYTES_MAX >> 20),
            Unfit::Disk(cause) => words.not_kept(cause),
        };
        Self::of_file(FILE, Problem::Refused(told))
    }

    pub fn told(&self, language: Language) -> PluginFault {
        let (message, hint) = match &self.problem {
            // It names its place by itself.
            Problem::OfFile(error) => {
                let hint = error.hint.clone().unwrap_or_default();
                (error.message.clone(), hint)
            }
            other => (
                format!("{}: {}", self.place, other.sentence(language)),
                other.remedy(language),
            ),
        };
        PluginFault {
            message: one_line(&message),
            hint: one_line(&hint),
        }
    }

    pub fn error(&self, language: Language) -> UserError {
        let PluginFault { message, hint } = self.told(language);
        UserError::new(ErrorCode::Input, message).hint(hint)
    }
}

pub fn beginning(path: &str) -> Place {
    Place {
        file: path.into(),
        line: 1,
        column: 1,
    }
}

/// A stranger's words may hold line breaks; a fault is one line.
fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// The first faults in the order of their files and lines.
pub fn in_order(mut faults: Vec<Fault>) -> Vec<Fault> {
    let key = |fault: &Fault| (fault.place.file.clone(), fault.place.line, fault.place.column);
    faults.sort_by_key(key);
    faults.dedup();
    faults.truncate(FAULTS_MAX);
    faults
}

impl Problem {
    /// What is wrong.
    fn sentence(&self, language: Language) -> String {
        let say = language.plugins();
        match self {
            Self::NotText => say.not_text().to_owned(),
            Self::TooLarge => say.too_large(MANIFEST_BYTES_MAX >> 10),
            Self::NotYaml(why) => say.not_yaml(why),
            Self::Twice(key) => say.twice(key),
            Self::Missing(key) => say.key_missing(key),
            Self::UnknownKey { key, known: _ } => say.unknown_key(key),
            Self::Wants(Wanted::Map) => say.wants_map().to_owned(),
            Self::Wants(Wanted::List) => say.wants_list().to_owned(),
            Self::Wants(Wanted::Text) => say.wants_text().to_owned(),
            Self::BadName(name) | Self::BadToolName(name) => say.bad_name(name),
            Self::NameTaken { name, line } => say.name_taken(line, name),
            Self::UnknownType { written, known: _ } => say.unknown_type(written),
            Self::UnknownClass { written, known: _ } => say.unknown_class(written),
            Self::NotOfType(kind) => say.not_of_type(kind.name()),
            Self::BadPermission(written) => say.bad_permission(written),
            Self::Unbounded(written) => say.unbounded(written),
            Self::TooLong { key, most } => say.too_long(key, most),
            Self::TooMany { key, most } => say.over_bound(key, most),
            Self::NoFunction(tool) => say.no_function(tool),
            Self::TwoFunctions(tool) => say.two_functions(tool),
            Self::ToolkitTaken(toolkit) => say.toolkit_taken(toolkit),
            Self::BadFileName => say.bad_file_name().to_owned(),
            Self::NoSkillText => say.no_skill_text().to_owned(),
            Self::Refused(why) => why.clone(),
            Self::OfFile(error) => error.message.clone(),
        }
    }

    /// What to do about it.
    fn remedy(&self, language: Language) -> String {
        let say = language.plugins();
        match self {
            Self::NotText => say.save_as_utf8().to_owned(),
            Self::TooLarge | Self::TooLong { .. } => say.shorten_it().to_owned(),
            Self::NotYaml(_) => say.mend_yaml().to_owned(),
            Self::Twice(key) => say.keep_single(key),
            Self::Missing(key) => say.write_key(example(key), key),
            Self::UnknownKey { key, known } => near(key, known, language),
            Self::UnknownType { written, known } | Self::UnknownClass { written, known } => {
                near(written, known, language)
            }
            Self::Wants(Wanted::Map) => say.write_map().to_owned(),
            Self::Wants(Wanted::List) => say.write_list().to_owned(),
            Self::Wants(Wanted::Text) => say.quote_text().to_owned(),
            Self::BadName(_) => say.name_rules(shidi_bundles::NAME_CHARACTERS_MAX),
            Self::BadToolName(_) => say.tool_name_rules().to_owned(),
            Self::NameTaken { .. } => say.other_name().to_owned(),
            Self::NotOfType(kind) => say.change_value(kind.name()),
            Self::BadPermission(_) => say.permission_example().to_owned(),
            Self::Unbounded(_) => say.name_bounded().to_owned(),
            Self::TooMany { key, most: _ } => say.split_plugin(key),
            Self::NoFunction(tool) => say.write_function(tool),
            Self::TwoFunctions(tool) => say.single_function(tool),
            Self::ToolkitTaken(_) => say.other_plugin_name().to_owned(),
            Self::BadFileName => say.file_name_rules().to_owned(),
            Self::NoSkillText => say.write_skill_text().to_owned(),
            Self::Refused(_) => language.bundles().trust_no_link().to_owned(),
            Self::OfFile(error) => error.hint.clone().unwrap_or_default(),
        }
    }
}

/// A key as it is written.
fn example(key: &str) -> &'static str {
    match key {
        "name" => "name: customer-care",
        "version" => "version: '1.0'",
        "description" => "description: 'What it is for'",
        "class" => "class: read",
        _ => "…",
    }
}

/// The name that was probably meant, or those that there are.
fn near(written: &str, known: &[String], language: Language) -> String {
    let say = language.plugins();
    match nearest(written, known.iter().map(String::as_str)) {
        Some(near) => say.did_you_mean(near),
        None => {
            let shown: Vec<&str> = known.iter().map(String::as_str).take(NAMES_SHOWN).collect();
            say.one_of(shown.join(", "))
        }
    }
}
