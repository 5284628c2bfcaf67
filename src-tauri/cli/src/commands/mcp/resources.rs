//! `shidi mcp resources`: what a server has to read, and how to send one along.

use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use shidi_protocol::request::mcp;
use shidi_protocol::{McpResource, reply};

/// Lists the resources of a server.
///
/// # Errors
/// A server that is not there or can't be reached.
pub async fn run(name: String, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = mcp::Resources { name: Some(name) };
    let listed = with_connection(options, async |connection| {
        ask_unlocking(connection, request, console).await
    });
    let reply::McpResources {
        resources, left_out, ..
    } = listed.await?;
    console.note_if_empty(&resources);
    for resource in &resources {
        if console.is_json() {
            console.json(resource)?;
            continue;
        }
        console.line(&format!(
            "{}  {}  {}",
            console.painted(Look::Strong, &clean(&resource.uri)),
            clean(&resource.name),
            console.painted(Look::Dim, &clean(&facts(resource)))
        ))?;
    }
    if console.is_json() {
        return Ok(Exit::Done);
    }
    if left_out > 0 {
        console.line(&console.words.resources_left_out(left_out))?;
    }
    if let Some(first) = resources.first() {
        let example = format!("mcp:{}/{}", first.server, clean(&first.uri));
        console.note(Look::Dim, &console.words.attach_resource(&example));
    }
    Ok(Exit::Done)
}

fn facts(resource: &McpResource) -> String {
    let bytes = resource
        .bytes
        .map(|bytes| format!("{bytes} B"))
        .unwrap_or_default();
    let facts = [&resource.media_type, &bytes, &resource.description];
    let told: Vec<&str> = facts
        .into_iter()
        .map(String::as_str)
        .filter(|fact| !fact.is_empty())
        .collect();
    told.join(" · ")
}
