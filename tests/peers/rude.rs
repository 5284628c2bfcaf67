//! A server that does what none should: whatever it does, there is one sentence within a bound, and the next call works.

use super::{command, limits, tool};
use secrecy::SecretString;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_mcp_client::{Era, Happened, Launch, Limits, Log, McpError, Server, ServerSpec, toolkit_of};
use shidi_tests::command::Desk;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

fn spec(manners: &[&str]) -> ServerSpec {
    command(env!("CARGO_BIN_EXE_shidi-test-server"), manners)
}

async fn server(manners: &[&str]) -> Server {
    Server::connect(spec(manners), limits()).await.unwrap()
}

async fn call(server: &Server, name: &str, args: Value) -> shidi_protocol::CallOutcome {
    let args = args.as_object().cloned().unwrap_or_default();
    server
        .call(&tool(server, name).await, args, &CancellationToken::new())
        .await
}

fn message(outcome: &shidi_protocol::CallOutcome) -> &str {
    outcome.error.as_ref().map_or("", |error| error.message.as_str())
}

#[tokio::test]
async fn both_eras_are_spoken_and_a_call_comes_back_as_a_stranger_s_text() {
    for (manners, revision) in [(&[][..], "2025-11-25"), (&["--modern"][..], "2026-07-28")] {
        let server = server(manners).await;
        assert_eq!(server.about().await.unwrap().1, revision);
        let answered = call(&server, "add", json!({"a": 1, "b": 2.5})).await;
        assert_eq!(answered.data, json!("3.5"), "{revision}");
        assert!(answered.untrusted);
        let failed = call(&server, "fail", json!({})).await;
        assert_eq!(message(&failed), "What it does is plain.");
        assert!(failed.untrusted);
        server.close().await;
    }
}

#[tokio::test]
async fn lines_that_are_no_messages_disturb_nothing() {
    let server = server(&["--chatty"]).await;
    assert_eq!(
        call(&server, "add", json!({"a": 1, "b": 2})).await.data,
        json!("3")
    );
}

#[tokio::test]
async fn a_server_that_cannot_bear_the_question_for_the_newer_revision_is_asked_in_the_old_way() {
    let server = server(&["--touchy"]).await;
    assert_eq!(
        server.about().await.unwrap(),
        ("shidi-test 1".to_owned(), "2025-11-25".to_owned())
    );
    let mut legacy = spec(&["--touchy"]);
    legacy.era = Era::Legacy;
    assert!(Server::connect(legacy, limits()).await.is_ok());
}

#[tokio::test]
async fn one_that_ends_at_once_is_told_with_its_last_words_and_then_left_alone_for_a_while() {
    let server = Server::new(spec(&["--dies"]), limits());
    let first = server.tools().await.unwrap_err();
    let said = "Missing environment variable TEST_TOKEN".to_owned();
    assert_eq!(first, McpError::Ended { said: said.clone() });
    assert!(
        first.sentence(Language::Zh).contains("服务器结束了") && first.sentence(Language::Zh).contains(&said)
    );
    assert_eq!(server.tools().await.unwrap_err(), McpError::Ended { said });
    assert!(matches!(
        server.tools().await.unwrap_err(),
        McpError::Resting { failures: 2, .. }
    ));
    server.forgive().await;
    assert!(matches!(
        server.tools().await.unwrap_err(),
        McpError::Ended { .. }
    ));
}

#[tokio::test]
async fn what_happens_to_one_and_what_it_says_is_on_record_in_both_eras() {
    for manners in [&["--logs"][..], &["--logs", "--modern"][..]] {
        let log = Log::default();
        let server = Server::logged(spec(manners), limits(), log.clone());
        assert_eq!(log.read().0.len(), 0, "nothing is started before it is needed");
        assert_eq!(
            call(&server, "add", json!({"a": 1, "b": 2})).await.data,
            json!("3")
        );
        call(&server, "die", json!({})).await;
        server.close().await;
        let lines: Vec<Happened> = log.read().0.into_iter().map(|line| line.what).collect();
        let has = |what: Happened| lines.contains(&what);
        assert_eq!(lines.first(), Some(&Happened::Starting));
        assert!(
            lines
                .iter()
                .any(|line| matches!(line, Happened::Ready(about) if about.starts_with("shidi-test 1 · ")))
        );
        assert!(
            has(Happened::Wrote("ready for \\x07work".to_owned())),
            "{lines:?}"
        );
        let called = "[warning] calls: \"add\" is called".to_owned();
        assert!(has(Happened::Told(called)), "{manners:?}: {lines:?}");
        assert!(
            has(Happened::Wrote("Segmentation fault, or so it seems".to_owned())) && has(Happened::Ended),
            "{lines:?}"
        );
    }
}

