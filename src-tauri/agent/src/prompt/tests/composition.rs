//! Which toolkits a prompt shortens to a line, which it never does, and what a task's end tells of its prompt.

use super::*;
use crate::formats::Format;
use crate::persona::Persona;
use crate::prompt::composition::{compose, measured, standing};
use shidi_protocol::{
    Call, CallId, CallRecord, CallState, ContextPiece, ExecId, PartStanding, PromptPartCounts,
    PromptPartKind, RunStatus, TaskKind,
};
use std::collections::BTreeMap;

/// Counts of a toolkit in plain tasks that stood there whole so often, and that so many used.
fn counts(part: &str, whole: u32, used: u32) -> PromptPartCounts {
    PromptPartCounts {
        assistant: "shidi".to_owned(),
        kind: TaskKind::Plain,
        what: PromptPartKind::Toolkit,
        part: part.to_owned(),
        tokens: 900,
        line_tokens: 20,
        whole,
        used,
        done: whole,
        short: 0,
        asked: 0,
        short_done: 0,
        tasks: whole,
        tasks_done: whole,
        prompt_tokens: 3_000,
    }
}

/// A plain question, of a session in which tasks of its kind never use the files.
fn composed(question: &str) -> RunContext {
    let mut context = context(&[(question, SegmentKind::User)]);
    let mut mail = context.settings.toolkits[0].clone();
    mail.name = "mail".to_owned();
    mail.doc = "Letters.".to_owned();
    context.settings.toolkits.push(mail);
    context.settings.measured = vec![counts("files", 120, 1), counts("mail", 60, 0)];
    context
}

fn system(context: &RunContext) -> String {
    assemble(context).unwrap().messages[0].plain()
}

fn is_short(context: &RunContext) -> bool {
    let system = system(context);
    let is_line = system.contains("# files [read]");
    assert_ne!(is_line, system.contains("class files:"), "{system}");
    is_line
}

#[test]
fn a_toolkit_that_tasks_of_the_kind_hardly_use_stands_as_a_line_and_the_trace_tells_why() {
    let context = composed("2+2?");
    let system = system(&context);
    let line = "# First print(await toolkits.describe('NAME')):\n# files [read]";
    assert!(system.contains(line), "{system}");
    assert!(
        system.contains("class mail:"),
        "sixty tasks are too few: {system}"
    );
    let request = assemble(&context).unwrap();
    let parts = request.parts.iter();
    let short: Vec<_> = parts.filter_map(|part| Some((&part.name, part.short?))).collect();
    assert_eq!(short.len(), 1);
    let (name, why) = short[0];
    assert_eq!(
        (name.as_str(), why.used, why.of, why.saved),
        ("files", 1, 120, 880)
    );
    let mut off = context.clone();
    off.settings.measured.clear();
    assert!(!is_short(&off), "without counts all stands whole");
}

#[test]
fn what_the_session_speaks_of_stays_whole() {
    for question in [
        "what do my files say?",
        "Reads it nicely, please",
        "use files",
        "把这两个文件合并",
    ] {
        assert!(!is_short(&composed(question)), "{question}");
    }
    assert!(is_short(&composed("二加二等于几？")));
    let mut earlier = composed("2+2?");
    let program = Body::plain(&SegmentKind::Python, "await files.read(path='a')");
    drop(earlier.add_body(program, Some(ExecId(1))));
    assert!(is_short(&earlier), "its description stands in the transcript");
    earlier.segments[1].run = RunId::from("r0");
    assert!(!is_short(&earlier));
    let mut skilled = composed("2+2?");
    let piece = ContextPiece {
        source: "skill".to_owned(),
        title: "tidy".to_owned(),
        text: "List with `files.list` first.".to_owned(),
        ..ContextPiece::default()
    };
    drop(skilled.add_body(Body::Context(piece), None));
    assert!(!is_short(&skilled));
    let mut assistant = composed("2+2?");
    assistant.settings.persona = Some(Persona {
        prompt: [("en".to_owned(), "You keep my files in order.".to_owned())].into(),
        ..Persona::default()
    });
    assert!(!is_short(&assistant));
}

