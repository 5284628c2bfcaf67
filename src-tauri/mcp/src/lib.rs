//! MCP servers as toolkits (F7.5), configured by the user. A server is offered as far as the user allowed its tools.
//! The server is started when one of its tools is first called.
//!
//! A server's words about a tool are kept as the user allowed them. A tool with other words later is taken away until
//! the user allows it again. So nobody's approval is used for another tool.

mod address;
mod answers;
mod calling;
mod clients;
mod drafts;
mod importing;
mod known;
mod limits;
mod log;
mod naming;
mod other_programs;
mod prompts;
mod requests;
mod resources;
mod serve_token;
mod served;
mod signing_in;
mod table;

pub use requests::perform;
pub use resources::as_file;
pub use shidi_mcp_client::kill_all;

use crate::limits::{PEER_NEWS_PAUSE, PEERS_END_WAIT};
use known::ServerDescription;
use parking_lot::Mutex;
use secrecy::SecretString;
use served::Served;
use shidi_locales::Language;
use shidi_mcp_client::{
    Era, Launch, Limits, Listing, Log, McpError, OF_QUERY, Server, ServerSpec, SignIn, TokenStore, Tool,
    split_key, toolkit_of, with_query,
};
use shidi_protocol::{Class, ErrorCode, McpState, NewMcpServer, UserError};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors;
use shidi_space::registry::Registry;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use table::Entry;
use tokio_util::sync::CancellationToken;

/// The header of a key that the user gave.
const AUTHORIZATION: &str = "Authorization";

/// The configured servers, and the registry that offers their tools.
pub struct McpServers {
    space: Arc<Space>,
    registry: Arc<Registry>,
    all: Mutex<BTreeMap<String, Arc<McpServer>>>,
    /// One change of the configuration after the other.
    changing: tokio::sync::Mutex<()>,
    /// The same for the programs that use Shidi as their server: these wait for no server that starts.
    clients: tokio::sync::Mutex<()>,
}

/// One server: how it is reached, what is known of it, and its connection once it is needed.
struct McpServer {
    name: String,
    entry: Mutex<Entry>,
    known: Mutex<ServerDescription>,
    server: tokio::sync::Mutex<Option<Server>>,
    /// Whoever changes the tokens of its sign-in holds this meanwhile.
    keeping: Arc<tokio::sync::Mutex<()>>,
    /// A sign-in that waits for the user's browser.
    signing_in: Mutex<Option<SignIn>>,
    /// Whether the server wants its user to sign in.
    wants_sign_in: AtomicBool,
    /// Whether this process has seen its tools.
    seen: AtomicBool,
    /// Outlives the connections.
    log: Log,
    gone: CancellationToken,
}

/// Offers the tools of all configured servers; starts none.
///
/// # Errors
/// A table of servers that can't be read.
pub fn begin(servers: &Arc<McpServers>) -> Result<(), UserError> {
    let entries = table::read(&file(servers.space.home.folder()), servers.space.language())?;
    let mut known = known::read(servers.space.home.folder());
    for (name, entry) in entries {
        if let Err(refused) = naming::checked(&name, servers.space.language()) {
            tracing::warn!(refused.message, "a server is left out");
            continue;
        }
        let known = known.remove(&name).unwrap_or_default();
        let mcp_server = Arc::new(McpServer::new(name, entry, known));
        servers
            .all
            .lock()
            .insert(mcp_server.name.clone(), Arc::clone(&mcp_server));
        offer(servers, &mcp_server);
    }
    Ok(())
}

/// Ends all servers; those that do not end by themselves are killed.
pub async fn end(servers: &McpServers) {
    let all: Vec<Arc<McpServer>> = servers.all.lock().values().cloned().collect();
    let mut ending = tokio::task::JoinSet::new();
    for mcp_server in all {
        ending.spawn(async move { mcp_server.end().await });
    }
    let ended = async { while ending.join_next().await.is_some() {} };
    if tokio::time::timeout(PEERS_END_WAIT, ended).await.is_err() {
        tracing::info!("servers were killed with the end of the process");
    }
}

impl McpServers {
    pub fn new(space: Arc<Space>, registry: Arc<Registry>) -> Arc<Self> {
        Arc::new(Self {
            space,
            registry,
            all: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            clients: tokio::sync::Mutex::default(),
        })
    }

    fn named(&self, name: &str) -> Option<Arc<McpServer>> {
        self.all.lock().get(name).cloned()
    }
}

impl McpServer {
    fn new(name: String, entry: Entry, known: ServerDescription) -> Self {
        Self {
            name,
            entry: Mutex::new(entry),
            known: Mutex::new(known),
            server: tokio::sync::Mutex::default(),
            keeping: Arc::default(),
            signing_in: Mutex::default(),
            wants_sign_in: AtomicBool::new(false),
            seen: AtomicBool::new(false),
            log: Log::new(shidi_space::clock::now),
            gone: CancellationToken::new(),
        }
    }

