//! The wait for a run's model. A line at the foot of the terminal counts, and goes when something comes.
//!
//! Where stderr is no terminal nothing counts: why a provider lets wait is noted once.

use crate::console::{Console, Look};
use crate::limits::{THINKING_NAMED_AFTER, THINKING_TOLD_AFTER};
use shidi_protocol::{Body, RunEventKind, Wait};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What is waited for, and whether the terminal says so.
#[derive(Default)]
pub struct Waiting {
    /// Since when the model has the word.
    since: Option<Instant>,
    wait: Option<Wait>,
    /// What was noted since then. A wait is told again after each attempt.
    noted: Vec<Wait>,
    is_drawn: bool,
}

impl Waiting {
    /// Takes note of an event; what it draws comes after this.
    pub fn event(&mut self, console: &Console, kind: &RunEventKind) {
        self.clear(console);
        match kind {
            RunEventKind::Awaiting { wait } => {
                self.since.get_or_insert_with(Instant::now);
                if let Some(wait) = wait {
                    self.note_once(console, wait);
                }
                self.wait.clone_from(wait);
            }
            RunEventKind::RunStarted { offline, .. } => self.begin(!offline),
            RunEventKind::Output { .. }
            | RunEventKind::Segment {
                body: Body::User { .. } | Body::Output { .. } | Body::Reminder { .. },
                ..
            } => self.begin(true),
            RunEventKind::Delta { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::Call { .. }
            | RunEventKind::CallDone { .. }
            | RunEventKind::ApprovalNeeded { .. }
            | RunEventKind::Question { .. }
            | RunEventKind::Answer { .. }
            | RunEventKind::RunEnded { .. } => self.begin(false),
            RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Decided { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. } => {}
        }
    }

    /// Whether there is something that counts.
    pub fn counts(&self) -> bool {
        self.since.is_some()
    }

    /// Draws the line, if it is time for it.
    pub fn draw(&mut self, console: &Console) {
        let Some(since) = self.since.filter(|_| console.can_redraw()) else {
            return;
        };
        let waited = since.elapsed();
        if waited < THINKING_TOLD_AFTER && self.wait.is_none() {
            return;
        }
        let words = console.words;
        let mut line = words.thinking(waited.as_secs());
        match &self.wait {
            Some(wait) => line = format!("{line} · {}", words.awaiting(wait, left(wait))),
            None if waited >= THINKING_NAMED_AFTER => line = format!("{line} · {}", words.awaits_model()),
            None => {}
        }
        console.redraw(&line);
        self.is_drawn = true;
    }

    /// Takes the line away.
    pub fn clear(&mut self, console: &Console) {
        if std::mem::take(&mut self.is_drawn) {
            console.progress_over();
        }
    }

    fn begin(&mut self, has_the_word: bool) {
        self.since = has_the_word.then(Instant::now);
        self.wait = None;
        self.noted.clear();
    }

    /// Whether nothing like it was noted yet; from now on it was.
    fn is_new(&mut self, wait: &Wait) -> bool {
        let is_new = !self.noted.iter().any(|noted| is_alike(noted, wait));
        if is_new {
            self.noted.push(wait.clone());
        }
        is_new
    }

    fn note_once(&mut self, console: &Console, wait: &Wait) {
        if !console.can_redraw() && self.is_new(wait) {
            let line = console.words.awaiting(wait, left(wait));
            console.note(Look::Dim, &format!("· {line}"));
        }
    }
}

/// Whether both are for the same reason, however far they have come.
fn is_alike(one: &Wait, other: &Wait) -> bool {
    match (one, other) {
        (
            Wait::Provider { reason, provider, .. },
            Wait::Provider {
                reason: other_reason,
                provider: other_provider,
                ..
            },
        ) => reason == other_reason && provider == other_provider,
        (Wait::Prompt { .. }, Wait::Prompt { .. }) | (Wait::Loading, Wait::Loading) => true,
        (Wait::Provider { .. } | Wait::Prompt { .. } | Wait::Loading, _) => false,
    }
}

/// Whole seconds until it is over, as far as that is known.
fn left(wait: &Wait) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    match wait {
        Wait::Provider { until, .. } => {
            let until = Duration::from_millis(u64::try_from(until.0).unwrap_or_default());
            until
                .saturating_sub(now)
                .as_millis()
                .div_ceil(1_000)
                .try_into()
                .unwrap_or(u64::MAX)
        }
        Wait::Prompt { .. } | Wait::Loading => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_is_told_again_and_again_is_new_once() {
        let mut waiting = Waiting::default();
        let prompt = |read| Wait::Prompt { read, total: 9 };
        assert!(waiting.is_new(&Wait::Loading) && waiting.is_new(&prompt(1)));
        assert!(!waiting.is_new(&Wait::Loading) && !waiting.is_new(&prompt(2)));
        waiting.begin(true);
        assert!(waiting.is_new(&Wait::Loading), "another answer is waited for");
    }
}
