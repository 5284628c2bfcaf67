//! The user's actions on servers: adding, looking, allowing, removing.

use crate::answers::{explain_new, explain_unnamed, found, listed, one, shown, test};
use crate::known::ServerDescription;
use crate::limits::{NAMES_PROPOSED_MAX, PEERS_MAX};
use crate::table::{Allowed, Entry};
use crate::{
    McpServer, McpServers, address, clients, drafts, file, importing, keychain_name, known, log, look,
    naming, offer, prompts, resources, serve_token, signing_in, spec, table,
};
use shidi_locales::Language;
use shidi_mcp_client::{Limits, McpError, Server, split_key};
use shidi_protocol::{Class, ErrorCode, McpRequest, NewMcpServer, Reply, UserError, reply};
use shidi_space::errors::error;
use shidi_space::key_errors;
use shidi_space::prompt_parts;
use shidi_yaml::nearest_few;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Carries out what is asked.
///
/// # Errors
/// A name that will not do. A server that can't be reached or does not have the named thing. Storage
/// trouble.
pub async fn perform(servers: &Arc<McpServers>, action: McpRequest) -> Result<Reply, UserError> {
    let changed = match action {
        McpRequest::List => all(servers),
        McpRequest::Clients => return Ok(clients::listed(servers)?.into()),
        McpRequest::ClientCalls { name } => {
            let _one_at_a_time = servers.clients.lock().await;
            return Ok(clients::calls(servers, &name)?.into());
        }
        McpRequest::ClientDecide { name, state } => {
            let _one_at_a_time = servers.clients.lock().await;
            return Ok(clients::decide(servers, &name, state)?.into());
        }
        McpRequest::ServeToken { wish } => {
            let _one_at_a_time = servers.clients.lock().await;
            return Ok(serve_token::token(servers, wish).await?.into());
        }
        McpRequest::Read { text } => return Ok(importing::read(servers, &text)?.into()),
        McpRequest::Resources { name } => {
            return Ok(resources::listed(servers, name.as_deref()).await?.into());
        }
        McpRequest::Log { name } => return Ok(log::told(servers, &name)?.into()),
        McpRequest::Prompts => return Ok(prompts::listed(servers).into()),
        McpRequest::Prompt {
            name,
            prompt,
            values,
            incognito,
        } => {
            let written = prompts::written(servers, &name, &prompt, values, incognito).await?;
            return Ok(written.into());
        }
        McpRequest::Find => return Ok(importing::find(servers).into()),
        // A user who signs in keeps nobody else waiting.
        McpRequest::SignIn { name } => return Ok(signing_in::begin(servers, &name).await?.into()),
        McpRequest::SignedIn { name } => return Ok(signing_in::finish(servers, &name).await?.into()),
        McpRequest::Add { server, unnamed } => {
            let _one_at_a_time = servers.changing.lock().await;
            add(servers, server, unnamed).await?
        }
        McpRequest::Test { name } => {
            let _one_at_a_time = servers.changing.lock().await;
            test(servers, &name).await?
        }
        McpRequest::Allow {
            name,
            tools,
            all,
            class,
            on,
        } => {
            let _one_at_a_time = servers.changing.lock().await;
            let wanted = if all { None } else { Some(tools) };
            allow(servers, &found(servers, &name)?, wanted, class, on)?
        }
        McpRequest::Restart { name } => {
            let _one_at_a_time = servers.changing.lock().await;
            found(servers, &name)?.stop().await;
            test(servers, &name).await?
        }
        McpRequest::Remove { name } => {
            let _one_at_a_time = servers.changing.lock().await;
            remove(servers, &name).await?
        }
    };
    Ok(changed.into())
}

fn all(servers: &McpServers) -> reply::McpServers {
    let peers = servers.all.lock();
    reply::McpServers {
        servers: peers.values().map(|mcp_server| listed(mcp_server)).collect(),
    }
}

