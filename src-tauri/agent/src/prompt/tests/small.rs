//! What a small model is given in place of the whole prompt.

use super::*;
use crate::formats::Format;
use crate::prompt_templates::OwnModules;
use shidi_protocol::{Call, CallId, CallRecord, CallState, ExecId, JsonMap};
use std::collections::BTreeMap;

fn small(texts: &[(&str, SegmentKind)]) -> RunContext {
    let mut context = context(texts);
    context.settings.is_small = true;
    context
}

fn system(context: &RunContext) -> String {
    assemble(context).unwrap().messages[0].plain()
}

fn with_methods(context: &mut RunContext, names: &[&str]) {
    let files = &mut context.settings.toolkits[0];
    let read = files.methods[0].clone();
    let method = |name: &&str| MethodSpec {
        name: (*name).into(),
        ..read.clone()
    };
    files.methods.extend(names.iter().map(method));
}

#[test]
fn a_small_model_has_a_short_prompt_and_two_examples_as_turns_in_both_languages() {
    for (language, question) in [
        ("en", "which city is hottest in weather.csv?"),
        ("zh", "哪个城市最热？"),
    ] {
        let mut context = small(&[(question, SegmentKind::User)]);
        with_methods(&mut context, &["write", "write_table"]);
        context.state.language = language.to_owned();
        let system = system(&context);
        assert!(system.len() < 4_000, "{language}: {} bytes", system.len());
        let request = assemble(&context).unwrap();
        let speakers: Vec<Speaker> = request.messages.iter().map(|message| message.speaker).collect();
        assert_eq!(
            speakers
                .iter()
                .filter(|speaker| **speaker == Speaker::Assistant)
                .count(),
            4,
            "{language}"
        );
        assert!(
            request.messages[2].plain().contains("```python\n"),
            "{}",
            request.messages[2].plain()
        );
        assert!(request.messages.last().unwrap().plain().contains(question));
        assert!(
            system.contains("await files.read(path: str)  # Reads a file."),
            "{system}"
        );
        assert!(system.contains("# files [write_table]"), "{system}");
        assert!(!system.contains("<mechanism>"));
    }
}

#[test]
fn the_examples_are_of_the_kind_of_the_sessions_first_question() {
    let chosen = |question: &str, has_files: bool| {
        let mut context = small(&[
            (question, SegmentKind::User),
            ("and now add it up", SegmentKind::User),
        ]);
        with_methods(
            &mut context,
            if has_files {
                &["write", "write_table"]
            } else {
                &["write"]
            },
        );
        crate::prompt::small::examples(&context)
    };
    assert_eq!(chosen("what is on the list?", true), ["count", "lines"]);
    assert_eq!(
        chosen("which city of weather.csv is hottest?", true),
        ["count", "table"]
    );
    assert_eq!(chosen("rename a.txt to b.txt", true), ["lines", "change"]);
    assert_eq!(chosen("把表里的标题改成周报", true), ["table", "change"]);
    assert_eq!(
        chosen("create settings.json: theme dark", true),
        ["lines", "create"]
    );
    assert_eq!(chosen("what is 17 % of 380?", false), ["talk", "count"]);
}

/// The end of the last message after a program of two lines came to `output`.
fn last_of(output: &str, failed: bool, is_small: bool) -> String {
    let program = "rows = [1]\nprint(rows[5])";
    let mut context = context(&[("how many?", SegmentKind::User), (program, SegmentKind::Python)]);
    context.settings.is_small = is_small;
    let body = Body::Output {
        text: output.into(),
        failed,
    };
    drop(context.add_body(body, None));
    drop(context.add(SegmentKind::Round, "2 of 12", None));
    assemble(&context).unwrap().messages.last().unwrap().plain()
}

#[test]
fn after_an_output_the_last_line_asks_for_the_answer_or_names_the_line_that_failed() {
    let line = "in words, without a program.";
    let answers = last_of("5", false, true);
    assert!(
        answers.ends_with(line) && !answers.contains("[Round]"),
        "{answers}"
    );
    let mends = last_of("line 2: IndexError: list index out of range", true, true);
    assert!(
        mends.contains("stopped at line 2: `print(rows[5])`. Change"),
        "{mends}"
    );
    assert!(!mends.contains(line));
    let without = last_of(
        "line 1: ModuleNotFoundError: no module named 'requests'",
        true,
        true,
    );
    assert!(without.contains("`rows = [1]`: that is not there"), "{without}");
    let printed = last_of("line 1: a hit\nline 2: IndexError: out of range", true, true);
    assert!(printed.contains("stopped at line 2"), "{printed}");
    let unknown = last_of("line 90: MemoryError", true, true);
    assert!(!unknown.contains("stopped at"), "{unknown}");
    let large = last_of("5", false, false);
    assert!(
        !large.contains(line) && large.contains("[Round]: 2 of 12"),
        "{large}"
    );
}

