//! The wait for a run's model: told when it changes, held for a window that opens the session meanwhile.
//!
//! Nothing of it is on record: it is over as soon as the process is.

use super::Run;
use crate::limits::AWAITING_PAUSE;
use parking_lot::Mutex;
use shidi_protocol::{RunEventKind, Wait};
use std::mem::discriminant;
use std::time::Instant;

#[derive(Default)]
pub struct Awaited(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    wait: Option<Wait>,
    told: Option<Instant>,
}

impl Awaited {
    /// Takes what is waited for now; whether that is worth telling.
    fn take(&self, wait: Option<Wait>, now: Instant) -> bool {
        let mut inner = self.0.lock();
        if inner.wait == wait {
            return false;
        }
        let is_of_a_kind = inner.wait.as_ref().map(discriminant) == wait.as_ref().map(discriminant);
        let is_early = inner
            .told
            .is_some_and(|told| now.duration_since(told) < AWAITING_PAUSE);
        inner.wait = wait;
        if is_of_a_kind && is_early {
            return false;
        }
        inner.told = Some(now);
        true
    }
}

impl Run {
    /// The reason for which the run's model is waited for.
    pub fn awaited(&self) -> Option<Wait> {
        self.awaited.0.lock().wait.clone()
    }

    /// The model's answer waits for this, or for nothing any more.
    pub(super) fn awaits(&self, wait: Option<Wait>) {
        if self.awaited.take(wait.clone(), Instant::now()) {
            let kind = RunEventKind::Awaiting { wait };
            self.emitter.emit(&self.workspace, self.id(), kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn how_far_a_prompt_is_read_is_told_in_a_bounded_rhythm_and_its_end_at_once() {
        let awaited = Awaited::default();
        let read = |read| Some(Wait::Prompt { read, total: 9 });
        let start = Instant::now();
        assert!(!awaited.take(None, start), "nothing was waited for");
        assert!(awaited.take(read(1), start));
        assert!(!awaited.take(read(2), start), "too early");
        assert!(!awaited.take(read(2), start + AWAITING_PAUSE), "the same");
        assert!(awaited.take(read(3), start + AWAITING_PAUSE));
        assert!(awaited.take(None, start + AWAITING_PAUSE + Duration::from_millis(1)));
    }
}
