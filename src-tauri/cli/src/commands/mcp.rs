//! `shidi mcp`: other programs that offer tools, which of their tools programs may call, and Shidi as the server of others.

mod clients;
mod import;
mod log;
mod prompts;
mod resources;
mod serve;

use crate::client::{told_after, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::input;
use crate::limits::SERVER_TOLD_AFTER;
use crate::options::Options;
use crate::unlocking::{ask_unlocking, unlocking};
use clap::Subcommand;
use shidi_protocol::request::mcp;
use shidi_protocol::{Class, ListedMcpServer, McpState, McpTool, NewMcpServer, TypedRequest, exact, reply};
use std::collections::BTreeMap;

/// Characters of a description in a list: two lines of a terminal of usual width.
const DOC_CHARACTERS: usize = 150;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(Add),
    Import(import::Import),
    List,
    Tools {
        name: String,
    },
    Allow(Allow),
    Resources {
        name: String,
    },
    Prompts,
    Prompt(prompts::Prompt),
    Test {
        name: String,
    },
    Restart {
        name: String,
    },
    Log {
        name: String,
    },
    SignIn {
        name: String,
    },
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Serve(serve::Serve),
    Token(serve::Token),
    Clients(clients::Clients),
}

#[derive(Debug, clap::Args)]
struct Add {
    name: String,
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "url")]
    env: Vec<String>,
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[arg(long)]
    legacy: bool,
    #[arg(long, value_name = "ID", conflicts_with = "command")]
    client_id: Option<String>,
    #[arg(long, requires = "client_id")]
    client_secret: bool,
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "url")]
    command: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct Allow {
    name: String,
    #[arg(required_unless_present = "all")]
    tools: Vec<String>,
    #[arg(long)]
    all: bool,
    #[arg(long, value_enum)]
    class: Option<Does>,
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
/// A name that will not do, a server that can't be reached. Also a tool that the server does not have, and storage
/// trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let (servers, said) = match arguments.action {
        Action::Add(add) => {
            let request = add.request(console)?;
            let name = request.server.name.clone();
            let servers = answered(&name, request, options, console).await?;
            (servers, Some(words.peer_added()))
        }
        Action::Serve(serve) => return serve::run(&serve, options, console).await,
        Action::Token(token) => return serve::token(&token, options, console).await,
        Action::Clients(clients) => return clients::run(clients, options, console).await,
        Action::Import(import) => return import::run(import, options, console).await,
        Action::List => return list(options, console).await,
        Action::Resources { name } => return resources::run(name, options, console).await,
        Action::Prompts => return prompts::list(options, console).await,
        Action::Prompt(prompt) => return prompts::write(prompt, options, console).await,
        Action::Log { name } => return log::run(&name, options, console).await,
        Action::Tools { name } => return tools(&name, options, console).await,
        Action::Allow(allow) => (asked(allow.request(), options, console).await?, None),
        Action::Test { name } => {
            let request = mcp::Test { name: name.clone() };
            let servers = answered(&name, request, options, console).await?;
            (servers, Some(words.peer_answers()))
        }
        Action::Restart { name } => {
            let request = mcp::Restart { name: name.clone() };
            let servers = answered(&name, request, options, console).await?;
            (servers, Some(words.peer_answers()))
        }
        Action::SignIn { name } => (sign_in(name, options, console).await?, Some(words.peer_answers())),
        Action::Remove { name, yes } => return remove(name, yes, options, console).await,
    };
    for server in servers {
        if console.is_json() {
            console.json(&server)?;
            continue;
        }
        if let Some(said) = said {
            console.line(&format!(
                "{}  {said}  {}",
                console.painted(Look::Strong, &server.name),
                clean(&server.about)
            ))?;
        }
        all_tools(&server, console)?;
        incomplete(&server, console)?;
        if server.state != McpState::SignIn && !server.tools.iter().any(|tool| tool.allowed) {
            console.line(&words.allow_some(&server.name))?;
        }
    }
    Ok(Exit::Done)
}

impl Add {
    fn request(self, console: &Console) -> Result<mcp::Add, Failure> {
        let words = console.words;
        let mut env = BTreeMap::new();
        for pair in self.env {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Failure::input(words.no_pair(&pair), words.give_a_pair()));
            };
            env.insert(name.to_owned(), value.to_owned());
        }
        let mut secrets = BTreeMap::new();
        let of_client = self.client_secret.then(|| NewMcpServer::CLIENT_SECRET.to_owned());
        for name in self.secret.into_iter().chain(of_client) {
            let value = input::server_secret(&name, words)?;
            secrets.insert(name, value);
        }
        let server = NewMcpServer {
            name: self.name,
            command: found_again(self.command),
            url: self.url,
            env,
            secrets,
            legacy: self.legacy,
            client_id: self.client_id,
        };
        Ok(mcp::Add {
            server,
            unnamed: false,
        })
    }
}

