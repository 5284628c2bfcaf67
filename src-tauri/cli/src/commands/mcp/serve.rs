//! `shidi mcp serve`: Shidi as the MCP server of the program that started it, or of those that have its token.

use crate::client::{open_options, with_connection};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use shidi_mcp_server::{HttpServer, PORT};
use shidi_protocol::request::mcp;
use shidi_protocol::{TokenWish, reply};

#[derive(Debug, clap::Args)]
pub struct Serve {
    #[arg(long)]
    http: bool,
    #[arg(long, value_name = "PORT", requires = "http")]
    port: Option<u16>,
}

#[derive(Debug, clap::Args)]
pub struct Token {
    #[arg(long)]
    renew: bool,
}

/// Serves until standard input ends, over HTTP until it is interrupted. The first interrupt ends it in order: a run at work
/// for a program is cancelled.
///
/// # Errors
/// Serving is switched off, what came first was no MCP, the port is taken, the keychain can't be used.
pub async fn run(serve: &Serve, options: &Options, console: &Console) -> Result<Exit, Failure> {
    if serve.http {
        return over_http(serve.port.unwrap_or(PORT), options, console).await;
    }
    let mut interrupts = Interrupts::listen();
    let interrupted = async move { interrupts.pressed().await };
    shidi_mcp_server::serve(open_options(options), options.language(), interrupted).await?;
    Ok(Exit::Done)
}

async fn over_http(port: u16, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let server = HttpServer::bind(port, options.language()).await?;
    let reply::McpServeToken { token } = asked(TokenWish::Made, options, console).await?;
    let mut interrupts = Interrupts::listen();
    let address = server.address();
    // The token is not told: what a service says may be kept in a journal.
    if console.is_json() {
        console.json(&serde_json::json!({"address": address}))?;
    } else {
        let words = console.words;
        console.line(&words.mcp_serves_at(address))?;
        console.line(words.mcp_token_shown_by())?;
    }
    let interrupted = async move { interrupts.pressed().await };
    server.serve(open_options(options), &token, interrupted).await?;
    Ok(Exit::Done)
}

/// Shows the token, or makes another one.
///
/// # Errors
/// Serving is switched off, or the keychain can't be used.
pub async fn token(wanted: &Token, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let wish = match wanted.renew {
        true => TokenWish::Renewed,
        false => TokenWish::Made,
    };
    let reply::McpServeToken { token } = asked(wish, options, console).await?;
    if console.is_json() {
        console.json(&serde_json::json!({"token": token}))?;
    } else {
        console.line(&token)?;
    }
    Ok(Exit::Done)
}

async fn asked(
    wish: TokenWish,
    options: &Options,
    console: &Console,
) -> Result<reply::McpServeToken, Failure> {
    with_connection(options, async |connection| {
        ask_unlocking(connection, mcp::ServeToken { wish }, console).await
    })
    .await
}
