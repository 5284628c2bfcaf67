//! A server for as long as it is configured. The server is connected when it is first needed, and again
//! after it has ended.

use crate::address::split_query;
use crate::caller::{Caller, Nobody};
use crate::connection::Connection;
use crate::error::McpError;
use crate::files;
use crate::limits::Limits;
use crate::listener::Ears;
use crate::log::Log;
use crate::outcome;
use crate::prompts::{ServerPrompt, Written};
use crate::resources::{Held, ServerResource};
use crate::rest::Rest;
use crate::spec::{Launch, ServerSpec};
use crate::tokens::{self, TokenStore};
use crate::tool::{Listing, Tool};
use secrecy::SecretString;
use shidi_protocol::{CallOutcome, JsonMap, McpState, is_secret_parameter};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;

/// The parameter of a challenge that says where its sign-in is told of (RFC 9728).
const PLACE_OF_SIGN_IN: &str = "resource_metadata";

/// A handle on a server; clones are the same server.
#[derive(Clone)]
pub struct Server(Arc<ServerState>);

struct ServerState {
    spec: ServerSpec,
    limits: Limits,
    place: Mutex<Place>,
    ears: Ears,
    /// Rights that the last call of each tool lacked, by its name. Those that a look at the server lacked have none.
    lacked: parking_lot::Mutex<BTreeMap<String, Vec<String>>>,
    closed: CancellationToken,
}

#[derive(Default)]
struct Place {
    connection: Option<Arc<Connection>>,
    rest: Rest,
}

impl Server {
    /// A server that is not started yet: the first request starts it.
    #[must_use]
    pub fn new(spec: ServerSpec, limits: Limits) -> Self {
        Self::logged(spec, limits, Log::default())
    }

    /// The same for a log that outlives the server.
    #[must_use]
    pub fn logged(spec: ServerSpec, limits: Limits, log: Log) -> Self {
        Self(Arc::new(ServerState {
            spec,
            limits,
            place: Mutex::default(),
            ears: Ears::with_log(log),
            lacked: parking_lot::Mutex::default(),
            closed: CancellationToken::new(),
        }))
    }

    /// A server that is connected.
    ///
    /// # Errors
    /// Why the server can't be started, reached or spoken to within the limits' time.
    pub async fn connect(spec: ServerSpec, limits: Limits) -> Result<Self, McpError> {
        let server = Self::new(spec, limits);
        server.connection().await?;
        Ok(server)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.spec.name
    }

    /// The server's name and version in its own words, and the revision of the protocol in use.
    ///
    /// # Errors
    /// As [`Server::connect`].
    pub async fn about(&self) -> Result<(String, String), McpError> {
        let connection = self.connection().await?;
        Ok((connection.about(), connection.revision()))
    }

    /// The tools that the server offers now.
    ///
    /// # Errors
    /// As [`Server::connect`], or a list that does not come.
    pub async fn tools(&self) -> Result<Vec<Tool>, McpError> {
        Ok(self.listing().await?.tools)
    }

    /// The same, with the number of those that no list has room for.
    ///
    /// # Errors
    /// As [`Server::tools`].
    pub async fn listing(&self) -> Result<Listing, McpError> {
        let connection = self.connection().await?;
        let within = self.0.limits.list;
        let listed = self.unless_closed(connection.tools(within)).await;
        self.keep_lacked("", listed.as_ref().err()).await;
        listed
    }

    /// The prompts that the server has prepared.
    ///
    /// # Errors
    /// As [`Server::tools`].
    pub async fn prompts(&self) -> Result<Vec<ServerPrompt>, McpError> {
        let connection = self.connection().await?;
        let within = self.0.limits.list;
        self.unless_closed(connection.prompts(within)).await
    }

    /// Writes a prompt out.
    ///
    /// # Errors
    /// As [`Server::connect`], or what the server says against it.
    pub async fn prompt(&self, name: &str, arguments: JsonMap) -> Result<Written, McpError> {
        let connection = self.connection().await?;
        let within = self.0.limits.call;
        self.unless_closed(connection.prompt(name, arguments, within))
            .await
    }

