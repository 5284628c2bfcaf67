//! Promises of corrections: what was said since changes a value, and what was said before does not.

use super::super::sources::source;
use super::*;
use proptest::prelude::*;
use serde_json::json;

/// 2026-11-28, a Saturday, 10:00 in Greenwich.
const SATURDAY: i64 = 1_795_860_000_000;

/// The user's turns, 100 ms apart; a call lies 50 ms behind each.
fn turns(words: &[&str]) -> Vec<Source> {
    let times = (0..).map(|turn| Moment(SATURDAY + turn * 100));
    let said = words.iter().zip(times);
    said.map(|(words, time)| Source {
        is_users: true,
        ..source(words, time)
    })
    .collect()
}

/// Whether a parameter that a call behind `turn` filled may be changed at the end of the dialogue.
fn may_change(about: &str, words: &[&str], (before, turn): (Value, i64), value: &Value) -> bool {
    let all = turns(words);
    let sources: Vec<&Source> = all.iter().collect();
    let filled = Filled {
        value: &before,
        beside: Vec::new(),
        since: Moment(SATURDAY + turn * 100 + 50),
        was_made: true,
    };
    let said = Said {
        sources: &sources,
        about,
        turn: all.iter().map(|source| source.came).max(),
    };
    said.changes(&filled, value)
}

#[test]
fn what_was_said_since_takes_the_place_of_what_was_said_before() {
    for (words, before, value) in [
        (["one table for four", "no, two tables"], json!(1), json!(2)),
        (["订一桌，四位", "不，两桌"], json!(1), json!(2)),
        (
            ["a table on friday", "and on saturday?"],
            json!("friday"),
            json!("Saturday"),
        ),
        (["周五的位子", "那周六呢"], json!("周五"), json!("周六")),
        (
            ["for Okafor", "another one, for Achebe"],
            json!("Okafor"),
            json!("Achebe"),
        ),
        (
            ["on 2026-12-04 at 7pm", "no, at 8pm"],
            json!("2026-12-04T19:00"),
            json!("2026-12-04T20:00"),
        ),
        (
            ["soup and tea", "without the tea"],
            json!(["soup", "tea"]),
            json!(["soup"]),
        ),
        (
            ["soup and tea", "rice, too"],
            json!(["soup", "tea"]),
            json!(["soup", "tea", "rice"]),
        ),
    ] {
        assert!(
            may_change("value", &words, (before.clone(), 0), &value),
            "{words:?}: {before} to {value}"
        );
    }
}

#[test]
fn what_was_said_before_does_not() {
    for (words, before, value) in [
        (["one table for four", "no, two tables"], json!(1), json!(4)),
        (["订一桌，四位", "不，两桌"], json!(1), json!(4)),
        (
            ["friday or saturday, say friday", "no, two tables"],
            json!("friday"),
            json!("saturday"),
        ),
        (
            ["周五或者周六，就周五吧", "不，两桌"],
            json!("周五"),
            json!("周六"),
        ),
        (
            ["for Okafor, with Achebe", "two tables"],
            json!("Okafor"),
            json!("Achebe"),
        ),
        (
            ["soup and tea, or rice", "no, two tables"],
            json!(["soup", "tea"]),
            json!(["soup", "rice"]),
        ),
        (
            ["soup and tea", "no, two tables"],
            json!(["soup", "tea"]),
            json!(["soup"]),
        ),
        // A program computed it: it has no words.
        (
            ["for all on the list, two cars", "thanks, on friday"],
            json!(17),
            json!(2),
        ),
    ] {
        assert!(
            !may_change("value", &words, (before.clone(), 0), &value),
            "{words:?}: {before} to {value}"
        );
    }
}

#[test]
fn a_change_of_mind_counts_each_time_and_is_not_undone_by_itself() {
    let words = ["a table for four", "no, five", "on saturday", "four after all"];
    assert!(may_change("guests", &words[..2], (json!(4), 0), &json!(5)));
    assert!(!may_change("guests", &words[..3], (json!(5), 1), &json!(4)));
    assert!(may_change("guests", &words, (json!(5), 1), &json!(4)));
    // What a call overlooked may be mended later.
    assert!(may_change("guests", &words[..3], (json!(4), 0), &json!(5)));
}

