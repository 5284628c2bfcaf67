//! A server that asks in the middle of a call, as its user meets it: a form, a question to the model, folders, progress.

use crate::shell::{programs, work};
use crate::terminal::{has_terminal, typed};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk whose server `peer` asks, in the older or the newest revision; its tools are called without approval.
fn desk(server: &ModelServer, manners: &[&str]) -> Desk {
    let desk = Desk::with_model(&server.url());
    let add = ["mcp", "add", "peer", "--", SERVER, "--asks"];
    done(desk.run(add.iter().chain(manners)));
    done(desk.run(["mcp", "allow", "peer", "--all", "--class", "read"]));
    desk
}

/// What the program read of the tool's result.
fn read(server: &ModelServer) -> String {
    server.last_prompt().replace("\\\"", "\"")
}

#[test]
fn at_a_terminal_a_form_is_filled_in_and_goes_to_the_server_that_is_named() {
    if !has_terminal() {
        return;
    }
    for manners in [&[][..], &["--modern"]] {
        let server = programs(&["print(await peer.ask_form())"]);
        let desk = desk(&server, manners);
        // The number is too small at first, and the card goes on waiting.
        let lines = [
            ("Answer:", "1\n"),
            ("Guests:", "0\n"),
            ("Answer:", "1\n"),
            ("Guests:", "2\n"),
        ];
        let shown = typed(&desk, "en", "ask book it", &lines);
        assert!(
            shown.contains("The MCP server peer asks you, in its own words"),
            "{shown}"
        );
        assert!(
            shown.contains("How many come?") && shown.contains("is 1 or more"),
            "{shown}"
        );
        let answer = r#"{"action":"accept","content":{"guests":2}}"#;
        assert!(read(&server).contains(answer), "{}", read(&server));
    }
}