    /// The resources that the server lists.
    ///
    /// # Errors
    /// As [`Server::tools`].
    pub async fn resources(&self) -> Result<Vec<ServerResource>, McpError> {
        let connection = self.connection().await?;
        let within = self.0.limits.list;
        self.unless_closed(connection.resources(within)).await
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// As [`Server::connect`], or what the server says against it.
    pub async fn resource(&self, uri: &str) -> Result<Held, McpError> {
        let connection = self.connection().await?;
        let within = self.0.limits.call;
        self.unless_closed(connection.resource(uri, within)).await
    }

    /// What the server answers somebody who has not signed in: where its sign-in is, and which rights it wants.
    pub async fn challenge_of(mut spec: ServerSpec, limits: Limits) -> Option<String> {
        if let Launch::Url { tokens, .. } = &mut spec.launch {
            *tokens = None;
        }
        let stranger = Self::new(spec, limits);
        if let Err(cause) = stranger.tools().await {
            tracing::debug!(%cause, "a server before a sign-in");
        }
        stranger.close().await;
        stranger.0.ears.challenge()
    }

    /// What is on record of the server.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.0.ears.log
    }

    /// Calls a tool by the server's own name for it. A failure is an outcome too; the server is told when
    /// `cancelled` comes first.
    pub async fn call(&self, tool: &Tool, args: JsonMap, cancelled: &CancellationToken) -> CallOutcome {
        self.call_for(Arc::new(Nobody), tool, args, cancelled).await
    }

    /// The same for a caller that does what a server wants in the middle of a call.
    pub async fn call_for(
        &self,
        caller: Arc<dyn Caller>,
        tool: &Tool,
        args: JsonMap,
        cancelled: &CancellationToken,
    ) -> CallOutcome {
        // Before the connection is made: a server may ask for folders as its first word.
        let begun = self.0.ears.at_work.begin(Arc::clone(&caller));
        let _logged = self.0.ears.log.calls(caller.leaves_nothing());
        let answered = async {
            let connection = self.connection().await?;
            let within = self.0.limits.call;
            let calling = connection.call(&begun.work, tool, args, within);
            self.unless_closed(calling).await
        };
        let answered = tokio::select! {
            answered = answered => answered,
            () = cancelled.cancelled() => Err(McpError::Cancelled),
        };
        match answered {
            Ok(result) => {
                self.keep_lacked(&tool.name, None).await;
                let kept = files::kept(&result, caller.as_ref()).await;
                outcome::of(result, tool, &kept)
            }
            Err(cause) => {
                self.keep_lacked(&tool.name, Some(&cause)).await;
                outcome::failure(self.name(), &cause)
            }
        }
    }

    /// Keeps the rights that the server wants for something beyond those of the last sign-in, for the next one. What
    /// succeeds lacks none.
    async fn keep_lacked(&self, what: &str, cause: Option<&McpError>) {
        let rights = match cause {
            None => {
                self.0.lacked.lock().remove(what);
                return;
            }
            Some(McpError::Rights(rights)) => rights,
            Some(_) => return,
        };
        self.0.lacked.lock().insert(what.to_owned(), rights.clone());
        if let Launch::Url {
            tokens: Some(tokens), ..
        } = &self.0.spec.launch
            && let Err(cause) = tokens::keep_lacked(&**tokens, rights).await
        {
            tracing::warn!(cause, "rights that a server wants are not kept");
        }
    }

    /// The rights that the server wants and the last sign-in did not give, as far as calls have met them.
    #[must_use]
    pub fn lacked(&self) -> Vec<String> {
        let lacked = self.0.lacked.lock();
        let all: BTreeSet<&String> = lacked.values().flatten().collect();
        all.into_iter().cloned().collect()
    }

    /// A number that grows whenever the server says that its tools have changed.
    #[must_use]
    pub fn changed(&self) -> watch::Receiver<u64> {
        self.0.ears.news.subscribe()
    }

    /// Comes when this handle and its clones reach the server no more.
    pub async fn closed(&self) {
        self.0.closed.cancelled().await;
    }

    /// Whether the server was connected and is no longer.
    pub async fn ended(&self) -> bool {
        let place = self.0.place.lock().await;
        place
            .connection
            .as_ref()
            .is_some_and(|connection| connection.is_over())
    }

    /// How the server stands, with what it wrote or why it failed; waits for nothing.
    #[must_use]
    pub fn standing(&self) -> (McpState, String) {
        let Ok(place) = self.0.place.try_lock() else {
            return (McpState::Starting, String::new());
        };
        match &place.connection {
            Some(connection) if connection.is_over() => (McpState::Ended, connection.log()),
            Some(connection) => (McpState::Running, connection.log()),
            None if place.rest.last().is_empty() => (McpState::Idle, String::new()),
            None => (McpState::Ended, place.rest.last().to_owned()),
        }
    }

    /// Lets the server be started at once, however often it has failed.
    pub async fn forgive(&self) {
        self.0.place.lock().await.rest.forgive();
    }

