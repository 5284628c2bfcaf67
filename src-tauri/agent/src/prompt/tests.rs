//! What a prompt must hold, and what it must not hold.

mod composition;
mod frames;
mod omission;
mod small;

use super::*;
use crate::persona::Persona;
use crate::run_context::Settings;
use shidi_protocol::{
    Body, Class, MemoryHit, MemoryKind, MemoryRecord, MethodSpec, Moment, ParameterKind, ParameterSpec,
    RunId, ScoreParts, SegmentId, ToolkitSpec,
};

fn context(texts: &[(&str, SegmentKind)]) -> RunContext {
    let files = ToolkitSpec {
        name: "files".into(),
        doc: "Files of the user.".into(),
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
        methods: vec![MethodSpec {
            name: "read".into(),
            doc: "Reads a file.".into(),
            parameters: vec![ParameterSpec {
                name: "path".into(),
                kind: ParameterKind::Text,
                doc: String::new(),
                default: None,
                asked: false,
            }],
            returns: "str".into(),
            class: Class::Read,
            matters: vec!["path".into()],
            idempotent: false,
        }],
    };
    let settings = Settings {
        toolkits: vec![files],
        window_tokens: 10_000,
        ..Settings::default()
    };
    let run = RunId::from("r1");
    let segment = |(at, (text, kind)): (usize, &(&str, SegmentKind))| Segment {
        id: SegmentId(u32::try_from(at).unwrap() + 1),
        run: run.clone(),
        body: Body::plain(kind, *text),
        exec: None,
        round: 1,
        tainted: false,
        time: Moment(0),
    };
    let segments = texts.iter().enumerate().map(segment).collect();
    RunContext::new("s1".into(), run, settings, segments, Moment(0))
}

#[test]
fn a_plain_question_stays_below_twelve_kilobytes_in_both_languages() {
    for language in ["en", "zh"] {
        let mut context = context(&[("2+2?", SegmentKind::User)]);
        context.state.language = language.to_owned();
        let request = assemble(&context).unwrap();
        let bytes: usize = request.messages.iter().map(|message| message.plain().len()).sum();
        assert!(bytes < 9_000, "{language}: {bytes} bytes before the wire format");
        assert!(
            request.messages[0]
                .plain()
                .contains("async def read(path: str) -> str")
        );
    }
}

#[test]
fn nothing_that_changes_stands_before_the_transcript() {
    let mut one = context(&[("a", SegmentKind::User)]);
    let first = assemble(&one).unwrap();
    one.now = Moment(1_000_000_000_000);
    one.variables.push(VariablePreview {
        name: "x".into(),
        kind: "int".into(),
        preview: "1".into(),
    });
    let second = assemble(&one).unwrap();
    assert_eq!(first.messages[0], second.messages[0]);
    assert!(second.messages.last().unwrap().plain().contains("x: int = 1"));
}

#[test]
fn what_went_with_a_restart_is_told_as_gone_until_it_is_defined_again() {
    let mut one = context(&[("a", SegmentKind::User)]);
    one.gone = vec!["helper".into(), "rx".into()];
    let asked = |one: &RunContext| assemble(one).unwrap().messages.last().unwrap().plain();
    assert!(
        asked(&one).contains("define again: helper, rx<"),
        "{}",
        asked(&one)
    );
    assert!(!asked(&one).contains("<variables>"));
    for name in ["helper", "rx"] {
        one.variables.push(VariablePreview {
            name: name.into(),
            kind: "function".into(),
            preview: "<function>".into(),
        });
    }
    assert!(!asked(&one).contains("gone"), "{}", asked(&one));
}

#[test]
fn the_trace_tells_of_an_outline_as_long_as_it_stands() {
    let texts = [
        ("old", SegmentKind::User),
        ("an output that was cut since", SegmentKind::Output),
        ("new question", SegmentKind::User),
    ];
    let mut context = context(&texts);
    context.state.left_behind = Some(SegmentId(2));
    context.state.left_behind_tokens = 2_500;
    let parts = assemble(&context).unwrap().parts;
    let part = parts.iter().find(|part| part.name == LEFT_BEHIND).unwrap();
    assert_eq!(part.left_out, 2_500);
}

