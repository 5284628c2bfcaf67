//! Judges a check on what an attempt left.
//!
//! A check that needs a program or a model says so. The caller that can run one does, and its result is read
//! here.

mod trajectory;

use crate::files;
use crate::limits::{DISTANCE_CHARACTERS_MAX, JUDGED_CHARACTERS_MAX, QUOTED_CHARACTERS};
use crate::numbers;
use crate::prose;
use crate::suite::{Assertion, Case, Kind, Letters, Need, PythonSource, Schema};
use crate::trial::Trial;
use serde_json::{Value, json};
use shidi_locales::Language;
use std::collections::BTreeSet;

const JUDGE: &str = include_str!("../../../assets/evaluation/judge.txt");

/// The score from which a judge's or a program's number is a yes.
const PASSES: f64 = 0.5;

/// What came of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub holds: bool,
    pub score: f64,
    /// What was there, or why it holds not.
    pub found: String,
}

/// A check that is judged, or what is needed to judge it.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    Now(Finding),
    /// The value of this program tells.
    Program(String),
    /// A model's answer to this tells.
    Question(String),
}

/// Judges a check, as far as it can be judged here. What `not-` turns round is not turned round yet.
#[must_use]
pub fn settle(assertion: &Assertion, case: &Case, trial: &Trial) -> Settled {
    let answer = trial.answer(assertion.turn);
    match &assertion.kind {
        Kind::Python(source) => Settled::Program(program(source, answer, case, trial)),
        Kind::Rubric { rubric } => Settled::Question(question(rubric, case, answer)),
        Kind::Factuality { reference } => {
            let rubric =
                format!("The answer agrees with these facts and contradicts none of them: {reference}");
            Settled::Question(question(&rubric, case, answer))
        }
        kind => Settled::Now(found(kind, assertion, case, trial)),
    }
}

fn found(kind: &Kind, assertion: &Assertion, case: &Case, trial: &Trial) -> Finding {
    let answer = trial.answer(assertion.turn);
    match kind {
        Kind::Levenshtein(wanted) => {
            let cut = |text: &str| text.chars().take(DISTANCE_CHARACTERS_MAX).collect::<String>();
            let distance = strsim::levenshtein(&cut(answer), &cut(wanted)) as f64;
            let most = assertion.threshold.unwrap_or(f64::MAX);
            yes_or_no(distance <= most, distance)
        }
        Kind::Rouge(wanted) => {
            let score = rouge(answer, wanted);
            Finding {
                holds: score >= assertion.threshold.unwrap_or(0.75),
                score,
                found: format!("{score:.2}"),
            }
        }
        Kind::Latency(most) => yes_or_no(trial.ms as f64 <= *most, format!("{} ms", trial.ms)),
        Kind::Cost(most) => match trial.usage.cost {
            Some(cost) => yes_or_no(cost <= *most, format!("${cost}")),
            None => yes_or_no(false, "?"),
        },
        Kind::Tokens(most) => {
            let tokens = f64::from(trial.usage.input) + f64::from(trial.usage.output);
            yes_or_no(tokens <= *most, tokens)
        }
        Kind::File { path, want } => {
            let content = trial.after.get(path).map(|bytes| bytes.0.as_slice());
            let shown = content.map_or_else(|| format!("{path}: –"), |content| of_file(path, content));
            yes_or_no(files::holds(path, content, want), shown)
        }
        Kind::Unchanged(paths) => {
            let changed: Vec<&str> = paths
                .iter()
                .filter(|path| trial.before.get(*path) != trial.after.get(*path))
                .map(String::as_str)
                .collect();
            yes_or_no(changed.is_empty(), changed.join(", "))
        }
        Kind::OnlyFiles(paths) => {
            let wanted: BTreeSet<&String> = paths.iter().collect();
            let there: BTreeSet<&String> = trial.after.keys().collect();
            let shown = trial.after.keys().cloned().collect::<Vec<_>>().join(", ");
            yes_or_no(wanted == there, shown)
        }
        Kind::Asks => {
            let turn = assertion.turn.unwrap_or(case.turns.len());
            yes_or_no(
                trial.asked_in.contains(&turn) || prose::asks(answer),
                quoted(answer),
            )
        }
        kind => match trajectory::found(kind, assertion.turn, trial) {
            Some(finding) => finding,
            None => yes_or_no(of_text(kind, answer), quoted(answer)),
        },
    }
}

