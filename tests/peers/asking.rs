//! Servers that ask in the middle of a call: folders, a person, a model; in both eras, and more than anybody answers.

use super::{command, limits, tool};
use parking_lot::Mutex;
use secrecy::SecretString;
use serde_json::{Value, json};
use shidi_mcp_client::{
    Asks, Caller, Elicitation, Elicited, Launch, Limits, Nobody, Progress, Sampled, Sampling, Server,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const ERAS: [&[&str]; 2] = [&["--asks"], &["--asks", "--modern"]];

/// A task whose user answers every question alike.
#[derive(Default)]
pub struct Task {
    pub folders: Mutex<Vec<PathBuf>>,
    pub told: Mutex<Vec<Progress>>,
    pub asked: Mutex<Vec<Elicitation>>,
    sampled: AtomicU32,
    answer: Mutex<Option<Elicited>>,
}

#[async_trait::async_trait]
impl Caller for Task {
    fn task(&self) -> &str {
        "one"
    }

    fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().clone()
    }

    fn progress(&self, progress: &Progress) {
        self.told.lock().push(progress.clone());
    }

    fn is_attended(&self) -> bool {
        true
    }

    async fn elicit(&self, asked: &Elicitation) -> Elicited {
        self.asked.lock().push(asked.clone());
        let answer = self.answer.lock().clone();
        match answer {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }

    async fn sample(&self, asked: &Sampling) -> Result<Sampled, String> {
        self.sampled.fetch_add(1, Ordering::Relaxed);
        Ok(Sampled {
            text: format!("an answer to {}", asked.messages[0].text),
            model: "tea-1".to_owned(),
            tokens: 5,
            is_cut: false,
        })
    }
}

pub fn answering(answer: Elicited) -> Arc<Task> {
    Arc::new(Task {
        answer: Mutex::new(Some(answer)),
        ..Task::default()
    })
}

pub fn accepted(values: Value) -> Elicited {
    Elicited::Accepted(values.as_object().cloned().unwrap_or_default())
}

async fn called(server: &Server, task: &Arc<Task>, name: &str, args: Value) -> Result<Value, String> {
    let (caller, args) = (Arc::clone(task), args.as_object().cloned().unwrap_or_default());
    let tool = tool(server, name).await;
    let outcome = server
        .call_for(caller, &tool, args, &CancellationToken::new())
        .await;
    match &outcome.error {
        None => Ok(serde_json::from_str(outcome.data.as_str().unwrap()).unwrap()),
        Some(error) => Err(error.message.clone()),
    }
}

#[tokio::test]
async fn a_form_is_answered_declined_and_cancelled_in_both_eras() {
    for manners in ERAS {
        let server = Server::connect(
            command(env!("CARGO_BIN_EXE_shidi-test-server"), manners),
            limits(),
        )
        .await
        .unwrap();
        let ask = async |answer| {
            called(&server, &answering(answer), "ask_form", json!({}))
                .await
                .unwrap()
        };
        let sent = ask(accepted(json!({"guests": 2, "more": 1}))).await;
        assert_eq!(
            sent,
            json!({"action": "accept", "content": {"guests": 2}}),
            "{manners:?}"
        );
        assert_eq!(ask(Elicited::Declined).await, json!({"action": "decline"}));
        assert_eq!(ask(Elicited::Cancelled).await, json!({"action": "cancel"}));
        // What does not fit the form is not sent.
        assert_eq!(
            ask(accepted(json!({"guests": 0}))).await,
            json!({"action": "cancel"})
        );
        let task = answering(accepted(json!({})));
        let url = json!({"url": "https://sign.example/?id=1"});
        let opened = called(&server, &task, "ask_address", url).await.unwrap();
        assert_eq!(opened, json!({"action": "accept"}));
        let asks = task.asked.lock()[0].asks.clone();
        assert_eq!(asks, Asks::Address("https://sign.example/?id=1".to_owned()));
    }
}

#[tokio::test]
async fn a_bad_form_reaches_nobody_and_the_server_reads_why() {
    let server = Server::connect(
        command(env!("CARGO_BIN_EXE_shidi-test-server"), ERAS[0]),
        limits(),
    )
    .await
    .unwrap();
    let task = answering(accepted(json!({})));
    let fields: serde_json::Map<String, Value> = (0..100)
        .map(|at| (format!("f{at}"), json!({"type": "string"})))
        .collect();
    let nested = json!({"name": {"type": "object", "properties": {"first": {"type": "string"}}}});
    for (properties, why) in [
        (Value::Object(fields), "more than 20 fields"),
        (nested, "not flat"),
        (json!({"password": {"type": "string"}}), "asks for a secret"),
        (
            json!({"pin": {"type": "string", "format": "password"}}),
            "asks for a secret",
        ),
    ] {
        let schema = json!({"schema": {"type": "object", "properties": properties}});
        let refused = called(&server, &task, "ask_form", schema).await.unwrap();
        let message = refused["message"].as_str().unwrap_or_default();
        assert!(message.contains(why), "{refused}");
    }
    assert!(task.asked.lock().is_empty());
    let many = called(&server, &task, "ask_form", json!({"times": 30}))
        .await
        .unwrap();
    let declined = many
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["action"] == "decline")
        .count();
    assert_eq!(declined, 20, "a call asks ten times at most");
}

