//! Resources of servers for their user: listed, and kept as a file that goes along with a question.
//!
//! Whoever picks one is the user, so nothing has to be allowed for that. What it holds is a stranger's, as any file that
//! goes along. Its address begins with `mcp:` and the server's name: no server's URI counts as an address that the user named.

use crate::answers::{explain, found, shown};
use crate::limits::{NAME_WAIT, PICKED_WAIT, RESOURCES_TOLD_MAX, RESOURCES_WAIT};
use crate::{McpServer, McpServers, look};
use shidi_mcp_client::{Held, McpError, Server, ServerResource, Way};
use shidi_protocol::{AttachSource, ErrorCode, McpResource, McpState, UserError, reply};
use shidi_space::Space;
use shidi_space::blob_store::keep;
use shidi_space::errors::error;
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

/// Characters of a file's name that comes from an address.
const FILE_NAME_CHARACTERS: usize = 80;

/// Bytes of a file's ending, without its point.
const ENDING_BYTES_MAX: usize = 8;

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
    let resources = resources.map_err(|cause| explain(servers.space.language(), name, &cause))?;
    Ok(told(BTreeMap::from([(name.to_owned(), resources)]), Vec::new()))
}

/// A resource as a file of that data space, called as the server calls it. Any other source is what it was. The server is
/// told where this is dropped before its answer.
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
    let _logged = mcp_server.log.calls(space.is_incognito());
    let silent = || {
        let cause = McpError::Silent {
            after: PICKED_WAIT,
            said: String::new(),
        };
        explain(language, &name, &cause)
    };
    let until = Instant::now() + PICKED_WAIT;
    let server = timeout_at(until, ready(servers, &mcp_server)).await;
    let server = server.map_err(|_| silent())??;
    let read = async {
        let held = timeout_at(until, server.resource(&uri)).await;
        held.map_err(|_| silent())?
            .map_err(|cause| explain(language, &name, &cause))
    };
    let (held, title) = with_name(read, title_of(&server, &uri)).await?;
    let (bytes, ending) = match held {
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
    let path = keep(space, &file_name(&title, &uri, ending), &bytes, Some(&address))?;
    Ok(AttachSource::Path {
        path: path.to_string_lossy().into_owned(),
    })
}

/// What is read, and the name that comes at the same time or a moment later. What is there is not lost for want of a name.
async fn with_name<T, E>(
    read: impl Future<Output = Result<T, E>>,
    name: impl Future<Output = String>,
) -> Result<(T, String), E> {
    let (mut read, mut name) = (pin!(read), pin!(name));
    let mut known = None;
    let held = loop {
        tokio::select! {
            biased;
            held = &mut read => break held?,
            came = &mut name, if known.is_none() => known = Some(came),
        }
    };
    let name = match known {
        Some(name) => name,
        None => tokio::time::timeout(NAME_WAIT, name).await.unwrap_or_default(),
    };
    Ok((held, name))
}

/// The name that a server lists for one of its resources. Empty where it lists none in time, as for a form of addresses.
async fn title_of(server: &Server, uri: &str) -> String {
    let listed = tokio::time::timeout(RESOURCES_WAIT, server.resources()).await;
    let listed = listed.ok().and_then(Result::ok).unwrap_or_default();
    let named = listed
        .into_iter()
        .find(|resource| resource.uri == uri && resource.name != uri);
    named.map(|resource| resource.name).unwrap_or_default()
}

