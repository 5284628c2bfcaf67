//! What a prompt goes without that no line can stand for, and the list of skills, which has one.

use super::composition::call;
use super::*;
use crate::prompt::composition::{compose, measured, standing};
use crate::prompt_templates::OwnModules;
use crate::state::LESSONS;
use shidi_protocol::{
    CallId, Experience, ExperienceDraft, ExperienceId, ExperienceKind, LeftOutPart, MeasuredPart,
    OfferedSkill, PartStanding, PromptPartCounts, PromptPartKind, RunStatus, TaskKind,
};

const TALK: &str = "examples.talk";

/// Counts of a part without a line, in plain tasks that never used it.
fn counts(what: PromptPartKind, part: &str) -> PromptPartCounts {
    PromptPartCounts {
        assistant: "shidi".to_owned(),
        kind: TaskKind::Plain,
        what,
        part: part.to_owned(),
        tokens: 90,
        line_tokens: 0,
        whole: 120,
        used: 0,
        done: 120,
        short: 0,
        asked: 0,
        short_done: 0,
        tasks: 120,
        tasks_done: 120,
        prompt_tokens: 3_000,
    }
}

/// The same, after so many tasks without it, of which so many were done.
fn compared(what: PromptPartKind, part: &str, short: u32, short_done: u32) -> PromptPartCounts {
    PromptPartCounts {
        short,
        short_done,
        ..counts(what, part)
    }
}

/// A plain question that a lesson with that tool fits.
fn taught(tool: &str) -> RunContext {
    let draft = ExperienceDraft {
        goal: "add up".to_owned(),
        lesson: "Add the columns up one by one.".to_owned(),
        code: String::new(),
    };
    let mut lesson = Experience::written(ExperienceId::from("e1"), draft, Moment(1));
    lesson.calls = vec![tool.to_owned()];
    let mut context = context(&[("2+2?", SegmentKind::User)]);
    context.lessons = vec![lesson];
    context
}

fn small() -> RunContext {
    let mut context = context(&[("2+2?", SegmentKind::User)]);
    context.settings.is_small = true;
    context
}

/// All words of the next prompt.
fn words(context: &RunContext) -> String {
    let request = assemble(context).unwrap();
    let messages = request.messages.iter();
    messages.map(Message::plain).collect::<Vec<_>>().join("\n")
}

fn has_lesson(context: &RunContext) -> bool {
    words(context).contains("one by one")
}

/// What the end of a task tells of a part.
fn told(context: &RunContext, part: &str) -> MeasuredPart {
    let mut over = context.clone();
    compose(&mut over);
    over.state.status = Some(RunStatus::Completed);
    over.state.usage.model_calls = 1;
    let parts = measured(&over).unwrap().unwrap().parts;
    parts.into_iter().find(|one| one.part == part).unwrap()
}

#[test]
fn a_lesson_that_no_task_uses_is_left_out_of_one_task_in_a_few_until_these_came_out_no_worse() {
    let mut task = taught("sheets.sum");
    task.settings.measured = vec![counts(PromptPartKind::Module, LESSONS)];
    let without = (0..100).filter(|at| {
        let mut other = task.clone();
        other.run = RunId::from(format!("r{at}").as_str());
        other.segments[0].run = other.run.clone();
        !has_lesson(&other)
    });
    let without = without.count();
    assert!((1..50).contains(&without), "{without} of 100 tasks");

    task.settings.measured = vec![compared(PromptPartKind::Module, LESSONS, 40, 40)];
    assert!(!has_lesson(&task));
    let parts = assemble(&task).unwrap().parts;
    let part = parts.iter().find(|part| part.name == LESSONS).unwrap();
    let why = part.short.unwrap();
    assert_eq!((part.tokens, why.used, why.of), (0, 0, 120));
    let left_out = LeftOutPart {
        is_trial: false,
        without: 40,
    };
    assert_eq!(why.left_out, Some(left_out));

    let mut off = task.clone();
    off.settings.measured.clear();
    let whole = assemble(&off).unwrap().parts;
    let whole = whole.iter().find(|part| part.name == LESSONS).unwrap();
    assert_eq!(whole.tokens, why.saved, "the trace tells what is saved");
    let mut other_kind = task.clone();
    other_kind.settings.measured[0].kind = TaskKind::Page;
    assert_eq!(words(&other_kind), words(&off));
}

#[test]
fn a_lesson_comes_back_once_a_task_would_have_used_it_or_more_failed_and_the_users_own_module_stays() {
    let mut task = taught("sheets.sum");
    for (change, is_there) in [
        (compared(PromptPartKind::Module, LESSONS, 40, 40), false),
        (compared(PromptPartKind::Module, LESSONS, 40, 30), true),
    ] {
        task.settings.measured = vec![change];
        assert_eq!(has_lesson(&task), is_there);
    }
    let mut missed = compared(PromptPartKind::Module, LESSONS, 40, 40);
    missed.asked = 1;
    task.settings.measured = vec![missed];
    assert!(has_lesson(&task));
    task.settings.measured = vec![compared(PromptPartKind::Module, LESSONS, 40, 40)];
    let mut own = OwnModules::default();
    let text = "{% for one in examples %}Mine: {{ one.lesson }}{% endfor %}";
    own.put("en", LESSONS, text.to_owned()).unwrap();
    task.settings.own_modules = own;
    assert!(words(&task).contains("Mine: Add the columns"));
}

