//! Servers of others, as people use them: two of each era, installed by `make setup`.

use super::{command, limits, tool};
use serde_json::{Value, json};
use shidi_mcp_client::{Server, ServerSpec, toolkit_of};
use shidi_protocol::CallOutcome;
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
