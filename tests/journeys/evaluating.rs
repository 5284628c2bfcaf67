//! `shidi eval`: each task is a real run in a data folder of its own, is judged by its results, and is kept.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

const SUITE: &str = r#"
description: Two tasks & one more
prompts: ["{{question}}"]
tests:
  - description: sum
    vars: {question: "What is the sum in a.csv?"}
    shidi: {files: {a.csv: "n\n4\n38\n"}}
    assert:
      - {type: number, value: 42}
      - {type: tool-used, value: files.read}
      - {type: variable, name: total, value: 42}
      - {type: file, path: out/sum.txt, number: 42}
      - {type: unchanged, paths: [a.csv]}
      - {type: python, value: "'42' in output"}
      - {type: 'trajectory:step-count', value: {max: 4}}
  - description: colour
    vars: {question: "Which colour has the sky?"}
    assert: [{type: icontains, value: blue}]
"#;

const PROGRAM: &str = "```python
text = await files.read(path='a.csv')
total = sum(int(line) for line in text.splitlines() if line.isdigit())
await files.write(path='out/sum.txt', text=str(total))
await user.say(text=f'The sum is {total}')
```";

/// Knows sums, and takes the sky for green.
fn model() -> ModelServer {
    ModelServer::thinking(|request| {
        let prompt = prompt_of(request);
        let text = match () {
            () if prompt.contains("Judge an answer by a rubric") => {
                r#"It is. {"pass": true, "score": 0.9, "reason": "short"}"#
            }
            () if prompt.contains("sky") => "It is green.",
            () if prompt.contains("The sum is") || prompt.contains("sum.txt") => "The sum is 42.",
            () => PROGRAM,
        };
        Answer::Text(text.to_owned())
    })
}

fn suite(desk: &Desk, text: &str) -> String {
    let path = desk.path("suite.yaml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn outcome<'a>(printed: &'a [Value], task: &str) -> &'a Value {
    printed
        .iter()
        .find(|line| line["task"] == task)
        .unwrap_or_else(|| panic!("{printed:?}"))
}

fn evaluated(desk: &Desk, suite: &str, more: &[&str]) -> Printed {
    desk.run([&["eval", "--json", suite], more].concat())
}

#[test]
fn a_suite_is_judged_by_its_results_and_reported() {
    let server = model();
    let desk = Desk::with_model(&server.url());
    let suite = suite(&desk, SUITE);
    let reports = ["r.html", "r.xml", "r.json"].map(|name| desk.path(name));
    let [page, junit, results] = reports.each_ref().map(|path| path.display().to_string());
    let printed = evaluated(
        &desk,
        &suite,
        &["--html", &page, "--junit", &junit, "--report", &results],
    );
    assert_eq!(printed.code, Some(1), "{}{}", printed.stdout, printed.stderr);
    let lines = printed.json();
    let sum = outcome(&lines, "sum");
    assert_eq!(sum["verdict"], "right", "{sum}");
    assert_eq!(outcome(&lines, "colour")["verdict"], "wrong");
    let summary = lines.last().unwrap();
    assert_eq!(
        (&summary["sides"][0]["right"], &summary["sides"][0]["tasks"]),
        (&1.into(), &2.into())
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Two tasks &amp; one more") && page.contains("It is green."));
    assert!(
        fs::read_to_string(junit)
            .unwrap()
            .contains("tests=\"2\" failures=\"1\" errors=\"0\"")
    );
    let again = evaluated(&desk, &suite, &["--against", &results]).json();
    assert_eq!(again.last().unwrap()["comparisons"][0]["both"], 1, "{again:?}");
}

#[test]
fn answers_are_kept_and_asked_for_anew_only_where_something_changed() {
    let server = model();
    let desk = Desk::with_model(&server.url());
    let path = suite(&desk, SUITE);
    evaluated(&desk, &path, &[]);
    let asked = server.requests().len();
    // Another check is judged on what is kept.
    suite(&desk, &SUITE.replace("value: blue", "value: green"));
    let again = evaluated(&desk, &path, &[]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert_eq!(server.requests().len(), asked, "kept answers are not asked for");
    assert_eq!(outcome(&again.json(), "colour")["reused"], true);
    // Another question is another task.
    suite(&desk, &SUITE.replace("has the sky", "has our sky"));
    evaluated(&desk, &path, &["--only", "colour"]);
    assert!(server.requests().len() > asked);
    let asked = server.requests().len();
    evaluated(&desk, &path, &["--only", "colour", "--fresh"]);
    assert!(server.requests().len() > asked);
}

#[test]
fn an_evaluation_that_was_killed_goes_on_with_what_is_left() {
    let server = ModelServer::thinking(|request| match prompt_of(request).contains("walnut") {
        true => Answer::Silence,
        false => Answer::Text("one".to_owned()),
    });
    let desk = Desk::with_model(&server.url());
    let tests = "prompts: ['{{q}}']\ntests:\n  - vars: {q: say apricot}\n    assert: [{type: contains, value: one}]\n  \
                 - vars: {q: say walnut}\n    assert: [{type: contains, value: one}]\n";
    let path = suite(&desk, tests);
    let mut child = desk
        .command(["eval", "--json", &path])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["verdict"], "right", "{first}");
    child.kill().unwrap();
    child.wait().unwrap();
    let asked = server.requests().len();
    let again = evaluated(&desk, &path, &["--only", "apricot"]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert_eq!(server.requests().len(), asked);
}

#[test]
fn two_models_stand_side_by_side_and_a_judge_reads_a_rubric() {
    let server = ModelServer::thinking(|request| {
        let is_judge = prompt_of(request).contains("Judge an answer by a rubric");
        let text = match (is_judge, request["model"] == "better") {
            (true, _) => r#"{"pass": true, "score": 1, "reason": "polite"}"#,
            (false, true) => "blue, please",
            (false, false) => "green, please",
        };
        Answer::Text(text.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    let text = "prompts: ['{{q}}']\ntests:\n  - vars: {q: 'Which colour has the sky?'}\n    assert:\n      \
                - {type: contains, value: blue}\n      - {type: llm-rubric, value: is polite}\n";
    let path = suite(&desk, text);
    let printed = evaluated(
        &desk,
        &path,
        &[
            "--model", "worse", "--model", "better", "--repeat", "2", "--jobs", "2",
        ],
    );
    let lines = printed.json();
    let summary = lines.last().unwrap();
    let rights: Vec<_> = summary["sides"]
        .as_array()
        .unwrap()
        .iter()
        .map(|side| side["right"].clone())
        .collect();
    assert_eq!(rights, [0, 2], "{}{}", printed.stdout, printed.stderr);
    assert_eq!(
        summary["comparisons"][0]["only_second"].as_array().unwrap().len(),
        1
    );
    assert_eq!(
        summary["comparisons"][0]["significant"], false,
        "one task may be chance"
    );
}

#[test]
fn what_is_not_supported_is_refused_by_name_and_line() {
    let desk = Desk::new();
    let path = suite(
        &desk,
        "prompts: ['{{q}}']\ntests:\n  - vars: {q: x}\n    assert:\n      - {type: javascript, value: '1'}\n",
    );
    for (language, word) in [("en", "python"), ("zh", "python")] {
        let printed = desk.run(["--lang", language, "eval", &path]);
        assert_eq!(printed.code, Some(2), "{}", printed.stderr);
        assert!(
            printed.stderr.contains("suite.yaml:5:") && printed.stderr.contains("javascript"),
            "{}",
            printed.stderr
        );
        assert!(printed.stderr.contains(word), "{}", printed.stderr);
    }
    let listed = desk.run(["eval", "--check", "--json", "everyday-tuning"]);
    assert_eq!(listed.json().len(), 60, "{}", listed.stderr);
}

/// The two big files of the everyday suites are written by programs in the sandbox, as `check.py` writes them by Python.
#[test]
fn a_file_that_a_program_writes_is_there_before_the_question() {
    let server = ModelServer::repeating(Answer::Text("There are 300.".to_owned()));
    let desk = Desk::with_model(&server.url());
    let text = "prompts: ['{{q}}']\ntests:\n  - vars: {q: 'How many?'}\n    shidi:\n      files:\n        big.csv:\n          \
                python: |\n            print('id,name')\n            for number in range(300):\n                \
                print(number, 'x' * 3, sep=',')\n    assert:\n      - {type: file, path: big.csv, contains: '299,xxx'}\n      \
                - {type: only-files, paths: [big.csv]}\n";
    let path = suite(&desk, text);
    let printed = evaluated(&desk, &path, &[]);
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
}

/// What another agent left of a task of [`SIDE_BY_SIDE`], in the form of `tests/evaluation/peer`.
fn foreign(task: &str, said: &str, answer: &str, files: &Value) -> Value {
    let trial = json!({
        "answers": [answer], "asked_in": [], "calls": [], "programs": [], "segments": [], "variables": {},
        "before": files, "after": files, "usage": {"input": 100, "cached": 0, "output": 10, "model_calls": 2},
        "ms": 1500, "status": "completed", "reason": null, "late": false, "rounds_over": false, "broken": null,
    });
    json!({"form": 1, "agent": "other 1.0", "task": task, "attempt": 1, "said": [said], "trial": trial})
}

const SIDE_BY_SIDE: &str = r#"
prompts: ["{{question}}"]
tests:
  - description: sum
    vars: {question: "What is the sum in a.csv?"}
    shidi: {files: {a.csv: "n\n4\n38\n"}}
    assert:
      - {type: python, value: "'42' in output"}
      - {type: unchanged, paths: [a.csv]}
  - description: colour
    vars: {question: "Which colour has the sky?"}
    assert: [{type: icontains, value: blue}]
"#;

#[test]
fn what_another_agent_left_is_judged_by_the_same_checks_and_stands_beside_ours() {
    let server = model();
    let desk = Desk::with_model(&server.url());
    let suite = suite(&desk, SIDE_BY_SIDE);
    let results = desk.path("ours.json").display().to_string();
    evaluated(&desk, &suite, &["--report", &results]);
    let asked = server.requests().len();
    let folder = desk.path("theirs");
    fs::create_dir_all(&folder).unwrap();
    let files = json!({"a.csv": "bgo0CjM4Cg=="});
    let attempts = [
        foreign("sum", "What is the sum in a.csv?", "It is 41.", &files),
        foreign("colour", "Which colour has the sky?", "Blue.", &json!({})),
    ];
    for (place, attempt) in attempts.iter().enumerate() {
        fs::write(folder.join(format!("{place}.json")), attempt.to_string()).unwrap();
    }
    let folder = folder.display().to_string();
    let printed = evaluated(&desk, &suite, &["--attempts", &folder, "--against", &results]);
    assert_eq!(printed.code, Some(1), "{}{}", printed.stdout, printed.stderr);
    assert_eq!(
        server.requests().len(),
        asked,
        "what is judged is not asked again"
    );
    let lines = printed.json();
    assert_eq!(outcome(&lines, "sum")["side"], "other 1.0");
    let summary = lines.last().unwrap();
    let theirs = &summary["sides"][1];
    assert_eq!(
        (&theirs["right"], &theirs["usage"]["input"], &theirs["ms"]),
        (&1.into(), &200.into(), &3000.into())
    );
    let compared = &summary["comparisons"][0];
    assert_eq!(
        (&compared["only_first"], &compared["only_second"]),
        (&json!(["sum"]), &json!(["colour"])),
        "{summary}"
    );
}

#[test]
fn an_attempt_of_another_agent_that_left_nothing_is_not_right() {
    let desk = Desk::new();
    let text = "prompts: ['{{q}}']\ntests:\n  - description: quiet\n    vars: {q: Be brief.}\n    \
                assert: [{type: not-contains, value: moon}]\n";
    let suite = suite(&desk, text);
    let folder = desk.path("theirs");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("quiet.1.json");
    let mut attempt = foreign("quiet", "Be brief.", "", &json!({}));
    fs::write(&file, attempt.to_string()).unwrap();
    let folder = folder.display().to_string();
    let printed = evaluated(&desk, &suite, &["--attempts", &folder]);
    assert_eq!(printed.code, Some(1), "{}{}", printed.stdout, printed.stderr);
    let lines = printed.json();
    let quiet = outcome(&lines, "quiet");
    assert_eq!(
        (&quiet["verdict"], &quiet["score"]),
        (&json!("wrong"), &json!(0.0))
    );
    assert!(quiet["reason"].as_str().unwrap().contains("no answer"), "{quiet}");
    // Attempts are counted from 1.
    attempt["attempt"] = json!(0);
    fs::write(&file, attempt.to_string()).unwrap();
    let printed = desk.run(["eval", &suite, "--attempts", &folder]);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(
        printed.stderr.contains("quiet.1.json") && printed.stderr.contains("from 1"),
        "{}",
        printed.stderr
    );
}

#[test]
fn attempts_of_another_agent_that_are_none_are_refused_by_name() {
    let desk = Desk::new();
    let suite = suite(&desk, SIDE_BY_SIDE);
    let folder = desk.path("theirs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("x.json"), "{}").unwrap();
    let folder = folder.display().to_string();
    let printed = desk.run(["eval", &suite, "--attempts", &folder]);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(printed.stderr.contains("x.json"), "{}", printed.stderr);
    // It asks no model, so none can be named.
    let printed = desk.run(["eval", &suite, "--attempts", &folder, "--model", "m"]);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(printed.stderr.contains("--model"), "{}", printed.stderr);
}

#[test]
fn an_attempt_at_no_task_of_the_suite_is_named_and_two_files_of_one_attempt_are_refused() {
    let desk = Desk::new();
    let suite = suite(&desk, SIDE_BY_SIDE);
    let folder = desk.path("theirs");
    fs::create_dir_all(&folder).unwrap();
    let mut blue = foreign("colour", "Which colour has the sky?", "Blue.", &json!({}));
    blue["trial"]["usage"]["model_calls"] = json!(1);
    let hue = foreign("hue", "Which hue has the sky?", "Blue.", &json!({}));
    let sum = foreign("sum", "What is the sum in a.csv?", "42", &json!({}));
    for (name, attempt) in [("blue.json", &blue), ("hue.json", &hue), ("sum.json", &sum)] {
        fs::write(folder.join(name), attempt.to_string()).unwrap();
    }
    let theirs = folder.display().to_string();
    let eval = ["eval", &suite, "--attempts", &theirs, "--only", "colour"];
    let printed = desk.run(eval);
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stderr.contains("hue.json (hue)"), "{}", printed.stderr);
    assert!(!printed.stderr.contains("sum.json"), "{}", printed.stderr);
    assert!(printed.stdout.contains(" 1 call ·"), "{}", printed.stdout);
    fs::write(folder.join("copy.json"), blue.to_string()).unwrap();
    let printed = desk.run(eval);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    for name in ["blue.json", "copy.json"] {
        assert!(printed.stderr.contains(name), "{}", printed.stderr);
    }
}

/// Three tasks about the sky, which the model takes for green.
const KINDS: &str = r#"
prompts: ["{{question}}"]
tests:
  - description: first
    vars: {question: "Is the sky green?"}
    metadata: {kind: plain, language: en}
    assert: [{type: icontains, value: green}]
  - description: second
    vars: {question: "Which colour has the sky?"}
    metadata: {kind: plain, language: en}
    assert: [{type: icontains, value: blue}]
  - description: third
    vars: {question: "And the sky at noon?"}
    metadata: {kind: ellipsis, language: en}
    assert: [{type: icontains, value: green}]
"#;

#[test]
fn figures_stand_by_each_kind_of_task_that_the_suite_names() {
    let server = model();
    let desk = Desk::with_model(&server.url());
    let suite = suite(&desk, KINDS);
    let printed = evaluated(&desk, &suite, &[]);
    assert_eq!(printed.code, Some(1), "{printed:?}");
    let summary = printed.json().pop().unwrap();
    let groups = summary["groups"].as_array().unwrap().iter();
    let told = groups.map(|group| {
        let side = &group["sides"][0];
        format!(
            "{} {}: {}/{}",
            group["key"], group["word"], side["right"], side["attempts"]
        )
    });
    assert_eq!(
        told.collect::<Vec<String>>(),
        ["\"kind\" \"ellipsis\": 1/1", "\"kind\" \"plain\": 1/2"],
        "what all tasks share divides nothing: {summary}"
    );
    let page = desk.path("r.html").display().to_string();
    let table = desk.run(["--lang", "en", "eval", &suite, "--html", &page]).stdout;
    let lines: Vec<&str> = table.lines().map(str::trim).collect();
    assert!(lines.contains(&"kind"), "{table}");
    let plain = lines.iter().find(|line| line.starts_with("plain "));
    assert!(plain.is_some_and(|line| line.contains("1/2 right")), "{table}");
    assert!(fs::read_to_string(&page).unwrap().contains("<h2>kind</h2>"));
}

#[test]
fn earlier_results_with_a_broken_field_are_refused_by_its_name() {
    let desk = Desk::new();
    let suite = suite(&desk, SIDE_BY_SIDE);
    let results = desk.path("earlier.json");
    let broken = json!({"summary": {"sides": [{"side": "a"}]}, "outcomes": [{"side": "a"}]});
    fs::write(&results, broken.to_string()).unwrap();
    let at = results.display().to_string();
    for (language, told) in [
        ("en", "'outcomes[0].task' is missing"),
        ("zh", "缺少“outcomes[0].task”"),
    ] {
        let printed = desk.run(["--lang", language, "eval", &suite, "--against", &at]);
        assert_eq!(printed.code, Some(2), "{printed:?}");
        assert!(
            printed.stderr.contains(told) && printed.stderr.contains("earlier.json"),
            "{printed:?}"
        );
    }
    for (language, told) in [("en", "There is no file"), ("zh", "这个文件")] {
        let printed = desk.run(["--lang", language, "eval", &suite, "--against", "nowhere.json"]);
        assert_eq!(printed.code, Some(2), "{printed:?}");
        let is_told = printed.stderr.contains(told) && !printed.stderr.contains("os error");
        assert!(is_told, "{printed:?}");
    }
}
