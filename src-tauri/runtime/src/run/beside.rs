//! Asks a model beside the task: within a time, traced, and counted also where no answer came of it.

use super::Run;
use crate::clock;
use crate::limits::STOP_WAIT;
use shidi_protocol::{
    FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest, Moment, Usage, Worded,
};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

impl Run {
    /// Asks a model. If an answer takes longer than `most`, the failure holds the words so far, as of any broken
    /// answer.
    pub(super) async fn ask_beside(
        &self,
        request: &Arc<ModelRequest>,
        most: Duration,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        let step = self.trace_chat(request);
        let mut first = None;
        let mut deltas = |delta: ModelDelta| note_first(&mut first, &delta);
        let ends = cancel.child_token();
        let mut asked = self.model.ask(request, &mut deltas, &ends);
        let answer = match tokio::time::timeout(most, &mut asked).await {
            Ok(answer) => answer,
            Err(_) => {
                ends.cancel();
                let handed_in = tokio::time::timeout(STOP_WAIT, asked).await;
                let partial = match handed_in {
                    Ok(Ok(reply)) => return self.traced(step, first, Ok(reply)),
                    Ok(Err(failure)) => failure.partial,
                    Err(_) => None,
                };
                let answer = Err(ModelFailure {
                    kind: FailureKind::Timeout,
                    detail: Worded::of(|language| language.models().no_answer_within(most.as_secs())),
                    provider: self.model.provider().to_owned(),
                    provider_title: None,
                    partial,
                });
                return self.traced(step, first, answer);
            }
        };
        drop(asked);
        self.traced(step, first, answer)
    }

    fn traced(
        &self,
        step: Option<u32>,
        first: Option<Moment>,
        answer: Result<ModelReply, ModelFailure>,
    ) -> Result<ModelReply, ModelFailure> {
        self.trace_answer(step, first, &answer);
        answer
    }
}

/// Notes when the first piece of an answer came; that something is waited for is none.
pub(super) fn note_first(first: &mut Option<Moment>, delta: &ModelDelta) {
    if delta.is_said() {
        first.get_or_insert_with(clock::now);
    }
}

/// The usage of a request that failed.
pub(super) fn spent(failure: &ModelFailure) -> Option<Usage> {
    failure.partial.as_ref().map(|partial| partial.usage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Wait;

    #[test]
    fn a_wait_is_no_first_word() {
        let mut first = None;
        let wait = Wait::Prompt { read: 1, total: 2 };
        for silent in [ModelDelta::Awaits(Some(wait)), ModelDelta::Awaits(None)] {
            note_first(&mut first, &silent);
            assert_eq!(first, None);
        }
        note_first(&mut first, &ModelDelta::Text("word".to_owned()));
        assert!(first.is_some());
    }
}
