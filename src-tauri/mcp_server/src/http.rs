//! Shidi as an MCP server over HTTP: for programs of this computer that have its token.
//!
//! Sessions, streams and both eras of the protocol are the library's. [`guard`] decides who gets as far as the
//! library, and [`door`] bounds the connections of everybody else. A program's further rights are decided as over
//! standard input and output.

mod door;
mod guard;

use crate::handler::Handler;
use crate::limits::{CANCEL_WAIT, LAST_WORDS_WAIT, LINE_BYTES_MAX, SESSION_IDLE_MAX};
use crate::offer::Offer;
use crate::own::Own;
use async_trait::async_trait;
use axum::Router;
use axum::middleware::from_fn_with_state;
use door::{Door, Visitor};
use guard::Guard;
pub use guard::TokenSource;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, TokenWish, UserError, reply, request};
use shidi_runtime::OpenOptions;
use shidi_service::Lender;
use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Where Shidi listens unless its user says otherwise: clients keep the address in their settings.
pub const PORT: u16 = 7438;

/// The path of the only thing that is served.
const PATH: &str = "/mcp";

/// A port of this computer that is open, and nobody answers yet.
pub struct HttpServer {
    listener: TcpListener,
    port: u16,
    language: Language,
}

impl HttpServer {
    /// Opens the port; 0 takes a free one.
    ///
    /// # Errors
    /// The port is in use, or this user may not open it: with the remedy.
    pub async fn bind(port: u16, language: Language) -> Result<Self, UserError> {
        let say = language.mcp_server();
        let opened = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => listener.local_addr().map(|address| (listener, address.port())),
            Err(cause) => Err(cause),
        };
        match opened {
            Ok((listener, port)) => Ok(Self {
                listener,
                port,
                language,
            }),
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => {
                let taken = UserError::new(ErrorCode::System, say.port_taken(port));
                Err(taken.hint(say.port_choose()))
            }
            Err(cause) => {
                let unusable = UserError::new(ErrorCode::System, say.port_unusable(cause, port));
                Err(unusable.hint(say.port_instead()))
            }
        }
    }

    /// What programs are told to use.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}:{}{PATH}", Ipv4Addr::LOCALHOST, self.port)
    }

    /// Serves programs that send the token until the user ends it. Runs at work for them are cancelled then.
    ///
    /// # Errors
    /// The port was lost.
    pub async fn serve(
        self,
        options: OpenOptions,
        token: &str,
        interrupted: impl Future<Output = ()>,
    ) -> Result<(), UserError> {
        let gone = CancellationToken::new();
        let lender = Lender::new(options);
        let own = Own::new(lender.clone(), self.language, gone.clone());
        let tokens: Arc<dyn TokenSource> = Arc::new(Keychain(lender.clone()));
        let serving = self.serve_offer(Arc::new(own), (token, tokens), gone, interrupted);
        let served = serving.await;
        lender.let_go(CANCEL_WAIT).await;
        served
    }

    /// Serves something else by the same protocol and behind the same guard, until it is interrupted. `gone` is cancelled
    /// as it ends.
    ///
    /// # Errors
    /// The port was lost.
    pub async fn serve_offer(
        self,
        offer: Arc<dyn Offer>,
        (token, tokens): (&str, Arc<dyn TokenSource>),
        gone: CancellationToken,
        interrupted: impl Future<Output = ()>,
    ) -> Result<(), UserError> {
        let handler = Handler::new(offer, self.language);
        let sessions = Arc::new(sessions());
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(LINE_BYTES_MAX)
            .with_cancellation_token(gone.clone());
        let service =
            StreamableHttpService::new(move || Ok(handler.another()), Arc::clone(&sessions), config);
        let guard = Guard::new(tokens, self.language, self.port, token, sessions);
        let app = Router::new()
            .route_service(PATH, service)
            .layer(from_fn_with_state(Arc::new(guard), guard::guarded));
        let app = app.into_make_service_with_connect_info::<Visitor>();
        let serving = axum::serve(Door::new(self.listener), app);
        let serving = serving.with_graceful_shutdown(gone.clone().cancelled_owned());
        let mut serving = std::pin::pin!(serving.into_future());
        let served = tokio::select! {
            served = &mut serving => served,
            () = interrupted => {
                gone.cancel();
                // A program that reads nothing does not hold the process.
                ended_within(LAST_WORDS_WAIT, serving).await.unwrap_or(Ok(()))
            }
        };
        gone.cancel();
        served.map_err(|cause| UserError::new(ErrorCode::System, cause.to_string()))
    }
}

/// The token as the keychain has it now, by way of the runtime.
struct Keychain(Lender);

#[async_trait]
impl TokenSource for Keychain {
    async fn token(&self) -> Option<String> {
        let connection = self.0.borrow().await.ok()?;
        let asked = connection.ask(request::mcp::ServeToken {
            wish: TokenWish::Kept,
        });
        let reply::McpServeToken { token } = asked.await.ok()?;
        Some(token)
    }
}

async fn ended_within<T>(wait: Duration, ending: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(wait, ending).await.ok()
}

fn sessions() -> LocalSessionManager {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SESSION_IDLE_MAX);
    sessions
}
