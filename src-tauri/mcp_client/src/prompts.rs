//! Prompts of a server as a person uses them: told by name with their arguments, and written out.
//!
//! All their words are the server's.

use crate::limits::{
    BESIDE_LISTED_MAX, PROMPT_ARGUMENTS_MAX, PROMPT_FILES_MAX, TOOL_DOC_CHARACTERS, TOOL_PAGES_MAX,
};
use crate::naming::is_name;
use crate::outcome::shown;
use crate::text::paragraph;
use rmcp::model::{
    ContentBlock, GetPromptRequestParams, GetPromptResponse, PaginatedRequestParams, Prompt, Role,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::{Deserialize, Serialize};
use shidi_protocol::JsonMap;
use std::collections::BTreeSet;

/// A prompt that a server has prepared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerPrompt {
    pub name: String,
    pub description: String,
    pub arguments: Vec<PromptArgument>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptArgument {
    pub name: String,
    pub description: String,
    pub required: bool,
}

/// A prompt that was written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// What is asked, and what the server put beside it.
    Complete { text: String, beside: Vec<String> },
    /// The server wants something first.
    Asks,
}

/// The prompts of a server. None of a server that says that it has none.
pub async fn listed(peer: &Peer<RoleClient>) -> Result<Vec<ServerPrompt>, ServiceError> {
    let has_some = peer
        .peer_info()
        .is_some_and(|info| info.capabilities.prompts.is_some());
    if !has_some {
        return Ok(Vec::new());
    }
    let mut prompts = Vec::new();
    let mut cursor = None;
    for _ in 0..TOOL_PAGES_MAX {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let page = peer.list_prompts(Some(page)).await?;
        prompts.extend(page.prompts);
        cursor = page.next_cursor;
        if cursor.is_none() || prompts.len() >= BESIDE_LISTED_MAX {
            break;
        }
    }
    let prompts = prompts.into_iter().filter(|prompt| is_name(&prompt.name));
    Ok(prompts.take(BESIDE_LISTED_MAX).map(of).collect())
}

fn of(prompt: Prompt) -> ServerPrompt {
    let told = |text: Option<String>| paragraph(&text.unwrap_or_default(), TOOL_DOC_CHARACTERS);
    // Of one name the first: each is a field of its own.
    let mut known = BTreeSet::new();
    let arguments = prompt
        .arguments
        .unwrap_or_default()
        .into_iter()
        .filter(|argument| is_name(&argument.name) && known.insert(argument.name.clone()));
    ServerPrompt {
        name: prompt.name,
        description: told(prompt.description.or(prompt.title)),
        arguments: arguments
            .take(PROMPT_ARGUMENTS_MAX)
            .map(|argument| PromptArgument {
                name: argument.name,
                description: told(argument.description),
                required: argument.required == Some(true),
            })
            .collect(),
    }
}

/// Writes one out.
pub async fn written(
    peer: &Peer<RoleClient>,
    name: &str,
    arguments: JsonMap,
) -> Result<Written, ServiceError> {
    let params = GetPromptRequestParams::new(name).with_arguments(arguments);
    let GetPromptResponse::Complete(prompt) = peer.get_prompt_once(params).await? else {
        return Ok(Written::Asks);
    };
    let is_dialogue = prompt
        .messages
        .iter()
        .any(|message| matches!(message.role, Role::Assistant));
    let (mut said, mut beside) = (Vec::new(), Vec::new());
    for message in prompt.messages {
        let text = shown(&message.content);
        match (&message.content, message.role) {
            // What is embedded is a file, and no question.
            (ContentBlock::Resource(_), _) if beside.len() < PROMPT_FILES_MAX => beside.push(text),
            (ContentBlock::Resource(_), _) => {}
            (_, Role::User) if is_dialogue => said.push(format!("user: {text}")),
            (_, Role::Assistant) => said.push(format!("assistant: {text}")),
            (_, Role::User) => said.push(text),
        }
    }
    Ok(Written::Complete {
        text: said.join("\n\n"),
        beside,
    })
}
