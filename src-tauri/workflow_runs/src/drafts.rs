//! A finished run as a workflow (F9.6): its programs, its values as inputs, the permissions that it needed, and its first case,
//! which brings along the workflow and the files that the run read.
//!
//! Nothing is kept by it: who asks looks at both, and keeps the text as any other.

use crate::case_files::CaseFiles;
use crate::shelf::file_name;
use serde_json::Value;
use shidi_agent::limits::FAMILY_CHARACTERS_MAX;
use shidi_agent::permissions::{Pattern, exact};
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
    /// Whether it came out well with other values, too.
    pub replayed: bool,
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
    let (mut output, mut answer) = ("", "");
    let mut ended = BTreeSet::new();
    for segment in run.segments {
        match segment.kind() {
            SegmentKind::Output => {
                output = segment.text();
                ended.extend(segment.exec.filter(|_| !segment.failed()));
            }
            SegmentKind::Express => answer = segment.text(),
            _ => {}
        }
    }
    // A program that failed is no part of the workflow, and neither is what it called.
    let taken: Vec<&CallRecord> = run
        .calls
        .iter()
        .filter(|record| ended.contains(&record.call.exec))
        .collect();
    let finished = FinishedRun {
        question: run.question,
        programs: &program_inputs::without(&run.programs, run.calls, &names),
        inputs: &inputs,
        permissions: &permissions(&taken, toolkits),
    };
    let text = from_run(&finished);
    let shown = retold(output, answer);
    let name = kept_name(run.question, run.name.as_deref());
    let case = case(&finished, run.calls, &name, shown);
    let broken = |why: String| internal(language, &why);
    Ok(reply::WorkflowDraft {
        name,
        text: text.map_err(broken)?,
        evaluation: case.map_err(broken)?,
        programs: run.programs,
        replayed: run.replayed,
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
/// of which nothing says where it leads is asked about again. So is one that a file's line can't tell exactly.
fn permissions(calls: &[&CallRecord], toolkits: &[ToolkitSpec]) -> Vec<String> {
    let exact: BTreeSet<String> = calls
        .iter()
        .filter(|record| record.state == CallState::Done)
        .filter(|record| !matches!(record.class, Class::Read | Class::ExecuteOpen | Class::Money))
        .filter_map(|record| {
            let toolkit = toolkits
                .iter()
                .find(|toolkit| toolkit.name == record.call.toolkit)?;
            exact(&record.call, record.class, toolkit.method(&record.call.method)?)
        })
        .filter(|exact| Pattern::parse(&exact.to_string()).is_ok_and(|read| read == *exact))
        .map(|exact| exact.to_string())
        .filter(|text| text.chars().count() <= FAMILY_CHARACTERS_MAX && !text.contains('\n'))
        .collect();
    exact.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{Body, Call, CallId, ExecId, MethodSpec, Moment, RunId, SegmentId, ToolkitSource};
    use std::collections::BTreeMap;

    /// A call of one of the tools below, by the program of that number.
    fn called(exec: u32, tool: &str, path: &str, (class, state): (Class, CallState)) -> CallRecord {
        let (toolkit, method) = tool.split_once('.').unwrap();
        let place = format!("/home/me/{path}");
        CallRecord {
            run: RunId::from("r"),
            call: Call {
                id: CallId(exec),
                exec: ExecId(exec),
                toolkit: toolkit.to_owned(),
                method: method.to_owned(),
                args: json!({"path": path}).as_object().cloned().unwrap(),
                line: 1,
                places: BTreeMap::from([("path".to_owned(), place)]),
            },
            class,
            state,
            grounds: Vec::new(),
            outcome: None,
            answered: Some(1),
            started: Moment(0),
            ended: None,
        }
    }

    fn files() -> ToolkitSpec {
        let method = |name: &str, class, matters: &[&str]| MethodSpec {
            name: name.to_owned(),
            doc: String::new(),
            parameters: Vec::new(),
            returns: "str".to_owned(),
            class,
            matters: matters.iter().map(|name| (*name).to_owned()).collect(),
            idempotent: false,
        };
        ToolkitSpec {
            name: "files".to_owned(),
            doc: String::new(),
            methods: vec![
                method("read", Class::Read, &["path"]),
                method("write", Class::Write, &["path"]),
                method("tidy", Class::Write, &[]),
            ],
            source: ToolkitSource::BuiltIn,
            left_out: 0,
        }
    }

    fn output(exec: u32, failed: bool) -> Segment {
        Segment {
            id: SegmentId(exec),
            run: RunId::from("r"),
            body: Body::Output {
                text: "done\n".to_owned(),
                failed,
            },
            exec: Some(ExecId(exec)),
            round: exec,
            tainted: false,
            time: Moment(0),
        }
    }

    #[test]
    fn a_workflow_permits_the_very_calls_that_its_programs_made_and_no_more() {
        use CallState::{Done as Made, Refused};
        let calls = [
            called(1, "files.write", "half.txt", (Class::Write, Made)),
            called(2, "files.read", "a.txt", (Class::Read, Made)),
            called(2, "files.read", "hosts", (Class::ReadOutside, Made)),
            called(2, "files.write", "out*.txt", (Class::Write, Made)),
            called(2, "files.write", "out*.txt", (Class::Write, Made)),
            called(2, "files.write", "other.txt", (Class::Write, Refused)),
            called(2, "files.tidy", "x", (Class::Write, Made)),
            called(2, "gone.write", "y", (Class::Write, Made)),
        ];
        let segments = [output(1, true), output(2, false)];
        let run = super::Done {
            question: "Write it",
            programs: vec!["print(1)".to_owned()],
            calls: &calls,
            segments: segments.iter(),
            name: None,
            replayed: false,
        };
        let draft = draft(run, &[files()], Language::SOURCE).unwrap();
        let read = shidi_workflow::read(&"x.yaml".into(), draft.text.as_bytes()).unwrap();
        let expected = [
            "files.read(path=/home/me/hosts)",
            "files.write(path=/home/me/out\\*.txt)",
        ];
        assert_eq!(read.permissions, expected, "{}", draft.text);
    }

    #[test]
    fn what_was_sent_once_is_permitted_with_all_of_its_arguments_and_no_other_text() {
        let sent = |body: &str| {
            let record = called(1, "sms.send", "", (Class::Send, CallState::Done));
            let args = json!({"mobile": "555-0199", "body": body, "copies": 2});
            let call = Call {
                args: args.as_object().cloned().unwrap(),
                places: BTreeMap::new(),
                ..record.call.clone()
            };
            CallRecord { call, ..record }
        };
        let mut sms = files();
        sms.name = "sms".to_owned();
        sms.methods.truncate(1);
        sms.methods[0].name = "send".to_owned();
        sms.methods[0].class = Class::Send;
        sms.methods[0].matters = vec!["mobile".to_owned()];
        let permitted = |record: &CallRecord| permissions(&[record], std::slice::from_ref(&sms));
        let lines = permitted(&sent("Sale, today * only"));
        let [line] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        let pattern = Pattern::parse(line).unwrap();
        assert!(
            pattern.allows(&sent("Sale, today * only").call, Class::Send),
            "{line}"
        );
        for other in ["TOTALLY OTHER TEXT", "Sale, today and only", "Sale"] {
            assert!(!pattern.allows(&sent(other).call, Class::Send), "{line}");
        }
        // A line would lose the spaces at its edge.
        assert!(permitted(&sent(" Sale")).is_empty());
    }

    #[test]
    fn a_workflow_of_a_run_that_only_read_permits_nothing() {
        let calls = [called(1, "files.read", "a.txt", (Class::Read, CallState::Done))];
        let segments = [output(1, false)];
        let run = super::Done {
            question: "Read it",
            programs: vec!["print(1)".to_owned()],
            calls: &calls,
            segments: segments.iter(),
            name: None,
            replayed: false,
        };
        let draft = draft(run, &[files()], Language::SOURCE).unwrap();
        assert!(!draft.text.contains("permissions"), "{}", draft.text);
    }

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
