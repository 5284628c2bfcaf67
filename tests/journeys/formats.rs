//! The five ways of writing an action: the same task over real HTTP, in the sandbox, with the same output and answer.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

/// A desk with notes to read, and the question about them.
fn asked(format: &str, server: &ModelServer, models: &str) -> Printed {
    let desk = Desk::with_model(&server.url());
    if !models.is_empty() {
        std::fs::write(desk.data().join("models.toml"), models).unwrap();
    }
    std::fs::write(desk.path("notes.md"), "The report is due on 5 May.\n").unwrap();
    let folder = desk.path("").display().to_string();
    desk.run([
        "ask",
        "--json",
        "--format",
        format,
        "--folder",
        &folder,
        "When is the report due?",
    ])
}

fn text(words: &str) -> Answer {
    Answer::Text(words.to_owned())
}

const PROGRAM: &str = "found = await files.grep(pattern=\"due\", path=\".\")\nprint(found[0][\"text\"])";

fn assert_same(printed: &Printed, output: &str) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    assert_eq!(printed.event("call")["toolkit"], "files");
    assert_eq!(printed.event("call_done")["ok"], true);
    let shown = printed.event("output")["stdout"].clone();
    assert!(shown.as_str().unwrap().contains(output), "{shown}");
    assert_eq!(printed.event("answer")["text"], "It is due on 5 May.");
}

#[test]
fn a_fenced_program_does_the_task() {
    let program = format!("Look for it.\n```python\n{PROGRAM}\n```");
    let server = ModelServer::start([Answer::Text(program), text("It is due on 5 May.")]);
    assert_same(&asked("fenced", &server, ""), "due on 5 May");
}

#[test]
fn a_program_in_a_native_tool_call_does_the_task() {
    let server = ModelServer::start([Answer::Tool(PROGRAM.to_owned()), text("It is due on 5 May.")]);
    assert_same(&asked("tool", &server, ""), "due on 5 May");
}

