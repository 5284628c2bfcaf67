//! Performs the calls of a server's toolkit.

use crate::{Peer, Peers, look};
use shidi_peers::{Tool, Toolkit};
use shidi_protocol::{Call, CallOutcome, JsonMap};
use shidi_space::registry::{DynamicToolkit, Performing};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use tokio_util::sync::CancellationToken;

/// A server's tools as they were offered.
pub struct Served {
    servers: Weak<Peers>,
    peer: Arc<Peer>,
    toolkit: Toolkit,
}

impl Served {
    pub fn new(servers: Weak<Peers>, peer: Arc<Peer>, toolkit: Toolkit) -> Self {
        Self {
            servers,
            peer,
            toolkit,
        }
    }
}

impl DynamicToolkit for Served {
    fn perform(&self, call: Call) -> Performing {
        let bound = self.toolkit.call(&call.method, &call.args);
        let bound = bound.map(|(tool, args)| (tool.clone(), args));
        let (servers, peer) = (self.servers.clone(), Arc::clone(&self.peer));
        Box::pin(async move {
            let (Some((tool, args)), Some(servers)) = (bound, servers.upgrade()) else {
                return CallOutcome::failure("AttributeError", format!("There is no {}", call.tool()));
            };
            performed(&servers, &peer, &tool, args).await
        })
    }
}

async fn performed(servers: &Arc<Peers>, peer: &Arc<Peer>, tool: &Tool, args: JsonMap) -> CallOutcome {
    let name = &peer.name;
    let server = match peer.server(servers).await {
        Ok(server) => server,
        Err(cause) => {
            return CallOutcome::failure("ConnectionError", format!("MCP server {name}: {}", cause.message));
        }
    };
    if !peer.seen.load(Ordering::Acquire)
        && let Err(cause) = look(servers, peer, &server).await
    {
        let message = format!("MCP server {name}: {cause}");
        return CallOutcome::failure("ConnectionError", message).untrusted();
    }
    let is_as_allowed = peer.offered().iter().any(|(offered, _)| offered == tool);
    if !is_as_allowed || !peer.entry.lock().allow.contains_key(&tool.name) {
        let message = format!(
            "The tool {} of the MCP server {name} is no longer what the user allowed; the user can look at it and allow \
             it again with: shidi mcp allow {name} {}",
            tool.name, tool.name
        );
        return CallOutcome::failure("PermissionError", message);
    }
    // Whoever waits for this drops it to end it; the server is told then.
    server.call(tool, args, &CancellationToken::new()).await
}
