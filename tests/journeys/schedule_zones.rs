//! Schedules with a time zone of their own, and with bounds of their own on what a time may spend.

use crate::schedules::{add, history};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

fn listed(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "schedule", "list"]).json()
}

fn in_english(desk: &Desk, words: &[&str]) -> Printed {
    desk.run(["--lang", "en", "schedule"].iter().chain(words).copied())
}

#[test]
fn a_time_in_another_zone_is_shown_there_and_here_and_stays_when_the_computer_moves() {
    let mut desk = Desk::new();
    desk.set("TZ", "Asia/Shanghai");
    let daily = ["Stand up", "--remind", "--every", "day at 8"];
    let kept = add(&desk, &[&daily[..], &["--zone", "america/new_york"]].concat());
    for zone in [&kept["zone"], &kept["time"]["zone"], &kept["draft"]["zone"]] {
        assert_eq!(zone, "America/New_York", "{kept}");
    }
    let workdays = "纽约时间每个工作日八点";
    let said = add(&desk, &["开会", "--remind", "--when", workdays]);
    assert_eq!(said["zone"], "America/New_York");
    assert_eq!(said["draft"]["zone"], Value::Null, "the words have it");
    let here = add(&desk, &daily);
    assert_eq!(
        (&here["zone"], &here["time"]["zone"]),
        (&json!("Asia/Shanghai"), &Value::Null)
    );
    let shown = in_english(&desk, &["list"]).stdout;
    assert_eq!(shown.matches("08:00 America/New_York (").count(), 2, "{shown}");
    assert!(shown.contains(" here)"), "{shown}");
    let dates = in_english(
        &desk,
        &["add", "x", "--remind", "--every", "day at 9, Tokyo time", "--yes"],
    );
    assert_eq!(dates.stdout.matches("09:00 Asia/Tokyo (").count(), 6, "{dates:?}");
    desk.set("TZ", "Europe/Lisbon");
    let next = |id: &str| {
        let all = listed(&desk);
        let found = all.iter().find(|one| one["id"] == id);
        found
            .map(|one| (one["next"].clone(), one["zone"].clone()))
            .unwrap()
    };
    assert_eq!(next("1"), (kept["next"].clone(), json!("America/New_York")));
    assert_eq!(next("2"), (said["next"].clone(), json!("America/New_York")));
    assert_eq!(next("3").1, "Europe/Lisbon", "by the clock on the wall");
    let back = desk.run(["--json", "schedule", "change", "1", "--zone", "", "--yes"]);
    let back = back.json().pop().unwrap();
    assert_eq!(
        (&back["draft"]["zone"], &back["zone"]),
        (&Value::Null, &json!("Europe/Lisbon"))
    );
}

#[test]
fn a_zone_that_nobody_knows_is_one_sentence_with_names_like_it() {
    let mut desk = Desk::new();
    let add = ["add", "x", "--remind", "--every", "day at 8", "--yes"];
    let refused = in_english(&desk, &[&add[..], &["--zone", "America/NewYork"]].concat());
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("no time zone “America/NewYork”")
            && refused.stderr.contains("America/New_York"),
        "{refused:?}"
    );
    let two = [
        "add",
        "x",
        "--remind",
        "--when",
        "every day at 8, Tokyo time",
        "--yes",
    ];
    let refused = in_english(&desk, &[&two[..], &["--zone", "Europe/Berlin"]].concat());
    assert!(
        refused.code == Some(2)
            && refused.stderr.contains("Asia/Tokyo")
            && refused.stderr.contains("Europe/Berlin"),
        "{refused:?}"
    );
    assert!(listed(&desk).is_empty());
    desk.set("LANG", "zh_CN.UTF-8");
    let words = [
        "schedule",
        "add",
        "x",
        "--remind",
        "--when",
        "亚特兰蒂斯时间每天八点",
        "--yes",
    ];
    let chinese = desk.run(words);
    assert!(
        chinese.stderr.contains("没有名为“亚特兰蒂斯”的时区"),
        "{chinese:?}"
    );
}

#[test]
fn words_after_every_are_those_after_when_also_behind_a_zone() {
    let desk = Desk::new();
    for (every, when) in [
        ("纽约时间每天早上八点", "纽约时间每天早上八点"),
        ("北京时间每周一八点", "北京时间每周一八点"),
        ("伦敦时间早上八点", "伦敦时间每天早上八点"),
        ("New York time, every day at 8", "New York time, every day at 8"),
        ("Tokyo time, daily at 8", "Tokyo time, daily at 8"),
    ] {
        let every = add(&desk, &["x", "--remind", "--every", every]);
        let when = add(&desk, &["x", "--remind", "--when", when]);
        assert!(every["time"]["zone"].is_string(), "{every}");
        assert_eq!(every["time"], when["time"]);
    }
}

#[test]
fn a_zone_that_the_words_name_is_not_taken_away_beside_them() {
    let mut desk = Desk::new();
    add(
        &desk,
        &["x", "--remind", "--when", "every day at 8, New York time"],
    );
    let before = listed(&desk);
    let refused = in_english(&desk, &["change", "1", "--zone", "", "--yes"]);
    assert!(
        refused.code == Some(2)
            && refused.stderr.contains("America/New_York themselves")
            && refused.stderr.contains("shidi schedule change 1 --when"),
        "{refused:?}"
    );
    desk.set("LANG", "zh_CN.UTF-8");
    let chinese = desk.run(["schedule", "change", "1", "--zone", "", "--yes"]);
    assert!(
        chinese.stderr.contains("本身写明了时区 America/New_York"),
        "{chinese:?}"
    );
    assert_eq!(listed(&desk), before);
    let words = ["--zone", "", "--when", "every day at 8", "--yes"];
    let change = ["--json", "schedule", "change", "1"];
    let changed = desk.run(change.iter().chain(&words).copied());
    assert_eq!(changed.json()[0]["time"]["zone"], Value::Null, "{changed:?}");
}

