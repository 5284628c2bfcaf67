//! `shidi mcp`: other programs that offer tools, and which of their tools programs may call.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use crate::options::Options;
use crate::unlocking::unlocking;
use clap::Subcommand;
use shidi_protocol::{Class, ListedMcpServer, McpRequest, McpTool, NewMcpServer, Reply, Request};
use std::collections::BTreeMap;

/// Characters of a description in a list: two lines of a terminal of usual width.
const DOC_CHARACTERS: usize = 150;

/// MCP servers: other programs that offer tools
#[derive(Debug, clap::Args)]
#[command(after_help = help::MCP)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a server; none of its tools is allowed by that
    Add(Add),
    /// All servers
    List,
    /// The tools of a server, and which of them are allowed
    Tools { name: String },
    /// Let programs call tools of a server
    Allow(Allow),
    /// Start a server and ask it for its tools
    Test { name: String },
    /// Remove a server with its secrets
    Remove { name: String },
}

#[derive(Debug, clap::Args)]
struct Add {
    /// Name in programs: small letters, digits and _
    name: String,
    /// Address of a server that runs somewhere
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    /// Variable for its environment (repeatable)
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "url")]
    env: Vec<String>,
    /// Secret variable, or header of an address; asked for and kept in the keychain (repeatable)
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Speak the older revisions of the protocol alone
    #[arg(long)]
    legacy: bool,
    /// Program that is the server, with its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "url")]
    command: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct Allow {
    name: String,
    /// Tools by the names that the server gives them
    #[arg(required_unless_present = "all")]
    tools: Vec<String>,
    /// All that it offers now
    #[arg(long)]
    all: bool,
    /// What they do, for permissions; without it they count as sending
    #[arg(long, value_enum)]
    class: Option<Does>,
    /// Take the permission back
    #[arg(long, conflicts_with = "class")]
    off: bool,
}

/// What a tool does, in the user's words.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Does {
    Read,
    NetworkRead,
    Write,
    Send,
    Money,
}

/// Carries out the action.
///
/// # Errors
/// A name that will not do, a server that can't be reached, a tool that it does not have, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let (action, said) = match arguments.action {
        Action::Add(add) => (add.action(console)?, Some(words.peer_added())),
        Action::List => return list(options, console).await,
        Action::Tools { name } => return tools(&name, options, console).await,
        Action::Allow(allow) => (allow.action(), None),
        Action::Test { name } => (McpRequest::Test { name }, Some(words.peer_answers())),
        Action::Remove { name } => {
            asked(McpRequest::Remove { name }, options, console).await?;
            return said_so(words.peer_removed(), console);
        }
    };
    for server in asked(action, options, console).await? {
        if console.is_json() {
            console.json(&server)?;
            continue;
        }
        if let Some(said) = said {
            console.line(&format!(
                "{}  {said}  {}",
                console.painted(Look::Strong, &server.name),
                plain(&server.about)
            ))?;
        }
        all_tools(&server, console)?;
        if !server.tools.iter().any(|tool| tool.allowed) {
            console.line(&words.allow_some(&server.name))?;
        }
    }
    Ok(Exit::Done)
}

impl Add {
    fn action(self, console: &Console) -> Result<McpRequest, Failure> {
        let words = console.words;
        let mut env = BTreeMap::new();
        for pair in self.env {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Failure::input(words.no_pair(&pair), words.give_a_pair()));
            };
            env.insert(name.to_owned(), value.to_owned());
        }
        let mut secrets = BTreeMap::new();
        for name in self.secret {
            let value = input::secret(&words.secret_prompt(&name), words)?;
            secrets.insert(name, value);
        }
        let server = NewMcpServer {
            name: self.name,
            command: found_again(self.command),
            url: self.url,
            env,
            secrets,
            legacy: self.legacy,
        };
        Ok(McpRequest::Add { server })
    }
}

