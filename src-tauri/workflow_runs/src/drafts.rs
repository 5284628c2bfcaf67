//! A finished run as a workflow (F9.6): its programs, its values as inputs, the permissions that it needed, and its first case,
//! which brings along the workflow and the files that the run read.
//!
//! Nothing is kept by it: who asks looks at both, and keeps the text as any other.

use crate::case_files::CaseFiles;
use crate::shelf::file_name;
use serde_json::Value;
use shidi_agent::limits::FAMILY_CHARACTERS_MAX;
use shidi_agent::permissions::exact;
use shidi_agent::program_inputs;
use shidi_locales::Language;
use shidi_protocol::{CallRecord, CallState, Class, Segment, SegmentKind, ToolkitSpec, UserError, reply};
use shidi_space::errors::internal;
use shidi_space::names::{callable, method_name};
use shidi_space::privacy::text_passed;
use shidi_workflow::{FinishedRun, FirstCase, case_of, from_run, inputs_of, name_of};
use std::collections::BTreeSet;

/// Characters of a run's last output that its case looks for.
const SHOWN_CHARACTERS_MAX: usize = 80;

/// What is known of a run that came out well.
pub struct Done<'a, Segments> {
    pub question: &'a str,
    /// Those that ran to their end.
    pub programs: Vec<String>,
    pub calls: &'a [CallRecord],
    /// Its own, in order.
    pub segments: Segments,
    /// The name under which the workflow is to be kept; `None` makes one of the question.
    pub name: Option<String>,
}

/// The draft of a workflow that does what a run did.
///
/// # Errors
/// A value that can't be written.
pub fn draft<'a>(
    run: Done<'a, impl Iterator<Item = &'a Segment>>,
    toolkits: &[ToolkitSpec],
    language: Language,
) -> Result<reply::WorkflowDraft, UserError> {
    let inputs = inputs_of(&run.programs, run.calls);
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let finished = FinishedRun {
        question: run.question,
        programs: &program_inputs::without(&run.programs, run.calls, &names),
        inputs: &inputs,
        permissions: &permissions(run.calls, toolkits),
    };
    let text = from_run(&finished);
    let (mut output, mut answer) = ("", "");
    for segment in run.segments {
        match segment.kind() {
            SegmentKind::Output => output = segment.text(),
            SegmentKind::Express => answer = segment.text(),
            _ => {}
        }
    }
    let shown = retold(output, answer);
    let name = kept_name(run.question, run.name.as_deref());
    let case = case(&finished, run.calls, &name, shown);
    let broken = |why: String| internal(language, &why);
    Ok(reply::WorkflowDraft {
        name,
        text: text.map_err(broken)?,
        evaluation: case.map_err(broken)?,
        programs: run.programs,
    })
}

/// The name under which the workflow is kept, as its file is called. Without a wanted one it is of the question.
fn kept_name(question: &str, wanted: Option<&str>) -> String {
    match wanted.filter(|wanted| !wanted.trim().is_empty()) {
        Some(wanted) => file_name(wanted),
        None => file_name(&callable(&name_of(question))),
    }
}

/// What an answer retells of an output: its last line, else the longest number or name with a digit. `None` if it says all in
/// words of its own: its run would not pass its own case.
fn retold<'a>(output: &'a str, answer: &str) -> Option<&'a str> {
    let mut lines = output.lines().rev().map(str::trim);
    let line = lines.find(|line| !line.is_empty())?;
    let is_short = line.chars().count() <= SHOWN_CHARACTERS_MAX;
    if is_short && answer.contains(line) {
        return Some(line);
    }
    let words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '.' && sign != ',');
    let words = words.map(|word| word.trim_matches(['.', ',']));
    let told = words.filter(|word| (2..=SHOWN_CHARACTERS_MAX).contains(&word.len()));
    told.filter(|word| word.contains(|sign: char| sign.is_ascii_digit()) && answer.contains(word))
        .max_by_key(|word| word.len())
}

/// The first case: the run's question in a folder that has the workflow and the files, and nothing else of the user's.
fn case(
    run: &FinishedRun<'_>,
    calls: &[CallRecord],
    name: &str,
    shown: Option<&str>,
) -> Result<String, String> {
    let files = CaseFiles::of(calls);
    let question = files.told(run.question);
    let programs: Vec<String> = run.programs.iter().map(|program| files.told(program)).collect();
    let inputs: Vec<(String, Value)> = run
        .inputs
        .iter()
        .map(|(name, value)| (name.clone(), files.told_value(value)))
        .collect();
    let workflow = from_run(&FinishedRun {
        question: &question,
        programs: &programs,
        inputs: &inputs,
        // A program calls it there: nothing that a file permits itself counts.
        permissions: &[],
    })?;
    // No answer holds what was taken out as a secret.
    let shown = shown.filter(|shown| text_passed(shown) == **shown);
    let shown = shown.map(|shown| files.told(shown));
    case_of(&FirstCase {
        question: &question,
        name,
        method: &method_name(name),
        workflow: &workflow,
        files: &files.files,
        left_out: &files.left_out,
        shown: shown.as_deref(),
    })
}

/// What was done and is asked about elsewhere, each call just as it was: leave that was given once covers no other one. A call
/// of which nothing says where it leads is asked about again.
fn permissions(calls: &[CallRecord], toolkits: &[ToolkitSpec]) -> Vec<String> {
    let exact: BTreeSet<String> = calls
        .iter()
        .filter(|record| record.state == CallState::Done)
        .filter(|record| !matches!(record.class, Class::Read | Class::ExecuteOpen | Class::Money))
        .filter_map(|record| {
            let toolkit = toolkits
                .iter()
                .find(|toolkit| toolkit.name == record.call.toolkit)?;
            let exact = exact(&record.call, toolkit.method(&record.call.method)?)?;
            Some(exact.to_string())
        })
        .filter(|text| text.chars().count() <= FAMILY_CHARACTERS_MAX && !text.contains('\n'))
        .collect();
    exact.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workflow_has_the_name_under_which_it_is_kept_and_else_one_of_its_question() {
        assert_eq!(
            kept_name("How many words has a.txt?", Some("Count it")),
            "count-it"
        );
        for nobodys in [None, Some(""), Some("  ")] {
            assert_eq!(
                kept_name("How many words has a.txt?", nobodys),
                "how-many-words-has-a-txt"
            );
        }
        assert_eq!(kept_name("?!", None), "workflow");
    }

    #[test]
    fn a_case_looks_for_what_the_answer_has_retold_and_for_nothing_that_it_has_not() {
        for (output, answer, wanted) in [
            ("read\n3 words\n", "It has 3 words.", Some("3 words")),
            ("total: 1,234.50", "合计 1,234.50 元。", Some("1,234.50")),
            ("1 100", "There is 1.", None),
            ("3 words", "Three words.", None),
            ("", "Nothing.", None),
        ] {
            assert_eq!(retold(output, answer), wanted, "{output:?} {answer:?}");
        }
    }
}
