//! `shidi acp`: Shidi as the agent of the editor that started it.

use crate::client::open_options;
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use crate::options::Options;

/// Serves until standard input ends. The first interrupt ends it in order: a run at work for the editor is cancelled.
///
/// # Errors
/// Standard input or output is closed.
pub async fn run(options: &Options) -> Result<Exit, Failure> {
    let mut interrupts = Interrupts::listen();
    let interrupted = async move { interrupts.pressed().await };
    shidi_acp::serve(open_options(options), options.language(), interrupted).await?;
    Ok(Exit::Done)
}