impl Allow {
    fn action(self) -> McpRequest {
        let class = self.class.map(|does| match does {
            Does::Read => Class::Read,
            Does::NetworkRead => Class::NetworkRead,
            Does::Write => Class::WriteOutside,
            Does::Send => Class::Send,
            Does::Money => Class::Money,
        });
        McpRequest::Allow {
            name: self.name,
            tools: self.tools,
            all: self.all,
            class,
            on: !self.off,
        }
    }
}

/// The command, its program with a whole path where it was named by one: it is started from elsewhere later.
fn found_again(mut command: Vec<String>) -> Vec<String> {
    if let Some(program) = command.first_mut()
        && program.contains(std::path::is_separator)
        && let Ok(whole) = std::path::absolute(&*program)
    {
        *program = whole.to_string_lossy().into_owned();
    }
    command
}

async fn asked(
    action: McpRequest,
    options: &Options,
    console: &Console,
) -> Result<Vec<ListedMcpServer>, Failure> {
    let request = Request::Mcp { action };
    let reply = with_connection(options, async |connection| {
        unlocking(connection, console, async || {
            answered(connection, request.clone()).await
        })
        .await
    })
    .await?;
    match reply {
        Reply::McpServers { servers } => Ok(servers),
        _ => Err(Failure::Unanswered),
    }
}

async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let servers = asked(McpRequest::List, options, console).await?;
    if servers.is_empty() && !console.is_json() {
        console.line(console.words.nothing_here())?;
    }
    for server in &servers {
        if console.is_json() {
            console.json(server)?;
            continue;
        }
        let allowed = server
            .tools
            .iter()
            .filter(|tool| tool.allowed && !tool.changed)
            .count();
        let counted = console.words.tools_allowed(allowed, server.tools.len());
        console.line(&format!(
            "{}  {counted}  {}",
            console.painted(Look::Strong, &server.name),
            console.painted(Look::Dim, &plain(&server.reached))
        ))?;
    }
    Ok(Exit::Done)
}

async fn tools(name: &str, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let servers = asked(McpRequest::List, options, console).await?;
    // A server of which nothing is known yet is asked; one that does not exist is named as such there.
    let known = servers
        .into_iter()
        .find(|server| server.name == name && !server.tools.is_empty());
    let servers = match known {
        Some(server) => vec![server],
        None => {
            asked(
                McpRequest::Test {
                    name: name.to_owned(),
                },
                options,
                console,
            )
            .await?
        }
    };
    for server in &servers {
        if console.is_json() {
            console.json(server)?
        } else {
            all_tools(server, console)?
        }
    }
    Ok(Exit::Done)
}

fn all_tools(server: &ListedMcpServer, console: &Console) -> Result<(), Failure> {
    for tool in &server.tools {
        let words = console.words;
        let (look, state) = match (tool.allowed, tool.changed) {
            (true, false) => (Look::Good, words.tool_allowed()),
            (true, true) => (Look::Strong, words.tool_changed()),
            (false, _) => (Look::Dim, words.tool_not_allowed()),
        };
        let mut facts = vec![words.class(tool.class).to_owned()];
        facts.extend(hint(tool, console));
        console.line(&format!(
            "  {}  {}  {}",
            console.painted(look, state),
            plain(&tool.name),
            console.painted(Look::Dim, &facts.join(" · "))
        ))?;
        let doc: String = tool.doc.chars().take(DOC_CHARACTERS).collect();
        if !doc.is_empty() {
            console.line(&format!("      {}", console.painted(Look::Dim, &plain(&doc))))?;
        }
    }
    Ok(())
}

/// What the server says of a tool's effects, as its own words.
fn hint(tool: &McpTool, console: &Console) -> Option<String> {
    let words = console.words;
    match (tool.reads_only, tool.destroys) {
        (Some(true), _) => Some(words.says_it_only_reads().to_owned()),
        (_, Some(true)) => Some(words.says_it_destroys().to_owned()),
        (_, _) => None,
    }
}

fn said_so(said: &str, console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        console.json(&serde_json::json!({"ok": true}))?;
    } else {
        console.line(said)?;
    }
    Ok(Exit::Done)
}

/// A stranger's text without what steers a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}
