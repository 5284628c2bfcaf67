//! What the user does with servers: adds, looks, allows, removes.

use super::{Peer, file, keychain_name, known, look, naming, offer, spec, table};
use crate::engine::{Engine, held};
use crate::keys;
use crate::limits::PEERS_MAX;
use crate::peers::known::Known;
use crate::peers::table::{Allowed, Entry};
use crate::words::{Words, error};
use shidi_peers::{Limits, PeerError, Server};
use shidi_protocol::{Class, ErrorCode, ListedPeer, NewPeer, PeerDeed, PeerTool, Reply, UserError};
use std::sync::Arc;

/// Characters of a command line or address in a list.
const REACHED_CHARACTERS: usize = 200;

/// Carries out what is asked.
///
/// # Errors
/// A name that will not do, a server that can't be reached or does not have what is named, storage trouble.
pub async fn perform(engine: &Arc<Engine>, deed: PeerDeed) -> Result<Reply, UserError> {
    if let PeerDeed::List = deed {
        return Ok(all(engine));
    }
    let _one_at_a_time = engine.peers.changing.lock().await;
    match deed {
        PeerDeed::List => Ok(all(engine)),
        PeerDeed::Add { peer } => add(engine, peer).await,
        PeerDeed::Test { name } => test(engine, &name).await,
        PeerDeed::Allow {
            name,
            tools,
            all,
            class,
            on,
        } => {
            let peer = found(engine, &name)?;
            let wanted = if all { None } else { Some(tools) };
            allow(engine, &peer, wanted, class, on)
        }
        PeerDeed::Remove { name } => remove(engine, &name).await,
    }
}

fn all(engine: &Engine) -> Reply {
    let peers = held(&engine.peers.all);
    Reply::Peers {
        peers: peers.values().map(|peer| listed(peer)).collect(),
    }
}

fn one(peer: &Peer) -> Reply {
    Reply::Peers {
        peers: vec![listed(peer)],
    }
}

fn listed(peer: &Peer) -> ListedPeer {
    let entry = held(&peer.entry);
    let known = held(&peer.known);
    let reached = entry.url.clone().unwrap_or_else(|| entry.command.join(" "));
    let tools = known.tools.iter().map(|tool| {
        let allowed = entry.allow.get(&tool.name);
        let seen = allowed.and_then(|allowed| allowed.seen.as_ref());
        PeerTool {
            name: tool.name.clone(),
            doc: tool.doc.clone(),
            class: allowed.and_then(|allowed| allowed.class).unwrap_or(Class::Send),
            allowed: allowed.is_some(),
            changed: seen.is_some_and(|seen| *seen != tool.fingerprint()),
            reads_only: tool.hints.reads_only,
            destroys: tool.hints.destroys,
        }
    });
    ListedPeer {
        name: peer.name.clone(),
        about: known.about.clone(),
        reached: reached.chars().take(REACHED_CHARACTERS).collect(),
        secrets: entry.secrets.clone(),
        tools: tools.collect(),
    }
}

async fn add(engine: &Arc<Engine>, new: NewPeer) -> Result<Reply, UserError> {
    let words = engine.words();
    naming::checked(&new.name, words)?;
    if engine.peers.named(&new.name).is_some() {
        return Err(is_there(words, &new.name));
    }
    if held(&engine.peers.all).len() >= PEERS_MAX {
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
        let models = engine.models();
        let stored = models.keys().set(&keychain_name(&new.name), &kept.into()).await;
        stored.map_err(|cause| keys::explain(engine, &cause))?;
    }
    table::write(&file(engine.home.folder()), &new.name, Some(&entry), words)?;
    let peer = Arc::new(Peer::new(new.name, entry, Known::default()));
    *peer.server.lock().await = Some(server.clone());
    held(&engine.peers.all).insert(peer.name.clone(), Arc::clone(&peer));
    look(engine, &peer, &server)
        .await
        .map_err(|cause| explain(words, &cause))?;
    Ok(one(&peer))
}

async fn test(engine: &Arc<Engine>, name: &str) -> Result<Reply, UserError> {
    let peer = found(engine, name)?;
    let server = peer.server(engine).await?;
    server.forgive().await;
    look(engine, &peer, &server)
        .await
        .map_err(|cause| explain(engine.words(), &cause))?;
    Ok(one(&peer))
}

fn allow(
    engine: &Arc<Engine>,
    peer: &Arc<Peer>,
    wanted: Option<Vec<String>>,
    class: Option<Class>,
    on: bool,
) -> Result<Reply, UserError> {
    let words = engine.words();
    let mut entry = held(&peer.entry).clone();
    let tools = held(&peer.known).tools.clone();
    let wanted = wanted.unwrap_or_else(|| tools.iter().map(|tool| tool.name.clone()).collect());
    for name in wanted {
        if !on && entry.allow.remove(&name).is_some() {
            continue;
        }
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let known = tools.iter().map(|tool| tool.name.as_str());
            return Err(no_tool(words, &peer.name, &name, &known.collect::<Vec<_>>()));
        };
        if on {
            let allowed = Allowed {
                class,
                seen: Some(tool.fingerprint()),
            };
            entry.allow.insert(name, allowed);
        }
    }
    table::write(&file(engine.home.folder()), &peer.name, Some(&entry), words)?;
    *held(&peer.entry) = entry;
    offer(engine, peer);
    engine.toolkits_changed();
    Ok(one(peer))
}

async fn remove(engine: &Arc<Engine>, name: &str) -> Result<Reply, UserError> {
    let peer = found(engine, name)?;
    let words = engine.words();
    if !held(&peer.entry).secrets.is_empty() {
        let models = engine.models();
        let deleted = models.keys().delete(&keychain_name(name)).await;
        deleted.map_err(|cause| keys::explain(engine, &cause))?;
    }
    table::write(&file(engine.home.folder()), name, None, words)?;
    known::write(engine.home.folder(), name, None);
    held(&engine.peers.all).remove(name);
    engine.registry.remove(name);
    engine.toolkits_changed();
    peer.end().await;
    Ok(all(engine))
}

fn found(engine: &Engine, name: &str) -> Result<Arc<Peer>, UserError> {
    let words = engine.words();
    engine.peers.named(name).ok_or_else(|| {
        let all = held(&engine.peers.all);
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

fn explain(words: Words, cause: &PeerError) -> UserError {
    let code = match cause {
        PeerError::Address(_) | PeerError::InTheClear(_) | PeerError::Header(_) => ErrorCode::Input,
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