#[test]
fn counts_leave_out_only_after_a_comparison_and_never_what_nobody_can_count() {
    let of =
        |short: u32, short_done: u32| standing(&compared(PromptPartKind::Example, TALK, short, short_done));
    assert_eq!(of(0, 0), PartStanding::Tried);
    assert_eq!(of(34, 34), PartStanding::Tried, "it may still be 10 % worse");
    assert_eq!(of(35, 35), PartStanding::LeftOut);
    assert_eq!(of(40, 37), PartStanding::FailedMore);
    let mut used = compared(PromptPartKind::Example, TALK, 40, 40);
    used.used = 12;
    assert_eq!(standing(&used), PartStanding::Used);
    let few = PromptPartCounts {
        whole: 29,
        done: 29,
        ..counts(PromptPartKind::Example, TALK)
    };
    assert_eq!(standing(&few), PartStanding::Unmeasured);
    for module in ["assistant", "principles", "environment", "mistakes", "memory"] {
        let counts = compared(PromptPartKind::Module, module, 40, 40);
        assert_eq!(standing(&counts), PartStanding::Kept, "{module}");
    }
}

#[test]
fn a_lesson_counts_as_used_by_its_tool_and_where_nobody_can_tell() {
    let mut task = taught("sheets.sum");
    let whole = told(&task, LESSONS);
    assert_eq!((whole.is_short, whole.is_used), (false, false));
    let record = call("sheets", "sum", serde_json::json!({}));
    task.calls.insert(CallId(1), record);
    assert!(told(&task, LESSONS).is_used);
    task.calls.clear();
    task.settings.measured = vec![compared(PromptPartKind::Module, LESSONS, 40, 40)];
    let short = told(&task, LESSONS);
    assert_eq!((short.is_short, short.is_used), (true, false));
    assert_eq!(short.tokens, whole.tokens);
    task.lessons[0].calls.clear();
    assert!(told(&task, LESSONS).is_used, "it leaves no trace");
    task.lessons[0] = taught("sheets.sum").lessons.remove(0);
    task.lessons[0].kind = ExperienceKind::Warning;
    assert!(told(&task, LESSONS).is_used, "what it warns of is not called");
}

#[test]
fn the_list_of_skills_stands_as_a_line_unless_the_user_speaks_of_one() {
    let offering = |question: &str| {
        let mut task = context(&[(question, SegmentKind::User)]);
        let mut toolkit = task.settings.toolkits[0].clone();
        "skills".clone_into(&mut toolkit.name);
        "Guides.".clone_into(&mut toolkit.doc);
        "load".clone_into(&mut toolkit.methods[0].name);
        task.settings.toolkits.push(toolkit);
        task.settings.skills = vec![OfferedSkill {
            name: "clean-table".to_owned(),
            description: String::new(),
        }];
        task
    };
    let is_listed = |task: &RunContext| {
        let words = words(task);
        let is_line = words.contains("# skills [load]");
        assert_ne!(is_line, words.contains("- clean-table"), "{words}");
        !is_line
    };
    let mut task = offering("2+2?");
    assert!(is_listed(&task));
    assert_eq!(told(&task, "skills").what, PromptPartKind::Module);
    let whole = told(&task, "skills");
    assert!(!whole.is_short && !whole.is_used && whole.line_tokens > 0);
    let mut of_skills = counts(PromptPartKind::Module, "skills");
    of_skills.line_tokens = 8;
    task.settings.measured = vec![of_skills.clone()];
    assert!(!is_listed(&task), "a line shows the way, so nothing is tried");
    let parts = assemble(&task).unwrap().parts;
    let short = parts.iter().find(|part| part.name == "skills").unwrap().short;
    assert_eq!(short.map(|why| (why.of, why.left_out)), Some((120, None)));
    let record = call("skills", "load", serde_json::json!({"name": "clean-table"}));
    task.calls.insert(CallId(1), record);
    let asked = told(&task, "skills");
    assert_eq!(
        (asked.is_short, asked.is_used, asked.tokens),
        (true, true, whole.tokens)
    );
    let mut meant = offering("make the table tidy");
    meant.settings.measured = vec![of_skills];
    assert!(is_listed(&meant));
}

#[test]
fn a_small_models_farther_example_may_go_and_the_nearer_one_never_does() {
    let mut task = small();
    let nearer = compared(PromptPartKind::Example, "examples.count", 40, 40);
    task.settings.measured = vec![nearer.clone()];
    let both = words(&task);
    assert!(both.contains("black cat") && both.contains("jacket"), "{both}");
    task.settings.measured.clear();
    assert_eq!(words(&task), both, "nothing changes where it is off");
    task.settings.measured = vec![nearer, compared(PromptPartKind::Example, TALK, 40, 40)];
    let one = words(&task);
    assert!(!one.contains("black cat") && one.contains("jacket"), "{one}");
    let parts = assemble(&task).unwrap().parts;
    let part = parts.iter().find(|part| part.name == TALK).unwrap();
    assert!(part.tokens == 0 && part.short.is_some_and(|why| why.left_out.is_some()));
}

#[test]
fn an_example_counts_as_used_by_a_task_that_goes_its_way() {
    let mut task = small();
    let talk = told(&task, TALK);
    assert_eq!(talk.what, PromptPartKind::Example);
    assert!(talk.tokens > 0 && talk.is_used && !talk.is_short, "words alone");
    drop(task.add(SegmentKind::Python, "print(2 + 2)", None));
    assert!(!told(&task, TALK).is_used, "a program");
    let mut own = OwnModules::default();
    own.put("en", "examples", String::new()).unwrap();
    task.settings.own_modules = own;
    compose(&mut task);
    task.state.status = Some(RunStatus::Completed);
    task.state.usage.model_calls = 1;
    assert_eq!(measured(&task).unwrap(), None, "it is the user's");
}
