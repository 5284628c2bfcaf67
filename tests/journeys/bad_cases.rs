//! Bad cases: an answer that was not good is kept with its whole situation, a change is proposed, tried beside things as they
//! are, accepted and taken back.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

const SECRET: &str = "sk-abcdefghijklmnopqrstuvwx";

const PROPOSED: &str = "It counted a line too many.\n\
    {\"why\": \"The header is no customer\", \"kind\": \"experience\", \"goal\": \"How many customers are in a CSV file?\", \
    \"lesson\": \"Leave out the header before counting customers.\", \"code\": \"\"}";

/// Counts the header, unless its prompt tells it not to; knows the sky, unless its prompt speaks of walnuts.
fn model() -> ModelServer {
    ModelServer::thinking(|request| {
        let prompt = prompt_of(request);
        let text = match () {
            () if prompt.contains("Propose one change") => PROPOSED,
            () if prompt.contains("Judge an answer by a rubric") => match prompt.contains("There are 3") {
                true => r#"{"pass": false, "score": 0, "reason": "the header is counted"}"#,
                false => r#"{"pass": true, "score": 1, "reason": "fine"}"#,
            },
            () if prompt.contains("walnut") => "Walnuts.",
            () if prompt.contains("sky") => "It is blue.",
            () if prompt.contains("Leave out the header") => "There are 2.",
            () => "There are 3.",
        };
        Answer::Text(text.to_owned())
    })
}

/// A desk on which the header was counted, with the file that was asked about.
fn badly_answered(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    let file = desk.path("list.csv");
    fs::write(&file, format!("name,key\nLin,{SECRET}\nMing,none\n")).unwrap();
    let file = file.display().to_string();
    let asked = desk.run(["ask", "--file", &file, "How many customers are in list.csv?"]);
    assert!(asked.stdout.contains("There are 3."), "{asked:?}");
    desk
}

fn kept(desk: &Desk, name: &str) -> Value {
    let added = desk.run([
        "--json",
        "case",
        "add",
        "last",
        "--name",
        name,
        "--wrong",
        "It counted the header",
        "--wanted",
        "2",
        "--yes",
    ]);
    assert_eq!(added.code, Some(0), "{added:?}");
    added.json().remove(0)
}

fn experiences(desk: &Desk) -> usize {
    desk.run(["--json", "experience", "list"]).json().len()
}

#[test]
fn a_bad_answer_becomes_better_by_a_change_that_was_measured_and_is_taken_back() {
    let server = model();
    let desk = badly_answered(&server);
    let case = kept(&desk, "customers");
    assert_eq!(case["question"], "How many customers are in list.csv?");
    let text = fs::read_to_string(case["path"].as_str().unwrap()).unwrap();
    assert!(text.contains("Lin,") && text.contains("There are 3."), "{text}");
    assert!(!text.contains(SECRET), "{text}");
    // The file itself, and not how a model was told of it.
    assert!(!text.contains("Cite places as"), "{text}");
    let tried = desk.run(["eval", "--json", "bad-cases"]);
    assert_eq!(tried.code, Some(1), "{tried:?}");
    let prompts = server.requests();
    let mut prompts = prompts.iter().rev().map(prompt_of);
    let is_task =
        |prompt: &String| prompt.contains("How many customers") && !prompt.contains("Judge an answer");
    let again = prompts.find(is_task).unwrap();
    assert_eq!(again.matches("Cite places as").count(), 1, "{again}");
    let proposed = desk.run(["--json", "case", "propose", "customers"]);
    assert_eq!(proposed.json()[0]["change"]["kind"], "experience", "{proposed:?}");
    assert_eq!(experiences(&desk), 0, "nothing is changed by a proposal");
    let suite = desk.path("sky.yaml");
    fs::write(
        &suite,
        "prompts: [Which colour has the sky?]\ntests: [{assert: [{type: contains, value: blue}]}]\n",
    )
    .unwrap();
    let suite = suite.display().to_string();
    let measured = desk.run([
        "--json",
        "case",
        "try",
        "customers",
        "--suite",
        &suite,
        "--repeat",
        "2",
    ]);
    assert_eq!(measured.code, Some(0), "{measured:?}");
    let told = &measured.json()[0];
    assert_eq!(told["verdict"], "better", "{told}");
    assert_eq!(
        (
            &told["measures"][0]["right_now"],
            &told["measures"][0]["right_then"]
        ),
        (&0.into(), &2.into())
    );
    assert_eq!(told["measures"][1]["suite"], "sky");
    assert_eq!(experiences(&desk), 0, "nothing is changed by a trial");
    let accepted = desk.run(["--json", "case", "accept", "customers", "--yes"]);
    assert_eq!(
        accepted.json()[0]["accepted"]["kind"],
        "experience",
        "{accepted:?}"
    );
    assert_eq!(experiences(&desk), 1);
    let file = desk.path("list.csv").display().to_string();
    let again = desk.run(["ask", "--file", &file, "How many customers are in list.csv?"]);
    assert!(again.stdout.contains("There are 2."), "{again:?}");
    let twice = desk.run(["--lang", "en", "case", "accept", "customers", "--yes"]);
    assert_eq!(twice.code, Some(2), "{twice:?}");
    let undone = desk.run(["--json", "case", "undo", "customers"]);
    assert_eq!(undone.json()[0]["accepted"], Value::Null, "{undone:?}");
    assert_eq!(experiences(&desk), 0);
}