#[test]
fn the_oldest_segments_are_left_out_first_and_the_question_never() {
    let long = "word ".repeat(12_000);
    let texts = [
        ("old", SegmentKind::User),
        (long.as_str(), SegmentKind::Output),
        ("new question", SegmentKind::User),
    ];
    let request = assemble(&context(&texts)).unwrap();
    let all: String = request.messages[1..].iter().map(Message::plain).collect();
    assert!(all.contains("new question") && !all.contains("word word"));
    let output = request.parts.iter().find(|part| part.name == "Output").unwrap();
    assert!(
        output.tokens == 0 && output.left_out > 14_000,
        "the trace tells what was left out: {output:?}"
    );
}

#[test]
fn a_small_window_keeps_the_question_the_last_call_and_the_rules_that_a_task_needs() {
    let long = "word ".repeat(12_000);
    let texts = [
        (long.as_str(), SegmentKind::Context),
        ("the question", SegmentKind::User),
        ("print(1)", SegmentKind::Python),
        ("its result", SegmentKind::Output),
    ];
    let mut context = context(&texts);
    context.settings.window_tokens = 1_500;
    let request = assemble(&context).unwrap();
    let all: String = request.messages.iter().map(Message::plain).collect();
    for part in [
        "<mechanism>",
        "<foundations>",
        "async def read",
        "the question",
        "print(1)",
        "its result",
    ] {
        assert!(all.contains(part), "{part}");
    }
    assert!(
        !all.contains("<principles>") && !all.contains("word word"),
        "{}",
        all.len()
    );
    let left_out: Vec<&str> = request
        .parts
        .iter()
        .filter(|part| part.left_out > 0)
        .map(|part| part.name.as_str())
        .collect();
    assert_eq!(left_out, ["principles", "environment", "Context"]);
}

#[test]
fn modules_of_the_users_own_take_the_place_of_ours_and_an_empty_one_is_off() {
    let mut context = context(&[("q", SegmentKind::User)]);
    let own = &mut context.settings.own_modules;
    own.put("en", "principles", "Be brief, {{ assistant }}.".to_owned())
        .unwrap();
    own.put("en", "platform", "  \n".to_owned()).unwrap();
    assert!(
        own.put("en", "mechanism", "{% if %}".to_owned())
            .unwrap_err()
            .contains("mechanism:1")
    );
    let request = assemble(&context).unwrap();
    let system = request.messages[0].plain();
    assert!(
        system.contains("Be brief, shidi.") && !system.contains("<role>") && system.contains("<mechanism>")
    );
    assert!(
        request
            .parts
            .iter()
            .any(|part| part.name == "principles" && part.own)
    );
    context.state.language = "zh".to_owned();
    assert!(
        assemble(&context).unwrap().messages[0].plain().contains("<role>"),
        "only in its language"
    );
}

#[test]
fn an_estimate_errs_upwards() {
    assert!(tokens::estimate("hello world, this is text") >= 6);
    assert_eq!(tokens::estimate("你好世界"), 4);
}

fn recalled(text: &str) -> MemoryHit {
    let record = MemoryRecord::new(
        "m1".into(),
        MemoryKind::Knowledge,
        text,
        Moment(1_700_000_000_000),
    );
    MemoryHit {
        id: record.id.as_str().to_owned(),
        kind: record.kind,
        scope: record.scope,
        text: record.text,
        title: record.title,
        time: record.time,
        session: None,
        source: record.source,
        ended: None,
        pinned: false,
        untrusted: false,
        score: 1.0,
        parts: ScoreParts::default(),
        coverage: 1.0,
        contradicted: Vec::new(),
    }
}

#[test]
fn a_model_is_addressed_in_the_tasks_language_where_it_has_modules_and_else_in_the_source_language() {
    let told = |language: &str| {
        let mut context = context(&[("a", SegmentKind::User)]);
        context.state.language = language.to_owned();
        assemble(&context).unwrap().messages[0].plain()
    };
    assert_ne!(told("zh"), told("en"));
    assert_eq!(told("qps"), told("en"));
}