#[test]
fn another_kind_of_task_and_tools_that_are_declared_one_by_one_keep_all() {
    let mut page = composed("2+2?");
    let piece = ContextPiece {
        source: "page".to_owned(),
        ..ContextPiece::default()
    };
    drop(page.add_body(Body::Context(piece), None));
    assert!(!is_short(&page));
    let mut declared = composed("2+2?");
    declared.settings.format = Format::Json;
    let request = assemble(&declared).unwrap();
    assert!(request.tools.iter().any(|tool| tool.name.contains("files")));
    assert!(request.parts.iter().all(|part| part.short.is_none()));
}

#[test]
fn counts_shorten_only_beyond_chance_and_give_back_what_was_missed() {
    let of = |change: &dyn Fn(&mut PromptPartCounts)| {
        let mut counts = counts("files", 120, 0);
        change(&mut counts);
        standing(&counts)
    };
    assert_eq!(of(&|_| {}), PartStanding::Short);
    assert_eq!(of(&|one| one.whole = 29), PartStanding::Unmeasured);
    assert_eq!(of(&|one| one.whole = 72), PartStanding::Unmeasured);
    assert_eq!(of(&|one| one.used = 2), PartStanding::Unmeasured);
    assert_eq!(of(&|one| one.used = 6), PartStanding::Used);
    assert_eq!(
        of(&|one| (one.short, one.short_done, one.asked) = (50, 50, 1)),
        PartStanding::AskedBack
    );
    assert_eq!(
        of(&|one| (one.short, one.short_done) = (50, 49)),
        PartStanding::Short
    );
    assert_eq!(
        of(&|one| (one.short, one.short_done) = (50, 40)),
        PartStanding::FailedMore
    );
    assert_eq!(
        of(&|one| one.tokens = 50),
        PartStanding::Kept,
        "a line would save nothing"
    );
    assert_eq!(of(&|one| one.part = "user".to_owned()), PartStanding::Kept);
    assert_eq!(
        of(&|one| one.what = PromptPartKind::Module),
        PartStanding::Kept,
        "rules stay"
    );
}

pub(super) fn call(toolkit: &str, method: &str, args: serde_json::Value) -> CallRecord {
    CallRecord {
        run: RunId::from("r1"),
        call: Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: args.as_object().cloned().unwrap_or_default(),
            line: 1,
            places: BTreeMap::new(),
        },
        class: Class::Read,
        state: CallState::Done,
        grounds: Vec::new(),
        outcome: None,
        answered: None,
        started: Moment(0),
        ended: None,
    }
}

/// The files' part of what a task's end tells.
fn files_of(context: &RunContext) -> Option<(bool, bool)> {
    let prompt = measured(context).unwrap()?;
    let files = prompt.parts.iter().find(|part| part.part == "files").unwrap();
    Some((files.is_short, files.is_used))
}

#[test]
fn a_task_tells_of_each_part_whether_it_was_whole_and_used() {
    let mut over = composed("2+2?");
    assert_eq!(measured(&over).unwrap(), None, "it is not over");
    over.state.status = Some(RunStatus::Completed);
    over.state.usage.model_calls = 2;
    assert_eq!(measured(&over).unwrap(), None, "it had no prompt of its own");
    compose(&mut over);
    over.state.usage.model_calls = 0;
    assert_eq!(measured(&over).unwrap(), None, "no model was asked");
    over.state.usage.model_calls = 2;
    let prompt = measured(&over).unwrap().unwrap();
    assert!(prompt.done && prompt.kind == TaskKind::Plain && prompt.tokens > 500);
    assert!(
        prompt
            .parts
            .iter()
            .any(|part| part.part == "principles" && part.tokens > 0)
    );
    assert!(
        prompt.parts.iter().all(|part| part.part != "mechanism"),
        "rules are not measured"
    );
    assert_eq!(files_of(&over), Some((true, false)));
    let asked = call("toolkits", "describe", serde_json::json!({"name": "files.read"}));
    over.calls.insert(CallId(1), asked);
    assert_eq!(files_of(&over), Some((true, true)));
    over.settings.measured.clear();
    over.state.composed = None;
    compose(&mut over);
    over.calls = [(CallId(1), call("files", "read", serde_json::json!({})))].into();
    assert_eq!(files_of(&over), Some((false, true)));
    over.state.status = Some(RunStatus::GaveUp);
    assert!(!measured(&over).unwrap().unwrap().done);
    over.state.status = Some(RunStatus::Cancelled);
    assert_eq!(
        files_of(&over),
        None,
        "who stops a task says nothing of its prompt"
    );
    over.state.status = Some(RunStatus::Completed);
    over.settings.under = Some(RunId::from("r0"));
    assert_eq!(files_of(&over), None);
}

