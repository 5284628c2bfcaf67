//! One connection to a server, from its start to its end; the protocol library's types stay in this file.

use crate::address::split_query;
use crate::at_work::Work;
use crate::child::{self, Child, Said};
use crate::error::{McpError, Oddity};
use crate::limits::{self, Limits};
use crate::listener::{Ears, Listener, News, Roots};
use crate::log::Log;
use crate::naming::is_name;
use crate::offers::{self, Answered};
use crate::prompts::{self, ServerPrompt, Written};
use crate::resources::{self, Held, ServerResource};
use crate::rounds::{self, CallEnd};
use crate::spec::{Era, Launch, ServerSpec};
use crate::text::paragraph;
use crate::tool::{Listing, Tool, Way};
use crate::unreached::Unreached;
use crate::{challenge, http, lines, sign_in};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, PaginatedRequestParams, ProtocolVersion, SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, Peer, RoleClient, RunningService,
    ServiceError,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::auth::AuthClient;
use rmcp::transport::streamable_http_client::{HttpStatusError, StreamableHttpError};
use rmcp::transport::{DynamicTransportError, IntoTransport};
use shidi_protocol::JsonMap;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::DuplexStream;
use tokio::process::ChildStdout;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How the library begins where JSON is no message of the protocol.
const NO_MESSAGE: &str = "could not parse JSON response";

pub struct Connection {
    peer: Peer<RoleClient>,
    running: Mutex<Option<Running>>,
    said: Option<Said>,
    since: Instant,
    listening: Option<JoinHandle<()>>,
    ears: Ears,
    roots: Arc<Roots>,
    /// Whether the server works on this computer.
    is_here: bool,
}

struct Running {
    service: RunningService<RoleClient, Listener>,
    child: Option<Child>,
}

impl Connection {
    /// Starts the server or connects to its address, and agrees on a revision of the protocol.
    ///
    /// Some servers end or fail when they are asked about the newest revision. They are asked again in the old way.
    ///
    /// # Errors
    /// Why the connection failed; nothing of the server is left running.
    pub async fn open(spec: &ServerSpec, limits: &Limits, ears: &Ears) -> Result<Self, McpError> {
        let begun = Instant::now();
        let first = match spec.era {
            Era::Legacy => return Self::attempt(spec, Era::Legacy, limits.connect, ears).await,
            Era::Auto => Self::attempt(spec, Era::Auto, limits.connect, ears).await,
        };
        match first {
            Err(
                McpError::Ended { .. }
                | McpError::Strange(_)
                | McpError::Refused(_)
                | McpError::Unreachable(Unreached::BrokenOff),
            ) => {
                let left = limits.connect.saturating_sub(begun.elapsed());
                Self::attempt(spec, Era::Legacy, left, ears).await
            }
            Ok(_) | Err(_) => first,
        }
    }

    async fn attempt(spec: &ServerSpec, era: Era, within: Duration, ears: &Ears) -> Result<Self, McpError> {
        ears.log.starting();
        match &spec.launch {
            Launch::Command { program, args, env } => {
                let (mut child, pipes) = child::start(program, args, env, &ears.log)?;
                let (reader, writer) = tokio::io::duplex(limits::PIPE_BYTES);
                let carried = carried(pipes.output, writer, child.said().clone(), ears.log.clone());
                child.set_carrying(tokio::spawn(carried));
                let transport = AsyncRwTransport::new_client(reader, pipes.input)
                    .with_max_line_length(limits::MESSAGE_BYTES_MAX + 1);
                Self::agree(transport, Some(child), era, within, ears).await
            }
            Launch::Url { url, headers, tokens } => {
                let (client, config) = http::client(url, headers)?;
                let Some(tokens) = tokens else {
                    let transport = StreamableHttpClientTransport::with_client(client, config);
                    return Self::agree(transport, None, era, within, ears).await;
                };
                // Whoever signs users in is told the address, and no key of it.
                let manager = sign_in::manager(&split_query(url).0, Arc::clone(tokens)).await?;
                let transport =
                    StreamableHttpClientTransport::with_client(AuthClient::new(client, manager), config);
                Self::agree(transport, None, era, within, ears).await
            }
        }
    }

