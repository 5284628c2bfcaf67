//! Performs the calls of a server's toolkit.

use crate::calling::CallOfServer;
use crate::{McpServer, McpServers, look};
use shidi_mcp_client::{Tool, Toolkit};
use shidi_protocol::{Call, CallOutcome, JsonMap, UserError};
use shidi_space::registry::{CallingRun, DynamicToolkit, Performing};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use tokio_util::sync::CancellationToken;

/// A server's tools as they were offered.
pub struct Served {
    servers: Weak<McpServers>,
    mcp_server: Arc<McpServer>,
    toolkit: Toolkit,
}

impl Served {
    pub fn new(servers: Weak<McpServers>, mcp_server: Arc<McpServer>, toolkit: Toolkit) -> Self {
        Self {
            servers,
            mcp_server,
            toolkit,
        }
    }
}

impl DynamicToolkit for Served {
    fn perform(&self, call: Call, run: Arc<dyn CallingRun>) -> Performing {
        let bound = self.toolkit.call(&call.method, &call.args);
        let bound = bound.map(|(tool, args)| (tool.clone(), args));
        let (servers, mcp_server) = (self.servers.clone(), Arc::clone(&self.mcp_server));
        Box::pin(async move {
            let (Some((tool, args)), Some(servers)) = (bound, servers.upgrade()) else {
                return CallOutcome::failure("AttributeError", format!("There is no {}", call.tool()));
            };
            let caller = CallOfServer {
                run,
                server: mcp_server.name.clone(),
                tool: call.tool(),
                language: servers.space.language(),
            };
            performed(&servers, &mcp_server, &tool, (args, caller)).await
        })
    }
}

async fn performed(
    servers: &Arc<McpServers>,
    mcp_server: &Arc<McpServer>,
    tool: &Tool,
    (args, caller): (JsonMap, CallOfServer),
) -> CallOutcome {
    let name = &mcp_server.name;
    let server = match mcp_server.server(servers).await {
        Ok(server) => server,
        Err(UserError { message, hint, .. }) => {
            let remedy = hint.map_or_else(String::new, |hint| format!("; {hint}"));
            return CallOutcome::failure("ConnectionError", format!("MCP server {name}: {message}{remedy}"));
        }
    };
    if !mcp_server.seen.load(Ordering::Acquire)
        && let Err(cause) = look(servers, mcp_server, &server).await
    {
        let message = format!("MCP server {name}: {cause}");
        return CallOutcome::failure("ConnectionError", message).untrusted();
    }
    // Of a tool that is as it was allowed, what it returns may be known better by now.
    let known = tool.fingerprint();
    let is_as_allowed = mcp_server
        .offered()
        .iter()
        .any(|(offered, _)| offered.fingerprint() == known);
    if !is_as_allowed || !mcp_server.entry.lock().allow.contains_key(&tool.name) {
        let message = format!(
            "The tool {} of the MCP server {name} is no longer what the user allowed; the user can look at it and allow \
             it again with: shidi mcp allow {name} {}",
            tool.name, tool.name
        );
        return CallOutcome::failure("PermissionError", message);
    }
    // Whoever waits for this drops it to end it; the server is told then.
    server
        .call_for(Arc::new(caller), tool, args, &CancellationToken::new())
        .await
}
