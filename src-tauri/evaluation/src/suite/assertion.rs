//! A check as it is judged, with everything that its kind needs.

use crate::limits::QUOTED_CHARACTERS;
use globset::GlobMatcher;
use regex::Regex;
use serde_json::{Value, json};
use std::sync::Arc;

/// A check of a task.
#[derive(Debug, Clone)]
pub enum Check {
    One(Box<Assertion>),
    Set(AssertionSet),
}

/// Checks that are weighed together.
#[derive(Debug, Clone)]
pub struct AssertionSet {
    pub checks: Vec<Assertion>,
    /// The share that suffices; all must hold without one.
    pub threshold: Option<f64>,
    pub weight: f64,
    pub metric: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Assertion {
    /// The type as the suite writes it.
    pub written: String,
    pub negated: bool,
    /// The turn whose answer is looked at, from 1; the last one when absent.
    pub turn: Option<usize>,
    pub weight: f64,
    pub threshold: Option<f64>,
    pub metric: Option<String>,
    pub kind: Kind,
}

/// What must hold.
#[derive(Debug, Clone)]
pub enum Kind {
    Equals(Value),
    Contains {
        texts: Vec<String>,
        letters: Letters,
        need: Need,
    },
    StartsWith(String),
    Regex(Regex),
    IsJson(Option<Schema>),
    ContainsJson(Option<Schema>),
    Number {
        value: f64,
        tolerance: f64,
    },
    Language(String),
    WordCount(Bounds),
    GivesUp,
    Asks,
    IsRefusal,
    Levenshtein(String),
    Rouge(String),
    /// At most so many milliseconds, dollars or tokens of the whole task.
    Latency(f64),
    Cost(f64),
    Tokens(f64),
    Python(PythonSource),
    Rubric {
        rubric: String,
    },
    Factuality {
        reference: String,
    },
    File {
        path: String,
        want: FileWant,
    },
    Unchanged(Vec<String>),
    OnlyFiles(Vec<String>),
    /// Every one of these was called.
    ToolsUsed(Vec<Pattern>),
    ToolCalls {
        tool: Pattern,
        bounds: Bounds,
    },
    ToolArguments(Box<ArgumentsWant>),
    ToolSequence {
        steps: Vec<Pattern>,
        exact: bool,
    },
    StepCount {
        step: Option<Step>,
        pattern: Option<Pattern>,
        bounds: Bounds,
    },
    Variable {
        name: String,
        value: Option<Value>,
        kind: Option<String>,
    },
    Segment {
        kind: String,
        text: Option<String>,
    },
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    Exact,
    Folded,
}

/// How many of several texts are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Any,
    All,
}

/// A number of things that suffices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    pub min: Option<u32>,
    pub max: Option<u32>,
}

impl Bounds {
    pub const SOME: Self = Self {
        min: Some(1),
        max: None,
    };

    #[must_use]
    pub fn hold(&self, count: usize) -> bool {
        let (min, max) = (self.min.unwrap_or(0) as usize, self.max.map(|max| max as usize));
        count >= min && max.is_none_or(|max| count <= max)
    }
}

/// A name, or a pattern of names with `*` and `?`, as it is written.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub text: String,
    pub matcher: GlobMatcher,
}

impl Pattern {
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}

/// Arguments that a call of a tool must have.
#[derive(Debug, Clone)]
pub struct ArgumentsWant {
    pub tool: Pattern,
    pub args: Value,
    /// Whether no other arguments may be there.
    pub exact: bool,
    /// Arguments that may be there with exactly these values.
    pub defaults: Value,
    /// Arguments that are not looked at.
    pub ignore: Vec<Pattern>,
}

/// What a file must be.
#[derive(Debug, Clone, PartialEq)]
pub enum FileWant {
    Equals(String),
    Contains(String),
    Lines(Vec<String>),
    Json(Value),
    Csv(Vec<Vec<String>>),
    Number { value: f64, tolerance: f64 },
    Exists(bool),
}