#[test]
fn a_change_that_harms_what_was_right_is_called_worse_and_changes_nothing() {
    let server = model();
    let desk = badly_answered(&server);
    kept(&desk, "customers");
    let suite = desk.path("sky.yaml");
    let text = "prompts: [Which colour has the sky?]\ntests: [{assert: [{type: contains, value: blue}]}]\n";
    fs::write(&suite, text).unwrap();
    let change = desk.path("change.json");
    fs::write(
        &change,
        r#"{"kind": "knowledge", "text": "The sky has the colour of a walnut, and so have customers."}"#,
    )
    .unwrap();
    let [suite, change] = [suite, change].map(|path| path.display().to_string());
    let tried = desk.run([
        "--json",
        "case",
        "try",
        "customers",
        "--change",
        &change,
        "--suite",
        &suite,
        "--repeat",
        "1",
    ]);
    assert_eq!(tried.code, Some(1), "{tried:?}");
    let told = &tried.json()[0];
    assert_eq!(told["verdict"], "worse", "{told}");
    assert_eq!(told["measures"][1]["right_then"], 0, "{told}");
    let memories = desk.run(["--json", "memory", "list"]);
    assert!(!memories.stdout.contains("walnut"), "{memories:?}");
}

#[test]
fn every_kind_of_change_is_made_as_a_person_makes_it_and_taken_back() {
    let server = model();
    let desk = badly_answered(&server);
    kept(&desk, "customers");
    let file = desk.path("change.json");
    let module = desk.data().join("prompts/en/principles.xml");
    for (change, shown, word) in [
        (
            r#"{"kind": "knowledge", "text": "The first line names columns"}"#,
            vec!["--json", "memory", "list"],
            "first line names columns",
        ),
        (
            r#"{"kind": "skill", "name": "count-rows", "description": "When rows are counted", "text": "1. Leave out the header"}"#,
            vec!["--json", "skill", "list"],
            "count-rows",
        ),
        (
            r#"{"kind": "prompt", "language": "en", "module": "principles", "text": "Leave out headers"}"#,
            vec!["case", "list"],
            "",
        ),
    ] {
        fs::write(&file, change).unwrap();
        let path = file.display().to_string();
        let accepted = desk.run(["case", "accept", "customers", "--change", &path, "--yes"]);
        assert_eq!(accepted.code, Some(0), "{accepted:?}");
        let there = desk.run(shown.clone());
        assert!(there.stdout.contains(word), "{there:?}");
        assert_eq!(module.exists(), change.contains("principles"), "{change}");
        let undone = desk.run(["case", "undo", "customers"]);
        assert_eq!(undone.code, Some(0), "{undone:?}");
        let gone = desk.run(shown);
        assert!(word.is_empty() || !gone.stdout.contains(word), "{gone:?}");
        assert!(!module.exists());
    }
    let before = desk.data().join("prompts/en");
    fs::create_dir_all(&before).unwrap();
    fs::write(&module, "My own").unwrap();
    let path = file.display().to_string();
    desk.run(["case", "accept", "customers", "--change", &path, "--yes"]);
    assert_eq!(fs::read_to_string(&module).unwrap(), "Leave out headers");
    desk.run(["case", "undo", "customers"]);
    assert_eq!(fs::read_to_string(&module).unwrap(), "My own");
}

#[test]
fn what_was_said_before_stands_in_the_case_and_is_not_asked_again() {
    let server = ModelServer::thinking(|request| {
        let prompt = prompt_of(request);
        let text = match () {
            () if prompt.contains("And its capital") => "Stockholm.",
            () => "Norway is meant.",
        };
        Answer::Text(text.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "Which country is meant?"]);
    desk.run(["ask", "--session", "last", "And its capital?"]);
    let added = desk.run([
        "case", "add", "last", "--wanted", "Oslo", "--name", "capital", "--yes",
    ]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let before = server.requests().len();
    let tried = desk.run(["eval", "--json", "bad-cases"]);
    assert_eq!(tried.code, Some(1), "{tried:?}");
    let asked = server.requests();
    assert_eq!(asked.len(), before + 1, "the first question is not asked again");
    let prompt = prompt_of(&asked[before]);
    assert!(
        prompt.contains("Norway is meant.") && prompt.contains("Which country"),
        "{prompt}"
    );
}

#[test]
fn what_can_not_become_a_case_is_told_in_a_sentence() {
    let server = model();
    let desk = badly_answered(&server);
    kept(&desk, "customers");
    fs::write(desk.data().join("bad-cases/broken.yaml"), "tests: [{assert: 3").unwrap();
    let listed = desk.run(["--json", "case", "list"]).json();
    assert!(
        listed[0]["problem"].is_string() && listed[1]["problem"].is_null(),
        "{listed:?}"
    );
    for (words, told) in [
        (vec!["case", "add", "last", "--yes"], "Nothing is said"),
        (vec!["case", "add", "nowhere", "--wrong", "x", "--yes"], "nowhere"),
        (
            vec![
                "case",
                "add",
                "last",
                "--wrong",
                "x",
                "--name",
                "customers",
                "--yes",
            ],
            "already",
        ),
        (
            vec!["case", "add", "last", "--wrong", "x", "--name", "../x", "--yes"],
            "can't be the name",
        ),
        (vec!["case", "show", "../config"], "There is no bad case"),
        (vec!["case", "try", "customers"], "Nothing was proposed"),
        (vec!["case", "undo", "customers"], "Nothing was accepted"),
        (vec!["case", "remove", "none", "--yes"], "There is no bad case"),
    ] {
        let printed = desk.run([vec!["--lang", "en"], words.clone()].concat());
        assert!(
            printed.code != Some(0) && printed.stderr.contains(told),
            "{words:?} {printed:?}"
        );
    }
    let removed = desk.run(["case", "remove", "customers", "--yes"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
}
