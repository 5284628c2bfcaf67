//! What the user does with servers: adds, looks, allows, removes.

use crate::known::Known;
use crate::limits::PEERS_MAX;
use crate::table::{Allowed, Entry};
use crate::{McpServer, McpServers, file, keychain_name, known, look, naming, offer, spec, table};
use shidi_mcp_client::{Limits, McpError, Server};
use shidi_protocol::{
    Class, ErrorCode, ListedMcpServer, McpRequest, McpTool, NewMcpServer, Reply, UserError,
};
use shidi_space::key_errors;
use shidi_space::words::{Words, error};
use std::sync::Arc;

/// Characters of a command line or address in a list.
const REACHED_CHARACTERS: usize = 200;

/// Carries out what is asked.
///
/// # Errors
/// A name that will not do, a server that can't be reached or does not have what is named, storage trouble.
pub async fn perform(servers: &Arc<McpServers>, action: McpRequest) -> Result<Reply, UserError> {
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

fn all(servers: &McpServers) -> Reply {
    let peers = servers.all.lock();
    Reply::McpServers {
        servers: peers.values().map(|mcp_server| listed(mcp_server)).collect(),
    }
}

fn one(mcp_server: &McpServer) -> Reply {
    Reply::McpServers {
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

async fn add(servers: &Arc<McpServers>, new: NewMcpServer) -> Result<Reply, UserError> {
    let words = servers.space.words();
    naming::checked(&new.name, words)?;
    if servers.named(&new.name).is_some() {
        return Err(is_there(words, &new.name));
    }
    if servers.all.lock().len() >= PEERS_MAX {
        return Err(too_many(words));
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
        return Err(unreachable(words));
    }
    let secrets = new
        .secrets
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().into()));
    let spec = spec(&new.name, &entry, secrets.collect());
    let server = Server::connect(spec, Limits::default())
        .await
        .map_err(|cause| explain(words, &cause))?;
    if !new.secrets.is_empty() {
        let kept = serde_json::json!(new.secrets).to_string();
        let models = servers.space.models();
        let stored = models.keys().set(&keychain_name(&new.name), &kept.into()).await;
        stored.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    table::write(&file(servers.space.home.folder()), &new.name, Some(&entry), words)?;
    let mcp_server = Arc::new(McpServer::new(new.name, entry, Known::default()));
    *mcp_server.server.lock().await = Some(server.clone());
    servers
        .all
        .lock()
        .insert(mcp_server.name.clone(), Arc::clone(&mcp_server));
    look(servers, &mcp_server, &server)
        .await
        .map_err(|cause| explain(words, &cause))?;
    Ok(one(&mcp_server))
}

async fn test(servers: &Arc<McpServers>, name: &str) -> Result<Reply, UserError> {
    let mcp_server = found(servers, name)?;
    let server = mcp_server.server(servers).await?;
    server.forgive().await;
    look(servers, &mcp_server, &server)
        .await
        .map_err(|cause| explain(servers.space.words(), &cause))?;
    Ok(one(&mcp_server))
}

fn allow(
    servers: &Arc<McpServers>,
    mcp_server: &Arc<McpServer>,
    wanted: Option<Vec<String>>,
    class: Option<Class>,
    on: bool,
) -> Result<Reply, UserError> {
    let words = servers.space.words();
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
                words,
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
        words,
    )?;
    *mcp_server.entry.lock() = entry;
    offer(servers, mcp_server);
    servers.registry.changed(&servers.space);
    Ok(one(mcp_server))
}

async fn remove(servers: &Arc<McpServers>, name: &str) -> Result<Reply, UserError> {
    let mcp_server = found(servers, name)?;
    let words = servers.space.words();
    if !mcp_server.entry.lock().secrets.is_empty() {
        let models = servers.space.models();
        let deleted = models.keys().delete(&keychain_name(name)).await;
        deleted.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    }
    table::write(&file(servers.space.home.folder()), name, None, words)?;
    known::write(servers.space.home.folder(), name, None);
    servers.all.lock().remove(name);
    servers.registry.remove(name);
    servers.registry.changed(&servers.space);
    mcp_server.end().await;
    Ok(all(servers))
}

fn found(servers: &McpServers, name: &str) -> Result<Arc<McpServer>, UserError> {
    let words = servers.space.words();
    servers.named(name).ok_or_else(|| {
        let all = servers.all.lock();
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        error(
            ErrorCode::NotFound,
            format!(
                "{}: {}",
                words.pick("没有这个服务器", "There is no such server"),
                shown(name)
            ),
            match (names.is_empty(), words) {
                (true, Words::Chinese) => "用 shidi mcp add 添加一个".to_owned(),
                (true, Words::English) => "Add one with shidi mcp add".to_owned(),
                (false, Words::Chinese) => format!("已有：{}", names.join("、")),
                (false, Words::English) => format!("There are: {}", names.join(", ")),
            },
        )
    })
}

fn explain(words: Words, cause: &McpError) -> UserError {
    let code = match cause {
        McpError::Address(_) | McpError::InTheClear(_) | McpError::Header(_) => ErrorCode::Input,
        _ => ErrorCode::Task,
    };
    error(code, cause.sentence(words.code()), cause.hint(words.code()))
}

fn is_there(words: Words, name: &str) -> UserError {
    error(
        ErrorCode::Input,
        format!(
            "{}: {name}",
            words.pick("已有同名的服务器", "There is a server of that name already")
        ),
        match words {
            Words::Chinese => format!("换个名字，或先用 shidi mcp remove {name} 删除"),
            Words::English => format!("Choose another name, or remove it first with shidi mcp remove {name}"),
        },
    )
}

fn too_many(words: Words) -> UserError {
    error(
        ErrorCode::Input,
        match words {
            Words::Chinese => format!("服务器最多 {PEERS_MAX} 个"),
            Words::English => format!("There are {PEERS_MAX} servers, and no more are kept"),
        },
        words.pick("用 shidi mcp remove 删除一个", "Remove one with shidi mcp remove"),
    )
}

fn unreachable(words: Words) -> UserError {
    error(
        ErrorCode::Input,
        words.pick("没有说怎样连接这个服务器", "How to reach the server was not said"),
        words.pick(
            "在 -- 后面写命令，或用 --url 给出地址",
            "Give its command after --, or its address with --url",
        ),
    )
}

fn no_tool(words: Words, server: &str, tool: &str, known: &[&str]) -> UserError {
    let listed = known.join(words.pick("、", ", "));
    error(
        ErrorCode::NotFound,
        match words {
            Words::Chinese => format!("服务器 {server} 没有工具 {}", shown(tool)),
            Words::English => format!("The server {server} has no tool {}", shown(tool)),
        },
        match words {
            Words::Chinese => format!("它有：{listed}"),
            Words::English => format!("It has: {listed}"),
        },
    )
}

fn shown(name: &str) -> String {
    name.chars()
        .filter(|one| !one.is_control())
        .take(REACHED_CHARACTERS)
        .collect()
}