#[tokio::test]
async fn whoever_is_away_is_asked_nothing_and_so_is_everybody_while_no_call_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let mut spec = command(env!("CARGO_BIN_EXE_shidi-test-server"), &["--asks", "--nags"]);
    let Launch::Command { env, .. } = &mut spec.launch else {
        panic!("a command")
    };
    let path = SecretString::from(notes.display().to_string());
    env.insert("SHIDI_TEST_NOTES".to_owned(), path);
    let server = Server::connect(spec, limits()).await.unwrap();
    let answered = server
        .call_for(
            Arc::new(Nobody),
            &tool(&server, "ask_form").await,
            serde_json::Map::new(),
            &CancellationToken::new(),
        )
        .await;
    assert_eq!(answered.data, json!(json!({"action": "decline"}).to_string()));
    let nagged = || {
        let text = std::fs::read_to_string(&notes).unwrap_or_default();
        text.lines()
            .find(|line| line.contains("nagged"))
            .map(str::to_owned)
    };
    let heard = async {
        while nagged().is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), heard)
        .await
        .unwrap();
    assert!(
        nagged().unwrap().contains(r#""action":"decline""#),
        "{nagged:?}",
        nagged = nagged()
    );
}

#[tokio::test]
async fn a_person_s_time_is_not_the_call_s_and_a_call_that_is_given_up_takes_its_question_along() {
    let short = Limits {
        call: Duration::from_secs(4),
        ..limits()
    };
    let server = Server::connect(command(env!("CARGO_BIN_EXE_shidi-test-server"), ERAS[0]), short)
        .await
        .unwrap();
    let task = Arc::new(Task::default());
    let tool = tool(&server, "ask_form").await;
    let given_up = CancellationToken::new();
    let calling = server.call_for(
        Arc::clone(&task) as Arc<dyn Caller>,
        &tool,
        serde_json::Map::new(),
        &given_up,
    );
    let is_asked = async {
        while task.asked.lock().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let person = async {
        tokio::time::timeout(Duration::from_secs(60), is_asked)
            .await
            .unwrap();
        // That this time does not count is what is tested: it is longer than a call may take.
        tokio::time::sleep(short.call + Duration::from_secs(1)).await;
        assert_eq!(task.asked.lock().len(), 1);
        given_up.cancel();
    };
    let (outcome, ()) = tokio::join!(calling, person);
    assert!(
        outcome.error.unwrap().message.contains("given up"),
        "it did not run out of time"
    );
}

#[tokio::test]
async fn a_model_answers_with_text_alone_and_not_for_ever() {
    for manners in ERAS {
        let server = Server::connect(
            command(env!("CARGO_BIN_EXE_shidi-test-server"), manners),
            limits(),
        )
        .await
        .unwrap();
        let task = answering(Elicited::Declined);
        let answered = called(&server, &task, "ask_model", json!({})).await.unwrap();
        assert_eq!(
            answered["content"]["text"], "an answer to Which tea is it?",
            "{answered}"
        );
        assert_eq!(
            (&answered["model"], &answered["role"]),
            (&json!("tea-1"), &json!("assistant"))
        );
        let message = json!({"role": "user", "content": {"type": "text", "text": "?"}});
        let tools = json!({"params": {"messages": [message], "maxTokens": 9,
            "tools": [{"name": "rm", "inputSchema": {"type": "object"}}]}});
        let refused = called(&server, &task, "ask_model", tools).await;
        let why = match &refused {
            Ok(told) => told["message"].as_str().unwrap_or_default(),
            Err(told) => told,
        };
        assert!(why.contains("no tools go along"), "{refused:?}");
        assert_eq!(task.sampled.load(Ordering::Relaxed), 1);
    }
    let server = Server::connect(
        command(env!("CARGO_BIN_EXE_shidi-test-server"), ERAS[0]),
        limits(),
    )
    .await
    .unwrap();
    let task = answering(Elicited::Declined);
    let many = called(&server, &task, "ask_model", json!({"times": 50}))
        .await
        .unwrap();
    assert_eq!(task.sampled.load(Ordering::Relaxed), 5, "{many}");
    let looping = command(
        env!("CARGO_BIN_EXE_shidi-test-server"),
        &["--asks", "--modern", "--loops"],
    );
    let server = Server::connect(looping, limits()).await.unwrap();
    let task = answering(Elicited::Declined);
    let ended = called(&server, &task, "ask_model", json!({})).await.unwrap_err();
    assert!(ended.contains("at most 5 times"), "{ended}");
    let ended = called(&server, &task, "list_roots", json!({})).await.unwrap_err();
    assert!(ended.contains("input without end"), "{ended}");
}

#[tokio::test]
async fn the_folders_of_the_task_at_work_are_told_and_told_anew_when_they_are_others() {
    for manners in ERAS {
        let server = Server::connect(
            command(env!("CARGO_BIN_EXE_shidi-test-server"), manners),
            limits(),
        )
        .await
        .unwrap();
        let task = answering(Elicited::Declined);
        let listed = async || called(&server, &task, "list_roots", json!({})).await.unwrap()["roots"].clone();
        assert_eq!(listed().await, json!([]), "{manners:?}");
        *task.folders.lock() = vec![PathBuf::from("/projects/a b"), PathBuf::from("/projects/ü")];
        let told = json!([{"uri": "file:///projects/a%20b", "name": "a b"}, {"uri": "file:///projects/%C3%BC", "name": "ü"}]);
        assert_eq!(listed().await, told);
    }
}

#[tokio::test]
async fn a_server_that_has_asked_for_folders_hears_of_others_before_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let mut spec = command(env!("CARGO_BIN_EXE_shidi-test-server"), ERAS[0]);
    let Launch::Command { env, .. } = &mut spec.launch else {
        panic!("a command")
    };
    let path = SecretString::from(notes.display().to_string());
    env.insert("SHIDI_TEST_NOTES".to_owned(), path);
    let server = Server::connect(spec, limits()).await.unwrap();
    let task = answering(Elicited::Declined);
    called(&server, &task, "work", json!({"steps": 0})).await.unwrap();
    task.folders.lock().push(Path::new("/projects/a").to_owned());
    called(&server, &task, "work", json!({"steps": 0})).await.unwrap();
    let told = || {
        let text = std::fs::read_to_string(&notes).unwrap_or_default();
        let told = text.lines().filter(|line| line.contains("roots"));
        told.map(str::to_owned).collect::<Vec<String>>()
    };
    // The call waits for the server's question for a second, on a busy machine no longer than that.
    let is_told = async {
        while told().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), is_told)
        .await
        .unwrap();
    let told = told();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        !told[0].contains("/projects/a") && told[1].contains("file:///projects/a"),
        "{told:?}"
    );
}