/// The kind of a step on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Tool,
    Command,
}

/// A program that judges an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PythonSource {
    pub text: String,
    /// The function to call; without one the text is an expression, or the body of a function.
    pub function: Option<String>,
    pub config: Value,
}

/// A schema of JSON, compiled.
#[derive(Debug, Clone)]
pub struct Schema(pub Arc<jsonschema::Validator>);

impl Kind {
    /// What must hold, short enough for one line of a report.
    #[must_use]
    pub fn wanted(&self) -> String {
        let names = |patterns: &[Pattern]| {
            patterns
                .iter()
                .map(|pattern| pattern.text.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Self::Equals(value) => value.to_string(),
            Self::Contains { texts, .. } => texts.join(" | "),
            Self::StartsWith(text) | Self::Levenshtein(text) | Self::Rouge(text) => text.clone(),
            Self::Regex(pattern) => pattern.to_string(),
            Self::IsJson(_) | Self::ContainsJson(_) => "JSON".to_owned(),
            Self::Number { value, tolerance } if *tolerance > 0.0 => format!("{value} ± {tolerance}"),
            Self::Number { value, .. } => value.to_string(),
            Self::Language(language) => language.clone(),
            Self::WordCount(bounds) => bounds.shown(),
            Self::GivesUp | Self::Asks | Self::IsRefusal => String::new(),
            Self::Latency(most) => format!("≤ {most} ms"),
            Self::Cost(most) => format!("≤ ${most}"),
            Self::Tokens(most) => format!("≤ {most}"),
            Self::Python(source) => source
                .function
                .clone()
                .unwrap_or_else(|| source.text.trim().to_owned()),
            Self::Rubric { rubric: text } | Self::Factuality { reference: text } => text.clone(),
            Self::File { path, want } => format!("{path} {}", want.shown()),
            Self::Unchanged(paths) | Self::OnlyFiles(paths) => paths.join(", "),
            Self::ToolsUsed(tools) => names(tools),
            Self::ToolCalls { tool, bounds } => format!("{} {}", tool.text, bounds.shown()),
            Self::ToolArguments(want) => format!("{} {}", want.tool.text, want.args),
            Self::ToolSequence { steps, .. } => names(steps),
            Self::StepCount { bounds, .. } => bounds.shown(),
            Self::Variable { name, value, kind } => {
                let value = value.as_ref().map(|value| format!(" = {value}"));
                format!(
                    "{name}{}{}",
                    kind.as_ref().map(|kind| format!(": {kind}")).unwrap_or_default(),
                    value.unwrap_or_default()
                )
            }
            Self::Segment { kind, text } => format!("{kind} {}", text.as_deref().unwrap_or_default()),
        }
    }
}

impl FileWant {
    /// What the file must be, as the suite writes it.
    fn shown(&self) -> String {
        match self {
            Self::Equals(text) => format!("equals: {}", short(&json!(text))),
            Self::Contains(text) => format!("contains: {}", short(&json!(text))),
            Self::Lines(lines) => format!("lines: {}", short(&json!(lines))),
            Self::Json(value) => format!("json: {}", short(value)),
            Self::Csv(rows) => format!("csv: {}", short(&json!(rows))),
            Self::Number { value, tolerance } if *tolerance > 0.0 => format!("number: {value} ± {tolerance}"),
            Self::Number { value, .. } => format!("number: {value}"),
            Self::Exists(exists) => format!("exists: {exists}"),
        }
    }
}

/// The beginning of a value, on one line.
fn short(value: &Value) -> String {
    let text = value.to_string();
    let mut letters = text.chars();
    let mut short: String = letters.by_ref().take(QUOTED_CHARACTERS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

impl Bounds {
    fn shown(self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => min.to_string(),
            (min, Some(max)) => format!("{}–{max}", min.unwrap_or(0)),
            (min, None) => format!("≥ {}", min.unwrap_or(0)),
        }
    }
}