impl Allow {
    fn request(self) -> mcp::Allow {
        let class = self.class.map(|does| match does {
            Does::Read => Class::Read,
            Does::NetworkRead => Class::NetworkRead,
            Does::Write => Class::WriteOutside,
            Does::Send => Class::Send,
            Does::Money => Class::Money,
        });
        mcp::Allow {
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
    request: impl TypedRequest<Reply = reply::McpServers> + Clone,
    options: &Options,
    console: &Console,
) -> Result<Vec<ListedMcpServer>, Failure> {
    let reply = with_connection(options, async |connection| {
        ask_unlocking(connection, request, console).await
    });
    let reply::McpServers { servers } = reply.await?;
    Ok(servers)
}

/// The same of what a server has to answer for. One that takes long is named, so that nobody takes the command for dead.
async fn answered(
    name: &str,
    request: impl TypedRequest<Reply = reply::McpServers> + Clone,
    options: &Options,
    console: &Console,
) -> Result<Vec<ListedMcpServer>, Failure> {
    let tell = || {
        let said = console
            .words
            .waits_for_server(clean(name), NewMcpServer::READY_WITHIN_S);
        console.note(Look::Dim, &said);
    };
    let reply = with_connection(options, async |connection| {
        let act = async || {
            let work = connection.ask(request.clone());
            Ok(told_after(SERVER_TOLD_AFTER, work, tell).await?)
        };
        unlocking(connection, console, act).await
    });
    let reply::McpServers { servers } = reply.await?;
    Ok(servers)
}

/// Opens the sign-in in the user's browser, and waits for its end.
async fn sign_in(
    name: String,
    options: &Options,
    console: &Console,
) -> Result<Vec<ListedMcpServer>, Failure> {
    let reply = with_connection(options, async |connection| {
        let begin = mcp::SignIn { name: name.clone() };
        let reply::McpSignIn { address } = ask_unlocking(connection, begin, console).await?;
        console.note(Look::Strong, &console.words.open_to_sign_in(&address));
        // Where no browser opens, the address stands in the terminal.
        if console.can_ask() {
            open::that_detached(&address).unwrap_or_default();
        }
        ask_unlocking(connection, mcp::SignedIn { name }, console).await
    });
    let reply::McpServers { servers } = reply.await?;
    Ok(servers)
}

/// Removes a server, after asking where a person sits: what was allowed and the sign-in go with it.
async fn remove(name: String, yes: bool, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    if !yes && console.can_ask() {
        let servers = asked(mcp::List, options, console).await?;
        // One that does not exist is named as such by the removal.
        if let Some(server) = servers.iter().find(|server| server.name == name) {
            let allowed = server.tools.iter().filter(|tool| tool.allowed).count();
            if !console.confirms(&words.remove_server(allowed, clean(&name))) {
                console.note(Look::Plain, words.kept());
                return Ok(Exit::Done);
            }
        }
    }
    asked(mcp::Remove { name }, options, console).await?;
    said_so(words.peer_removed(), console)
}

async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let servers = asked(mcp::List, options, console).await?;
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
        let counted = console.words.tools_allowed(server.tools.len(), allowed);
        console.line(&format!(
            "{}  {counted}  {}",
            console.painted(Look::Strong, &server.name),
            console.painted(Look::Dim, &clean(&server.reached))
        ))?;
        incomplete(server, console)?;
    }
    Ok(Exit::Done)
}

async fn tools(name: &str, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let servers = asked(mcp::List, options, console).await?;
    // A server of which nothing is known yet is asked; one that does not exist is named as such there.
    let known = servers
        .into_iter()
        .find(|server| server.name == name && !server.tools.is_empty());
    let servers = match known {
        Some(server) => vec![server],
        None => {
            let request = mcp::Test {
                name: name.to_owned(),
            };
            answered(name, request, options, console).await?
        }
    };
    for server in &servers {
        if console.is_json() {
            console.json(server)?
        } else {
            all_tools(server, console)?;
            incomplete(server, console)?
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
            exact(&clean(&tool.name)),
            console.painted(Look::Dim, &facts.join(" · "))
        ))?;
        let doc: String = tool.doc.chars().take(DOC_CHARACTERS).collect();
        if !doc.is_empty() {
            console.line(&format!("      {}", console.painted(Look::Dim, &clean(&doc))))?;
        }
    }
    Ok(())
}

/// What programs don't get of a server and its tools, with what helps.
fn incomplete(server: &ListedMcpServer, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    if server.state == McpState::SignIn {
        console.line(&words.server_wants_sign_in(&server.name))?;
    }
    if server.left_out > 0 {
        let allowed = server.tools.iter().filter(|tool| tool.allowed && !tool.changed);
        let most = allowed.count().saturating_sub(server.left_out as usize);
        console.line(&words.tools_left_out(most, &server.name, server.left_out))?;
    }
    if server.unread > 0 {
        console.line(&words.tools_unread(server.unread))?;
    }
    if !server.lacks_rights.is_empty() {
        let rights = clean(&server.lacks_rights.join(" "));
        console.line(&words.rights_lacked(&server.name, rights))?;
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
