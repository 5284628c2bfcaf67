//! Parameters of what the user keeps: a value counts only where somebody said it; what is missing is asked for.

use crate::bench::*;
use shidi_protocol::{MethodSpec, ModelRequest, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

fn parameter(name: &str, kind: ParameterKind, doc: &str) -> ParameterSpec {
    ParameterSpec {
        name: name.into(),
        kind,
        doc: doc.into(),
        default: Some(json!(null)),
        asked: true,
    }
}

fn settings() -> Settings {
    let method = MethodSpec {
        name: "book_table".into(),
        doc: "Books a table".into(),
        parameters: vec![
            parameter("guests", ParameterKind::Integer, "how many people"),
            parameter(
                "children",
                ParameterKind::Integer,
                "how many of them are children",
            ),
            parameter("day", ParameterKind::Text, "the day of the visit"),
            parameter("name", ParameterKind::Text, "who books"),
            ParameterSpec {
                default: Some(json!("inside")),
                asked: false,
                ..parameter("place", ParameterKind::Text, "inside or terrace")
            },
        ],
        returns: "dict".into(),
        class: Class::Read,
        matters: Vec::new(),
        idempotent: true,
    };
    Settings {
        toolkits: vec![ToolkitSpec {
            name: "workflows".into(),
            doc: String::new(),
            methods: vec![method],
            source: ToolkitSource::Workflow,
            left_out: 0,
        }],
        ..Settings::default()
    }
}

/// What the program is told of a call with the given arguments, which its source holds; `None` where it is carried out.
fn told(bench: &mut Bench, args: &serde_json::Value) -> Option<String> {
    let literals: Vec<String> = args
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let program = format!(
        "```python\nawait workflows.book_table({})\n```",
        literals.join(", ")
    );
    bench.model(&program);
    called(bench, args)
}

fn called(bench: &mut Bench, args: &serde_json::Value) -> Option<String> {
    let effects = bench.call("workflows.book_table", args.clone(), Class::Read);
    effects.iter().find_map(|effect| match effect {
        Effect::AnswerCall { outcome, .. } => Some(outcome.error.clone().unwrap().message),
        _ => None,
    })
}

fn first(question: &str, args: &serde_json::Value) -> Option<String> {
    let (mut bench, _) = Bench::asked_with(settings(), question);
    told(&mut bench, args)
}

#[test]
fn what_the_user_said_is_passed_on() {
    for (question, args) in [
        (
            "A table for four on 2026-12-04, one of us is a child. My name is Ada Lovelace.",
            json!({"guests": 4, "children": 1, "day": "2026-12-04", "name": "Ada Lovelace"}),
        ),
        (
            "订个位子，五个人，没有小孩（零个），周五，姓王，露台 terrace",
            json!({"guests": 5, "children": 0, "day": "周五", "name": "王", "place": "terrace"}),
        ),
    ] {
        assert_eq!(first(question, &args), None, "{question}");
    }
}

#[test]
fn a_value_that_nobody_said_is_no_value() {
    let question = "Book me a table for four";
    let told = first(
        question,
        &json!({"guests": 4, "children": 2, "day": "2026-12-04", "name": "John Doe"}),
    );
    let told = told.unwrap();
    assert!(
        told.contains("nobody has said children=2 (how many of them are children)"),
        "{told}"
    );
    assert!(told.contains("Known so far, keep it: guests=4."), "{told}");
    assert!(!told.contains("John"), "one thing at a time: {told}");
}

#[test]
fn what_is_left_out_is_asked_for_by_itself() {
    let told = first(
        "a table for four, no children: zero",
        &json!({"guests": 4, "children": 0}),
    )
    .unwrap();
    assert!(
        told.contains("day (the day of the visit) is not known yet"),
        "{told}"
    );
    assert!(told.contains("guests=4, children=0"), "{told}");
    assert!(!told.contains("who books"), "{told}");
}

#[test]
fn one_mention_is_one_value() {
    let question = "a table for 2 today, Ada";
    let told = first(
        question,
        &json!({"guests": 2, "children": 2, "day": "today", "name": "Ada"}),
    )
    .unwrap();
    assert!(told.contains("children=2"), "{told}");
    let question = "a table for 2, both of us children, today, Ada";
    assert_eq!(
        first(
            question,
            &json!({"guests": 2, "children": 2, "day": "today", "name": "Ada"})
        ),
        None
    );
}

#[test]
fn an_answer_to_a_question_counts_and_so_does_what_was_agreed_to() {
    let (mut bench, _) = Bench::asked_with(settings(), "a table for three and one child for Ada, tomorrow");
    let args = json!({"guests": 3, "children": 1, "day": "tomorrow", "name": "Ada", "place": "terrace"});
    let open = told(&mut bench, &args).unwrap();
    assert!(open.contains("place"), "{open}");
    bench.ended("", Some(&format!("ValueError: {open}")));
    let asked = bench.model("Shall I book it on the terrace?");
    assert!(
        ended_as(&asked).is_some(),
        "a question is an answer here: {asked:?}"
    );
    let mut next = bench.followed(settings());
    next.ask("yes please");
    assert_eq!(told(&mut next, &args), None);
}

#[test]
fn what_a_program_computed_needs_no_words() {
    let (mut bench, _) = Bench::asked_with(settings(), "book for everybody on the list, Ada, tomorrow");
    bench.model("```python\nn = len(await files.list())\nawait workflows.book_table(guests=n, day='tomorrow', name='Ada')\n```");
    let args = json!({"guests": 17, "children": 9, "day": "tomorrow", "name": "Ada"});
    assert_eq!(called(&mut bench, &args), None);
}

#[test]
fn what_a_program_printed_of_its_own_invention_is_no_source() {
    let (mut bench, _) = Bench::asked_with(settings(), "book a table for Ada tomorrow");
    bench.model("```python\nguests = 6\nprint(guests)\n```");
    bench.ended("6\n", None);
    let told = told(
        &mut bench,
        &json!({"guests": 6, "day": "tomorrow", "name": "Ada"}),
    )
    .unwrap();
    assert!(told.contains("guests=6"), "{told}");
}

#[test]
fn a_program_of_the_users_own_is_not_looked_at() {
    let program = "await workflows.book_table(guests=4)";
    let settings = Settings {
        program: Some(program.into()),
        ..settings()
    };
    let (mut bench, _) = Bench::asked_with(settings, "/book_table");
    assert_eq!(called(&mut bench, &json!({"guests": 4})), None);
}

#[test]
fn what_the_users_words_speak_of_stands_in_the_prompt_and_nothing_else() {
    let shown = |question: &str| {
        let (_, effects) = Bench::asked_with(settings(), question);
        let asked = effects.iter().find_map(|effect| match effect {
            Effect::AskModel(request) => Some(format!("{request:?}")),
            _ => None,
        });
        asked.unwrap().contains("async def book_table")
    };
    assert!(shown("We are four and would like tables by the window"));
    assert!(!shown("What is this?"));
}

#[test]
fn where_the_model_makes_the_same_call_again_code_asks_the_user() {
    let (mut bench, _) = Bench::asked_with(settings(), "a table for four, no children: zero");
    let args = json!({"guests": 4, "children": 0});
    let open = told(&mut bench, &args).unwrap();
    assert_eq!(ended_as(&bench.ended("", Some(&open))), None);
    let open = told(&mut bench, &args).unwrap();
    let ended = bench.ended("", Some(&open));
    assert_eq!(
        answer(&ended),
        Some("One thing I still need to know: the day of the visit?")
    );
    // The next answer of the user counts.
    let mut next = bench.followed(settings());
    next.ask("Friday, for Ada");
    let args = json!({"guests": 4, "children": 0, "day": "Friday", "name": "Ada"});
    assert_eq!(told(&mut next, &args), None);
}

#[test]
fn what_a_program_is_told_of_its_failure_is_no_source() {
    let (mut bench, _) = Bench::asked_with(settings(), "book a table for Ada tomorrow");
    let open = told(&mut bench, &json!({"day": "tomorrow", "name": "Ada"})).unwrap();
    bench.ended(
        "",
        Some(&format!("line 1: ValueError: {open} From 1 to 8 people.")),
    );
    let args = json!({"guests": 1, "day": "tomorrow", "name": "Ada"});
    assert!(told(&mut bench, &args).unwrap().contains("guests=1"));
}

#[test]
fn a_value_that_an_earlier_program_made_up_stays_made_up() {
    let (mut bench, _) = Bench::asked_with(settings(), "book a table for Ada tomorrow");
    bench.model("```python\nguests = 6\n```");
    bench.ended("", None);
    bench.model("```python\nprint(guests)\n```");
    bench.ended("6\n", None);
    bench.model("```python\nawait workflows.book_table(guests=guests, day='tomorrow', name='Ada')\n```");
    let args = json!({"guests": 6, "day": "tomorrow", "name": "Ada"});
    assert!(called(&mut bench, &args).unwrap().contains("guests=6"));
}

fn small() -> Settings {
    Settings {
        is_small: true,
        ..settings()
    }
}

fn request(effects: &[Effect]) -> &ModelRequest {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request.as_ref()),
        _ => None,
    });
    asked.unwrap()
}