#[test]
fn a_task_is_composed_once_and_counted_as_it_was() {
    let mut task = composed("2+2?");
    compose(&mut task);
    let first = system(&task);
    let page = ContextPiece {
        source: "page".to_owned(),
        ..ContextPiece::default()
    };
    drop(task.add_body(Body::Context(page), None));
    let skill = ContextPiece {
        source: "skill".to_owned(),
        title: "tidy".to_owned(),
        text: "List with `files.list` first.".to_owned(),
        ..ContextPiece::default()
    };
    drop(task.add_body(Body::Context(skill), None));
    drop(task.add(SegmentKind::User, "read my files", None));
    compose(&mut task);
    assert_eq!(system(&task), first, "the prompt is the same within a task");
    task.state.status = Some(RunStatus::Completed);
    task.state.usage.model_calls = 2;
    let asked = call("toolkits", "describe", serde_json::json!({"name": "files"}));
    task.calls.insert(CallId(1), asked);
    assert_eq!(measured(&task).unwrap().unwrap().kind, TaskKind::Plain);
    assert_eq!(files_of(&task), Some((true, true)), "the line was asked back");
}

#[test]
fn only_prompts_that_can_be_compared_are_counted_and_as_if_they_were_whole() {
    let mut over = composed("2+2?");
    compose(&mut over);
    over.state.status = Some(RunStatus::Completed);
    over.state.usage.model_calls = 1;
    let with_line = measured(&over).unwrap().unwrap().tokens;
    let mut whole = over.clone();
    whole.settings.measured.clear();
    whole.state.composed = None;
    compose(&mut whole);
    let of_whole = measured(&whole).unwrap().unwrap().tokens;
    assert!(
        with_line.abs_diff(of_whole) < 30,
        "the way to the descriptions alone differs: {with_line}, {of_whole}"
    );
    let mut declared = over.clone();
    declared.settings.format = Format::Json;
    assert_eq!(measured(&declared).unwrap(), None);
    let mut small = over.clone();
    small.settings.is_small = true;
    let of_small = measured(&small).unwrap().unwrap().parts;
    assert!(of_small.iter().all(|part| part.what == PromptPartKind::Example));
}

#[test]
fn results_stay_whole_while_an_outline_says_how_to_read_them() {
    let mut left = composed("2+2?");
    let mut results = left.settings.toolkits[0].clone();
    "results".clone_into(&mut results.name);
    "Long outputs.".clone_into(&mut results.doc);
    left.settings.toolkits.push(results);
    left.settings.measured.push(counts("results", 120, 0));
    let is_whole = |context: &RunContext| system(context).contains("class results:");
    assert!(!is_whole(&left));
    left.state.left_behind = Some(SegmentId(0));
    assert!(is_whole(&left));
}

#[test]
fn an_index_has_lines_of_its_own_and_nothing_else_is_shortened() {
    let mut many = composed("2+2?");
    compose(&mut many);
    assert!(is_short(&many));
    let one = many.settings.toolkits[1].clone();
    many.settings.toolkits.extend((0..400).map(|at| {
        let mut other = one.clone();
        other.name = format!("mail{at}");
        other
    }));
    let is_whole = |context: &RunContext| system(context).contains("class files:");
    assert!(
        is_whole(&many),
        "not where servers came while the task is at work"
    );
    many.state.composed = None;
    assert!(is_whole(&many), "and not where they were there before");
    let request = assemble(&many).unwrap();
    assert!(request.parts.iter().all(|part| part.short.is_none()));
}