/// The connection of a server. One that nobody has seen is looked at first.
async fn ready(servers: &Arc<McpServers>, mcp_server: &Arc<McpServer>) -> Result<Server, UserError> {
    let server = mcp_server.server(servers).await?;
    if !mcp_server.seen.load(Ordering::Acquire) {
        look(servers, mcp_server, &server)
            .await
            .map_err(|cause| explain(servers.space.language(), &mcp_server.name, &cause))?;
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
    known.resources || known.tools.iter().any(|tool| tool.way == Way::Resources)
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

/// A name for the file of a resource, with an ending. It is the title, else the last part of the address.
fn file_name(title: &str, uri: &str, ending: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or("resource");
    let of_title = shidi_mcp_client::paragraph(title, FILE_NAME_CHARACTERS);
    let name = match of_title.trim_matches(['.', ' ']) {
        "" => shidi_mcp_client::paragraph(last, FILE_NAME_CHARACTERS),
        title => title.to_owned(),
    };
    let has_ending = match ending {
        "txt" | "md" | "csv" | "json" => ends_as_a_file(&name),
        picture => name.ends_with(&format!(".{picture}")),
    };
    match has_ending {
        true => name,
        false => format!("{name}.{ending}"),
    }
}

/// Whether a name has an ending; what stands behind the point of `Version 1.5` and `Dr. Wang` is none.
fn ends_as_a_file(name: &str) -> bool {
    let ending = name
        .trim_start_matches('.')
        .rsplit_once('.')
        .map_or("", |(_, ending)| ending);
    let is_word = ending.chars().all(|character| character.is_ascii_alphanumeric());
    is_word
        && ending.len() <= ENDING_BYTES_MAX
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::ServerDescription;
    use crate::table::Entry;
    use shidi_mcp_client::{Hints, Tool};
    use std::time::Duration;

    #[test]
    fn a_server_with_a_tool_of_that_name_is_one_with_resources_where_it_has_some() {
        let own = Tool {
            name: "list_resources".to_owned(),
            doc: String::new(),
            schema: serde_json::json!({}),
            structured: false,
            output: serde_json::Value::Null,
            hints: Hints::default(),
            way: Way::Tool,
        };
        for resources in [true, false] {
            let known = ServerDescription {
                tools: vec![own.clone()],
                resources,
                ..ServerDescription::default()
            };
            let mcp_server = McpServer::new("a".to_owned(), Entry::default(), known);
            assert_eq!(has_resources(&mcp_server), resources);
        }
        let of_earlier_version = ServerDescription {
            tools: vec![Tool {
                way: Way::Resources,
                ..own
            }],
            ..ServerDescription::default()
        };
        let mcp_server = McpServer::new("a".to_owned(), Entry::default(), of_earlier_version);
        assert!(has_resources(&mcp_server));
    }

    #[tokio::test(start_paused = true)]
    async fn a_resource_that_was_read_waits_a_moment_for_its_name_and_is_not_lost_for_it() {
        let after = |wait: Duration| async move {
            tokio::time::sleep(wait).await;
            "Plan".to_owned()
        };
        let read = |wait: Duration| async move {
            tokio::time::sleep(wait).await;
            Ok::<_, ()>(1)
        };
        let (long, moment) = (PICKED_WAIT - Duration::from_millis(1), NAME_WAIT / 2);
        let begun = Instant::now();
        let without = with_name(read(long), std::future::pending()).await;
        assert_eq!(without, Ok((1, String::new())));
        assert!(begun.elapsed() <= PICKED_WAIT + NAME_WAIT);
        let begun = Instant::now();
        let both = with_name(read(NAME_WAIT), after(NAME_WAIT)).await;
        assert_eq!(both, Ok((1, "Plan".to_owned())));
        assert!(
            begun.elapsed() < NAME_WAIT * 2,
            "both are asked for at the same time"
        );
        let later = with_name(read(Duration::ZERO), after(moment)).await;
        assert_eq!(later, Ok((1, "Plan".to_owned())));
        let failed = with_name(async { Err::<(), _>("no") }, std::future::pending()).await;
        assert_eq!(failed, Err("no"));
    }

    #[test]
    fn a_file_of_a_resource_is_named_as_its_server_names_it() {
        for (title, ending, name) in [
            ("Plan of the week", "md", "Plan of the week.md"),
            ("计划", "txt", "计划.txt"),
            ("plan.md", "md", "plan.md"),
            ("Version 1.5", "txt", "Version 1.5.txt"),
            ("notes of Dr. Wang", "txt", "notes of Dr. Wang.txt"),
            ("Logo", "png", "Logo.png"),
            (" .. ", "md", "one.md"),
        ] {
            assert_eq!(file_name(title, "notes://one", ending), name, "{title}");
        }
    }

    #[test]
    fn a_file_of_a_resource_without_a_name_is_named_after_its_address() {
        for (uri, ending, name) in [
            ("notes://one", "md", "one.md"),
            ("file:///home/anna/plan.markdown", "txt", "plan.markdown"),
            ("git://repository/commit/", "txt", "commit.txt"),
            ("https://wiki.example/a/logo?size=2", "png", "logo.png"),
            ("https://wiki.example/logo.svg", "png", "logo.svg.png"),
            ("///", "txt", "resource.txt"),
            ("a://\u{202e}gpj.exe\u{1b}", "txt", "gpj.exe"),
        ] {
            assert_eq!(file_name("", uri, ending), name, "{uri}");
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