    /// The tools that programs may call, as they are known, with the class that the user gave them.
    fn offered(&self) -> Vec<(Tool, Option<Class>)> {
        let (entry, known) = (self.entry.lock(), self.known.lock());
        known::offered(&known, &entry).0
    }

    /// The connection, made when there is none; its secrets come from the keychain.
    async fn server(&self, servers: &Arc<McpServers>) -> Result<Server, UserError> {
        let mut place = self.server.lock().await;
        if let Some(server) = &*place {
            return Ok(server.clone());
        }
        let entry = self.entry.lock().clone();
        if entry.signed_in {
            readable_sign_in(servers, &self.name).await?;
        }
        let secrets = secrets(servers, &self.name, &entry).await?;
        let spec = spec(servers, self, &entry, secrets);
        let server = Server::logged(spec, Limits::default(), self.log.clone());
        *place = Some(server.clone());
        Ok(server)
    }

    /// Rights that the server wants and the user has not given, as far as is known; waits for nothing.
    fn lacked(&self) -> Vec<String> {
        let place = self.server.try_lock();
        place
            .ok()
            .and_then(|place| place.as_ref().map(Server::lacked))
            .unwrap_or_default()
    }

    /// How the server stands, with what it wrote beside the protocol; waits for nothing.
    fn standing(&self) -> (McpState, String) {
        if self.wants_sign_in.load(Ordering::Acquire) {
            return (McpState::SignIn, String::new());
        }
        match self.server.try_lock() {
            Ok(place) => place.as_ref().map(Server::standing).unwrap_or_default(),
            Err(_) => (McpState::Starting, String::new()),
        }
    }

    async fn end(&self) {
        self.gone.cancel();
        self.stop().await;
    }

    /// Ends the connection; the next call makes another one.
    async fn stop(&self) {
        let server = self.server.lock().await.take();
        self.seen.store(false, Ordering::Release);
        if let Some(server) = server {
            server.close().await;
        }
    }
}

/// Puts a server's toolkit into the registry as it is now. Takes the toolkit out when none of its tools is offered.
fn offer(servers: &Arc<McpServers>, mcp_server: &Arc<McpServer>) {
    let (tools, left_out) = {
        let (entry, known) = (mcp_server.entry.lock(), mcp_server.known.lock());
        known::offered(&known, &entry)
    };
    let mut toolkit = toolkit_of(&mcp_server.name, &mcp_server.name, tools);
    if left_out > 0 {
        let told = format!(" {left_out} more are allowed and left out: the user can forbid others.");
        toolkit.spec.doc.push_str(&told);
        toolkit.spec.left_out = u32::try_from(left_out).unwrap_or(u32::MAX);
    }
    if toolkit.spec.methods.is_empty() || mcp_server.gone.is_cancelled() {
        servers.registry.remove(&mcp_server.name);
        return;
    }
    let spec = toolkit.spec.clone();
    let served = Served::new(Arc::downgrade(servers), Arc::clone(mcp_server), toolkit);
    if let Err(taken) = servers.registry.put(spec, Arc::new(served)) {
        tracing::warn!(%taken, "a server is not offered");
    }
}

/// Asks a server for its tools and offers what is allowed of them; from then on its news are followed.
async fn look(
    servers: &Arc<McpServers>,
    mcp_server: &Arc<McpServer>,
    server: &Server,
) -> Result<(), McpError> {
    let seen = async { known_of(mcp_server, server, server.about().await?.0).await }.await;
    let wants = matches!(seen, Err(McpError::SignIn | McpError::Rights(_)));
    mcp_server.wants_sign_in.store(wants, Ordering::Release);
    learn(servers, mcp_server, seen?);
    if !mcp_server.seen.swap(true, Ordering::AcqRel) {
        let news = follow(Arc::downgrade(servers), Arc::clone(mcp_server), server.clone());
        servers.space.background.spawn_on(news, &servers.space.tasks);
    }
    Ok(())
}

/// What a server offers now. Prompts that it does not tell are as they were last known.
async fn known_of(
    mcp_server: &McpServer,
    server: &Server,
    about: String,
) -> Result<ServerDescription, McpError> {
    let Listing {
        tools,
        unread,
        resources,
    } = server.listing().await?;
    let prompts = server.prompts().await.unwrap_or_else(|cause| {
        tracing::info!(%cause, server = mcp_server.name, "its prompts are not known");
        mcp_server.known.lock().prompts.clone()
    });
    Ok(ServerDescription {
        about,
        tools,
        unread,
        prompts,
        resources,
    })
}

/// Keeps what a server offers now.
fn learn(servers: &Arc<McpServers>, mcp_server: &Arc<McpServer>, now: ServerDescription) {
    if std::mem::replace(&mut *mcp_server.known.lock(), now.clone()) == now {
        return;
    }
    known::write(servers.space.home.folder(), &mcp_server.name, Some(now));
    offer(servers, mcp_server);
    servers.registry.changed(&servers.space);
}