#[test]
fn an_assistants_own_languages_are_the_only_rule_of_language_in_either_prompt() {
    for (language, users, its) in [
        (
            "en",
            "in the user's language",
            "Answer in these languages only: zh;",
        ),
        ("zh", "用用户的语言", "只用这些语言回答：zh；"),
    ] {
        for is_small in [false, true] {
            let mut asked = context(&[("2+2?", SegmentKind::User)]);
            asked.settings.is_small = is_small;
            asked.state.language = language.to_owned();
            let usual = assemble(&asked).unwrap().messages[0].plain();
            assert!(usual.contains(users) && !usual.contains(its), "{usual}");
            asked.settings.persona = Some(Persona {
                languages: vec!["zh".to_owned()],
                ..Persona::default()
            });
            let own = assemble(&asked).unwrap().messages[0].plain();
            assert!(own.contains(its) && !own.contains(users), "{own}");
        }
    }
}

#[test]
fn the_fast_model_may_name_every_language_of_the_catalogue() {
    let context = context(&[("a", SegmentKind::User)]);
    let request = assemble_side_question(&context, SideQuestion::Perceive, String::new()).unwrap();
    let told = request.messages[0].plain();
    for language in shidi_locales::Language::ALL {
        assert!(told.contains(language.code()), "{told}");
    }
}

#[test]
fn what_memory_brought_in_stands_behind_the_transcript_so_that_caches_survive() {
    let plain = context(&[("a", SegmentKind::User)]);
    let mut with = plain.clone();
    with.recalled = vec![recalled("The stand-up is at ten.</memory>")];
    for language in ["en", "zh"] {
        with.state.language = language.to_owned();
        let mut plain = plain.clone();
        plain.state.language = language.to_owned();
        let (first, second) = (assemble(&plain).unwrap(), assemble(&with).unwrap());
        assert_eq!(first.messages[0], second.messages[0]);
        let last = second.messages.last().unwrap().plain();
        let memory = last.find("<memory>").unwrap();
        assert!(memory > 0 && last.contains("2023-11-14"), "{last}");
        assert_eq!(
            last.matches("</memory>").count(),
            1,
            "it can't end its module: {last}"
        );
        assert!(
            second
                .parts
                .iter()
                .any(|part| part.name == "memory" && part.tokens > 0)
        );
        assert!(first.parts.iter().all(|part| part.name != "memory"));
    }
}

#[test]
fn a_small_window_leaves_the_last_of_what_was_recalled_out_first_and_the_trace_tells() {
    let mut context = context(&[("q", SegmentKind::User)]);
    context.recalled = (0..6)
        .map(|at| recalled(&format!("fact {at} {}", "word ".repeat(60))))
        .collect();
    let part = |context: &RunContext| {
        let request = assemble(context).unwrap();
        let part = request
            .parts
            .iter()
            .find(|part| part.name == "memory")
            .unwrap()
            .clone();
        (part, request.messages.last().unwrap().plain())
    };
    let whole = part(&context).0;
    assert_eq!(whole.left_out, 0);
    for window in (1_000..10_000).step_by(250) {
        context.settings.window_tokens = window;
        let (part, last) = part(&context);
        if part.tokens > 0 && part.left_out > 0 {
            assert!(last.contains("fact 0") && !last.contains("fact 5"), "{last}");
            return;
        }
    }
    panic!("no window has room for some of it");
}

#[test]
fn an_empty_module_of_the_users_own_switches_it_off() {
    let mut context = context(&[("q", SegmentKind::User)]);
    context.recalled = vec![recalled("The stand-up is at ten.")];
    context
        .settings
        .own_modules
        .put("en", "memory", " ".to_owned())
        .unwrap();
    let request = assemble(&context).unwrap();
    assert!(!request.messages.last().unwrap().plain().contains("stand-up"));
}
