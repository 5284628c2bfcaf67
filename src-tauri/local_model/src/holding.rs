//! Holds on a server. Answers keep it at work, and its end is told. One that nobody asks any more is ended.

use crate::limits::{IDLE_LOOKED_AT_MAX, IDLE_LOOKED_AT_MIN, TIMED_TOKENS_MIN};
use crate::server::Unready;
use crate::trouble::{Trouble, of_end};
use crate::{LocalModel, Running, ServerStatus};
use async_trait::async_trait;
use shidi_models::Hold;
use shidi_protocol::{LocalModelPhase, Worded};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Keeps a server for as long as an answer takes.
pub(crate) struct Held {
    model: Weak<LocalModel>,
    pub(crate) running: Arc<Running>,
}

impl Held {
    pub(crate) fn of(model: &Weak<LocalModel>, running: Arc<Running>) -> Self {
        running.holds.fetch_add(1, Ordering::SeqCst);
        Self {
            model: Weak::clone(model),
            running,
        }
    }

    fn tell(&self, change: impl FnOnce(&mut ServerStatus)) {
        if let Some(model) = self.model.upgrade() {
            model.tell(change);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        *self.running.used.lock() = Instant::now();
        self.running.holds.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Hold for Held {
    async fn death(&self) -> Option<Worded> {
        let end = self.running.server.ending().await?;
        self.tell(|told| {
            told.phase = LocalModelPhase::Failed;
            told.deaths = told.deaths.saturating_add(1);
            told.trouble = Some(Trouble::Unready(Unready::Ended(end.clone())));
        });
        Some(of_end(&end))
    }

    fn timed(&self, tokens: u32, ms: u32) {
        if tokens >= TIMED_TOKENS_MIN && ms > 0 {
            let speed = u64::from(tokens) * 1_000_000 / u64::from(ms);
            self.tell(|told| told.speed = Some(speed));
        }
    }

    fn answered(&self) {
        if let Some(model) = self.model.upgrade() {
            model.told.lock().deaths = 0;
        }
    }
}

/// Ends a server that nobody has asked for as long as the settings say.
pub(crate) async fn end_when_idle(model: Weak<LocalModel>, running: Weak<Running>) {
    loop {
        let idle = {
            let (Some(model), Some(running)) = (model.upgrade(), running.upgrade()) else {
                return;
            };
            let idle = Duration::from_secs(60 * u64::from(model.space.config().local_model.idle_minutes));
            let rest = idle.saturating_sub(running.used.lock().elapsed());
            if running.holds.load(Ordering::SeqCst) > 0 || !rest.is_zero() {
                Some(rest)
            } else {
                let mut slot = model.slot.lock().await;
                // Holds begin under this lock alone.
                let is_still = running.holds.load(Ordering::SeqCst) == 0
                    && slot
                        .as_ref()
                        .is_some_and(|current| Arc::ptr_eq(current, &running));
                if is_still {
                    slot.take();
                    model.tell(|told| told.phase = LocalModelPhase::Asleep);
                    return;
                }
                None
            }
        };
        let pause = idle.unwrap_or_default();
        tokio::time::sleep(pause.clamp(IDLE_LOOKED_AT_MIN, IDLE_LOOKED_AT_MAX)).await;
    }
}