#[test]
fn two_zones_and_a_zone_of_an_interval_are_each_told_in_one_sentence() {
    let desk = Desk::new();
    for (language, words, expected) in [
        (
            "en",
            "every day at 8, London time, New York time",
            "two time zones, Europe/London and America/New_York",
        ),
        ("en", "every hour, Tokyo time", "An interval comes by no clock"),
        (
            "zh",
            "每天伦敦时间纽约时间八点",
            "两个时区：Europe/London 和 America/New_York",
        ),
        ("zh", "东京时间每2小时", "间隔不看钟点"),
    ] {
        let add = ["schedule", "add", "x", "--remind", "--when", words, "--yes"];
        let refused = desk.run(["--lang", language].iter().chain(&add).copied());
        assert!(
            refused.code == Some(2) && refused.stderr.contains(expected),
            "{refused:?}"
        );
    }
    assert!(listed(&desk).is_empty());
}

#[test]
fn what_would_be_refused_is_refused_before_anything_is_shown() {
    let desk = Desk::new();
    for (text, more, english, chinese) in [
        ("x", ["--remind", "--max-tokens=5"], "Only a question", "只有提问"),
        (
            "x",
            ["--remind", "--assistant=nobody"],
            "does nothing by itself",
            "什么都不做",
        ),
        (
            "",
            ["--remind", "--skip-missed"],
            "says nothing to do",
            "没有说要做什么",
        ),
        (
            "x",
            ["--skip-missed", "--max-usd=-1"],
            "more than 0",
            "必须大于 0",
        ),
        ("x", ["--skip-missed", "--assistant=nobody"], "nobody", "nobody"),
    ] {
        for (language, expected) in [("en", english), ("zh", chinese)] {
            let add = ["--lang", language, "schedule", "add", text, "--every", "day at 8"];
            let refused = desk.run(add.iter().chain(&more).copied());
            assert!(
                refused.code == Some(2) && refused.stderr.contains(expected),
                "{refused:?}"
            );
            assert_eq!(refused.stdout, "", "{refused:?}");
        }
    }
    add(&desk, &["x", "--every", "day at 8"]);
    let change = in_english(&desk, &["change", "1", "--max-usd=-1"]);
    assert!(
        change.stderr.contains("more than 0") && change.stdout.is_empty(),
        "{change:?}"
    );
}

#[test]
fn a_list_shows_the_bounds_of_a_question() {
    let desk = Desk::new();
    let bounds = ["--max-tokens", "100", "--max-usd", "0.5"];
    add(&desk, &[&["x", "--every", "day at 8"][..], &bounds].concat());
    let english = in_english(&desk, &["list"]).stdout;
    assert!(
        english.contains("at most 100 tokens each time") && english.contains("at most 0.5 US dollars"),
        "{english}"
    );
    let chinese = desk.run(["--lang", "zh", "schedule", "list"]).stdout;
    assert!(
        chinese.contains("每次最多 100 个 token") && chinese.contains("每次最多 0.5 美元"),
        "{chinese}"
    );
}

#[test]
fn a_question_ends_at_its_own_bound_of_tokens_and_its_record_says_so() {
    let program = "```python\nprint(1)\n```";
    let server = ModelServer::start([Answer::Text(program.into()), Answer::Text("Done.".into())]);
    let desk = Desk::with_model(&server.url());
    let question = ["Count slowly", "--every", "day at 8"];
    let kept = add(
        &desk,
        &[&question[..], &["--max-tokens", "100", "--max-usd", "0.5"]].concat(),
    );
    assert_eq!(
        (&kept["draft"]["max_tokens"], &kept["draft"]["max_usd"]),
        (&json!(100), &json!(0.5))
    );
    let run = desk.run(["--json", "--lang", "en", "schedule", "run", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let record = &history(&desk)[0];
    assert_eq!(record["outcome"], "failed", "{record}");
    let reason = record["reason"].as_str().unwrap();
    assert!(reason.contains("100 tokens are used up"), "{reason}");
    assert_eq!(server.requests().len(), 1, "the model is not asked beyond it");
    let without = desk.run(["--json", "schedule", "change", "1", "--max-tokens", "0", "--yes"]);
    let draft = &without.json()[0]["draft"];
    assert_eq!(
        (&draft["max_tokens"], &draft["max_usd"]),
        (&Value::Null, &json!(0.5))
    );
}

#[test]
fn a_bound_that_could_not_hold_is_refused() {
    let desk = Desk::new();
    let reminder = ["add", "x", "--remind", "--every", "day at 8", "--yes"];
    let refused = in_english(&desk, &[&reminder[..], &["--max-tokens", "5"]].concat());
    assert!(
        refused.code == Some(2) && refused.stderr.contains("Only a question"),
        "{refused:?}"
    );
    let question = ["add", "x", "--every", "day at 8", "--yes"];
    for usd in ["--max-usd=0", "--max-usd=-1"] {
        let refused = in_english(&desk, &[&question[..], &[usd]].concat());
        assert!(
            refused.code == Some(2) && refused.stderr.contains("more than 0"),
            "{usd}: {refused:?}"
        );
    }
    for usd in ["--max-usd=inf", "--max-usd=NaN", "--max-usd=some"] {
        let refused = in_english(&desk, &[&question[..], &[usd]].concat());
        assert_eq!(refused.code, Some(2), "{usd}: {refused:?}");
    }
    assert!(listed(&desk).is_empty());
}