/// Adds a server. What is against it is told without its name where that is told beside.
async fn add(
    servers: &Arc<McpServers>,
    new: NewMcpServer,
    is_unnamed: bool,
) -> Result<reply::McpServers, UserError> {
    let language = servers.space.language();
    let new = drafts::without_parameters(new);
    naming::checked(&new.name, language)?;
    if servers.named(&new.name).is_some() {
        return Err(is_there(language, &new.name));
    }
    if servers.all.lock().len() >= PEERS_MAX {
        return Err(too_many(language));
    }
    if new.url.is_none() && new.command.is_empty() {
        return Err(unreachable(language));
    }
    if let Some(url) = new.url.as_deref().filter(|url| split_key(url).is_some()) {
        return Err(key_in_address(language, url));
    }
    let mcp_server = Arc::new(McpServer::new(
        new.name.clone(),
        entry_of(&new),
        ServerDescription::default(),
    ));
    let server = first_seen(servers, &mcp_server, &new).await;
    let server = server.map_err(|cause| match is_unnamed {
        true => explain_unnamed(language, &new.name, &cause),
        false => explain_new(language, &new.name, &cause),
    })?;
    if let Err(cause) = write_down(servers, &mcp_server, &new).await {
        server.close().await;
        return Err(cause);
    }
    *mcp_server.server.lock().await = Some(server.clone());
    servers.all.lock().insert(new.name, Arc::clone(&mcp_server));
    if !mcp_server.wants_sign_in.load(Ordering::Acquire)
        && let Err(cause) = look(servers, &mcp_server, &server).await
    {
        // It has answered and is added; the next look tells what is wrong.
        tracing::info!(%cause, server = mcp_server.name, "the tools of a new server are not known");
    }
    Ok(one(&mcp_server))
}

/// Writes a new server down, with its secrets or not at all.
async fn write_down(
    servers: &McpServers,
    mcp_server: &McpServer,
    new: &NewMcpServer,
) -> Result<(), UserError> {
    let models = servers.space.models();
    let place = keychain_name(&new.name);
    if !new.secrets.is_empty() {
        let kept = serde_json::json!(new.secrets).to_string();
        let stored = models.keys().set(&place, &kept.into()).await;
        stored.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    let entry = mcp_server.entry.lock().clone();
    let file = file(servers.space.home.folder());
    let written = table::write(&file, &new.name, Some(&entry), servers.space.language());
    if written.is_err()
        && !new.secrets.is_empty()
        && let Err(cause) = models.keys().delete(&place).await
    {
        tracing::warn!(%cause, "secrets of a server that was not added are still kept");
    }
    written
}

fn entry_of(new: &NewMcpServer) -> Entry {
    Entry {
        command: new.command.clone(),
        url: new.url.clone(),
        env: new.env.clone(),
        secrets: new.secrets.keys().cloned().collect(),
        legacy: new.legacy,
        client_id: new.client_id.clone().filter(|_| new.url.is_some()),
        ..Entry::default()
    }
}

/// Starts a server for the first time; one that wants its user to sign in is there, too.
async fn first_seen(
    servers: &McpServers,
    mcp_server: &McpServer,
    new: &NewMcpServer,
) -> Result<Server, McpError> {
    let secrets = new.secrets.iter();
    let secrets = secrets.map(|(name, value)| (name.clone(), value.as_str().into()));
    let spec = spec(servers, mcp_server, &entry_of(new), secrets.collect());
    let server = Server::logged(spec, Limits::default(), mcp_server.log.clone());
    match server.tools().await {
        Ok(_) => {}
        Err(McpError::SignIn | McpError::Rights(_)) => {
            mcp_server.wants_sign_in.store(true, Ordering::Release)
        }
        Err(cause) => {
            server.close().await;
            return Err(cause);
        }
    }
    Ok(server)
}

fn allow(
    servers: &Arc<McpServers>,
    mcp_server: &Arc<McpServer>,
    wanted: Option<Vec<String>>,
    class: Option<Class>,
    on: bool,
) -> Result<reply::McpServers, UserError> {
    let language = servers.space.language();
    let mut entry = mcp_server.entry.lock().clone();
    let tools = mcp_server.known.lock().tools.clone();
    let wanted = wanted.unwrap_or_else(|| tools.iter().map(|tool| tool.name.clone()).collect());
    for name in wanted {
        if !on && entry.allow.remove(&name).is_some() {
            continue;
        }
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let known = tools.iter().map(|tool| tool.name.as_str());
            return Err(no_tool(
                language,
                &mcp_server.name,
                &name,
                &known.collect::<Vec<_>>(),
            ));
        };
        if on {
            let allowed = Allowed {
                class,
                seen: Some(tool.fingerprint()),
            };
            entry.allow.insert(name, allowed);
        }
    }
    table::write(
        &file(servers.space.home.folder()),
        &mcp_server.name,
        Some(&entry),
        language,
    )?;
    *mcp_server.entry.lock() = entry;
    offer(servers, mcp_server);
    servers.registry.changed(&servers.space);
    Ok(one(mcp_server))
}