/// Whether a check of an answer's text holds.
fn of_text(kind: &Kind, answer: &str) -> bool {
    match kind {
        Kind::Equals(Value::String(wanted)) => answer.trim() == wanted.trim(),
        Kind::Equals(wanted) => serde_json::from_str::<Value>(answer).is_ok_and(|found| found == *wanted),
        Kind::Contains { texts, letters, need } => {
            let folded = answer.to_lowercase();
            let has = |text: &String| match letters {
                Letters::Exact => answer.contains(text.as_str()),
                Letters::Folded => folded.contains(&text.to_lowercase()),
            };
            match need {
                Need::Any => texts.iter().any(has),
                Need::All => texts.iter().all(has),
            }
        }
        Kind::StartsWith(wanted) => answer.trim().starts_with(wanted.as_str()),
        Kind::Regex(pattern) => pattern.is_match(answer),
        Kind::IsJson(schema) => {
            serde_json::from_str::<Value>(answer).is_ok_and(|value| fits(&value, schema.as_ref()))
        }
        Kind::ContainsJson(schema) => values_in(answer).iter().any(|value| fits(value, schema.as_ref())),
        Kind::Number { value, tolerance } => numbers::has_near(answer, *value, *tolerance),
        Kind::Language(language) => prose::is_in(answer, language),
        Kind::WordCount(bounds) => bounds.hold(answer.split_whitespace().count()),
        Kind::GivesUp | Kind::IsRefusal => prose::gives_up(answer),
        // Judged before this.
        Kind::Asks
        | Kind::Levenshtein(_)
        | Kind::Rouge(_)
        | Kind::Latency(_)
        | Kind::Cost(_)
        | Kind::Tokens(_)
        | Kind::Python(_)
        | Kind::Rubric { .. }
        | Kind::Factuality { .. }
        | Kind::File { .. }
        | Kind::Unchanged(_)
        | Kind::OnlyFiles(_)
        | Kind::ToolsUsed(_)
        | Kind::ToolCalls { .. }
        | Kind::ToolArguments(_)
        | Kind::ToolSequence { .. }
        | Kind::StepCount { .. }
        | Kind::Variable { .. }
        | Kind::Segment { .. } => false,
    }
}

fn fits(value: &Value, schema: Option<&Schema>) -> bool {
    schema.is_none_or(|schema| schema.0.is_valid(value))
}

/// Objects and lists of JSON within a text, the first ones outermost.
fn values_in(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(['{', '[']) {
        let start = from + start;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                values.push(value);
                from = start + stream.byte_offset().max(1);
            }
            Some(Err(_)) | None => from = start + 1,
        }
    }
    values
}

/// The share of the reference's words that the answer has (ROUGE-1, recall).
fn rouge(answer: &str, reference: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let words = lower.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let mut there = words(answer);
    let wanted = words(reference);
    if wanted.is_empty() {
        return 0.0;
    }
    let hits = wanted.iter().filter(|word| {
        let place = there.iter().position(|other| other == *word);
        place.inspect(|place| drop(there.swap_remove(*place))).is_some()
    });
    hits.count() as f64 / wanted.len() as f64
}

pub(super) fn yes_or_no(holds: bool, found: impl ToString) -> Finding {
    Finding {
        holds,
        score: if holds { 1.0 } else { 0.0 },
        found: found.to_string(),
    }
}

/// Enough of a text to see what is wrong with it, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = line.chars();
    let short: String = letters.by_ref().take(QUOTED_CHARACTERS).collect();
    match letters.next() {
        Some(_) => format!("“{short}…”"),
        None => format!("“{short}”"),
    }
}

