//! Who may know what: things told for one session or one assistant stay there, whatever another session asks or its
//! programs look for.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

const QUESTION: &str = "where does the quagga live, and which colour has the quagga?";

/// Looks in memory by a program, then answers.
fn curious() -> ModelServer {
    let mut asked = 0;
    ModelServer::thinking(move |_| {
        asked += 1;
        let program = "```python\nprint([hit[\"text\"] for hit in await memory.search(text=\"quagga colour\", limit=20)])\n```";
        Answer::Text(if asked % 2 == 1 { program } else { "Done." }.to_owned())
    })
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// Everything that models were sent since the last look.
fn sent_since(server: &ModelServer, from: usize) -> String {
    let requests = server.requests();
    requests[from..].iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_for_one_session_or_assistant_reaches_no_other_session_by_recall_or_by_a_program() {
    let server = curious();
    let desk = Desk::with_model(&server.url());
    let first = done(desk.run(["--json", "ask", "we speak of animals"]));
    let session = first.event("run_started")["session"].as_str().unwrap().to_owned();
    let of_session = format!("session:{session}");
    for (scope, text) in [
        ("user", "the quagga lives in Munich"),
        (of_session.as_str(), "the quagga has the colour striped"),
        ("assistant:anna", "the quagga has the colour grey"),
    ] {
        done(desk.run(["memory", "add", "--scope", scope, text]));
    }
    let before = server.requests().len();
    done(desk.run(["--json", "ask", QUESTION]));
    let sent = sent_since(&server, before);
    assert!(sent.contains("Munich"), "what is the user's is known");
    assert!(!sent.contains("striped") && !sent.contains("grey"), "{sent}");
    // The session that it was told for knows it; what is an assistant's it does not.
    let before = server.requests().len();
    let colour = "which colour has the quagga?";
    done(desk.run(["--json", "ask", "--session", &session, colour]));
    let sent = sent_since(&server, before);
    assert!(sent.contains("striped") && !sent.contains("grey"), "{sent}");
    // The user finds all of it, by a search that no program has.
    let found = done(desk.run(["memory", "search", "quagga", "colour"]));
    for of_whom in [of_session.as_str(), "assistant:anna", "striped", "grey", "Munich"] {
        assert!(found.stdout.contains(of_whom), "{of_whom}: {}", found.stdout);
    }
    let own = done(desk.run([
        "memory",
        "search",
        "--kind",
        "knowledge",
        "--scope",
        "user",
        "quagga",
        "colour",
    ]));
    assert!(
        own.stdout.contains("Munich") && !own.stdout.contains("striped"),
        "{}",
        own.stdout
    );
}

#[test]
fn what_was_said_incognito_reaches_no_later_session() {
    let server = curious();
    let desk = Desk::with_model(&server.url());
    done(desk.run([
        "--json",
        "ask",
        "--incognito",
        "remember that the quagga has the colour okapi",
    ]));
    let before = server.requests().len();
    done(desk.run(["--json", "ask", QUESTION]));
    assert!(!sent_since(&server, before).contains("okapi"));
    assert!(
        !done(desk.run(["--json", "memory", "search", "quagga", "colour"]))
            .stdout
            .contains("okapi")
    );
    assert!(
        !done(desk.run(["--json", "session", "search", "quagga"]))
            .stdout
            .contains("okapi")
    );
}

#[test]
fn a_search_for_nothing_says_what_to_write_in_both_languages() {
    let desk = Desk::with_model("http://127.0.0.1:9");
    done(desk.run(["knowledge", "create", "handbook"]));
    for (command, english, chinese) in [
        (
            &["memory", "search", ""][..],
            "what to look for",
            "没有说要找什么",
        ),
        (
            &["knowledge", "query", "handbook", " "][..],
            "what to look for",
            "没有说要找什么",
        ),
        (
            &["memory", "visits", ""][..],
            "No site was named",
            "没有说明是哪个网站",
        ),
    ] {
        for (language, words) in [("en", english), ("zh", chinese)] {
            let printed = desk.run(["--lang", language].iter().chain(command));
            assert_eq!(printed.code, Some(2), "{command:?}");
            assert!(printed.stderr.contains(words), "{}", printed.stderr);
        }
    }
}