#[tokio::test]
async fn progress_is_told_in_a_bounded_rhythm_and_a_flood_of_it_disturbs_nothing() {
    for manners in ERAS {
        let server = Server::connect(
            command(env!("CARGO_BIN_EXE_shidi-test-server"), manners),
            limits(),
        )
        .await
        .unwrap();
        let task = answering(Elicited::Declined);
        called(&server, &task, "work", json!({"steps": 3, "pause_ms": 700}))
            .await
            .unwrap();
        let told: Vec<f64> = task.told.lock().iter().map(|progress| progress.done).collect();
        assert!(told.is_sorted() && told.len() <= 3, "{told:?}");
        assert_eq!(
            (told.first(), told.last()),
            (Some(&1.0), Some(&3.0)),
            "{manners:?}"
        );
        let begun = std::time::Instant::now();
        let flooding = answering(Elicited::Declined);
        called(&server, &flooding, "work", json!({"steps": 20_000}))
            .await
            .unwrap();
        let most = begun.elapsed().as_millis() / 500 + 2;
        let told = flooding.told.lock();
        assert!(
            told.len() as u128 <= most,
            "{} in {:?}",
            told.len(),
            begun.elapsed()
        );
        assert!(told.iter().all(|progress| progress.text.chars().count() <= 121));
        assert!(told.iter().all(|progress| !progress.text.contains('\u{1b}')));
    }
}
