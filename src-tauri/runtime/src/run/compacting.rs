//! A compaction that the user asks for (F4.6). The compaction happens in the run at work, else as a run of its
//! own without a question.

use super::start::{Parts, assemble, model_for};
use super::{Run, Workspace};
use crate::clock;
use shidi_agent::Event;
use shidi_memory::recall::Recall;
use shidi_protocol::{Ask, Reply, RunId, SessionId, UserError};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Begins it; the replies are those of the run in which it happens.
///
/// # Errors
/// Trouble with the model's settings or with storage.
pub async fn compact(
    workspace: &Arc<Workspace>,
    session: SessionId,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let language = workspace.language().code().to_owned();
    if let Some(run) = Run::hearing(&workspace.running, &session).await {
        let replies = run.subscribe();
        run.drive_blocking(Event::CompactAsked { language }).await;
        return Ok(replies);
    }
    let began = clock::now();
    let text = workspace.language().runtime().compact();
    // A session's words go to its own assistant's models alone.
    let ask = workspace.with_assistant(Ask {
        text: text.to_owned(),
        session: Some(session.clone()),
        ..Ask::default()
    })?;
    let config = workspace.features.assistants.config(&ask)?;
    let model = model_for(&workspace.features, &ask, &config).await?;
    let parent = workspace.stored(workspace.store.head(&session))?;
    let run = assemble(
        workspace,
        Parts {
            run: RunId::mint(),
            session,
            parent,
            ask,
            config,
            model,
            seq: 0,
            attachments: Vec::new(),
            recall: Recall::Nothing,
            searched: Vec::new(),
        },
    )?;
    let replies = run.subscribe();
    workspace.running.add(&run);
    run.begin_trace(began);
    run.drive_blocking(Event::CompactAsked { language }).await;
    Ok(replies)
}
