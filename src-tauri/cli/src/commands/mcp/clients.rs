//! `shidi mcp clients`: the programs that asked to use Shidi as their MCP server, and the user's decisions about them.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::mcp;
use shidi_protocol::{McpClientState, exact, reply};

#[derive(Debug, clap::Args)]
pub struct Clients {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Allow { name: String },
    Deny { name: String },
    Forget { name: String },
}

/// Carries out the decision, and lists all.
///
/// # Errors
/// A name that is not there to be forgotten, or storage trouble.
pub async fn run(clients: Clients, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let decided = clients.action.map(|action| match action {
        Action::Allow { name } => (name, Some(McpClientState::Allowed)),
        Action::Deny { name } => (name, Some(McpClientState::Denied)),
        Action::Forget { name } => (name, None),
    });
    let reply::McpClients { clients } = match decided {
        Some((name, state)) => ask(mcp::ClientDecide { name, state }, options).await?,
        None => ask(mcp::Clients, options).await?,
    };
    console.note_if_empty(&clients);
    for client in &clients {
        if console.is_json() {
            console.json(client)?;
            continue;
        }
        let words = console.words;
        let (look, state) = match client.state {
            McpClientState::Asking => (Look::Strong, words.client_asking()),
            McpClientState::Allowed => (Look::Good, words.client_allowed()),
            McpClientState::Denied => (Look::Dim, words.client_denied()),
        };
        let name = clean(&exact(&client.name));
        console.line(&format!("{}  {name}", console.painted(look, state)))?;
    }
    Ok(Exit::Done)
}