/// Looks again whenever the server says that its tools are others, until it is gone.
async fn follow(servers: Weak<McpServers>, mcp_server: Arc<McpServer>, server: Server) {
    let mut changed = server.changed();
    loop {
        tokio::select! {
            news = changed.changed() => if news.is_err() { return },
            () = mcp_server.gone.cancelled() => return,
            () = server.closed() => return,
        }
        // A server that never stops telling is heard now and again.
        tokio::select! {
            () = tokio::time::sleep(PEER_NEWS_PAUSE) => {}
            () = mcp_server.gone.cancelled() => return,
        }
        changed.mark_unchanged();
        let Some(servers) = servers.upgrade() else { return };
        let about = mcp_server.known.lock().about.clone();
        match known_of(&mcp_server, &server, about).await {
            Ok(known) => learn(&servers, &mcp_server, known),
            Err(cause) => tracing::info!(%cause, server = mcp_server.name, "its tools are not known"),
        }
    }
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("mcp.toml")
}

fn spec(
    servers: &McpServers,
    mcp_server: &McpServer,
    entry: &Entry,
    mut secrets: BTreeMap<String, SecretString>,
) -> ServerSpec {
    // It is for the sign-in alone.
    secrets.remove(NewMcpServer::CLIENT_SECRET);
    let is_key = |name: &String| name.eq_ignore_ascii_case(AUTHORIZATION);
    // A key that stands in the address goes as a header: libraries show addresses.
    let mut url = entry.url.clone();
    if let Some((bare, key)) = entry.url.as_deref().and_then(split_key) {
        url = Some(bare);
        if !secrets.keys().any(is_key) {
            secrets.insert(AUTHORIZATION.to_owned(), key);
        }
    }
    let (of_query, secrets): (BTreeMap<_, _>, BTreeMap<_, _>) = secrets
        .into_iter()
        .partition(|(name, _)| name.starts_with(OF_QUERY));
    let url = url.map(|url| with_query(&url, &of_query));
    // A key that the user gave takes the place of a sign-in.
    let has_key = secrets.keys().any(is_key);
    let tokens = (!has_key).then(|| signing_in::Tokens::of(servers, mcp_server) as Arc<dyn TokenStore>);
    let launch = match (url, entry.command.split_first()) {
        (Some(url), _) => Launch::Url {
            url,
            headers: secrets,
            tokens,
        },
        (None, first) => {
            let plain = entry.env.iter();
            let mut env: BTreeMap<String, SecretString> = plain
                .map(|(name, value)| (name.clone(), value.as_str().into()))
                .collect();
            env.extend(secrets);
            Launch::Command {
                program: first.map(|(program, _)| program.clone()).unwrap_or_default(),
                args: first.map(|(_, args)| args.to_vec()).unwrap_or_default(),
                env,
            }
        }
    };
    ServerSpec {
        name: mcp_server.name.clone(),
        launch,
        era: if entry.legacy { Era::Legacy } else { Era::Auto },
    }
}

/// Under which name a server's secrets are kept, all of them as one JSON object.
fn keychain_name(name: &str) -> String {
    format!("mcp-{name}")
}

/// Under which name what came of a server's sign-in is kept.
fn sign_in_name(name: &str) -> String {
    format!("mcp-{name}-sign-in")
}

/// Makes sure that what came of a sign-in can be read, before its server is asked without it.
async fn readable_sign_in(servers: &McpServers, name: &str) -> Result<(), UserError> {
    let models = servers.space.models();
    let kept = models.keys().get(&sign_in_name(name)).await;
    kept.map(|_| ())
        .map_err(|cause| key_errors::explain(&servers.space, &cause))
}

async fn secrets(
    servers: &McpServers,
    name: &str,
    entry: &Entry,
) -> Result<BTreeMap<String, SecretString>, UserError> {
    use secrecy::ExposeSecret;
    if entry.secrets.is_empty() {
        return Ok(BTreeMap::new());
    }
    let models = servers.space.models();
    let kept = models.keys().get(&keychain_name(name)).await;
    let kept = kept.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    let values: BTreeMap<String, String> = kept
        .and_then(|kept| serde_json::from_str(kept.expose_secret()).ok())
        .unwrap_or_default();
    let found = values
        .into_iter()
        .filter(|(name, _)| entry.secrets.contains(name));
    let found: BTreeMap<String, SecretString> = found.map(|(name, value)| (name, value.into())).collect();
    match entry.secrets.iter().find(|wanted| !found.contains_key(*wanted)) {
        Some(missing) => Err(no_secret(servers.space.language(), name, missing)),
        None => Ok(found),
    }
}

fn no_secret(language: Language, name: &str, secret: &str) -> UserError {
    error(
        ErrorCode::Key,
        language.mcp().secret_gone(name, secret),
        language.mcp().remove_and_add_again(name),
    )
}