    /// Ends the server for good: its input is closed, and a process that does not end by itself is killed.
    pub async fn close(&self) {
        self.0.closed.cancel();
        let connection = self.0.place.lock().await.connection.take();
        if let Some(connection) = connection {
            connection.close(self.0.limits.close).await;
        }
    }

    /// The present connection, or a new one, unless the server is being left alone.
    async fn connection(&self) -> Result<Arc<Connection>, McpError> {
        let mut place = self.0.place.lock().await;
        if self.0.closed.is_cancelled() {
            return Err(McpError::Closed);
        }
        if let Some(connection) = place.connection.clone() {
            if !connection.is_over() {
                return Ok(connection);
            }
            connection.note_end();
            let why = connection.last_words().await.to_string();
            place.connection = None;
            place
                .rest
                .failed(Instant::now(), connection.since().elapsed(), why);
        }
        if let Some((wait, failures, last)) = place.rest.left(Instant::now()) {
            return Err(McpError::Resting { failures, wait, last });
        }
        let opening = Connection::open(&self.0.spec, &self.0.limits, &self.0.ears);
        match self.unless_closed(opening).await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                place.connection = Some(Arc::clone(&connection));
                Ok(connection)
            }
            Err(cause) => {
                let no_time = std::time::Duration::ZERO;
                place.rest.failed(Instant::now(), no_time, cause.to_string());
                self.keep_lacked("", Some(&cause)).await;
                Err(cause)
            }
        }
    }

    async fn unless_closed<T>(&self, work: impl Future<Output = Result<T, McpError>>) -> Result<T, McpError> {
        let done = tokio::select! {
            done = work => done,
            () = self.0.closed.cancelled() => Err(McpError::Closed),
        };
        let done = match done {
            Err(cause) => Err(self.of_key(cause).await),
            done => done,
        };
        if let Err(cause) = &done {
            self.0.ears.log.failed(cause);
        }
        done
    }

    /// What a refusal means where the user gave a key: that lacks the rights, or is not taken.
    async fn of_key(&self, cause: McpError) -> McpError {
        let Launch::Url { url, headers, tokens } = &self.0.spec.launch else {
            return cause;
        };
        match cause {
            McpError::Rights(rights) if tokens.is_none() => McpError::KeyRights(rights),
            McpError::SignIn => {
                let Some(key) = key_name(url, headers) else {
                    return McpError::SignIn;
                };
                match self.signs_in(tokens.as_deref()).await {
                    true => McpError::SignIn,
                    false => McpError::KeyRefused(key),
                }
            }
            other => other,
        }
    }

    /// Whether a sign-in helps beside a key. The server's challenge says where it is, or the user has signed in before.
    async fn signs_in(&self, tokens: Option<&dyn TokenStore>) -> bool {
        let Some(tokens) = tokens else {
            return false;
        };
        let challenge = self.0.ears.challenge().unwrap_or_default();
        challenge.to_ascii_lowercase().contains(PLACE_OF_SIGN_IN)
            || matches!(tokens::kept(tokens).await, Ok(Some(_)))
    }
}

/// Under which name the user gave a key: that of a header, or of a parameter of the address.
fn key_name(url: &str, headers: &BTreeMap<String, SecretString>) -> Option<String> {
    let is_first = |name: &&String| name.eq_ignore_ascii_case("authorization");
    let mut names = headers.keys();
    let header = names.clone().find(is_first);
    let header = header.or_else(|| names.find(|name| is_secret_parameter(name)));
    let of_query = || split_query(url).1.into_keys().next();
    header.cloned().or_else(of_query)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(url: &str, headers: &[&str]) -> Option<String> {
        let headers = headers
            .iter()
            .map(|name| ((*name).to_owned(), SecretString::from("s3cret")));
        key_name(url, &headers.collect())
    }

    #[test]
    fn a_key_is_known_by_the_name_of_its_header_or_parameter_and_no_other_header_is_one() {
        let plain = "https://a.example/mcp?x=1";
        let keyed = "https://a.example/mcp?x=1&api_key=s3cret";
        for (url, headers, expected) in [
            (plain, &["X-Api-Key", "authorization"][..], Some("authorization")),
            (plain, &["X-Api-Key", "X-Region"], Some("X-Api-Key")),
            (keyed, &["X-Region"], Some("?api_key")),
            (plain, &["X-Region", "User-Agent"], None),
            (plain, &[], None),
        ] {
            assert_eq!(name(url, headers).as_deref(), expected, "{url} {headers:?}");
        }
    }
}