#[tokio::test]
async fn what_one_writes_in_an_incognito_call_is_in_no_later_failure() {
    let words = "Segmentation fault";
    let log = Log::default();
    let server = Server::logged(spec(&["--logs"]), limits(), log.clone());
    let incognito = log.calls(true);
    for _ in 0..2 {
        let failed = call(&server, "die", json!({})).await;
        assert!(failed.error.is_some(), "{failed:?}");
    }
    drop(incognito);
    let (_, shown) = server.standing();
    assert!(!shown.contains(words), "{shown}");
    let later = server.tools().await.unwrap_err();
    assert!(
        matches!(later, McpError::Resting { .. }) && !format!("{later:?}").contains(words),
        "{later:?}"
    );
    server.forgive().await;
    let failed = call(&server, "die", json!({})).await;
    assert!(
        message(&failed).contains(words),
        "that of any other call is told: {failed:?}"
    );
}

#[tokio::test]
async fn why_one_could_not_be_started_is_on_record() {
    let server = Server::new(command("/nowhere/mcp-server", &[]), limits());
    server.tools().await.unwrap_err();
    let (lines, _) = server.log().read();
    assert!(
        matches!(&lines[..], [first, last] if first.what == Happened::Starting
            && matches!(last.what, Happened::Failed(McpError::NotStarted { .. }))),
        "{lines:?}"
    );
}

#[tokio::test]
async fn one_that_never_answers_is_given_up_within_its_bound_and_gone() {
    let limits = Limits {
        connect: Duration::from_millis(700),
        ..limits()
    };
    let begun = Instant::now();
    let silent = Server::connect(spec(&["--mute"]), limits).await.err().unwrap();
    assert!(matches!(silent, McpError::Silent { .. }), "{silent}");
    assert!(begun.elapsed() < self::limits().connect, "another bound was kept");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let missing = Server::connect(command("/nowhere/mcp-server", &[]), limits())
        .await
        .err()
        .unwrap();
    assert!(missing.to_string().contains("/nowhere/mcp-server"), "{missing}");
    assert!(!missing.hint(Language::Zh, "peer").is_empty());
}

#[tokio::test]
async fn one_that_dies_in_a_call_fails_that_call_and_serves_the_next() {
    let server = server(&[]).await;
    let died = call(&server, "die", json!({})).await;
    assert_eq!(died.error.as_ref().unwrap().kind, "ConnectionError");
    assert!(
        message(&died).contains("Segmentation fault, or so it seems"),
        "{died:?}"
    );
    assert!(died.untrusted);
    assert_eq!(
        call(&server, "add", json!({"a": 1, "b": 2})).await.data,
        json!("3")
    );
}

#[tokio::test]
async fn an_answer_of_fifty_megabytes_is_refused_and_the_next_call_works() {
    let server = server(&[]).await;
    let long = call(&server, "long", json!({})).await;
    assert!(message(&long).contains("longer than 8 MB"), "{}", message(&long));
    assert_eq!(
        call(&server, "add", json!({"a": 1, "b": 2})).await.data,
        json!("3")
    );
}

#[tokio::test]
async fn a_call_that_takes_too_long_or_is_given_up_ends_and_others_go_on_beside_it() {
    let limits = Limits {
        call: Duration::from_secs(10),
        ..limits()
    };
    let server = Server::connect(spec(&[]), limits).await.unwrap();
    let (wait, add) = (tool(&server, "wait").await, tool(&server, "add").await);
    let (long, two) = (json!({"seconds": 30}), json!({"a": 1, "b": 2}));
    let (long, two) = (long.as_object().unwrap(), two.as_object().unwrap());
    let never = CancellationToken::new();
    let slow = async { server.call(&wait, long.clone(), &never).await };
    let quick = async {
        let begun = Instant::now();
        let answered = server.call(&add, two.clone(), &never).await;
        (answered, begun.elapsed())
    };
    let (slow, (quick, took)) = tokio::join!(slow, quick);
    assert_eq!(slow.error.unwrap().kind, "TimeoutError");
    assert_eq!(quick.data, json!("3"));
    assert!(took < limits.call, "it waited for the other");
    let stopped = CancellationToken::new();
    stopped.cancel();
    let given_up = server.call(&wait, long.clone(), &stopped).await;
    assert!(message(&given_up).contains("given up"));
}

