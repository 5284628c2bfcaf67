//! A question about something new has an outline of what came before; one that comes back has all of it again.

use crate::bench::*;
use shidi_agent::estimate_tokens;

const ORDERS: &str = "Read orders.csv and count orders per week.";
const CUP: &str = "Who won the football World Cup in 1990?";
const ROW: &str = "week 10 has 44 orders";

fn settings(outlines_history: bool) -> Settings {
    Settings {
        outlines_history,
        ..with_idempotent(&["results.read"])
    }
}

/// A conversation about orders, with an answer of some 2,600 tokens.
fn about_orders() -> Bench {
    let (mut bench, _) = Bench::asked_with(settings(true), ORDERS);
    bench.model(&format!("{ROW}, ").repeat(450));
    bench
}

fn prompt(effects: &[Effect]) -> String {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request),
        _ => None,
    });
    let texts: Vec<String> = request
        .unwrap()
        .messages
        .iter()
        .map(|message| message.plain())
        .collect();
    texts.join("\n")
}

fn notices(effects: &[Effect]) -> usize {
    let is_notice = |effect: &&Effect| matches!(effect, Effect::Show(RunEventKind::Notification { .. }));
    effects.iter().filter(is_notice).count()
}

/// Times that the text of the first question was kept.
fn times_kept(bench: &Bench) -> usize {
    let is_kept = |record: &&Record| matches!(record, Record::Result { handle, .. } if handle == "q1");
    bench.written.iter().filter(is_kept).count()
}

fn has_all(prompt: &str) -> bool {
    prompt.matches(ROW).count() > 100
}

#[test]
fn a_new_subject_has_an_outline_and_the_whole_lies_under_a_handle() {
    let mut bench = about_orders().followed(settings(true));
    let effects = bench.ask(CUP);
    let short = prompt(&effects);
    assert!(
        !has_all(&short) && short.contains("q1: Read orders.csv"),
        "{short}"
    );
    assert_eq!(notices(&effects), 1, "the user is told");
    let whole = bench.written.iter().find_map(|record| match record {
        Record::Result { handle, text, .. } if handle == "q1" => Some(text),
        _ => None,
    });
    assert!(has_all(whole.unwrap()) && whole.unwrap().contains(ORDERS));

    let mut off = about_orders().followed(settings(false));
    let effects = off.ask(CUP);
    let long = prompt(&effects);
    assert!(has_all(&long), "the setting is off");
    assert_eq!(notices(&effects), 0);
    let saved = estimate_tokens(&long) - estimate_tokens(&short);
    println!(
        "the prompt of a new subject has {saved} tokens less of {}",
        estimate_tokens(&long)
    );
    assert!(saved > 2_000, "{saved}");
}

#[test]
fn the_trace_tells_what_was_left_out() {
    let mut bench = about_orders().followed(settings(true));
    let effects = bench.ask(CUP);
    let parts = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(&request.parts),
        _ => None,
    });
    let mut parts = parts.unwrap().iter();
    let part = parts.find(|part| part.name == "EarlierSubject").unwrap();
    assert!(part.left_out > 2_000);
}

#[test]
fn the_next_question_goes_on_with_the_new_subject_and_a_later_one_comes_back() {
    let mut cup = about_orders().followed(settings(true));
    cup.ask(CUP);
    cup.model("West Germany won the final against Argentina.");
    let mut on = cup.followed(settings(true));
    let effects = on.ask("Who was the coach of the winner?");
    let text = prompt(&effects);
    assert!(!has_all(&text) && text.contains(CUP), "{text}");
    assert_eq!(notices(&effects), 0, "the user was told with the question before");
    assert_eq!(times_kept(&on), 1, "it stands under its handle");
    on.model("Franz Beckenbauer.");
    let mut back = on.followed(settings(true));
    let effects = back.ask("Plot the orders of each week as a line.");
    assert!(has_all(&prompt(&effects)), "nothing is lost");
    assert_eq!(notices(&effects), 0);
    back.model("The line is drawn.");
    let effects = back.followed(settings(true)).ask("Make it blue.");
    assert!(has_all(&prompt(&effects)), "nor by the question after it");
}

#[test]
fn a_question_goes_on_with_all_that_the_one_before_had() {
    let mut whole = about_orders().followed(settings(false));
    whole.ask(CUP);
    whole.model("West Germany won the final against Argentina.");
    let effects = whole.followed(settings(true)).ask("Was it close?");
    assert!(has_all(&prompt(&effects)), "the setting was off");

    let mut brought = about_orders().followed(settings(true));
    brought.ask(CUP);
    brought.give(Event::Said(UserInput {
        text: "as before, please".into(),
        ..UserInput::default()
    }));
    brought.model("West Germany won the final against Argentina.");
    brought.model("West Germany won the final against Argentina.");
    let effects = brought.followed(settings(true)).ask("Was it close?");
    assert!(has_all(&prompt(&effects)), "the user brought it back");
}

#[test]
fn words_that_lead_back_bring_the_conversation_back_within_the_run() {
    let mut bench = about_orders().followed(settings(true));
    bench.ask(CUP);
    bench.model(PROGRAM);
    bench.give(Event::Said(UserInput {
        text: "and compare it with the orders".into(),
        ..UserInput::default()
    }));
    assert!(has_all(&prompt(&bench.ended("1", None))));
}

#[test]
fn a_restart_keeps_the_outline() {
    let mut bench = about_orders().followed(settings(true));
    bench.ask(CUP);
    let effects = bench.restarted(settings(true)).give(Event::Resumed);
    assert!(!has_all(&prompt(&effects)));
}

#[test]
fn nothing_is_left_out_that_could_not_be_read_again_or_is_short() {
    let mut without = about_orders().followed(Settings {
        outlines_history: true,
        ..Settings::default()
    });
    assert!(has_all(&prompt(&without.ask(CUP))));
    let (mut short, _) = Bench::asked_with(settings(true), ORDERS);
    short.model("week 10 has 44 orders.");
    let effects = short.followed(settings(true)).ask(CUP);
    assert!(prompt(&effects).contains("week 10 has 44 orders."));
    assert_eq!(notices(&effects), 0);
}