fn last_line(effects: &[Effect]) -> String {
    let last = request(effects).messages.last().unwrap().plain();
    last.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_small_model_reads_what_the_users_workflows_take_whatever_the_words() {
    let (_, effects) = Bench::asked_with(small(), "we would like to dine out");
    assert!(format!("{:?}", request(&effects)).contains("async def book_table"));
    let line = last_line(&effects);
    assert!(
        line.contains("`workflows.book_table(guests, children, day, name, place)`"),
        "{line}"
    );
    for (question, is_offered) in [
        ("what stands in menu.csv?", false),
        ("how many days has February?", false),
        ("could you book a table for us?", true),
    ] {
        let (_, effects) = Bench::asked_with(small(), question);
        assert_eq!(
            last_line(&effects).contains("workflows."),
            is_offered,
            "{question}"
        );
    }
}

#[test]
fn a_small_model_is_told_to_ask_and_then_what_waits_for_the_answer() {
    let (mut bench, _) = Bench::asked_with(small(), "a table for four, no children: zero");
    let open = told(&mut bench, &json!({"guests": 4, "children": 0})).unwrap();
    let failed = bench.ended("", Some(&format!("line 1: ValueError: {open}")));
    let line = last_line(&failed);
    assert!(
        line.contains("nobody has said day (the day of the visit)"),
        "{line}"
    );
    bench.model("Which day?");
    let mut next = bench.followed(small());
    let line = last_line(&next.ask("Friday"));
    assert!(
        line.contains("`print(await workflows.book_table(guests=4, children=0, day=…, name=…))`"),
        "{line}"
    );
    next.model("Good.");
    let mut after = next.followed(small());
    let line = last_line(&after.ask("thank you"));
    assert!(!line.contains("guests=4"), "{line}");
}

#[test]
fn the_call_that_waits_has_its_values_whole_and_none_of_them_ends_its_mark() {
    let name = "Ada `Bell` Lovelace of the long house at the end of the old road by the sea";
    let question = format!("a table for four, no children: zero, for {name}");
    let (mut bench, _) = Bench::asked_with(small(), &question);
    let open = told(&mut bench, &json!({"guests": 4, "children": 0, "name": name})).unwrap();
    bench.ended("", Some(&format!("line 1: ValueError: {open}")));
    bench.model("Which day?");
    let mut next = bench.followed(small());
    let line = last_line(&next.ask("Friday"));
    let whole = name.replace('`', "\\u0060");
    let call = format!("`print(await workflows.book_table(guests=4, children=0, day=…, name=\"{whole}\"))`");
    assert!(line.contains(&call), "{line}");
}

#[test]
fn where_the_model_makes_another_value_up_code_asks_the_user() {
    let (mut bench, _) = Bench::asked_with(settings(), "a table for four, no children: zero, on Friday");
    let with = |name: &str| json!({"guests": 4, "children": 0, "day": "Friday", "name": name});
    let open = told(&mut bench, &with("John Doe")).unwrap();
    assert_eq!(ended_as(&bench.ended("", Some(&open))), None);
    let open = told(&mut bench, &with("Jane Smith")).unwrap();
    let ended = bench.ended("", Some(&open));
    assert_eq!(answer(&ended), Some("One thing I still need to know: who books?"));
}
