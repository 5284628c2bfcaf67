//! Prompts of servers for their user: listed as they were last known, and written out when one is chosen.
//!
//! No server is started for the list. Whoever chooses one asks its server, as a click on a link asks a site.

use crate::answers::{explain, found, shown};
use crate::{McpServers, look};
use serde_json::Value;
use shidi_mcp_client::{ServerPrompt, Written};
use shidi_protocol::{
    ErrorCode, JsonMap, McpPrompt, PromptField, PromptFieldKind, UserError, is_unseen, reply,
};
use shidi_space::errors::error;
use shidi_space::names::{callable, uncalled};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Characters of a prompt that was written out: more is a document.
const TEXT_CHARACTERS_MAX: usize = 100_000;

/// The prompts of all servers.
pub fn listed(servers: &McpServers) -> reply::McpPrompts {
    let peers = servers.all.lock();
    let prompts = peers.values().flat_map(|mcp_server| {
        let known = mcp_server.known.lock();
        let told: Vec<McpPrompt> = known
            .prompts
            .iter()
            .map(|prompt| told(&mcp_server.name, prompt))
            .collect();
        told
    });
    reply::McpPrompts {
        prompts: prompts.collect(),
    }
}

fn told(server: &str, prompt: &ServerPrompt) -> McpPrompt {
    let fields = prompt.arguments.iter().map(|argument| PromptField {
        name: argument.name.clone(),
        kind: PromptFieldKind::Free,
        label: match argument.description.is_empty() {
            true => argument.name.clone(),
            false => argument.description.clone(),
        },
        default: None,
        choices: Vec::new(),
        optional: !argument.required,
    });
    McpPrompt {
        server: server.to_owned(),
        prompt: prompt.name.clone(),
        name: callable(&format!("{server} {}", prompt.name)),
        description: prompt.description.clone(),
        fields: fields.collect(),
    }
}

/// Writes one out, with values for its arguments. Of an incognito session's nothing is logged.
///
/// # Errors
/// A server that is not there or can't be reached, and what it says against the prompt.
pub async fn written(
    servers: &Arc<McpServers>,
    name: &str,
    prompt: &str,
    values: BTreeMap<String, String>,
    is_incognito: bool,
) -> Result<reply::McpPromptText, UserError> {
    let language = servers.space.language();
    let mcp_server = found(servers, name)?;
    let _logged = mcp_server.log.calls(is_incognito);
    let server = mcp_server.server(servers).await?;
    let explained = |cause| explain(language, name, &cause);
    if !mcp_server.seen.load(Ordering::Acquire) {
        look(servers, &mcp_server, &server).await.map_err(explained)?;
    }
    // What was left empty is not given.
    let given = values.into_iter().filter(|(_, value)| !value.trim().is_empty());
    let given: JsonMap = given.map(|(name, value)| (name, Value::from(value))).collect();
    match server.prompt(prompt, given).await.map_err(explained)? {
        Written::Complete { text, beside } => Ok(reply::McpPromptText {
            text: uncalled(readable(&text)),
            beside: beside.iter().map(|file| readable(file)).collect(),
        }),
        Written::Asks => Err(error(
            ErrorCode::Task,
            language.mcp().prompt_asks(shown(prompt)),
            language.mcp().use_another_prompt(),
        )),
    }
}

/// As a person reads it: what the eye can't see is not there, and what is too long says so.
fn readable(text: &str) -> String {
    let mut seen: String = text.chars().filter(|sign| !is_unseen(*sign)).collect();
    if let Some((end, _)) = seen.char_indices().nth(TEXT_CHARACTERS_MAX) {
        seen.truncate(end);
        seen.push('…');
    }
    seen
}
