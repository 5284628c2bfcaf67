//! The toolkit `memory`, as programs of a conversation and of `shidi exec` call it.

use crate::limits::{HITS_DEFAULT, HITS_MAX};
use crate::{moment_of, reconcile};
use serde_json::{Value, json};
use shidi_embedding::Embeddings;
use shidi_locales::Language;
use shidi_protocol::{
    Call, CallOutcome, MemoryHit, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScopes, Moment,
    SessionId,
};
use shidi_senses::redacted;
use shidi_space::{clock, storage};
use shidi_store::{MemoryWrite, StoreError, Write};
use std::sync::Arc;

/// Memory as one program may use it.
pub struct MemoryTools<'a> {
    pub embeddings: &'a Arc<Embeddings>,
    /// The session whose own words are no news to it.
    pub session: Option<&'a SessionId>,
    /// Whose program it is; `None` for the usual one.
    pub assistant: Option<&'a str>,
    /// Whether the run has read something that the user did not write.
    pub tainted: bool,
}

impl MemoryTools<'_> {
    /// Performs a call of this toolkit; `None` for any other.
    pub fn perform(&self, call: &Call) -> Option<CallOutcome> {
        let performed = match (call.toolkit.as_str(), call.method.as_str()) {
            ("memory", "remember") => self.remember(call),
            ("memory", "search") => self.search(call),
            _ => return None,
        };
        Some(performed.unwrap_or_else(|cause| {
            let explained = storage::explain(&cause, self.embeddings.space().language());
            CallOutcome::failure("OSError", explained.message)
        }))
    }

    fn remember(&self, call: &Call) -> Result<CallOutcome, StoreError> {
        let text = call.text("text").trim();
        if text.is_empty() {
            return Ok(
                CallOutcome::failure("ValueError", "There is nothing to remember: text is empty").own(),
            );
        }
        let until = match until(call) {
            Ok(until) => until,
            Err(refused) => return Ok(CallOutcome::failure("ValueError", refused).own()),
        };
        let mut record = MemoryRecord::new(
            MemoryId::mint(),
            MemoryKind::Knowledge,
            redacted(text),
            clock::now(),
        );
        record.scope = self.embeddings.space().scope_of(self.assistant);
        record.source.session = self.session.cloned();
        record.tainted = self.tainted;
        record.until = until;
        let kept = reconcile::keep(&self.embeddings.space().store, record)?;
        Ok(CallOutcome::success(json!(kept.id), "kept").own())
    }

    fn search(&self, call: &Call) -> Result<CallOutcome, StoreError> {
        let limit = u32::try_from(call.number("limit", HITS_DEFAULT))
            .unwrap_or(HITS_MAX)
            .clamp(1, HITS_MAX);
        let query = MemoryQuery {
            text: call.text("text").to_owned(),
            kinds: Vec::new(),
            scopes: self.scopes(),
            page: None,
            // What was said in the session itself stands in its transcript already.
            except: self.session.cloned(),
            now: clock::now(),
            limit,
        };
        let near = self.embeddings.near_now(&query.text);
        let hits = self.embeddings.space().store.recall_near(&query, near.as_ref())?;
        self.count_uses(&hits)?;
        let is_own = hits.iter().all(|hit| !hit.untrusted);
        let found: Vec<Value> = hits.iter().map(|hit| self.shown(hit)).collect();
        let summary = format!("{} found", found.len());
        let outcome = CallOutcome::success(Value::Array(found), summary);
        Ok(if is_own { outcome.own() } else { outcome })
    }

    /// The scopes that a program may see: the user's, its assistant's, its own session's; never all there are.
    fn scopes(&self) -> MemoryScopes {
        MemoryScopes::These(self.embeddings.space().scopes_of(self.assistant, self.session))
    }

    /// Counts the records that a program asked for and got; written with the next commit.
    fn count_uses(&self, hits: &[MemoryHit]) -> Result<(), StoreError> {
        let records = hits.iter().filter(|hit| hit.kind != MemoryKind::Conversation);
        let memories: Vec<MemoryId> = records.map(|hit| MemoryId::from(hit.id.as_str())).collect();
        match memories.is_empty() {
            true => Ok(()),
            false => self
                .embeddings
                .space()
                .store
                .buffer(Write::Memory(MemoryWrite::Use {
                    memories,
                    at: clock::now(),
                })),
        }
    }

    fn shown(&self, hit: &MemoryHit) -> Value {
        let (source, title) = match (&hit.kind, &hit.session) {
            (MemoryKind::Conversation, Some(session)) => ("session", self.title_of(session)),
            _ => ("note", hit.title.clone()),
        };
        let time = hit.time.to_string();
        json!({"source": source, "title": title, "text": hit.text, "time": time, "score": hit.score,
               "kind": hit.kind.name(), "id": hit.id})
    }

    fn title_of(&self, session: &SessionId) -> String {
        let row = self.embeddings.space().store.session(session);
        row.ok()
            .flatten()
            .map(|session| session.title)
            .unwrap_or_default()
    }
}

/// Until when something is to be kept, if the program says so; what is wrong with that.
fn until(call: &Call) -> Result<Option<Moment>, String> {
    let said = call.text("until");
    if said.is_empty() {
        return Ok(None);
    }
    let moment = moment_of(said, Language::SOURCE).map_err(|error| {
        let hint = error.hint.unwrap_or_default();
        format!("until: {}. {hint}", error.message)
    })?;
    Ok(Some(moment))
}
