//! A question, code, an answer; variables that stay; both action formats; what goes over the wire.

use serde_json::json;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};

#[test]
fn a_plain_question_is_one_request_below_twelve_kilobytes_and_its_answer_is_streamed() {
    let server = ModelServer::start([Answer::Text("Paris is the capital.".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "What is the capital of France?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(printed.event("answer")["text"], "Paris is the capital.");
    let streamed: String = printed
        .json()
        .iter()
        .filter(|event| event["type"] == "delta")
        .map(|event| event["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(streamed, "Paris is the capital.");
    assert_eq!(server.requests().len(), 1);
    assert!(
        server.request_bytes()[0] < 12_000,
        "{} bytes",
        server.request_bytes()[0]
    );
    assert_eq!(server.authorizations()[0], "Bearer sk-test-0000000000001234");
}

#[test]
fn events_are_numbered_without_gaps_and_carry_run_and_time() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    let events = desk.run(["ask", "--json", "add 12 and 30"]).json();
    for (position, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], json!(position + 1));
        assert_eq!(event["run"], events[0]["run"]);
        assert!(event["time"].as_str().unwrap().ends_with('Z'));
    }
    assert_eq!(events[0]["type"], "run_started");
    let last = events.last().unwrap();
    assert_eq!(
        (&last["type"], &last["status"]),
        (&json!("run_ended"), &json!("completed"))
    );
    assert_eq!(last["usage"]["model_calls"], 2);
    assert_eq!(last["usage"]["input"], 200);
}

#[test]
fn an_answer_comes_from_code_that_was_written_run_and_shown() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "add 12 and 30"]);
    assert_eq!(
        printed.event("code")["program"],
        "total = sum([12, 30])\nprint(total)"
    );
    let output = printed.event("output");
    assert_eq!((&output["stdout"], &output["ok"]), (&json!("42\n"), &json!(true)));
    assert_eq!(printed.event("variables")["names"][0]["name"], "total");
    assert_eq!(printed.event("answer")["text"], "The total is **42**.");
    assert!(server.last_prompt().contains("[Output]: 42"));
}

#[test]
fn variables_of_one_answer_are_there_for_the_next_in_another_process() {
    let server = ModelServer::start([reply("add"), reply("total"), reply("say_double")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "add 12 and 30"]);
    let printed = desk.run(["ask", "--json", "--session", "last", "twice that?"]);
    assert_eq!(
        printed.event("answer")["text"],
        "Twice the total is 84",
        "{}",
        printed.stdout
    );
    assert!(
        server.last_prompt().contains("total: int = 42"),
        "live variables are named in the prompt"
    );
    assert!(
        server.last_prompt().contains("add 12 and 30"),
        "the session's transcript goes along"
    );
}

#[test]
fn the_native_tool_format_does_the_same_task() {
    let server = ModelServer::start([
        Answer::Tool("total = sum([12, 30])\nprint(total)".into()),
        reply("total"),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "--format", "tool", "add 12 and 30"]);
    assert_eq!(
        printed.event("answer")["text"],
        "The total is **42**.",
        "{}",
        printed.stderr
    );
    let requests = server.requests();
    assert_eq!(requests[0]["tools"][0]["function"]["name"], "python");
    let messages = requests[1]["messages"].as_array().unwrap().clone();
    assert!(
        messages
            .iter()
            .any(|message| message["role"] == "tool" && message["content"] == "42")
    );
}

#[test]
fn a_program_with_a_misspelt_tool_is_sent_back_before_it_runs_with_a_hint() {
    let server = ModelServer::start([reply("misspelt"), reply("clock")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "what day is it?"]);
    assert!(
        printed.event("answer")["text"]
            .as_str()
            .unwrap()
            .starts_with("Today is 20")
    );
    let prompt = server.last_prompt();
    assert!(prompt.contains("line 1") && prompt.contains("time"), "{prompt}");
    let calls: Vec<_> = printed
        .json()
        .into_iter()
        .filter(|event| event["type"] == "call")
        .collect();
    assert_eq!(calls[0]["method"], "time", "nothing of the refused program ran");
}

#[test]
fn an_attached_file_is_read_and_taints_nothing_the_user_did_not_attach() {
    let server = ModelServer::start([Answer::Text("It says hello.".into())]);
    let desk = Desk::with_model(&server.url());
    let file = desk.path("note 笔记.txt");
    std::fs::write(&file, "hello from the file\n").unwrap();
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        file.to_str().unwrap(),
        "what does it say?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let item = &printed.event("context")["items"][0];
    assert_eq!(
        (&item["source"], &item["title"]),
        (&json!("file"), &json!("note 笔记.txt"))
    );
    assert!(server.last_prompt().contains("hello from the file"));
}

#[test]
fn what_a_human_reads_is_the_answer_on_standard_output() {
    let server = ModelServer::start([Answer::Text("Paris.".into())]);
    let printed = Desk::with_model(&server.url()).run(["ask", "capital of France?"]);
    assert_eq!(printed.stdout.trim(), "Paris.");
}

#[test]
fn a_question_can_come_from_standard_input() {
    let server = ModelServer::start([Answer::Text("Yes.".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run_with(["ask", "--json", "-"], "is this read?\n");
    assert_eq!(printed.segments("User"), ["is this read?"]);
}

#[test]
fn an_attached_picture_is_sent_as_one() {
    let server = ModelServer::start([Answer::Text("A dot.".into())]);
    let desk = Desk::with_model(&server.url());
    let file = desk.path("dot.png");
    let dot: &[u8] = include_bytes!("../attachments/files/pictures/small.png");
    std::fs::write(&file, dot).unwrap();
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        file.to_str().unwrap(),
        "what is on it?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let body = server.requests()[0].to_string();
    assert!(body.contains("data:image/png;base64,iVBORw0K"), "{body}");
}
