//! Shidi as the agent of editors over standard input and output: the Agent Client Protocol, version 1.
//!
//! The crate is a client of the runtime, as the command line is, and decides nothing. The runtime's table and the user
//! in front of the editor say what may be done. This crate reads and writes no file for the editor. Files go through
//! the toolkits alone, so that permissions, records and undoing hold.

mod agent;
mod cards;
mod editor;
mod following;
mod limits;
mod lines;
mod prompt;
mod threads;
mod tool_calls;
mod updates;

use agent::Agent;
use editor::Editor;
use limits::LAST_WORDS_WAIT;
use lines::{Incoming, Lines};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_runtime::OpenOptions;
use std::future::Future;
use tokio_util::sync::CancellationToken;

/// Serves the editor at standard input until it closes it, or until the user ends the process. Runs that are at work for
/// it are cancelled then; what waits for a decision goes on waiting.
///
/// # Errors
/// Standard input or output is closed: a sentence with its remedy.
pub async fn serve(
    options: OpenOptions,
    language: Language,
    interrupted: impl Future<Output = ()>,
) -> Result<(), UserError> {
    let closed = |cause| {
        let say = language.acp();
        let refused = UserError::new(ErrorCode::Input, say.no_standard_input(cause));
        refused.hint(say.start_by_editor())
    };
    let input = shidi_service::input().map_err(closed)?;
    let output = shidi_service::output().map_err(closed)?;
    let gone = CancellationToken::new();
    let (editor, writing) = Editor::new(output, gone.clone());
    let agent = Agent::new(options, language, editor.clone(), gone.clone());
    tokio::select! {
        () = converse(Lines::new(input, language), &editor, &agent) => {}
        () = gone.cancelled() => {}
        () = interrupted => {}
    }
    gone.cancel();
    agent.over().await;
    drop((agent, editor));
    // An editor that reads nothing does not hold the process.
    let written = tokio::time::timeout(LAST_WORDS_WAIT, writing).await;
    written.unwrap_or(Ok(())).unwrap_or_default();
    Ok(())
}

async fn converse(mut lines: Lines<tokio::fs::File>, editor: &Editor, agent: &std::sync::Arc<Agent>) {
    while let Some(message) = lines.next().await {
        match message {
            Incoming::Request { id, method, params } => agent.asked(id, method, params).await,
            Incoming::Notification { method, params } => agent.notified(&method, &params),
            Incoming::Answer { id, result } => editor.answered(id, result),
            Incoming::Refused(answer) => editor.send(&answer).await,
        }
    }
}