#[tokio::test]
async fn news_of_other_tools_come_in_both_eras() {
    for manners in [&[][..], &["--modern"][..]] {
        let server = server(manners).await;
        let mut changed = server.changed();
        let before = server.tools().await.unwrap().len();
        let grow = tool(&server, "grow").await;
        // The newer revision asks for news first; a change before that is seen when the tools are listed.
        let heard = async {
            loop {
                server
                    .call(&grow, serde_json::Map::new(), &CancellationToken::new())
                    .await;
                if tokio::time::timeout(Duration::from_millis(300), changed.changed())
                    .await
                    .is_ok()
                {
                    break;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), heard)
            .await
            .unwrap();
        assert_eq!(server.tools().await.unwrap().len(), before + 1, "{manners:?}");
        assert!(tool(&server, "grown").await.doc.contains("not there before"));
    }
}

#[tokio::test]
async fn names_that_collide_and_schemas_in_circles_become_tools_that_work() {
    let server = server(&["--names", "--cycles"]).await;
    let tools = server.tools().await.unwrap();
    let toolkit = toolkit_of("peer", "peer", tools.into_iter().map(|tool| (tool, None)));
    let names: Vec<&str> = toolkit
        .spec
        .methods
        .iter()
        .map(|method| method.name.as_str())
        .collect();
    assert!(
        names.ends_with(&["read_text_2", "read_text_3", "class_", "cycle"]),
        "{names:?}"
    );
    for (method, name) in [("read_text_2", "read.text"), ("class_", "class")] {
        let (tool, args) = toolkit.call(method, &serde_json::Map::new()).unwrap();
        let answered = server.call(tool, args, &CancellationToken::new()).await;
        assert_eq!(answered.data, json!(name));
    }
    let note = json!({"to": "anna", "note_text": "hello"});
    let (tool, args) = toolkit.call("send_note", note.as_object().unwrap()).unwrap();
    assert_eq!(
        Value::Object(args.clone()),
        json!({"to": "anna", "note-text": "hello"})
    );
    assert_eq!(
        server.call(tool, args, &CancellationToken::new()).await.data,
        json!("sent to anna")
    );
}

#[tokio::test]
async fn three_hundred_tools_are_all_listed_each_by_its_name() {
    for manners in [&["--many"][..], &["--many", "--modern"]] {
        let server = server(manners).await;
        let tools = server.tools().await.unwrap();
        let names = tools.iter().map(|tool| tool.name.clone());
        assert!(
            names.eq((1..=300).map(|number| format!("many_{number}"))),
            "{manners:?}"
        );
        let toolkit = toolkit_of("peer", "peer", tools.into_iter().map(|tool| (tool, None)));
        let (last, args) = toolkit.call("many_300", &serde_json::Map::new()).unwrap();
        let answered = server.call(last, args, &CancellationToken::new()).await;
        assert_eq!(answered.data, json!("many_300"));
        assert!(toolkit.call("many_301", &serde_json::Map::new()).is_none());
    }
}

#[test]
fn of_too_many_allowed_tools_the_last_are_left_out_in_words_and_the_user_may_choose_others() {
    let desk = Desk::new();
    let server = env!("CARGO_BIN_EXE_shidi-test-server");
    let added = desk.run(["mcp", "add", "peer", "--", server, "--many"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert!(
        added.stdout.contains("many_300") && !added.stdout.contains("Left out"),
        "{}",
        added.stdout
    );
    let allowed = desk.run(["mcp", "allow", "peer", "--all"]);
    let listed = desk.run(["mcp", "list"]);
    let tools = desk.run(["mcp", "tools", "peer"]);
    let left_out = "Left out at the end of the allowed tools: 44";
    for told in [&allowed, &listed, &tools] {
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stdout.contains(left_out), "{}", told.stdout);
    }
    let call = |number: u32| {
        let program = format!("(await peer.many_{number}()).data");
        let allowed = format!("peer.many_{number}");
        let printed = desk.run_with(["exec", "--json", "--allow", &allowed, "-"], &program);
        printed.json().pop().unwrap()
    };
    assert_eq!(call(256)["value"], "many_256");
    let missing = call(257);
    let told = missing["error"].to_string();
    assert!(
        told.contains("no method 'many_257'; 44 that are allowed are left out"),
        "{missing}"
    );
    // One that is not needed makes room for the next.
    assert_eq!(
        desk.run(["mcp", "allow", "peer", "many_1", "--off"]).code,
        Some(0)
    );
    assert_eq!(call(257)["value"], "many_257");
}

#[tokio::test]
async fn a_child_has_what_it_was_given_and_nothing_of_ours_but_the_plain() {
    let mut spec = spec(&[]);
    let Launch::Command { env, .. } = &mut spec.launch else {
        panic!("a command")
    };
    env.insert("TEST_TOKEN".to_owned(), SecretString::from("s3cret"));
    let server = Server::connect(spec, limits()).await.unwrap();
    let names = call(&server, "environment", json!({})).await.data;
    let names: Vec<&str> = names.as_str().unwrap().split(' ').collect();
    assert!(
        names.contains(&"TEST_TOKEN") && names.contains(&"PATH"),
        "{names:?}"
    );
    // The tests' own environment has these, as every program that cargo starts.
    assert!(std::env::var("CARGO_MANIFEST_DIR").is_ok());
    assert!(
        names
            .iter()
            .all(|name| !name.starts_with("CARGO") && !name.starts_with("SHIDI")),
        "{names:?}"
    );
}

#[tokio::test]
async fn a_closed_server_is_gone_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    // A shell that starts the server and a child that would outlive it.
    let program = env!("CARGO_BIN_EXE_shidi-test-server");
    let script = format!(
        "sleep 300 & echo $! $$ > {}; {program}; sleep 300",
        pids.display()
    );
    let server = Server::connect(
        command("sh", &["-c", &script]),
        Limits {
            close: Duration::from_millis(200),
            ..limits()
        },
    )
    .await
    .unwrap();
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(pids.split_whitespace().all(is_alive), "{pids}");
    server.close().await;
    let gone = async {
        while pids.split_whitespace().any(is_alive) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.unwrap();
    assert_eq!(server.tools().await.unwrap_err(), McpError::Closed);
}

/// Whether a process is there and no mere remainder.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