fn of_file(path: &str, content: &[u8]) -> String {
    match files::text(content) {
        Some(text) => format!("{path}: {}", quoted(&text)),
        None => format!("{path}: {} B", content.len()),
    }
}

/// The program that a check by a program is: its last value tells.
fn program(source: &PythonSource, answer: &str, case: &Case, trial: &Trial) -> String {
    let context = json!({
        "prompt": case.turns.first(), "vars": case.vars, "config": source.config, "answers": trial.answers,
        "calls": trial.calls, "metadata": case.metadata,
    });
    // A string of JSON is one of Python, too.
    let literal = |text: String| Value::String(text).to_string();
    let head = format!(
        "import json\noutput = {}\ncontext = json.loads({})\n",
        literal(answer.to_owned()),
        literal(context.to_string())
    );
    match &source.function {
        Some(function) => format!("{}\n\n{head}{function}(output, context)\n", source.text),
        None if source.text.trim().contains('\n') => {
            let body: Vec<String> = source.text.lines().map(|line| format!("    {line}")).collect();
            format!(
                "{head}def get_assert(output, context):\n{}\n\nget_assert(output, context)\n",
                body.join("\n")
            )
        }
        None => format!("{head}{}\n", source.text.trim()),
    }
}

/// Reads the value of a check's program: a truth, a number, or `{pass, score, reason}`.
#[must_use]
pub fn finding_of_program(value: &Value, threshold: Option<f64>) -> Option<Finding> {
    match value {
        Value::Bool(holds) => Some(yes_or_no(*holds, *holds)),
        Value::Number(number) => {
            let score = number.as_f64()?;
            Some(Finding {
                holds: threshold.map_or(score > 0.0, |threshold| score >= threshold),
                score: score.clamp(0.0, 1.0),
                found: number.to_string(),
            })
        }
        Value::Object(map) => {
            let word = |names: [&str; 2]| names.iter().find_map(|name| map.get(*name));
            let pass = word(["pass", "pass_"]).and_then(Value::as_bool);
            let score = word(["score", "score_"]).and_then(Value::as_f64);
            let score = score
                .or(pass.map(|pass| if pass { 1.0 } else { 0.0 }))?
                .clamp(0.0, 1.0);
            let reason = word(["reason", "reason_"])
                .and_then(Value::as_str)
                .unwrap_or_default();
            let enough = threshold.map_or(pass.unwrap_or(score >= PASSES), |threshold| score >= threshold);
            Some(Finding {
                holds: enough && pass.unwrap_or(true),
                score,
                found: quoted(reason),
            })
        }
        Value::Null | Value::String(_) | Value::Array(_) => None,
    }
}

fn question(rubric: &str, case: &Case, answer: &str) -> String {
    let answer: String = answer.chars().take(JUDGED_CHARACTERS_MAX).collect();
    JUDGE
        .replace("{{rubric}}", rubric)
        .replace("{{question}}", &case.turns.join("\n"))
        .replace("{{answer}}", &answer)
}

/// Reads a judge's answer: the last object of JSON in it.
#[must_use]
pub fn finding_of_model(text: &str, threshold: Option<f64>) -> Option<Finding> {
    values_in(text).iter().rev().find_map(|value| match value {
        Value::Object(_) => finding_of_program(value, threshold),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    })
}

impl Assertion {
    /// The outcome of a finding, turned round where the check is, in the words of a report.
    #[must_use]
    pub fn outcome(&self, finding: Finding, language: Language) -> crate::CheckOutcome {
        let holds = finding.holds != self.negated;
        let score = if self.negated {
            1.0 - finding.score
        } else {
            finding.score
        };
        let reason = match holds {
            true => String::new(),
            false => language.evaluation().not_so(finding.found, self.kind.wanted()),
        };
        crate::CheckOutcome {
            check: self.written.clone(),
            holds,
            score,
            weight: self.weight,
            metric: self.metric.clone(),
            reason,
        }
    }
}

#[cfg(test)]
mod tests;
