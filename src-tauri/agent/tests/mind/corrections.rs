//! Corrections in a conversation: what an earlier call was filled with holds, unless somebody has said otherwise since.

use crate::bench::*;
use serde_json::Value;
use shidi_protocol::{MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

const ENGLISH: &str = "One table for four on Friday, one child, in the name of Okafor, on the terrace please";
const CHINESE: &str = "订一桌，周五，四位，其中一个孩子，姓王，要露台";

fn settings() -> Settings {
    let parameter = |(name, kind, doc): (&str, ParameterKind, &str)| ParameterSpec {
        name: name.into(),
        kind,
        doc: doc.into(),
        default: Some(Value::Null),
        asked: true,
    };
    let asked = [
        ("tables", ParameterKind::Integer, "how many tables, 几桌"),
        ("guests", ParameterKind::Integer, "how many guests, 几位"),
        (
            "children",
            ParameterKind::Integer,
            "how many of them are children, 孩子",
        ),
        ("day", ParameterKind::Text, "the day of the visit"),
        ("name", ParameterKind::Text, "who books"),
    ];
    let mut parameters: Vec<ParameterSpec> = asked.into_iter().map(parameter).collect();
    parameters.push(ParameterSpec {
        default: Some(json!("inside")),
        asked: false,
        ..parameter(("place", ParameterKind::Text, "inside or terrace"))
    });
    let method = MethodSpec {
        name: "book_table".into(),
        doc: "Books a table".into(),
        parameters,
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

/// A conversation, turn by turn: each is a run of its own.
struct Talk {
    bench: Bench,
    /// What the last call was told.
    told: Option<String>,
}

impl Talk {
    fn begun(words: &str) -> Self {
        let (bench, _) = Bench::asked_with(settings(), words);
        Self { bench, told: None }
    }

    fn say(&mut self, words: &str) {
        self.bench = self.bench.followed(settings());
        self.bench.ask(words);
    }

    /// What each call of one program is told; `None` where it is made.
    fn calls(&mut self, calls: &[Value]) -> Vec<Option<String>> {
        let lines: Vec<String> = calls.iter().map(line).collect();
        self.bench.model(&format!("```python\n{}\n```", lines.join("\n")));
        calls.iter().map(|args| self.called(args)).collect()
    }

    fn call(&mut self, args: &Value) -> Option<String> {
        self.told = self.calls(std::slice::from_ref(args)).pop().flatten();
        self.told.clone()
    }

    /// The same, after the program has ended with what the call before was told.
    fn call_again(&mut self, args: &Value) -> Option<String> {
        let told = self.told.take().unwrap();
        self.bench.ended("", Some(&format!("line 1: ValueError: {told}")));
        self.call(args)
    }

    fn called(&mut self, args: &Value) -> Option<String> {
        let effects = self.bench.call("workflows.book_table", args.clone(), Class::Read);
        if let Some((_, outcome, _)) = answered(&effects) {
            return Some(outcome.error.unwrap().message);
        }
        let performed = effects.iter().find_map(|effect| match effect {
            Effect::PerformCall { call, .. } => Some(call.id),
            _ => None,
        });
        let outcome = CallOutcome::success(json!({"done": true}), "done").own();
        let call = performed.unwrap();
        self.bench.give(Event::CallReturned { call, outcome });
        None
    }
}

fn line(args: &Value) -> String {
    let args = args.as_object().unwrap().iter();
    let args: Vec<String> = args.map(|(name, value)| format!("{name}={value}")).collect();
    format!("await workflows.book_table({})", args.join(", "))
}

fn english() -> Value {
    json!({"tables": 1, "guests": 4, "children": 1, "day": "Friday", "name": "Okafor", "place": "terrace"})
}

fn chinese() -> Value {
    json!({"tables": 1, "guests": 4, "children": 1, "day": "周五", "name": "王", "place": "露台"})
}

/// Values with one of them changed.
fn with(mut args: Value, name: &str, value: Value) -> Value {
    args.as_object_mut().unwrap().insert(name.into(), value);
    args
}

fn without(mut args: Value, name: &str) -> Value {
    args.as_object_mut().unwrap().remove(name);
    args
}

/// A conversation in which the table is booked.
fn booked(words: &str, args: &Value) -> Talk {
    let mut talk = Talk::begun(words);
    assert_eq!(talk.call(args), None);
    talk
}

#[test]
fn a_correction_changes_what_it_names() {
    for (opening, args, correction, name, value) in [
        (ENGLISH, english(), "No, two tables.", "tables", json!(2)),
        (ENGLISH, english(), "And on Saturday?", "day", json!("Saturday")),
        (CHINESE, chinese(), "不，两桌", "tables", json!(2)),
        (CHINESE, chinese(), "那周六呢", "day", json!("周六")),
    ] {
        let mut talk = booked(opening, &args);
        talk.say(correction);
        assert_eq!(talk.call(&with(args, name, value)), None, "{correction}");
    }
}

#[test]
fn and_nothing_else() {
    for (opening, args, correction) in [
        (ENGLISH, english(), "No, two tables."),
        (CHINESE, chinese(), "不，两桌"),
    ] {
        let corrected = with(args.clone(), "tables", json!(2));
        for (name, value, before) in [("guests", json!(2), 4), ("children", json!(4), 1)] {
            let mut talk = booked(opening, &args);
            talk.say(correction);
            let told = talk.call(&with(corrected.clone(), name, value)).unwrap();
            assert!(told.contains(&format!(" {name} was {before} (")), "{told}");
            assert!(told.contains("tables=2"), "{told}");
            assert_eq!(talk.call_again(&corrected), None);
        }
    }
}

#[test]
fn what_is_left_out_holds_and_is_named() {
    let mut talk = booked(ENGLISH, &english());
    talk.say("No, two tables.");
    let corrected = with(english(), "tables", json!(2));
    let told = talk.call(&without(corrected.clone(), "name")).unwrap();
    assert!(
        told.contains("name was \"Okafor\" (who books), and is left out"),
        "{told}"
    );
    let told = talk.call_again(&without(corrected.clone(), "place")).unwrap();
    assert!(
        told.contains("Pass place=\"terrace\". For another order pass place=\"inside\"."),
        "{told}"
    );
    assert_eq!(talk.call_again(&corrected), None);
}

#[test]
fn it_holds_as_well_before_anything_is_booked() {
    let mut talk = Talk::begun("One table for four on Friday, one child, on the terrace please");
    let told = talk.call(&without(english(), "name")).unwrap();
    assert!(told.contains("name (who books) is not known yet"), "{told}");
    talk.say("Okafor, and two tables");
    let corrected = with(english(), "tables", json!(2));
    let told = talk.call(&with(corrected.clone(), "children", json!(4))).unwrap();
    assert!(told.contains("children was 1"), "{told}");
    let told = talk
        .call_again(&with(corrected.clone(), "place", json!("inside")))
        .unwrap();
    assert!(told.contains("place was \"terrace\""), "{told}");
    assert_eq!(talk.call_again(&corrected), None);
}

#[test]
fn a_mind_that_is_changed_twice_stays_where_it_was_last() {
    let mut talk = booked(ENGLISH, &english());
    talk.say("No, five of us.");
    let five = with(english(), "guests", json!(5));
    assert_eq!(talk.call(&five), None);
    talk.say("Saturday, please");
    let saturday = |args: Value| with(args, "day", json!("Saturday"));
    let told = talk.call(&saturday(english())).unwrap();
    assert!(told.contains("guests was 5"), "{told}");
    assert_eq!(talk.call_again(&saturday(five)), None);
    talk.say("No, four after all.");
    assert_eq!(talk.call(&saturday(english())), None);
}

#[test]
fn leaving_the_subject_and_coming_back_keeps_what_was_filled() {
    let mut talk = Talk::begun("One table for four on Friday, one child, on the terrace please");
    assert!(talk.call(&without(english(), "name")).is_some());
    talk.say("By the way, what is twelve times twelve?");
    talk.bench.model("144.");
    talk.say("Okafor");
    let told = talk.call(&without(english(), "guests")).unwrap();
    assert!(
        told.contains("guests was 4 (how many guests, 几位), and is left out"),
        "{told}"
    );
    assert_eq!(talk.call_again(&english()), None);
}

#[test]
fn another_order_is_free() {
    let mut talk = booked(ENGLISH, &english());
    talk.say("Another booking, please: three tables for nine on Sunday, two children, for Achebe, inside.");
    let another = json!({"tables": 3, "guests": 9, "children": 2, "day": "Sunday", "name": "Achebe", "place": "inside"});
    assert_eq!(talk.call(&another), None);
    let mut talk = booked(CHINESE, &chinese());
    talk.say("再订三桌，周日，九位，两个孩子，姓李，不要露台");
    let another = json!({"tables": 3, "guests": 9, "children": 2, "day": "周日", "name": "李"});
    assert_eq!(talk.call(&another), None);
}

#[test]
fn words_that_point_back_or_count_on_may_mean_any_value() {
    let mut talk = booked(
        "Okafor or Achebe? Let us say Okafor: one table for four on Friday, one child",
        &without(english(), "place"),
    );
    talk.say("No, the other one.");
    let other = with(without(english(), "place"), "name", json!("Achebe"));
    assert_eq!(talk.call(&other), None);
    // Nobody said five: it is asked for, and the four are not put back.
    talk.say("One more guest, please.");
    let told = talk.call(&with(other, "guests", json!(5))).unwrap();
    assert!(
        told.contains("nobody has said guests=5") && !told.contains("Pass guests"),
        "{told}"
    );
}

#[test]
fn several_orders_in_one_breath_do_not_correct_each_other() {
    let mut talk = Talk::begun(
        "For Friday: one table for four for Ada and one table for two for Bo. No children, zero at both tables.",
    );
    let order = |name: &str, guests: i64| json!({"tables": 1, "guests": guests, "children": 0, "day": "Friday", "name": name});
    let orders = [order("Bo", 2), order("Ada", 4)];
    let made: [Option<String>; 2] = [None, None];
    assert_eq!(talk.calls(&orders), made);
    // Each of them may be repeated.
    talk.say("The same on Saturday, please");
    let moved = orders.map(|order| with(order, "day", json!("Saturday")));
    assert_eq!(talk.calls(&moved), made);
}

#[test]
fn a_call_that_is_refused_fills_nothing_with_what_it_was_refused_for() {
    let mut talk = booked(ENGLISH, &english());
    talk.say("No, two tables.");
    let drifted = with(with(english(), "tables", json!(2)), "guests", json!(2));
    let told = talk.call(&drifted).unwrap();
    assert!(told.contains("guests was 4"), "{told}");
    assert_eq!(talk.call_again(&drifted), Some(told));
}

#[test]
fn another_version_of_the_conversation_fills_nothing() {
    let talk = booked(ENGLISH, &english());
    let mut bench = Bench::new(settings());
    bench.written = talk
        .bench
        .written
        .iter()
        .filter(|record| matches!(record, Record::Call(_)))
        .cloned()
        .collect();
    let mut other = Talk { bench, told: None };
    other.say("Two tables for six on Sunday for Achebe, no child: zero");
    let args = json!({"tables": 2, "guests": 6, "children": 0, "day": "Sunday", "name": "Achebe"});
    assert_eq!(other.call(&args), None);
}