#[test]
fn json_calls_of_the_tools_themselves_do_the_task_two_at_once() {
    let calls = vec![
        ("files__grep", json!({"pattern": "due", "path": "."})),
        ("files__read", json!({"path": "missing.md"})),
    ];
    let server = ModelServer::start([Answer::Calls(calls), text("It is due on 5 May.")]);
    assert_same(&asked("json", &server, ""), "due on 5 May");
    let requests = server.requests();
    let names: Vec<&str> = requests[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert!(
        names.contains(&"files__read") && !names.contains(&"python"),
        "{names:?}"
    );
    let messages = requests[1]["messages"].as_array().unwrap();
    let results: Vec<&Value> = messages.iter().filter(|m| m["role"] == "tool").collect();
    assert_eq!(results.len(), 2, "one result for each call: {results:?}");
    assert!(results[0]["content"].as_str().unwrap().contains("due on 5 May"));
    assert!(
        results[1]["content"]
            .as_str()
            .unwrap()
            .contains("FileNotFoundError")
    );
}

#[test]
fn a_relay_does_the_task_after_one_correction() {
    let server = ModelServer::start([
        text(
            "to_sys: {\"tool\": \"files.grep\", \"args\": {\"pattern\": \"due\"}}\nsys: It is due on 1 April.",
        ),
        text("to_sys: {\"tool\": \"files.grep\", \"args\": {\"pattern\": \"due\"}}"),
        text("to_user: It is due on 5 May."),
    ]);
    let printed = asked("relay", &server, "");
    assert_same(&printed, "due on 5 May");
    assert!(
        server.last_prompt().contains("which is not yours"),
        "the model was corrected"
    );
    assert!(
        !printed.stdout.contains("1 April\",\"type\":\"answer"),
        "what it invented is no answer"
    );
}

#[test]
fn the_middle_of_a_program_comes_from_the_completion_endpoint() {
    let server = ModelServer::start([
        text("Search the folder for \"due\" and print the first line found.\n[Python]:"),
        Answer::Text(PROGRAM.lines().map(|line| format!("    {line}\n")).collect()),
        text("It is due on 5 May."),
    ]);
    let printed = asked(
        "fim",
        &server,
        "[[model]]\nname = \"scripted\"\nfim = \"suffix\"\n",
    );
    assert_same(&printed, "due on 5 May");
    let asked = &server.requests()[1];
    assert!(asked["prompt"].as_str().unwrap().ends_with("try:\n"), "{asked}");
    assert!(
        asked["suffix"]
            .as_str()
            .unwrap()
            .contains("except Exception as error")
    );
    assert!(
        printed.event("code")["program"]
            .as_str()
            .unwrap()
            .contains("raise")
    );
}

#[test]
fn codestral_and_deepseek_fill_the_hole_at_their_own_addresses() {
    for (provider, model, path, format) in [
        ("mistral", "codestral-latest", "/v1/fim/completions", "auto"),
        ("deepseek", "deepseek-flash", "/beta/completions", "fim"),
    ] {
        let server = ModelServer::start([
            text("Search the folder for \"due\" and print the first line found.\n[Python]:"),
            Answer::Text(PROGRAM.lines().map(|line| format!("    {line}\n")).collect()),
            text("It is due on 5 May."),
        ]);
        let mut desk = Desk::new();
        desk.set(
            &format!("SHIDI_KEY_{}", provider.to_uppercase()),
            "sk-test-0000000000001234",
        );
        let url = server.url();
        desk.write_config(&format!(
            "provider = \"{provider}\"\nmodel = \"{model}\"\nmodel_url = \"{url}\"\nformat = \"{format}\"\n"
        ));
        std::fs::write(desk.path("notes.md"), "The report is due on 5 May.\n").unwrap();
        let folder = desk.path("").display().to_string();
        let printed = desk.run(["ask", "--json", "--folder", &folder, "When is the report due?"]);
        assert_same(&printed, "due on 5 May");
        let targets = server.targets();
        assert_eq!(targets[1], path, "{targets:?}");
        assert!(targets[0].ends_with("/v1/chat/completions"), "{targets:?}");
        let asked = &server.requests()[1];
        assert!(asked["prompt"].as_str().unwrap().ends_with("try:\n"), "{asked}");
        assert!(
            asked["suffix"]
                .as_str()
                .unwrap()
                .contains("except Exception as error")
        );
        assert!(asked["max_tokens"].as_u64().unwrap() <= if provider == "deepseek" { 4_096 } else { 8_192 });
        assert_eq!(server.authorizations()[1], "Bearer sk-test-0000000000001234");
    }
}

#[test]
fn without_that_endpoint_the_middle_is_asked_for_in_words() {
    let refused = Answer::Status {
        code: 404,
        headers: Vec::new(),
        body: "{\"error\":{\"message\":\"no such path\"}}".to_owned(),
    };
    let server = ModelServer::start([
        text("Search the folder for \"due\" and print the first line found.\n[Python]:"),
        refused,
        Answer::Text(format!("```python\n{PROGRAM}\n```")),
        text("It is due on 5 May."),
    ]);
    let printed = asked(
        "fim",
        &server,
        "[[model]]\nname = \"scripted\"\nfim = \"suffix\"\n",
    );
    assert_same(&printed, "due on 5 May");
    let third = &server.requests()[2];
    assert!(
        third["messages"].to_string().contains("in place of the dots"),
        "{third}"
    );
}

#[test]
fn a_models_profile_chooses_the_format() {
    let server = ModelServer::start([text("to_user: It is due on 5 May.")]);
    let desk = Desk::with_model(&server.url());
    std::fs::write(
        desk.data().join("models.toml"),
        "[[model]]\nname = \"scripted\"\nformat = \"relay\"\n",
    )
    .unwrap();
    let printed = desk.run(["ask", "--json", "When?"]);
    assert_eq!(
        printed.event("answer")["text"],
        "It is due on 5 May.",
        "{}",
        printed.stderr
    );
    assert!(server.last_prompt().contains("to_sys:"));
}
