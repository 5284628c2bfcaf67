//! Servers of others that ask in the middle of a call, as their makers wrote them.

use super::asking::{Task, accepted, answering};
use super::others::installed;
use super::{limits, tool};
use serde_json::{Value, json};
use shidi_mcp_client::{Asks, Caller, Elicited, Server};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub async fn called(server: &Server, task: &Arc<Task>, name: &str, args: Value) -> String {
    let (caller, tool) = (Arc::clone(task) as Arc<dyn Caller>, tool(server, name).await);
    let args = args.as_object().cloned().unwrap_or_default();
    let outcome = server
        .call_for(caller, &tool, args, &CancellationToken::new())
        .await;
    match outcome.error {
        None => outcome.data.to_string(),
        Some(error) => format!("failed: {}", error.message),
    }
}

#[tokio::test]
async fn a_form_with_every_kind_of_field_an_address_a_model_and_progress() {
    let Some(spec) = installed("mcp-server-everything", &[]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    let values = json!({"name": "Ada", "check": true, "email": "ada@example.com", "integer": 7,
        "untitledMultipleSelectEnum": ["Piano"], "titledSingleSelectEnum": "hero-2"});
    let task = answering(accepted(values));
    let told = called(&server, &task, "trigger-elicitation-request", json!({})).await;
    assert!(told.contains("Ada") && told.contains("hero-2"), "{told}");
    let Asks::Form(fields) = task.asked.lock()[0].asks.clone() else {
        panic!("a form")
    };
    assert!(fields.len() >= 12, "{fields:?}");
    assert!(fields.iter().any(|field| field.default == json!(["Guitar"])));
    let declined = called(
        &server,
        &answering(Elicited::Declined),
        "trigger-elicitation-request",
        json!({}),
    )
    .await;
    assert!(declined.contains("declined"), "{declined}");
    let url = json!({"url": "https://sign.example/start"});
    let opened = called(&server, &task, "trigger-url-elicitation", url).await;
    assert!(opened.contains("accept"), "{opened}");
    let sampled = called(
        &server,
        &task,
        "trigger-sampling-request",
        json!({"prompt": "tea"}),
    )
    .await;
    assert!(
        sampled.contains("an answer to Resource trigger-sampling-request context: tea"),
        "{sampled}"
    );
    let steps = json!({"duration": 2, "steps": 2});
    called(&server, &task, "trigger-long-running-operation", steps).await;
    let told = task.told.lock().clone();
    assert_eq!(
        told.last().map(|last| (last.done, last.total)),
        Some((2.0, Some(2.0)))
    );
    server.close().await;
}

#[tokio::test]
async fn a_server_of_files_reads_in_the_folders_of_the_task_at_work_and_in_no_other() {
    let (granted, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = [&granted, &other].map(|folder| folder.path().canonicalize().unwrap());
    for path in &paths {
        std::fs::write(path.join("a.txt"), "inside").unwrap();
    }
    let nowhere = tempfile::tempdir().unwrap();
    let Some(spec) = installed("mcp-server-filesystem", &[nowhere.path().to_str().unwrap()]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    for (own, foreign) in [(&paths[0], &paths[1]), (&paths[1], &paths[0])] {
        let task = answering(Elicited::Declined);
        task.folders.lock().push(own.clone());
        let read = async |path: &std::path::Path| {
            let args = json!({"path": path.join("a.txt")});
            called(&server, &task, "read_text_file", args).await
        };
        let told = read(own).await;
        assert!(told.contains("inside"), "{told}");
        assert!(read(foreign).await.contains("denied"));
    }
    server.close().await;
}
