//! Shidi as an MCP server over standard input and output, or over HTTP. Other programs search its memory and sessions,
//! see the content in front of the user, and ask.
//!
//! The protocol (`handler.rs` and what it uses) is one thing, and what is served ([`Offer`]) is another. Shidi's own
//! offer is a client of the runtime, as the command line is, and decides nothing. The runtime's table says who may
//! call, and the privacy gate what may be seen. The user decides what a run may do. Between two calls it holds no data
//! folder, so that the desktop program can start.

mod answers;
mod ask;
mod calls;
mod changes;
mod exchange;
mod handler;
mod http;
mod limits;
mod lines;
mod offer;
mod own;
mod pages;
mod prompts;
mod questions;
mod seal;
mod session;
mod severity;
mod tools;

pub use changes::Change;
pub use exchange::{Exchange, Progress};
pub use http::{HttpServer, PORT, TokenSource};
pub use offer::Offer;
pub use questions::{Answers, Halt, Question, QuestionKind, Questions};
pub use severity::Severity;

use handler::Handler;
use lines::Lines;
use own::Own;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_runtime::OpenOptions;
use shidi_service::Lender;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Serves the program at standard input until it closes it, or until the user ends the process. Runs that are at work for
/// it are cancelled then.
///
/// # Errors
/// Serving is switched off, or what came first was no MCP: a sentence with its remedy.
pub async fn serve(
    options: OpenOptions,
    language: Language,
    interrupted: impl Future<Output = ()>,
) -> Result<(), UserError> {
    let gone = CancellationToken::new();
    let lender = Lender::new(options);
    let own = Own::new(lender.clone(), language, gone.clone());
    let handler = Handler::new(Arc::new(own), language);
    let (input, output) = match (shidi_service::input(), shidi_service::output()) {
        (Ok(input), Ok(output)) => (input, output),
        (Err(cause), _) | (_, Err(cause)) => {
            let say = language.mcp_server();
            let refused = UserError::new(ErrorCode::Input, say.no_standard_input(cause));
            return Err(refused.hint(say.start_by_client()));
        }
    };
    let lines = Lines::new(input, output, gone.clone(), language);
    let mut serving = pin!(converse(handler, lines, language));
    let served = tokio::select! {
        served = &mut serving => served,
        () = interrupted => {
            gone.cancel();
            serving.await
        }
    };
    lender.closed().await;
    served
}

async fn converse(
    handler: Handler,
    lines: Lines<tokio::fs::File>,
    language: Language,
) -> Result<(), UserError> {
    let running = match handler.clone().serve(lines).await {
        Ok(running) => running,
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            let say = language.mcp_server();
            let refused = UserError::new(ErrorCode::Input, say.began_otherwise());
            return Err(refused.hint(say.begin_with_initialize()));
        }
        // The client went away before it said anything, or has its refusal.
        Err(_) => return handler.refusal().map_or(Ok(()), Err),
    };
    let ended = running.waiting().await;
    ended
        .map(|_| ())
        .map_err(|cause| UserError::new(ErrorCode::Internal, cause.to_string()))
}