async fn remove(servers: &Arc<McpServers>, name: &str) -> Result<reply::McpServers, UserError> {
    let mcp_server = found(servers, name)?;
    let language = servers.space.language();
    let (has_secrets, is_signed_in) = {
        let entry = mcp_server.entry.lock();
        (!entry.secrets.is_empty(), entry.signed_in)
    };
    let models = servers.space.models();
    if is_signed_in {
        // Its tokens are deleted at the end, when nothing renews them any more.
        let ready = models.keys().ready().await;
        ready.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    if has_secrets {
        let deleted = models.keys().delete(&keychain_name(name)).await;
        deleted.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    table::write(&file(servers.space.home.folder()), name, None, language)?;
    known::write(servers.space.home.folder(), name, None);
    servers.all.lock().remove(name);
    servers.registry.remove(name);
    servers.registry.changed(&servers.space);
    signing_in::forget(servers, &mcp_server).await;
    mcp_server.end().await;
    prompt_parts::forget_toolkit(&servers.space, name);
    Ok(all(servers))
}

fn is_there(language: Language, name: &str) -> UserError {
    error(
        ErrorCode::Input,
        language.mcp().name_taken(name),
        language.mcp().choose_name_or_remove(name),
    )
}

fn too_many(language: Language) -> UserError {
    error(
        ErrorCode::Input,
        language.mcp().servers_full(PEERS_MAX),
        language.mcp().remove_server(),
    )
}

fn unreachable(language: Language) -> UserError {
    error(
        ErrorCode::Input,
        language.mcp().no_way_to_server(),
        language.mcp().give_command_or_address(),
    )
}

/// A key in an address would be kept in a file, and told wherever the address is.
fn key_in_address(language: Language, url: &str) -> UserError {
    error(
        ErrorCode::Input,
        language.mcp().key_in_address(shown(&address::shown(url))),
        language.mcp().give_key_apart(),
    )
}

/// A tool that a server does not have, with the names that may be meant: a server may have hundreds.
fn no_tool(language: Language, server: &str, tool: &str, known: &[&str]) -> UserError {
    let say = language.mcp();
    let near = match known.len() <= NAMES_PROPOSED_MAX {
        true => known.to_vec(),
        false => nearest_few(tool, known.iter().copied(), NAMES_PROPOSED_MAX),
    };
    let (listed, more) = (near.join(say.listed_with()), known.len() - near.len());
    let hint = match (near.is_empty(), more) {
        (true, _) => say.tools_are_listed(known.len(), server),
        (false, 0) => say.tools_there_are(listed),
        (false, more) => say.tools_near(more, listed, server),
    };
    error(ErrorCode::NotFound, say.no_such_tool(server, shown(tool)), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(tool: &str, known: &[&str]) -> String {
        no_tool(Language::En, "git", tool, known).hint.unwrap_or_default()
    }

    #[test]
    fn of_many_tools_the_nearest_are_named_and_the_rest_is_counted() {
        let known: Vec<String> = (0..300).map(|number| format!("tool_{number}")).collect();
        let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
        known.push("create_issue");
        let near = hint("creat_issue", &known);
        assert_eq!(near, "Near it: create_issue; shidi mcp tools git lists 300 more");
        assert_eq!(
            hint("zzz", &known),
            "See its tools (301) with shidi mcp tools git"
        );
        let near = hint("tool_7x", &known);
        assert!(near.contains("tool_7") && near.contains("296 more"), "{near}");
    }

    #[test]
    fn of_a_few_tools_all_are_named() {
        assert_eq!(hint("zzz", &["add", "echo"]), "It has: add, echo");
        assert_eq!(hint("zzz", &[]), "See its tools (0) with shidi mcp tools git");
    }
}
