//! Resources of servers for their user: listed, and kept as a file that goes along with a question.
//!
//! Whoever picks one is the user, so nothing has to be allowed for that. What it holds is a stranger's, as any file that
//! goes along. Its address begins with `mcp:` and the server's name: no server's URI counts as an address that the user named.

use crate::answers::{explain, found, shown};
use crate::limits::{PICKED_WAIT, RESOURCES_TOLD_MAX, RESOURCES_WAIT};
use crate::{McpServer, McpServers, look};
use shidi_mcp_client::{Held, McpError, Server, ServerResource, Way};
use shidi_protocol::{AttachSource, ErrorCode, McpResource, McpState, UserError, reply};
use shidi_space::Space;
use shidi_space::blob_store::keep;
use shidi_space::errors::error;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::JoinSet;

/// Characters of a file's name that comes from an address.
const FILE_NAME_CHARACTERS: usize = 80;

/// The resources of one server, which is started for that; without a name those of all that run.
///
/// # Errors
/// A server that is not there or can't be reached.
pub async fn listed(servers: &Arc<McpServers>, name: Option<&str>) -> Result<reply::McpResources, UserError> {
    let Some(name) = name else {
        return Ok(of_running(servers).await);
    };
    let mcp_server = found(servers, name)?;
    let server = ready(servers, &mcp_server).await?;
    let resources = server.resources().await;
    let resources = resources.map_err(|cause| explain(servers.space.language(), &cause))?;
    Ok(told(BTreeMap::from([(name.to_owned(), resources)]), Vec::new()))
}

/// A resource as a file of that data space; any other source is what it was.
///
/// # Errors
/// A server that is not there or can't be reached, and what it says against the resource. Then what is neither text
/// nor picture.
pub async fn as_file(
    servers: &Arc<McpServers>,
    space: &Space,
    source: AttachSource,
) -> Result<AttachSource, UserError> {
    let (name, uri) = match source {
        AttachSource::Resource { server, uri } => (server, uri),
        AttachSource::Path { .. }
        | AttachSource::Text { .. }
        | AttachSource::Image { .. }
        | AttachSource::Url { .. } => return Ok(source),
    };
    let language = space.language();
    let mcp_server = found(servers, &name)?;
    let read = async {
        let server = ready(servers, &mcp_server).await?;
        let held = server.resource(&uri).await;
        held.map_err(|cause| explain(language, &cause))
    };
    let held = tokio::time::timeout(PICKED_WAIT, read).await;
    let silent = |_| {
        let cause = McpError::Silent {
            after: PICKED_WAIT,
            said: String::new(),
        };
        explain(language, &cause)
    };
    let (bytes, ending) = match held.map_err(silent)?? {
        Held::Text { text, ending } => (text.into_bytes(), ending),
        Held::Picture { bytes, ending } => (bytes, ending),
        Held::Other { media_type, bytes } => {
            return Err(error(
                ErrorCode::Input,
                language.mcp().resource_is_neither(bytes, media_type, shown(&uri)),
                language.mcp().pick_text_or_picture(),
            ));
        }
        Held::Asks => {
            return Err(error(
                ErrorCode::Task,
                language.mcp().resource_asks(shown(&uri)),
                language.mcp().pick_text_or_picture(),
            ));
        }
    };
    let address = format!("mcp:{name}/{uri}");
    let path = keep(space, &file_name(&uri, ending), &bytes, Some(&address))?;
    Ok(AttachSource::Path {
        path: path.to_string_lossy().into_owned(),
    })
}

/// The connection of a server. One that nobody has seen is looked at first.
async fn ready(servers: &Arc<McpServers>, mcp_server: &Arc<McpServer>) -> Result<Server, UserError> {
    let server = mcp_server.server(servers).await?;
    if !mcp_server.seen.load(Ordering::Acquire) {
        look(servers, mcp_server, &server)
            .await
            .map_err(|cause| explain(servers.space.language(), &cause))?;
    }
    Ok(server)
}

