//! Finding by meaning where an embedding model is chosen: in other words and in another language, never slower than words
//! when the model fails, and told with its state.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Of so many attempts one has its vector in time: other work on the machine spoils some, a fault all.
const ATTEMPTS: usize = 5;

const ROOM: &str = "住宿标准：每晚 450 元";

/// A model that knows two subjects.
fn by_subject(text: &str) -> Option<Vec<f32>> {
    let is_about = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if text.contains("refused") {
        return None;
    }
    let room = f32::from(u8::from(is_about(&["住宿", "酒店", "room", "hotel"])));
    let train = f32::from(u8::from(is_about(&["火车", "train"])));
    Some(vec![room, train, 0.1])
}

fn desk(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    done(&desk, ["config", "set", "role.embedding", "meaning-1"]);
    desk
}

fn done<const N: usize>(desk: &Desk, arguments: [&str; N]) -> Vec<Value> {
    let mut all = vec!["--json"];
    all.extend(arguments);
    let printed = desk.run(all);
    assert_eq!(printed.code, Some(0), "{arguments:?}: {}", printed.stderr);
    printed.json()
}

/// What is found by meaning.
fn found(desk: &Desk, question: &str) -> Vec<Value> {
    let mut attempts = (0..ATTEMPTS).map(|_| done(desk, ["memory", "search", question]));
    attempts.find(|hits| !hits.is_empty()).unwrap_or_default()
}

fn answering() -> ModelServer {
    ModelServer::repeating(Answer::Text("好。".to_owned())).embedding(by_subject)
}

/// What `memory stats` says about vectors.
fn state(desk: &Desk) -> Value {
    let lines = done(desk, ["memory", "stats"]);
    let meaning = lines.iter().find_map(|line| line.get("meaning"));
    meaning.cloned().unwrap_or_default()
}

#[test]
fn what_is_remembered_is_found_in_other_words_once_it_has_its_vector() {
    let server = answering();
    let desk = desk(&server);
    let id = done(&desk, ["memory", "add", ROOM])[0]["id"].clone();
    done(&desk, ["memory", "add", "去西安坐火车"]);
    let question = "How much may the hotel cost?";
    assert!(done(&desk, ["memory", "search", question]).is_empty());

    done(&desk, ["ask", "2+2?"]);
    let hits = found(&desk, question);
    assert_eq!(hits[0]["id"], id, "{hits:?}");
    assert!(hits[0]["parts"]["vector"].as_f64().unwrap() > 0.1);
    let state = state(&desk);
    assert_eq!((&state["placed"], state.get("trouble")), (&state["of"], None));
    assert!(
        state["placed"].as_u64().unwrap() >= 4,
        "question and answer too: {state}"
    );
    let spent = desk.run(["--json", "model", "spent"]);
    assert!(spent.stdout.contains("\"embedding\""), "{}", spent.stdout);
}

#[test]
fn a_program_finds_by_meaning_and_a_text_is_sent_once() {
    let server = answering();
    let desk = desk(&server);
    done(&desk, ["memory", "add", ROOM]);
    done(&desk, ["ask", "2+2?"]);
    done(&desk, ["ask", "3+3?"]);
    let sent = server.embedded();
    let times = |text: &str| sent.iter().filter(|one| one.as_str() == text).count();
    assert_eq!(times(ROOM), 1, "{sent:?}");
    let program = "for hit in await memory.search('a hotel for me'):\n    print(hit['text'])";
    let file = desk.path("hotel.py");
    std::fs::write(&file, program).unwrap();
    let mut attempts = (0..ATTEMPTS).map(|_| desk.run(["exec", file.to_str().unwrap()]));
    assert!(
        attempts.any(|printed| printed.stdout.contains("450")),
        "it finds nothing by meaning"
    );
}

#[test]
fn a_text_that_the_model_refuses_keeps_no_other_from_its_vector() {
    let server = answering();
    let desk = desk(&server);
    done(&desk, ["memory", "add", "this text is refused by the model"]);
    let id = done(&desk, ["memory", "add", ROOM])[0]["id"].clone();
    done(&desk, ["ask", "2+2?"]);
    assert_eq!(found(&desk, "hotel price")[0]["id"], id);
    let before = server.embedded().len();
    let refused = |sent: &[String]| sent.iter().filter(|text| text.contains("refused")).count();
    let times = refused(&server.embedded());
    done(&desk, ["ask", "4+4?"]);
    let sent = server.embedded();
    assert!(sent.len() > before);
    assert_eq!(refused(&sent), times, "it is not asked about again");
}

#[test]
fn a_model_that_fails_leaves_the_search_by_words_and_is_named_with_its_reason() {
    let works = Arc::new(AtomicBool::new(true));
    let is_working = Arc::clone(&works);
    let server = ModelServer::repeating(Answer::Text("好。".to_owned())).embedding(move |text| {
        is_working
            .load(Ordering::Relaxed)
            .then(|| by_subject(text))
            .flatten()
    });
    let desk = desk(&server);
    let id = done(&desk, ["memory", "add", ROOM])[0]["id"].clone();
    done(&desk, ["ask", "2+2?"]);
    works.store(false, Ordering::Relaxed);
    assert_eq!(done(&desk, ["memory", "search", "住宿标准"])[0]["id"], id);
    assert!(done(&desk, ["memory", "search", "hotel price"]).is_empty());
    let events = done(&desk, ["ask", "住宿标准是多少？"]);
    assert!(events.iter().any(|event| event["type"] == "recalled"));

    done(&desk, ["config", "set", "role.embedding", "anthropic:claude"]);
    let state = state(&desk);
    assert_eq!(state["placed"], json!(0));
    assert!(
        state["trouble"].as_str().is_some_and(|why| !why.is_empty()),
        "{state}"
    );
}

#[test]
fn another_model_gives_its_own_vectors_and_forgetting_takes_them_away() {
    let server = answering();
    let desk = desk(&server);
    let id = done(&desk, ["memory", "add", ROOM])[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    done(&desk, ["ask", "2+2?"]);
    let before = state(&desk);
    done(&desk, ["config", "set", "role.embedding", "meaning-2"]);
    assert_eq!(state(&desk)["placed"], json!(0));
    done(&desk, ["ask", "3+3?"]);
    let after = state(&desk);
    assert_ne!(before["model"], after["model"]);
    assert_eq!(after["placed"], after["of"]);
    done(&desk, ["memory", "delete", &id]);
    assert!(
        done(&desk, ["memory", "search", "hotel"])
            .iter()
            .all(|hit| hit["id"] != json!(id))
    );
    assert_eq!(
        state(&desk)["placed"].as_u64(),
        after["placed"].as_u64().map(|count| count - 1)
    );
}

#[test]
fn a_model_that_makes_no_vectors_is_told_of_by_the_first_command_that_looks() {
    let server = ModelServer::repeating(Answer::Text("好。".to_owned())).embedding(|_| None);
    let desk = desk(&server);
    done(&desk, ["memory", "add", ROOM]);
    let state = state(&desk);
    assert!(
        state["trouble"]
            .as_str()
            .is_some_and(|trouble| !trouble.is_empty()),
        "{state}"
    );
    for (language, remedy) in [("en", "words alone find"), ("zh", "只按词搜索")] {
        let checked = desk.run(["--json", "--lang", language, "doctor"]);
        let check = checked
            .json()
            .into_iter()
            .find(|check| check["name"] == "meaning")
            .unwrap();
        assert!(
            check["ok"] == false && check["remedy"].as_str().unwrap().contains(remedy),
            "{check}"
        );
    }
}
