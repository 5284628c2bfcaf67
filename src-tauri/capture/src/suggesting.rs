//! The fast model's question about what is in front, where the user lets it and local rules found none (F2.3).
//!
//! It gets what the chip would send and nothing else: never a picture, never what may be a private window. The ledger
//! says so first. Nobody waits for it at a summon, and whoever asked ends the call by going away.

use crate::held::is_stale;
use crate::ledger::{note, record_of};
use crate::limits::{PROGRAM_CHARACTERS_MAX, SUGGESTION_MOST};
use crate::sending::described;
use crate::{Capture, KeptView};
use shidi_agent::suggestion;
use shidi_protocol::{LookOutcome, LookRecord, Reply, RunId, UserError, reply};
use shidi_space::clock;
use shidi_space::errors::internal;
use shidi_space::model_choice;
use shidi_space::prompt_overrides;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Asks for a question about a view. The one reply comes in time, with none where there is none.
#[must_use]
pub fn suggest(capture: &Arc<Capture>, id: String) -> mpsc::Receiver<Reply> {
    let (sender, receiver) = mpsc::channel(1);
    let own = Arc::clone(capture);
    capture.space.tasks.spawn(async move {
        let asked = tokio::time::timeout(SUGGESTION_MOST, question(&own, &id));
        let answered = tokio::select! {
            () = sender.closed() => return,
            answered = asked => answered,
        };
        let question = match answered {
            Ok(Ok(question)) => question,
            Ok(Err(cause)) => {
                tracing::info!(cause.message, "no question was proposed");
                None
            }
            Err(_) => None,
        };
        if sender.send(reply::Suggested { question }.into()).await.is_err() {
            tracing::debug!("nobody waited for the question");
        }
    });
    receiver
}

async fn question(capture: &Arc<Capture>, id: &str) -> Result<Option<String>, UserError> {
    let space = &capture.space;
    let config = space.config().clone();
    if !config.privacy.suggest || config.role.fast.is_empty() || space.is_incognito() {
        return Ok(None);
    }
    let kept = capture.looking.memory.lock().get(id, clock::now()).cloned();
    let Some((kept, seen)) = kept.and_then(|kept| told(&kept).map(|seen| (kept, seen))) else {
        return Ok(None);
    };
    let model = model_choice::open(space, &config).await?;
    if model.is_offline() || is_stale(capture, &kept) {
        return Ok(None);
    }
    let language = space.language();
    let own = prompt_overrides::read(space.home.folder(), None, language)?;
    let request =
        suggestion::request(&seen, language, &own).map_err(|cause| internal(language, &cause.to_string()))?;
    note(capture, &given(&kept, &config.role.fast))?;
    let reply = model_choice::ask_within(model.as_ref(), &request, SUGGESTION_MOST).await;
    let reply = reply.map_err(|failure| shidi_agent::model_error(language.code(), &failure))?;
    Ok(suggestion::read(&reply.text, language))
}

/// What the model reads of a view: as the chip shows it. `None` where nothing but a title was read.
fn told(kept: &KeptView) -> Option<String> {
    if kept.seen.may_be_private || kept.seen.name_only {
        return None;
    }
    let (sensed, _) = kept.content_now()?;
    let text = sensed.told("", sensed.part(None)).text;
    (!text.trim().is_empty()).then(|| format!("{}\n{text}", described(kept, false, "", None)))
}

/// The line of the ledger; the view itself stays unsent.
fn given(kept: &KeptView, model: &str) -> LookRecord {
    LookRecord {
        title: model.chars().take(PROGRAM_CHARACTERS_MAX).collect(),
        ..record_of(RunId::mint().as_str(), kept.what, &kept.seen, LookOutcome::Given)
    }
}
