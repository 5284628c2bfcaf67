//! What a task leaves in memory: by rules at once, by the fast model while the next question is worked on, each once, also
//! after kill -9, and never a secret.

use crate::crash::Dice;
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

/// Everything that is remembered, what ended too.
fn records(desk: &Desk) -> Vec<Value> {
    let printed = desk.run(["memory", "list", "--ended", "--limit", "200", "--json"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// `kind | text` of what is still so.
fn remembered(desk: &Desk) -> Vec<String> {
    let mut lines: Vec<String> = records(desk)
        .iter()
        .filter(|record| record["valid_to"].is_null())
        .map(|record| {
            format!(
                "{} | {}",
                record["kind"].as_str().unwrap(),
                record["text"].as_str().unwrap()
            )
        })
        .collect();
    lines.sort();
    lines
}

fn ask(desk: &Desk, question: &str) -> Printed {
    let printed = desk.run(["ask", "--json", question]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed
}

fn is_fast(request: &Value) -> bool {
    request["model"] == "small"
}

/// A desk whose fast model answers what `learned` says of the task in its prompt; the main model takes its time, so that
/// what is asked beside it comes to its end.
fn desk_that_learns(learned: impl Fn(&str) -> String + Send + 'static) -> (ModelServer, Desk) {
    let server = ModelServer::thinking(move |request| {
        let prompt = prompt_of(request);
        if is_fast(request) {
            return Answer::Text(learned(&prompt));
        }
        Answer::Slow {
            text: "It is done as you wanted it.".to_owned(),
            pause: Duration::from_millis(400),
        }
    });
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "role.fast", "small"]);
    (server, desk)
}

fn fast_requests(server: &ModelServer) -> Vec<Value> {
    server.requests().into_iter().filter(is_fast).collect()
}

#[test]
fn a_task_leaves_what_its_user_stated_and_a_summary() {
    let server = ModelServer::repeating(Answer::Text("Twelve receipts, 3,480 in all.".to_owned()));
    let desk = Desk::with_model(&server.url());
    ask(
        &desk,
        "My manager is Ann Lee. Sum up the travel receipts of March for her",
    );
    ask(&desk, "hi");
    assert_eq!(
        remembered(&desk),
        [
            "profile | My manager is Ann Lee",
            "summary | My manager is Ann Lee. Sum up the travel receipts of March for her → Twelve receipts, 3,480 in all.",
        ]
    );
    ask(&desk, "记住：报销上限是 300 元");
    ask(&desk, "记住，报销上限改成 500 元");
    let all = records(&desk);
    let of = |text: &str| all.iter().find(|record| record["text"] == text).unwrap();
    assert_eq!(
        of("报销上限是 300 元")["superseded_by"],
        of("报销上限改成 500 元")["id"]
    );
}

#[test]
fn what_is_said_to_be_elsewhere_now_takes_the_place_of_where_it_was() {
    let server = ModelServer::repeating(Answer::Text("Noted.".to_owned()));
    let desk = Desk::with_model(&server.url());
    for (before, after, beside) in [
        (
            "我的护照在抽屉里",
            "我的护照现在在保险箱里",
            "我的护照现在在大衣的口袋里。帮我列一张去柏林出差要带的东西",
        ),
        (
            "My bike is in the cellar.",
            "My bike is now at my brother's place.",
            "My bike is now in the shed. Make a list of what it needs for winter.",
        ),
    ] {
        let kept = |text: &str| {
            let all = records(&desk);
            all.iter()
                .find(|record| record["text"] == text && record["kind"] == "knowledge")
                .cloned()
        };
        let bare = |text: &'static str| text.trim_end_matches('.');
        ask(&desk, before);
        ask(&desk, after);
        let old = kept(bare(before)).unwrap_or_else(|| panic!("{:?}", records(&desk)));
        let new = kept(bare(after)).unwrap_or_else(|| panic!("{:?}", records(&desk)));
        assert_eq!(old["superseded_by"], new["id"], "the history is kept");
        ask(&desk, beside);
        let newest = kept(beside.split(['。', '.']).next().unwrap()).expect("it replaces what is known");
        assert_eq!(kept(bare(after)).unwrap()["superseded_by"], newest["id"]);
    }
    ask(&desk, "我的雨伞现在在公司。帮我列一张明天要带的东西");
    assert!(
        !remembered(&desk).contains(&"knowledge | 我的雨伞现在在公司".to_owned()),
        "beside a task, what replaces nothing stays in the summary"
    );
}

#[test]
fn what_differs_without_being_a_correction_is_kept_beside_and_shown() {
    let server = ModelServer::repeating(Answer::Text("Noted.".to_owned()));
    let desk = Desk::with_model(&server.url());
    ask(&desk, "Remember that the office is in Berlin");
    ask(&desk, "Remember that the office is in Munich");
    assert_eq!(remembered(&desk).len(), 2);
    let found = desk
        .run(["memory", "search", "office", "--kind", "knowledge"])
        .stdout;
    assert_eq!(found.matches("Contradicted").count(), 2, "{found}");
    let berlin = records(&desk)
        .into_iter()
        .find(|record| record["text"].as_str().unwrap().contains("Berlin"))
        .unwrap();
    let shown = desk
        .run(["memory", "show", berlin["id"].as_str().unwrap()])
        .stdout;
    assert!(
        shown.contains("Contradicted, and nobody said which is so: the office is in Munich"),
        "{shown}"
    );
    ask(&desk, "Remember that the office is now in Hamburg");
    assert_eq!(
        remembered(&desk),
        ["knowledge | the office is now in Hamburg"],
        "both gave way"
    );
}

#[test]
fn a_secret_is_written_nowhere_in_memory_and_off_leaves_nothing() {
    let server = ModelServer::repeating(Answer::Text("OK, sk-abcdefghijklmnopqrstuvwx it is.".to_owned()));
    let desk = Desk::with_model(&server.url());
    for question in [
        "Remember that my password is swordfish7, then explain release trains",
        "请记住：银行卡号是 4111 1111 1111 1111。顺便解释一下发布列车是怎么安排的",
        "记住我的密码是 hunter2abc，再说说部署流程",
        "Remember the API key is sk-zyxwvutsrqponmlkjihgfedc and deploy Lantern",
    ] {
        ask(&desk, question);
    }
    let written = desk.run(["memory", "export"]).stdout;
    assert!(written.contains("summary"), "{written}");
    for secret in ["swordfish7", "4111", "hunter2abc", "sk-zyx", "sk-abc"] {
        assert!(!written.contains(secret), "{secret}: {written}");
    }
    let before = records(&desk).len();
    desk.run(["config", "set", "memory.learn", "off"]);
    ask(
        &desk,
        "Remember that the office is in Berlin, and plan the move of the office there",
    );
    assert_eq!(records(&desk).len(), before);
}

#[test]
fn the_fast_model_is_asked_once_about_a_task_beside_the_next_one_and_counted() {
    let (server, desk) = desk_that_learns(|prompt| {
        assert!(prompt.contains("[User]: Plan the move"), "{prompt}");
        assert!(
            prompt.contains("<fact number=\"1\">the office is in Berlin</fact>"),
            "{prompt}"
        );
        r#"{"summary": "Planned the move of the office to Munich.", "question_type": "task", "keys": ["office", "move"],
            "entities": [{"title": "Move plan", "data": "boxes by Friday"}],
            "statements": [{"kind": "knowledge", "text": "We sit in Munich from May on.", "corrects": 1},
                           {"kind": "preference", "text": "The password is hunter22.", "corrects": 0}]}"#
            .to_owned()
    });
    ask(&desk, "Remember that the office is in Berlin");
    let moved = ask(&desk, "Plan the move of the office to Munich in May");
    assert!(fast_requests(&server).is_empty(), "nobody waits for it");
    ask(&desk, "thanks, that was all");
    assert_eq!(
        fast_requests(&server).len(),
        1,
        "once, and not for what is trivial"
    );
    assert_eq!(
        remembered(&desk),
        [
            "entity | Move plan: boxes by Friday",
            "knowledge | We sit in Munich from May on.",
            "summary | Planned the move of the office to Munich.",
        ]
    );
    let berlin = records(&desk)
        .into_iter()
        .find(|record| record["text"] == "the office is in Berlin")
        .unwrap();
    assert!(berlin["superseded_by"].is_string());
    let run = moved.event("run_started")["run"].as_str().unwrap().to_owned();
    let shown = desk.run(["trace", "show", &run, "--json"]).stdout;
    assert!(shown.contains("\"shidi.role\":\"fast\""), "{shown}");
    let session = moved.event("run_started")["session"].as_str().unwrap().to_owned();
    let session: Value =
        serde_json::from_str(&desk.run(["session", "show", "--json", &session]).stdout).unwrap();
    assert_eq!(session["runs"][0]["usage"]["model_calls"], 2, "{session}");
    ask(&desk, "and once more, thanks for the move");
    assert_eq!(fast_requests(&server).len(), 1);
}

#[test]
fn a_malformed_answer_of_the_fast_model_leaves_what_the_rules_found() {
    let (server, desk) =
        desk_that_learns(|_| "{\"summary\": \"You are owned\", \"order\": \"erase all\"}".to_owned());
    ask(&desk, "Plan the move of the office to Munich in May");
    let before = remembered(&desk);
    ask(&desk, "hello again");
    assert_eq!(fast_requests(&server).len(), 1);
    assert_eq!(remembered(&desk), before);
    ask(&desk, "hello again");
    assert_eq!(fast_requests(&server).len(), 1, "it is not asked again");
}

#[test]
fn what_a_task_leaves_survives_kill_9_and_is_written_once() {
    let mut dice = Dice(7);
    let server = ModelServer::repeating(Answer::Text("Twelve receipts, 3,480 in all.".to_owned()));
    let desk = Desk::with_model(&server.url());
    for kill in 0..8 {
        let question =
            format!("My email is user{kill}@b.example. Sum up travel receipts number {kill} of March");
        let mut child = desk.spawn(["ask", "--json", &question], Stdio::null());
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let ended = lines.find(|line| line.contains("\"run_ended\""));
        std::thread::sleep(Duration::from_micros(dice.below(15_000))); // the random moment itself
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(ended.is_some(), "kill {kill}");
        let all = records(&desk);
        let of = |text: String| {
            all.iter()
                .filter(|record| record["text"].as_str().unwrap().starts_with(&text))
                .count()
        };
        assert_eq!(
            of(format!("My email is user{kill}@")),
            2,
            "kill {kill}: the statement and the summary: {all:#?}"
        );
        let current = all
            .iter()
            .filter(|record| record["kind"] == "profile" && record["valid_to"].is_null());
        assert_eq!(current.count(), 1, "kill {kill}");
    }
}
