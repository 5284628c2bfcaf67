//! Answers about servers: one server as it is listed, and as it is when asked. Also the reason why a server can't
//! be used.

use crate::{McpServer, McpServers, address, known, look};
use shidi_locales::Language;
use shidi_mcp_client::{McpError, parameters};
use shidi_protocol::{Class, ErrorCode, ListedMcpServer, McpTool, UserError, reply};
use shidi_space::errors::error;
use std::sync::Arc;

/// Characters of a name in a sentence.
const NAME_CHARACTERS: usize = 200;

/// A server alone.
pub fn one(mcp_server: &McpServer) -> reply::McpServers {
    reply::McpServers {
        servers: vec![listed(mcp_server)],
    }
}

/// A server as it is listed.
pub fn listed(mcp_server: &McpServer) -> ListedMcpServer {
    let entry = mcp_server.entry.lock();
    let known = mcp_server.known.lock();
    let (state, said) = mcp_server.standing();
    let tools = known.tools.iter().map(|tool| {
        let allowed = entry.allow.get(&tool.name);
        let seen = allowed.and_then(|allowed| allowed.seen.as_ref());
        McpTool {
            name: tool.name.clone(),
            doc: tool.doc.clone(),
            class: allowed.and_then(|allowed| allowed.class).unwrap_or(Class::Send),
            allowed: allowed.is_some(),
            changed: seen.is_some_and(|seen| *seen != tool.fingerprint()),
            reads_only: tool.hints.reads_only,
            destroys: tool.hints.destroys,
            parameters: parameters(tool),
        }
    });
    ListedMcpServer {
        name: mcp_server.name.clone(),
        about: known.about.clone(),
        reached: address::reached(entry.url.as_deref(), &entry.command),
        secrets: entry.secrets.clone(),
        state,
        said,
        lacks_rights: mcp_server.lacked(),
        tools: tools.collect(),
        left_out: count(known::offered(&known, &entry).1),
        unread: count(known.unread),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Starts a server, if it is not running, and asks what it offers.
///
/// # Errors
/// A name that no server has, or a server that can't be reached.
pub async fn test(servers: &Arc<McpServers>, name: &str) -> Result<reply::McpServers, UserError> {
    let mcp_server = found(servers, name)?;
    let server = mcp_server.server(servers).await?;
    server.forgive().await;
    look(servers, &mcp_server, &server)
        .await
        .map_err(|cause| explain(servers.space.language(), name, &cause))?;
    Ok(one(&mcp_server))
}

/// The server of that name.
///
/// # Errors
/// A name that no server has, with those that there are.
pub fn found(servers: &McpServers, name: &str) -> Result<Arc<McpServer>, UserError> {
    let language = servers.space.language();
    servers.named(name).ok_or_else(|| {
        let all = servers.all.lock();
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        error(
            ErrorCode::NotFound,
            language.mcp().no_such_server(shown(name)),
            match names.as_slice() {
                [] => language.mcp().add_server().to_owned(),
                names => language
                    .mcp()
                    .servers_there_are(names.join(language.mcp().listed_with())),
            },
        )
    })
}

/// Why the server of that name can't be used, for the user.
pub fn explain(language: Language, name: &str, cause: &McpError) -> UserError {
    let message = language.mcp().of_server(sentence(language, cause), shown(name));
    error(code(cause), message, cause.hint(language, &shown(name)))
}

/// Why a server of that name was not added.
pub fn explain_new(language: Language, name: &str, cause: &McpError) -> UserError {
    let message = language.mcp().of_server(sentence(language, cause), shown(name));
    UserError {
        message,
        ..explain_unnamed(language, name, cause)
    }
}

/// The same for whoever tells the name beside it.
pub fn explain_unnamed(language: Language, name: &str, cause: &McpError) -> UserError {
    let hint = cause.hint_of_new(language, &shown(name));
    error(code(cause), sentence(language, cause), hint)
}

fn code(cause: &McpError) -> ErrorCode {
    match cause {
        McpError::Address(_) | McpError::InTheClear(_) | McpError::Header(_) => ErrorCode::Input,
        _ => ErrorCode::Task,
    }
}

/// What broke. An address that it quotes is shown as in lists.
pub fn sentence(language: Language, cause: &McpError) -> String {
    match cause {
        McpError::Address(url) => McpError::Address(address::shown(url)).sentence(language),
        McpError::InTheClear(url) => McpError::InTheClear(address::shown(url)).sentence(language),
        _ => cause.sentence(language),
    }
}

/// A name as a sentence shows it.
pub fn shown(name: &str) -> String {
    shidi_mcp_client::paragraph(name, NAME_CHARACTERS)
}
