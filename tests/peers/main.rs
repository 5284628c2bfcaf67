//! Other programs over their real protocols: servers of others, and one of ours that misbehaves.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

mod address;
mod asking;
mod conformance_client;
mod editor;
mod others;
mod others_asking;
mod rude;
mod served;
mod sign_in;
mod sign_in_elsewhere;
mod signing_server;
mod skill_validator;

use shidi_mcp_client::{Era, Launch, Limits, Server, ServerSpec, Tool};
use std::collections::BTreeMap;
use std::time::Duration;

/// How to start a program with those arguments.
fn command(program: &str, args: &[&str]) -> ServerSpec {
    ServerSpec {
        name: "peer".to_owned(),
        launch: Launch::Command {
            program: program.to_owned(),
            args: args.iter().map(|argument| (*argument).to_owned()).collect(),
            env: BTreeMap::new(),
        },
        era: Era::Auto,
    }
}

/// Waits that are short enough for a test and long enough for a machine that is busy.
fn limits() -> Limits {
    Limits {
        connect: Duration::from_secs(40),
        call: Duration::from_secs(30),
        list: Duration::from_secs(30),
        close: Duration::from_secs(5),
    }
}

async fn tool(server: &Server, name: &str) -> Tool {
    let tools = server.tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    match tools.iter().find(|tool| tool.name == name) {
        Some(tool) => tool.clone(),
        None => panic!("no {name} among {names:?}"),
    }
}
