//! What the user does with servers: adds, looks, allows, removes.

use crate::known::Known;
use crate::limits::PEERS_MAX;
use crate::table::{Allowed, Entry};
use crate::{McpServer, McpServers, file, keychain_name, known, look, naming, offer, spec, table};
use shidi_locales::Language;
use shidi_mcp_client::{Limits, McpError, Server};
use shidi_protocol::{
    Class, ErrorCode, ListedMcpServer, McpRequest, McpTool, NewMcpServer, UserError, reply,
};
use shidi_space::errors::error;
use shidi_space::key_errors;
use std::sync::Arc;

/// Characters of a command line or address in a list.
const REACHED_CHARACTERS: usize = 200;

/// Carries out what is asked.
///
/// # Errors
/// A name that will not do, a server that can't be reached or does not have what is named, storage trouble.
pub async fn perform(servers: &Arc<McpServers>, action: McpRequest) -> Result<reply::McpServers, UserError> {
    if let McpRequest::List = action {
        return Ok(all(servers));
    }
    let _one_at_a_time = servers.changing.lock().await;
    match action {
        McpRequest::List => Ok(all(servers)),
        McpRequest::Add { server } => add(servers, server).await,
        McpRequest::Test { name } => test(servers, &name).await,
        McpRequest::Allow {
            name,
            tools,
            all,
            class,
            on,
        } => {
            let mcp_server = found(servers, &name)?;
            let wanted = if all { None } else { Some(tools) };
            allow(servers, &mcp_server, wanted, class, on)
        }
        McpRequest::Remove { name } => remove(servers, &name).await,
    }
}

fn all(servers: &McpServers) -> reply::McpServers {
    let peers = servers.all.lock();
    reply::McpServers {
        servers: peers.values().map(|mcp_server| listed(mcp_server)).collect(),
    }
}

fn one(mcp_server: &McpServer) -> reply::McpServers {
    reply::McpServers {
        servers: vec![listed(mcp_server)],
    }
}

fn listed(mcp_server: &McpServer) -> ListedMcpServer {
    let entry = mcp_server.entry.lock();
    let known = mcp_server.known.lock();
    let reached = entry.url.clone().unwrap_or_else(|| entry.command.join(" "));
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
        }
    });
    ListedMcpServer {
        name: mcp_server.name.clone(),
        about: known.about.clone(),
        reached: reached.chars().take(REACHED_CHARACTERS).collect(),
        secrets: entry.secrets.clone(),
        tools: tools.collect(),
    }
}

async fn add(servers: &Arc<McpServers>, new: NewMcpServer) -> Result<reply::McpServers, UserError> {
    let language = servers.space.language();
    naming::checked(&new.name, language)?;
    if servers.named(&new.name).is_some() {
        return Err(is_there(language, &new.name));
    }
    if servers.all.lock().len() >= PEERS_MAX {
        return Err(too_many(language));
    }
    let entry = Entry {
        command: new.command,
        url: new.url,
        env: new.env,
        secrets: new.secrets.keys().cloned().collect(),
        legacy: new.legacy,
        ..Entry::default()
    };
    if entry.url.is_none() && entry.command.is_empty() {
        return Err(unreachable(language));
    }
    let secrets = new
        .secrets
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().into()));
    let spec = spec(&new.name, &entry, secrets.collect());
    let server = Server::connect(spec, Limits::default())
        .await
        .map_err(|cause| explain(language, &cause))?;
    if !new.secrets.is_empty() {
        let kept = serde_json::json!(new.secrets).to_string();
        let models = servers.space.models();
        let stored = models.keys().set(&keychain_name(&new.name), &kept.into()).await;
        stored.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    table::write(
        &file(servers.space.home.folder()),
        &new.name,
        Some(&entry),
        language,
    )?;
    let mcp_server = Arc::new(McpServer::new(new.name, entry, Known::default()));
    *mcp_server.server.lock().await = Some(server.clone());
    servers
        .all
        .lock()
        .insert(mcp_server.name.clone(), Arc::clone(&mcp_server));
    look(servers, &mcp_server, &server)
        .await
        .map_err(|cause| explain(language, &cause))?;
    Ok(one(&mcp_server))
}

async fn test(servers: &Arc<McpServers>, name: &str) -> Result<reply::McpServers, UserError> {
    let mcp_server = found(servers, name)?;
    let server = mcp_server.server(servers).await?;
    server.forgive().await;
    look(servers, &mcp_server, &server)
        .await
        .map_err(|cause| explain(servers.space.language(), &cause))?;
    Ok(one(&mcp_server))
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
    if !mcp_server.entry.lock().secrets.is_empty() {
        let models = servers.space.models();
        let deleted = models.keys().delete(&keychain_name(name)).await;
        deleted.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    table::write(&file(servers.space.home.folder()), name, None, language)?;
    known::write(servers.space.home.folder(), name, None);
    servers.all.lock().remove(name);
    servers.registry.remove(name);
    servers.registry.changed(&servers.space);
    mcp_server.end().await;
    Ok(all(servers))
}

fn found(servers: &McpServers, name: &str) -> Result<Arc<McpServer>, UserError> {
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

fn explain(language: Language, cause: &McpError) -> UserError {
    let code = match cause {
        McpError::Address(_) | McpError::InTheClear(_) | McpError::Header(_) => ErrorCode::Input,
        _ => ErrorCode::Task,
    };
    error(code, cause.sentence(language), cause.hint(language))
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

fn no_tool(language: Language, server: &str, tool: &str, known: &[&str]) -> UserError {
    let listed = known.join(language.mcp().listed_with());
    error(
        ErrorCode::NotFound,
        language.mcp().no_such_tool(server, shown(tool)),
        language.mcp().tools_there_are(listed),
    )
}

fn shown(name: &str) -> String {
    shidi_mcp_client::paragraph(name, REACHED_CHARACTERS)
}
