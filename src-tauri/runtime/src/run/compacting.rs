//! A compaction that the user asks for (F4.6). The compaction happens in the run at work, else as a run of its
//! own without a question.

use super::start::{Parts, assemble};
use super::{Run, Workspace};
use crate::clock;
use crate::model_choice;
use shidi_agent::Event;
use shidi_memory::recall::Recall;
use shidi_protocol::{Ask, Reply, RunId, SessionId, UserError};
use std::collections::BTreeMap;
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
    let config = workspace.config().overridden(&BTreeMap::new())?;
    let model = model_choice::open(workspace, &config).await?;
    let text = workspace.language().runtime().compact();
    let ask = Ask {
        text: text.to_owned(),
        session: Some(session.clone()),
        ..Ask::default()
    };
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