    async fn agree<T, E, A>(
        transport: T,
        child: Option<Child>,
        era: Era,
        within: Duration,
        ears: &Ears,
    ) -> Result<Self, McpError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let said = child.as_ref().map(|child| child.said().clone());
        let (roots, is_here) = (Arc::<Roots>::default(), child.is_some());
        let listener = Listener::new(ears.clone(), Arc::clone(&roots), is_here);
        let served = listener.serve_with_lifecycle(transport, mode(era));
        let service = match timeout(within, served).await {
            Ok(Ok(service)) => service,
            Ok(Err(cause)) => {
                if let Some(challenge) = cause.auth_challenge() {
                    ears.challenged(challenge);
                }
                return Err(not_begun(&cause, said.as_ref()).await);
            }
            Err(_) => {
                return Err(McpError::Silent {
                    after: within,
                    said: said.map(|said| said.last_words()).unwrap_or_default(),
                });
            }
        };
        let peer = service.peer().clone();
        let listening = has_news(&peer).then(|| tokio::spawn(listen(peer.clone(), ears.news.clone())));
        let connection = Self {
            peer,
            running: Mutex::new(Some(Running { service, child })),
            said,
            since: Instant::now(),
            listening,
            ears: ears.clone(),
            roots,
            is_here,
        };
        let about = format!("{} · {}", connection.about(), connection.revision());
        ears.log.ready(&about);
        Ok(connection)
    }

    /// The tools that the server offers, as far as a list goes, and ours for what it has beside them.
    pub async fn tools(&self, within: Duration) -> Result<Listing, McpError> {
        let all = async {
            let mut listing = self.listed().await?;
            let beside = offers::tools(&self.peer).await;
            listing.resources = beside.iter().any(|tool| tool.way == Way::Resources);
            let is_new = |tool: &Tool| listing.tools.iter().all(|known| known.name != tool.name);
            let beside: Vec<Tool> = beside.into_iter().filter(is_new).collect();
            listing.tools.extend(beside);
            Ok(listing)
        };
        match timeout(within, all).await {
            Ok(Ok(listing)) => Ok(listing),
            Ok(Err(cause)) => Err(self.failed(cause).await),
            Err(_) => Err(self.silent(within)),
        }
    }

    /// The prompts that the server has prepared.
    pub async fn prompts(&self, within: Duration) -> Result<Vec<ServerPrompt>, McpError> {
        match timeout(within, prompts::listed(&self.peer)).await {
            Ok(Ok(listed)) => Ok(listed),
            Ok(Err(cause)) => Err(self.failed(cause).await),
            Err(_) => Err(self.silent(within)),
        }
    }

    /// Writes a prompt out.
    pub async fn prompt(
        &self,
        name: &str,
        arguments: JsonMap,
        within: Duration,
    ) -> Result<Written, McpError> {
        match timeout(within, prompts::written(&self.peer, name, arguments)).await {
            Ok(Ok(written)) => Ok(written),
            Ok(Err(cause)) => Err(self.failed(cause).await),
            Err(_) => Err(self.silent(within)),
        }
    }

    /// The resources that the server lists.
    pub async fn resources(&self, within: Duration) -> Result<Vec<ServerResource>, McpError> {
        match timeout(within, resources::listed(&self.peer)).await {
            Ok(Ok(listed)) => Ok(listed),
            Ok(Err(cause)) => Err(self.failed(cause).await),
            Err(_) => Err(self.silent(within)),
        }
    }

    /// Reads a resource.
    pub async fn resource(&self, uri: &str, within: Duration) -> Result<Held, McpError> {
        match timeout(within, resources::read(&self.peer, uri)).await {
            Ok(Ok(held)) => Ok(held),
            Ok(Err(cause)) => Err(self.failed(cause).await),
            Err(_) => Err(self.silent(within)),
        }
    }

    async fn listed(&self) -> Result<Listing, ServiceError> {
        let (mut listing, mut room) = (Listing::default(), limits::TOOLS_BYTES_MAX);
        let info = self.peer.peer_info();
        // One that has resources alone may not know the question.
        let has_tools = info.is_none_or(|info| info.capabilities.tools.is_some());
        let mut cursor = None;
        for _ in 0..limits::TOOL_PAGES_MAX {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = match self.peer.list_tools(Some(page)).await {
                Err(ServiceError::McpError(_)) if !has_tools => break,
                page => page?,
            };
            let fits = |tool: &&rmcp::model::Tool| is_name(&tool.name);
            listing.take(page.tools.iter().filter(fits).map(Tool::of), &mut room);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(listing)
    }

    /// Calls a tool; the server is told when the caller stops waiting.
    pub async fn call(
        &self,
        work: &Arc<Work>,
        tool: &Tool,
        args: JsonMap,
        within: Duration,
    ) -> Result<CallToolResult, McpError> {
        if self.is_here {
            self.roots.renew(&self.peer, &self.ears.at_work.folders()).await;
        }
        let answering = async {
            if tool.way == Way::Tool {
                let params = CallToolRequestParams::new(tool.name.clone()).with_arguments(args);
                return rounds::called(&self.peer, work, self.is_here, params).await;
            }
            let answered = offers::call(&self.peer, tool.way, &args).await?;
            Ok(match answered {
                Answered::Complete(result) => CallEnd::Complete(result),
                Answered::Asks => CallEnd::Asks("input"),
            })
        };
        match work.follow(answering, within).await {
            Some(Ok(CallEnd::Complete(result))) => Ok(result),
            Some(Ok(CallEnd::Asks(what))) => Err(McpError::Asks(what)),
            Some(Ok(CallEnd::NotGiven(why))) => Err(McpError::NotGiven(quoted(&why))),
            Some(Err(cause)) => Err(self.failed(cause).await),
            None => Err(self.silent(within)),
        }
    }

    pub fn is_over(&self) -> bool {
        self.peer.is_transport_closed()
    }

    /// What the server wrote beside the protocol, as far as it is kept; empty for one at an address.
    pub fn log(&self) -> String {
        self.said.as_ref().map(Said::log).unwrap_or_default()
    }

    pub fn since(&self) -> Instant {
        self.since
    }

    /// The revision of the protocol in use.
    pub fn revision(&self) -> String {
        let info = self.peer.peer_info();
        info.map_or_else(String::new, |info| info.protocol_version.to_string())
    }

    /// The server's name and version, in its own words.
    pub fn about(&self) -> String {
        let info = self.peer.peer_info();
        let named = info.as_ref().and_then(|info| info.server_info.as_ref());
        named.map_or_else(String::new, |named| {
            paragraph(
                &format!("{} {}", named.name, named.version),
                limits::NAME_CHARACTERS_MAX,
            )
        })
    }

    /// Closes the server's input, waits for its end, and kills the rest.
    pub async fn close(&self, wait: Duration) {
        let Some(mut running) = self.running.lock().await.take() else {
            return;
        };
        self.note_end();
        if let Err(cause) = running.service.close_with_timeout(wait).await {
            tracing::debug!(%cause, "a connection did not close");
        }
        if let Some(child) = running.child {
            child.end(wait).await;
        }
    }

    /// Notes the end of a connection to an address; whoever carries a program's output notes that program's end.
    pub fn note_end(&self) {
        if !self.is_here {
            self.ears.log.ended();
        }
    }

    /// Why the server ended, with its last words.
    pub async fn last_words(&self) -> McpError {
        match &self.said {
            Some(said) => McpError::Ended {
                said: said.words_at_end().await,
            },
            None => McpError::Unreachable(Unreached::BrokenOff),
        }
    }

    fn silent(&self, after: Duration) -> McpError {
        let said = self.said.as_ref();
        McpError::Silent {
            after,
            said: said.map(Said::last_words).unwrap_or_default(),
        }
    }

    async fn failed(&self, cause: ServiceError) -> McpError {
        if let Some(challenge) = cause.auth_challenge() {
            self.ears.challenged(challenge);
        }
        match cause {
            ServiceError::McpError(error) if error.code.0 == lines::TOO_LONG => McpError::TooLong,
            ServiceError::McpError(error) if error.code.0 == lines::UNREADABLE => {
                McpError::Strange(Oddity::NoJson)
            }
            ServiceError::McpError(error) => McpError::Refused(quoted(&error.message)),
            ServiceError::TransportSend(error) => match &self.said {
                Some(_) => self.last_words().await,
                None => unreachable(&error),
            },
            ServiceError::TransportClosed => self.last_words().await,
            ServiceError::Timeout { timeout } => self.silent(timeout),
            other => {
                tracing::debug!(%other, "an answer of a server is of another kind");
                McpError::Strange(Oddity::Kind)
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

/// Carries a program's output as long as there is any, and notes its end after its last words.
async fn carried(output: ChildStdout, writer: DuplexStream, said: Said, log: Log) {
    lines::carry(output, writer).await;
    said.wait_for_rest().await;
    log.ended();
}

fn mode(era: Era) -> ClientLifecycleMode {
    match era {
        Era::Auto => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        },
        Era::Legacy => ClientLifecycleMode::Initialize,
    }
}

/// Whether a server without a handshake offers news of its tools; older servers send them unasked.
fn has_news(peer: &Peer<RoleClient>) -> bool {
    peer.peer_info().is_some_and(|info| {
        let tools = info.capabilities.tools.as_ref();
        !info.protocol_version.has_initialize() && tools.is_some_and(|tools| tools.list_changed == Some(true))
    })
}

/// Passes news on as long as the connection lasts.
async fn listen(peer: Peer<RoleClient>, news: News) {
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    while !peer.is_transport_closed() {
        match peer.listen(wanted.clone()).await {
            Ok(mut subscription) => {
                while let Ok(Some(_)) = subscription.next().await {
                    news.send_modify(|count| *count += 1);
                }
            }
            Err(cause) => tracing::debug!(%cause, "a server gives no news of its tools"),
        }
        tokio::time::sleep(limits::LISTEN_AGAIN_AFTER).await;
    }
}

async fn not_begun(cause: &ClientInitializeError, said: Option<&Said>) -> McpError {
    if cause.is_authorization_required() {
        return McpError::SignIn;
    }
    match (cause, said) {
        (ClientInitializeError::LegacyFallbackFailed { fallback, .. }, said) => {
            Box::pin(not_begun(fallback, said)).await
        }
        (
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. },
            Some(said),
        ) => McpError::Ended {
            said: said.words_at_end().await,
        },
        (ClientInitializeError::TransportError { error, .. }, None) => unreachable(error),
        (ClientInitializeError::JsonRpcError(error), _) => McpError::Refused(quoted(&error.message)),
        (ClientInitializeError::ConnectionClosed(_), None) => McpError::Unreachable(Unreached::BrokenOff),
        (ClientInitializeError::NoCompatibleProtocolVersion { .. }, _) => McpError::Strange(Oddity::Revision),
        (other, _) => {
            tracing::debug!(%other, "a server begins in another way");
            McpError::Strange(Oddity::Beginning)
        }
    }
}

/// Why an address could not be connected to.
fn unreachable(error: &DynamicTransportError) -> McpError {
    if let Some(wanted) = challenge::wanted(error.error.as_ref()) {
        return wanted;
    }
    let outer: &(dyn Error + 'static) = error.error.as_ref();
    let mut source = Some(outer);
    while let Some(cause) = source {
        if let Some(status) = cause.downcast_ref::<HttpStatusError>() {
            return of_status(status.status);
        }
        match cause.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::ResponseBodyTooLarge { .. }) => return McpError::TooLong,
            Some(StreamableHttpError::HttpStatus(answered)) => return of_status(answered.status),
            Some(StreamableHttpError::UnexpectedContentType(kind)) => return no_server(kind.as_deref()),
            // A refusal without a challenge has the form `HTTP 401 Unauthorized: …`.
            Some(StreamableHttpError::UnexpectedServerResponse(said)) => {
                let status = said.strip_prefix("HTTP ").and_then(|rest| rest.get(..3));
                if let Some(status) = status.and_then(|digits| digits.parse().ok()) {
                    return of_status(status);
                }
                if said.starts_with(NO_MESSAGE) {
                    return McpError::NoServer(None);
                }
            }
            // It names no source, and tells the whole address.
            Some(StreamableHttpError::Client(cause)) => {
                return McpError::Unreachable(Unreached::of(cause));
            }
            Some(_) | None => {}
        }
        source = cause.source();
    }
    McpError::Unreachable(Unreached::of(outer))
}

fn of_status(status: u16) -> McpError {
    match status {
        401 | 403 => McpError::SignIn,
        other => McpError::Status(other),
    }
}

/// What answers in another form than the protocol has; `text/html; charset=utf-8` is told without its second part.
fn no_server(kind: Option<&str>) -> McpError {
    let kind = kind.and_then(|kind| kind.split(';').next()).map(quoted);
    McpError::NoServer(kind.filter(|kind| !kind.is_empty()))
}

fn quoted(text: &str) -> String {
    paragraph(text, limits::STDERR_QUOTED_CHARACTERS)
}