#[test]
fn the_first_reading_may_be_mended_until_the_user_answers() {
    let words = ["four of us, two are children", "okafor"];
    assert!(may_change("guests", &words[..1], (json!(2), 0), &json!(4)));
    assert!(!may_change("guests", &words, (json!(2), 0), &json!(4)));
}

#[test]
fn the_no_of_a_correction_answers_no_other_question() {
    let about = "breakfast whether breakfast is wanted 早餐";
    for (words, is_changed) in [
        ("no, two rooms", false),
        ("不，两间房", false),
        ("no, without breakfast", true),
        ("不要早餐了", true),
        ("不对两间房", false),
        ("要两间房", false),
        ("no", true),
        ("不要了。", true),
    ] {
        let words = ["a room with breakfast, 含早餐", words];
        assert_eq!(
            may_change(about, &words, (json!(true), 0), &json!(false)),
            is_changed,
            "{words:?}"
        );
    }
}

#[test]
fn only_words_that_go_on_with_an_order_hold_the_rest_of_it() {
    for (words, is_held) in [
        ("no, two tables", true),
        ("不，两桌", true),
        ("saturday, please", true),
        (
            "no, two tables by the window in the room that looks at the garden",
            true,
        ),
        ("no, next friday", true),
        ("no, before eight", true),
        ("under my last name, okafor", true),
        ("no, at second street", true),
        ("不，去成都", true),
        ("不，新宿，多少钱都行", true),
        ("no, the second one", false),
        ("不，要第二家", false),
        ("swap them", false),
        ("对调一下", false),
        ("改回四位", false),
        ("compare both cities again", false),
        ("one more guest, please", false),
        ("加一位", false),
        ("another booking, for achebe", false),
        ("再订三桌，姓李", false),
        (
            "three tables for nine on sunday, two children, in the name of achebe",
            false,
        ),
    ] {
        let all = turns(&["a table for four", words]);
        let sources: Vec<&Source> = all.iter().collect();
        let passed = ["成都".to_owned(), "Second Street".to_owned()];
        assert_eq!(goes_on(&sources, &passed), is_held, "{words}");
    }
}

#[test]
fn what_is_written_otherwise_is_the_same_value() {
    let same = |one: &Value, other: &Value| is_same(one, other, Moment(SATURDAY));
    for (one, other) in [
        (json!("Friday"), json!("2026-12-04")),
        (json!("2026-12-04"), json!("周五")),
        (json!(4), json!("four people")),
        (json!("4"), json!(4)),
        (json!("the terrace"), json!("Terrace")),
        (json!("Ada"), json!("Ada Lovelace")),
    ] {
        assert!(same(&one, &other), "{one} and {other}");
    }
    for (one, other) in [
        (json!("Friday"), json!("2026-12-05")),
        (json!("2026-12-04"), json!("2026-04-12")),
        (json!("room 4"), json!("table 4")),
        (json!(4), json!(14)),
        (json!("13800001111"), json!("13800001112")),
        (json!("周五"), json!("周六")),
        (json!("Ada Lovelace"), json!("Ada")),
        (json!(true), json!(false)),
    ] {
        assert!(!same(&one, &other), "{one} and {other}");
    }
}

proptest! {
    /// Each of some parameters has a number of its own; the first turn also names numbers that are nobody's.
    #[test]
    fn a_correction_changes_what_it_names_and_nothing_else(named in prop::collection::vec(any::<bool>(), 1..6)) {
        let listed = |base: i64, is_listed: &dyn Fn(usize) -> bool| {
            let numbers = (0..named.len()).filter(|place| is_listed(*place));
            let numbers = numbers.map(|place| format!("{}; ", base + i64::try_from(place).unwrap()));
            numbers.collect::<String>()
        };
        let first = format!("{}or {}", listed(1_000, &|_: usize| true), listed(3_000, &|_: usize| true));
        let second = format!("no: {}", listed(2_000, &|place: usize| named[place]));
        let words = [first.as_str(), second.as_str()];
        for (place, is_named) in named.iter().enumerate() {
            let place = i64::try_from(place).unwrap();
            let filled = || (json!(1_000 + place), 0);
            prop_assert!(!may_change("p", &words, filled(), &json!(3_000 + place)));
            if *is_named {
                prop_assert!(may_change("p", &words, filled(), &json!(2_000 + place)));
            }
        }
    }
}