#[test]
fn a_call_that_the_user_refused_is_not_to_be_mended() {
    let mut context = small(&[
        ("delete a.txt", SegmentKind::User),
        ("await files.delete(path='a.txt')", SegmentKind::Python),
    ]);
    let body = Body::Output {
        text: "line 1: PermissionError: The user refused this call".into(),
        failed: true,
    };
    drop(context.add_body(body, Some(ExecId(1))));
    let last = |context: &RunContext| assemble(context).unwrap().messages.last().unwrap().plain();
    assert!(last(&context).contains("stopped at line 1"));
    let record = CallRecord {
        run: context.run.clone(),
        call: Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: "files".into(),
            method: "delete".into(),
            args: JsonMap::new(),
            line: 1,
            places: BTreeMap::new(),
        },
        class: Class::Write,
        state: CallState::Refused,
        grounds: Vec::new(),
        outcome: None,
        answered: None,
        started: Moment(0),
        ended: None,
    };
    context.calls.insert(CallId(1), record);
    assert!(!last(&context).contains("stopped at"), "{}", last(&context));
}

#[test]
fn a_question_of_numbers_or_files_is_worked_out_by_a_program_and_talk_is_not() {
    let asks = |question: &str| {
        let context = small(&[(question, SegmentKind::User)]);
        let last = assemble(&context).unwrap().messages.last().unwrap().plain();
        last.ends_with("answer after that.")
    };
    assert!(asks("what is 17 % of 380?"));
    assert!(asks("what stands in REPORT.CSV?"));
    assert!(!asks("translate: meet at 5 pm"));
    assert!(asks("who is named in people.csv?"));
    assert!(!asks("what's the EUR/USD rate at this minute?"));
    assert!(!asks("thanks. that was all"));
}

#[test]
fn an_answer_that_claims_a_file_is_missed_until_something_was_done() {
    let is_undone = |question: &str, answer: &str, is_small: bool| {
        let mut context = context(&[(question, SegmentKind::User)]);
        context.settings.is_small = is_small;
        with_methods(&mut context, &["write", "write_table"]);
        super::super::is_undone(&context, answer)
    };
    assert!(is_undone(
        "create settings.json: theme dark",
        "Done: it is created.",
        true
    ));
    assert!(is_undone("把 待办.txt 里的周四改成周五", "已改成周五。", true));
    assert!(is_undone("在notes.md加一行：散步", "加好了。", true));
    for (question, answer) in [
        ("create settings.json: theme dark", "Which theme do you want?"),
        ("which city is hottest in weather.csv?", "Done: Lisbon."),
        ("notes.txt 里写了什么？", "已读：写的是买菜。"),
        ("把 sales.csv 里的金额加起来", "已算好：12。"),
        ("Add up the amounts in march.csv", "Done: 12."),
        ("What's new in CHANGELOG.md?", "Search was added."),
        ("write a poem about rain", "Done."),
        ("write to alice@example.com that I'm late", "Done."),
        ("set 2.5 as the factor", "Done."),
    ] {
        assert!(!is_undone(question, answer, true), "{question}");
    }
    assert!(!is_undone("create settings.json: theme dark", "Done.", false));
}

#[test]
fn an_answer_that_repeats_an_example_is_noticed_in_both_languages() {
    for (language, copied, own) in [
        (
            "en",
            "You pay **68**. 30 March 2026 is a **Sunday**.",
            "You pay **70**. That is all.",
        ),
        (
            "zh",
            "要付 **68 元**。三月三十日是**星期日**。",
            "要付 **70 元**。就这些。",
        ),
    ] {
        let mut context = small(&[("a cake with 20 slices", SegmentKind::User)]);
        context.state.language = language.to_owned();
        assert!(is_of_example(&context, copied), "{copied}");
        assert!(!is_of_example(&context, own), "{own}");
        assert!(!is_of_example(&context, ""), "{language}");
        context.settings.is_small = false;
        assert!(!is_of_example(&context, copied), "{copied}");
    }
}

#[test]
fn the_short_prompt_tells_each_of_its_two_formats_how_a_program_is_asked_for() {
    for language in ["en", "zh"] {
        let mut context = small(&[("2+2?", SegmentKind::User)]);
        context.state.language = language.to_owned();
        let fenced = system(&context);
        assert!(fenced.contains("```python\n…\n```\n"), "{fenced}");
        assert!(!fenced.contains("[Python]:"), "{fenced}");
        context.settings.format = Format::Fim;
        let fim = system(&context);
        assert!(
            fim.contains("\n[Python]:\n") && !fim.contains("```python"),
            "{fim}"
        );
        context.settings.format = Format::Json;
        assert!(!system(&context).contains("```python\n…\n```\n"));
    }
}

#[test]
fn a_large_general_model_beside_a_small_one_reads_the_whole_prompt() {
    let mut context = small(&[("2+2?", SegmentKind::User)]);
    context.settings.has_general_model = true;
    assert!(system(&context).contains("<mechanism>"));
    context.state.is_coders = true;
    assert!(!system(&context).contains("<mechanism>"));
}

#[test]
fn whoever_wrote_a_module_of_their_own_has_the_whole_prompt() {
    let mut context = small(&[("2+2?", SegmentKind::User)]);
    let mut own = OwnModules::default();
    own.put("en", "principles", "Be kind.".to_owned()).unwrap();
    context.settings.own_modules = own;
    let system = system(&context);
    assert!(
        system.contains("Be kind.") && system.contains("<mechanism>"),
        "{system}"
    );
}

#[test]
fn other_formats_keep_their_prompt() {
    let mut context = small(&[("2+2?", SegmentKind::User)]);
    context.settings.format = crate::formats::Format::Tool;
    assert!(system(&context).contains("<mechanism>"));
}
