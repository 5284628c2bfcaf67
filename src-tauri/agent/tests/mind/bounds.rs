//! The bounds of a task: at a bound the run gives up, says why, and never throws away an answer.

use crate::bench::*;

#[test]
fn an_answer_that_is_there_is_given_whatever_it_cost() {
    let settings = Settings {
        tokens_max: Some(50),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    let effects = bench.model("Paris.");
    assert_eq!(answer(&effects), Some("Paris."));
}

#[test]
fn a_budget_of_money_is_kept_where_prices_are_known() {
    let settings = Settings {
        usd_max: Some(0.01),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    let mut reply = reply(PROGRAM);
    reply.usage.cost = Some(0.02);
    let effects = bench.give(Event::ModelAnswered { reply });
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
    assert!(bench.mind.state().reason.as_ref().unwrap().contains("$0.01"));
}

#[test]
fn time_that_people_take_is_not_the_tasks() {
    let settings = Settings {
        time_max_ms: Some(60_000),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    bench.model(PROGRAM);
    bench.call("user.ask", json!({"text": "which?"}), Class::Read);
    bench.give(Event::ProgramWaits);
    bench.clock += 3_600_000;
    bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Answered { text: "that".into() },
    });
    assert!(
        asks_model(&bench.ended("1", None)),
        "an hour of waiting counts nothing"
    );
    bench.clock += 120_000;
    let effects = bench.model(PROGRAM);
    assert_eq!(
        ended_as(&effects),
        Some(RunStatus::GaveUp),
        "two minutes of work do"
    );
}

#[test]
fn another_try_starts_the_count_anew() {
    let (mut bench, _) = Bench::asked("q");
    for number in 0..8 {
        bench.model(&format!("```python\nx = {number} / 0\n```"));
        assert!(asks_model(
            &bench.ended("", Some("ZeroDivisionError: division by zero"))
        ));
    }
}
