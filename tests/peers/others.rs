//! Servers of others, as people use them: three of the newer era and four of the older one, installed by `make setup`.

use super::{command, limits, tool};
use secrecy::SecretString;
use serde_json::{Value, json};
use shidi_mcp_client::{Launch, Server, ServerSpec, Written, toolkit_of};
use shidi_protocol::CallOutcome;
use shidi_tests::web_server::{Page, WebServer};
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

/// A server of others; `None`, and said so, where it is not installed.
pub fn installed(program: &str, args: &[&str]) -> Option<ServerSpec> {
    let folder = shidi_tests::folder().join("peers/mcp");
    let places = [folder.join("node_modules/.bin"), folder.join(".python/bin")];
    let found = places
        .into_iter()
        .map(|place| place.join(program))
        .find(|path| path.exists());
    let path: PathBuf = match found {
        Some(path) => path,
        None => {
            println!("NOT RUN: {program} is not installed (make setup)");
            return None;
        }
    };
    Some(command(&path.display().to_string(), args))
}

async fn call(server: &Server, method: &str, args: Value) -> CallOutcome {
    let tools = server.tools().await.unwrap();
    let toolkit = toolkit_of("peer", "peer", tools.into_iter().map(|tool| (tool, None)));
    let Some((tool, args)) = toolkit.call(method, args.as_object().unwrap()) else {
        panic!("no {method} in {:?}", toolkit.spec)
    };
    server.call(tool, args, &CancellationToken::new()).await
}

#[tokio::test]
async fn a_server_of_the_newer_era_tells_the_time() {
    let Some(spec) = installed("mcp-server-time", &["--local-timezone", "Asia/Shanghai"]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    assert_eq!(server.about().await.unwrap().1, "2026-07-28");
    let told = call(&server, "get_current_time", json!({"timezone": "Asia/Shanghai"})).await;
    assert!(told.data.to_string().contains("+08:00"), "{told:?}");
    let refused = call(&server, "get_current_time", json!({"timezone": "Nowhere/Land"})).await;
    assert!(!refused.ok() && refused.untrusted, "{refused:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_newer_era_reads_a_repository() {
    let Some(spec) = installed("mcp-server-git", &[]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let made = std::process::Command::new("git")
        .args(["init", "-q", &path])
        .status();
    assert!(made.unwrap().success());
    std::fs::write(folder.path().join("new.txt"), "new").unwrap();
    let status = call(&server, "git_status", json!({"repo_path": path})).await;
    assert!(status.data.to_string().contains("new.txt"), "{status:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_newer_era_fetches_a_page_where_its_user_lets_it() {
    let web = WebServer::start();
    let page = "<!doctype html><title>Tea</title><article><h1>Tea</h1><p>Sencha costs <b>4711</b> today, which is \
        more than it cost a year ago, as everybody says who buys it.</p></article>";
    web.put("/tea", Page::html(page));
    let Some(spec) = installed("mcp-server-fetch", &["--allow-private-ips"]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    assert_eq!(server.about().await.unwrap().1, "2026-07-28");
    let read = call(&server, "fetch", json!({"url": web.at("/tea")})).await;
    assert!(read.data.to_string().contains("4711"), "{read:?}");
    let missing = call(&server, "fetch", json!({"url": web.at("/none")})).await;
    assert!(!missing.ok() && missing.untrusted, "{missing:?}");
    // It has a prompt, too, which fetches for the user.
    let prompts = server.prompts().await.unwrap();
    assert_eq!(prompts[0].arguments[0].name, "url", "{prompts:?}");
    let values = json!({"url": web.at("/tea")});
    let Written::Complete { text, beside } = server
        .prompt("fetch", values.as_object().unwrap().clone())
        .await
        .unwrap()
    else {
        panic!("it asks for nothing")
    };
    assert!(text.contains("4711") && beside.is_empty(), "{text}");
    server.close().await;
    let Some(spec) = installed("mcp-server-fetch", &[]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    let refused = call(&server, "fetch", json!({"url": web.at("/tea")})).await;
    assert!(!refused.ok(), "{refused:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_older_era_has_everything() {
    let Some(spec) = installed("mcp-server-everything", &[]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    assert_eq!(server.about().await.unwrap().1, "2025-11-25");
    assert_eq!(
        call(&server, "echo", json!({"message": "你好"})).await.data,
        json!("Echo: 你好")
    );
    let picture = call(&server, "get_tiny_image", json!({})).await;
    assert!(
        picture.data.to_string().contains("[picture, image/png, "),
        "{picture:?}"
    );
    let weather = tool(&server, "get-structured-content").await;
    assert!(weather.structured);
    let told = call(&server, "get_structured_content", json!({"location": "Chicago"})).await;
    assert!(told.data.is_object(), "{told:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_older_era_reads_files_where_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let granted = path.display().to_string();
    let Some(spec) = installed("mcp-server-filesystem", &[&granted]) else {
        return;
    };
    std::fs::write(path.join("a.txt"), "inside").unwrap();
    let server = Server::connect(spec, limits()).await.unwrap();
    let own = path.join("a.txt").display().to_string();
    let read = call(&server, "read_text_file", json!({"path": own})).await;
    assert!(read.data.to_string().contains("inside"), "{read:?}");
    let refused = call(&server, "read_text_file", json!({"path": "/etc/hostname"})).await;
    assert!(!refused.ok(), "{refused:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_older_era_keeps_what_it_is_told() {
    let Some(mut spec) = installed("mcp-server-memory", &[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("memory.jsonl");
    let Launch::Command { env, .. } = &mut spec.launch else {
        panic!("a command")
    };
    let path = SecretString::from(file.display().to_string());
    env.insert("MEMORY_FILE_PATH".to_owned(), path);
    let server = Server::connect(spec.clone(), limits()).await.unwrap();
    let tea = json!({"name": "茶", "entityType": "drink", "observations": ["sencha"]});
    let kept = call(&server, "create_entities", json!({"entities": [tea]})).await;
    assert_eq!(kept.data, json!({"entities": [tea]}), "{kept:?}");
    server.close().await;
    // Another process of it finds that again.
    let server = Server::connect(spec, limits()).await.unwrap();
    let found = call(&server, "search_nodes", json!({"query": "sencha"})).await;
    assert_eq!(found.data["entities"], json!([tea]), "{found:?}");
    server.close().await;
}

#[tokio::test]
async fn a_server_of_the_older_era_counts_thoughts_and_says_what_it_misses() {
    let Some(spec) = installed("mcp-server-sequential-thinking", &[]) else {
        return;
    };
    let server = Server::connect(spec, limits()).await.unwrap();
    for number in 1..=2 {
        let thought = json!({"thought": "想一想", "nextThoughtNeeded": number < 2, "thoughtNumber": number,
            "totalThoughts": 2});
        let told = call(&server, "sequentialthinking", thought).await;
        assert_eq!(told.data["thoughtHistoryLength"], json!(number), "{told:?}");
    }
    let refused = call(&server, "sequentialthinking", json!({"thought": "?"})).await;
    assert!(!refused.ok() && refused.untrusted, "{refused:?}");
    server.close().await;
}