/// Asks all servers that run, at the same time. The names of others that had resources the last time come along.
async fn of_running(servers: &McpServers) -> reply::McpResources {
    let all: Vec<Arc<McpServer>> = servers.all.lock().values().cloned().collect();
    let (mut asked, mut idle) = (JoinSet::new(), Vec::new());
    for mcp_server in all.into_iter().filter(|mcp_server| has_resources(mcp_server)) {
        let name = mcp_server.name.clone();
        match running(&mcp_server) {
            Some(server) => {
                asked.spawn(async move {
                    let answered = tokio::time::timeout(RESOURCES_WAIT, server.resources()).await;
                    (name, answered.ok())
                });
            }
            None => idle.push(name),
        }
    }
    let mut listed = BTreeMap::new();
    while let Some(answered) = asked.join_next().await {
        match answered {
            Ok((name, Some(Ok(resources)))) => {
                listed.insert(name, resources);
            }
            Ok((name, Some(Err(cause)))) => tracing::info!(%cause, name, "its resources are not known"),
            // Asked by itself, it has all the time that a server has.
            Ok((name, None)) => idle.push(name),
            Err(cause) => tracing::info!(%cause, "a server's resources are not known"),
        }
    }
    told(listed, idle)
}

fn has_resources(mcp_server: &McpServer) -> bool {
    let known = mcp_server.known.lock();
    known.tools.iter().any(|tool| tool.way == Way::Resources)
}

/// The connection of a server that runs; starts none.
fn running(mcp_server: &McpServer) -> Option<Server> {
    let place = mcp_server.server.try_lock().ok()?;
    let server = place.as_ref()?;
    (server.standing().0 == McpState::Running).then(|| server.clone())
}

fn told(listed: BTreeMap<String, Vec<ServerResource>>, idle: Vec<String>) -> reply::McpResources {
    let all: usize = listed.values().map(Vec::len).sum();
    let resources = listed.into_iter().flat_map(|(server, resources)| {
        resources.into_iter().map(move |resource| McpResource {
            server: server.clone(),
            uri: resource.uri,
            name: resource.name,
            description: resource.description,
            media_type: resource.media_type,
            bytes: resource.bytes,
        })
    });
    reply::McpResources {
        resources: resources.take(RESOURCES_TOLD_MAX).collect(),
        idle,
        left_out: u32::try_from(all.saturating_sub(RESOURCES_TOLD_MAX)).unwrap_or(u32::MAX),
    }
}

/// A name for the file of a resource: the last part of its address, with an ending.
fn file_name(uri: &str, ending: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or("resource");
    let name = shidi_mcp_client::paragraph(last, FILE_NAME_CHARACTERS);
    let has_ending = match ending {
        "txt" | "md" | "csv" | "json" => name.trim_start_matches('.').contains('.'),
        picture => name.ends_with(&format!(".{picture}")),
    };
    match has_ending {
        true => name,
        false => format!("{name}.{ending}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_resource_is_named_after_its_address() {
        for (uri, ending, name) in [
            ("notes://one", "md", "one.md"),
            ("file:///home/anna/plan.markdown", "txt", "plan.markdown"),
            ("git://repository/commit/", "txt", "commit.txt"),
            ("https://wiki.example/a/logo?size=2", "png", "logo.png"),
            ("https://wiki.example/logo.svg", "png", "logo.svg.png"),
            ("///", "txt", "resource.txt"),
            ("a://\u{202e}gpj.exe\u{1b}", "txt", "gpj.exe"),
        ] {
            assert_eq!(file_name(uri, ending), name, "{uri}");
        }
    }

    #[test]
    fn what_a_list_has_no_room_for_is_counted() {
        let resource = ServerResource {
            uri: "a://b".to_owned(),
            name: String::new(),
            description: String::new(),
            media_type: String::new(),
            bytes: None,
        };
        let many = vec![resource; RESOURCES_TOLD_MAX - 1];
        let both = BTreeMap::from([("a".to_owned(), many.clone()), ("b".to_owned(), many)]);
        let told = told(both, vec!["c".to_owned()]);
        assert_eq!(told.resources.len(), RESOURCES_TOLD_MAX);
        assert_eq!(told.left_out as usize, RESOURCES_TOLD_MAX - 2);
    }
}