#[test]
fn at_a_terminal_a_question_is_declined_or_left_with_nothing_filled_in() {
    if !has_terminal() {
        return;
    }
    for (line, action) in [("2\n", "decline"), ("Not now\n", "cancel")] {
        let server = programs(&["print(await peer.ask_form())"]);
        let shown = typed(&desk(&server, &[]), "en", "ask book it", &[("Answer:", line)]);
        assert!(
            read(&server).contains(&format!(r#"{{"action":"{action}"}}"#)),
            "{shown}"
        );
    }
    // An address is shown and opened by nobody.
    let server = programs(&["print(await peer.ask_address(url='https://sign.example/?id=1'))"]);
    let shown = typed(&desk(&server, &[]), "zh", "ask 订房", &[("回答", "1\n")]);
    assert!(
        shown.contains("https://sign.example/?id=1") && shown.contains("peer"),
        "{shown}"
    );
    assert!(read(&server).contains(r#"{"action":"accept"}"#), "{shown}");
}

#[test]
fn where_nobody_is_there_a_server_is_declined_at_once() {
    let server = programs(&["print(await peer.ask_form())\nprint(await peer.ask_model())"]);
    let desk = desk(&server, &[]);
    let printed = done(desk.run(["ask", "--json", "book it"]));
    let output = printed.event("output")["stdout"]
        .to_string()
        .replace("\\\"", "\"");
    assert!(output.contains(r#"{"action":"decline"}"#), "{output}");
    assert!(output.contains("Nobody is there to allow it"), "{output}");
    assert!(!printed.stdout.contains("\"question\""), "{}", printed.stdout);
    assert_eq!(server.requests().len(), 2, "no model was asked for the server");
}

#[test]
fn a_secret_is_asked_for_in_vain_and_the_program_reads_why() {
    let program = "print(await peer.ask_form(schema={'type': 'object', 'properties': {'password': {'type': 'string'}}}))";
    let server = programs(&[program]);
    done(desk(&server, &[]).run(["ask", "--json", "sign in"]));
    assert!(
        read(&server).contains("asks for a secret (password)"),
        "{}",
        read(&server)
    );
}

/// A model whose first answer is a program that has the server ask it as often as that.
fn asked_by_server(times: usize) -> ModelServer {
    let program = format!("[Thought]: I do it.\n```python\nprint(await peer.ask_model(times={times}))\n```");
    let tea = || Answer::Text("It is sencha.".to_owned());
    let mut answers = vec![Answer::Text(program)];
    answers.extend((0..times).map(|_| tea()));
    answers.extend([Answer::Text("Done.".to_owned()), Answer::Text("Done.".to_owned())]);
    ModelServer::start(answers)
}

#[test]
fn a_model_is_asked_for_a_server_once_it_was_read_and_allowed_and_the_task_pays() {
    if !has_terminal() {
        return;
    }
    let server = asked_by_server(1);
    let shown = typed(&desk(&server, &[]), "en", "ask which tea", &[("Answer:", "1\n")]);
    assert!(
        shown.contains("The MCP server peer wants to ask your model this"),
        "{shown}"
    );
    assert!(
        shown.contains("You know teas.") && shown.contains("Which tea is it?"),
        "{shown}"
    );
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "{shown}");
    let asked = prompt_of(&requests[1]);
    assert_eq!(asked.trim(), "You know teas.\nWhich tea is it?");
    assert_eq!(requests[1]["tools"], Value::Null);
    assert!(read(&server).contains("It is sencha."), "{}", read(&server));
}

#[test]
fn what_is_allowed_for_the_task_is_asked_about_once() {
    if !has_terminal() {
        return;
    }
    let server = asked_by_server(3);
    let shown = typed(&desk(&server, &[]), "en", "ask which tea", &[("Answer:", "2\n")]);
    assert_eq!(
        shown.matches("wants to ask your model this").count(),
        1,
        "{shown}"
    );
    assert_eq!(server.requests().len(), 5, "{shown}");
    let refused = asked_by_server(1);
    let shown = typed(&desk(&refused, &[]), "en", "ask which tea", &[("Answer:", "3\n")]);
    assert_eq!(refused.requests().len(), 2, "{shown}");
    assert!(
        read(&refused).contains("The user did not allow it"),
        "{}",
        read(&refused)
    );
}

#[test]
fn progress_is_shown_while_a_call_is_at_work_and_its_words_are_cleaned() {
    let server = programs(&["await peer.work(steps=3, pause_ms=700)"]);
    let printed = done(desk(&server, &[]).run(["ask", "--json", "work"]));
    let cards: Vec<Value> = printed
        .json()
        .into_iter()
        .filter(|event| event["type"] == "card" && event["kind"] == "progress")
        .collect();
    assert!((2..=3).contains(&cards.len()), "{}", printed.stdout);
    let last = &cards[cards.len() - 1];
    assert!(cards.iter().all(|card| card["id"] == cards[0]["id"]));
    assert_eq!(
        (&last["data"]["done"], &last["data"]["total"]),
        (&json!(3.0), &json!(3.0))
    );
    let title = last["data"]["title"].as_str().unwrap();
    assert!(
        title.starts_with("peer.work: step 3 [2J") && title.chars().count() < 150,
        "{title}"
    );
    let server = programs(&["await peer.work(steps=2, pause_ms=700)"]);
    let printed = done(desk(&server, &[]).run(["ask", "work"]));
    assert!(printed.stderr.contains("peer.work: step 2"), "{}", printed.stderr);
    assert!(!printed.stdout.contains("peer.work"), "{}", printed.stdout);
}

#[test]
fn the_folders_of_the_session_are_told_to_a_server_and_none_where_none_is_granted() {
    for manners in [&[][..], &["--modern"]] {
        let server = programs(&["print(await peer.list_roots())"]);
        let desk = desk(&server, manners);
        let folder = work(&desk).canonicalize().unwrap();
        done(desk.run(["ask", "--json", "--folder", folder.to_str().unwrap(), "list"]));
        let told = format!(r#""uri":"file://{}""#, folder.display());
        assert!(read(&server).contains(&told), "{}", read(&server));
        let server = programs(&["print(await peer.list_roots())"]);
        done(self::desk(&server, manners).run(["ask", "--json", "list"]));
        assert!(read(&server).contains(r#"{"roots":[]}"#), "{}", read(&server));
    }
}
