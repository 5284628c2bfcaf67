//! `shidi mcp serve`: Shidi as the MCP server of the program that started it.

use crate::client::open_options;
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use crate::options::Options;

/// Serves until standard input ends. The first interrupt ends it in order: a run at work for the program is cancelled.
///
/// # Errors
/// Serving is switched off, or what came first was no MCP.
pub async fn run(options: &Options) -> Result<Exit, Failure> {
    let mut interrupts = Interrupts::listen();
    let interrupted = async move { interrupts.pressed().await };
    shidi_mcp_server::serve(open_options(options), options.language(), interrupted).await?;
    Ok(Exit::Done)
}
