//! The calls that a server is at work on. Also the call among them to which a request of the server belongs.
//!
//! The older revisions of the protocol don't say which call a server's request is for. Where calls of several tasks are
//! at work, it can't be told, and nobody is asked.

use crate::caller::{Caller, Progress};
use crate::elicitation::{Elicitation, Elicited};
use crate::limits::{
    ELICITATIONS_MAX, PROGRESS_CHARACTERS_MAX, PROGRESS_EVERY, ROOTS_MAX, SAMPLING_TOKENS_MAX, SAMPLINGS_MAX,
};
use crate::sampling::{Sampled, Sampling};
use crate::text::paragraph;
use parking_lot::Mutex;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// The calls that one server is at work on.
#[derive(Default)]
pub struct AtWork(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    last: u64,
    calls: BTreeMap<u64, Arc<Work>>,
}

/// One call at work.
pub struct Work {
    caller: Arc<dyn Caller>,
    tokens: Mutex<Vec<ProgressToken>>,
    news: watch::Sender<Option<Progress>>,
    /// Requests of the server that wait for a person or a model.
    waits: watch::Sender<u32>,
    elicited: AtomicU32,
    sampled: AtomicU32,
    sampled_tokens: AtomicU32,
    /// One request of the server after the other.
    turn: tokio::sync::Mutex<()>,
}

/// A call for as long as it is at work.
pub struct Begun {
    at_work: Arc<AtWork>,
    id: u64,
    pub work: Arc<Work>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.at_work.0.lock().calls.remove(&self.id);
    }
}

impl AtWork {
    /// Notes a call as at work until the result is dropped.
    pub fn begin(self: &Arc<Self>, caller: Arc<dyn Caller>) -> Begun {
        let work = Arc::new(Work {
            caller,
            tokens: Mutex::default(),
            news: watch::channel(None).0,
            waits: watch::channel(0).0,
            elicited: AtomicU32::new(0),
            sampled: AtomicU32::new(0),
            sampled_tokens: AtomicU32::new(0),
            turn: tokio::sync::Mutex::default(),
        });
        let mut inner = self.0.lock();
        inner.last += 1;
        let id = inner.last;
        inner.calls.insert(id, Arc::clone(&work));
        drop(inner);
        Begun {
            at_work: Arc::clone(self),
            id,
            work,
        }
    }

    fn all(&self) -> Vec<Arc<Work>> {
        self.0.lock().calls.values().cloned().collect()
    }

    /// The call that a request of the server belongs to: the last one, where all are of one task.
    pub fn asking(&self) -> Option<Arc<Work>> {
        let all = self.all();
        let last = all.last()?;
        let is_of_one = all.iter().all(|work| work.caller.task() == last.caller.task());
        is_of_one.then(|| Arc::clone(last))
    }

    /// The folders of all tasks at work, each once.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for folder in self.all().iter().flat_map(|work| work.folders()) {
            if folders.len() < ROOTS_MAX && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Takes what the server says of how far a call is. Older news of a call change nothing.
    pub fn progressed(&self, told: &ProgressNotificationParam) {
        let all = self.all();
        let Some(work) = all
            .iter()
            .find(|work| work.tokens.lock().contains(&told.progress_token))
        else {
            return;
        };
        let is_number = |number: &f64| number.is_finite() && *number >= 0.0;
        let Some(done) = Some(told.progress).filter(is_number) else {
            return;
        };
        work.news.send_if_modified(|known| {
            if known.as_ref().is_some_and(|known| known.done >= done) {
                return false;
            }
            *known = Some(Progress {
                text: paragraph(
                    told.message.as_deref().unwrap_or_default(),
                    PROGRESS_CHARACTERS_MAX,
                ),
                done,
                total: told.total.filter(is_number),
            });
            true
        });
    }
}

impl Work {
    /// Has progress under this token count as the call's.
    pub fn hears(&self, token: ProgressToken) {
        self.tokens.lock().push(token);
    }

    /// The folders that the call's task may work in.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = self.caller.folders();
        folders.truncate(ROOTS_MAX);
        folders
    }

    /// Waits for an answer; `None` once it took longer than `within`. Time in which a person or a model is asked does not
    /// count. Progress is passed on meanwhile, in a bounded rhythm.
    pub async fn follow<T>(&self, answering: impl Future<Output = T>, within: Duration) -> Option<T> {
        let (mut news, mut waits) = (self.news.subscribe(), self.waits.subscribe());
        let mut answering = pin!(answering);
        let mut left = within;
        let mut next = Instant::now();
        loop {
            let is_asking = *waits.borrow_and_update() > 0;
            let began = Instant::now();
            tokio::select! {
                answer = &mut answering => {
                    self.tell(&mut news);
                    return Some(answer);
                }
                () = sleep(left), if !is_asking => return None,
                // The sender is as old as this call.
                _ = waits.changed() => {}
                () = changed(&mut news, next) => {
                    self.tell(&mut news);
                    next = Instant::now() + PROGRESS_EVERY;
                }
            }
            if !is_asking {
                left = left.saturating_sub(began.elapsed());
            }
        }
    }

    fn tell(&self, news: &mut watch::Receiver<Option<Progress>>) {
        if news.has_changed().unwrap_or_default()
            && let Some(progress) = news.borrow_and_update().clone()
        {
            self.caller.progress(&progress);
        }
    }

    /// Asks the person; the values that come back fit what was asked for.
    pub async fn elicit(&self, asked: &Elicitation) -> Elicited {
        let is_one_too_many = self.elicited.fetch_add(1, Ordering::Relaxed) >= ELICITATIONS_MAX;
        if is_one_too_many || !self.caller.is_attended() {
            return Elicited::Declined;
        }
        let _waits = Waits::of(&self.waits);
        let _turn = self.turn.lock().await;
        match self.caller.elicit(asked).await {
            Elicited::Accepted(values) => match asked.content(&values) {
                Some(content) => Elicited::Accepted(content),
                // What does not fit is not sent, whoever let it through.
                None => Elicited::Cancelled,
            },
            other => other,
        }
    }

    /// Has a model answer, where the person allows it and the call's share is not spent.
    ///
    /// # Errors
    /// Why no model answers, in words for the server.
    pub async fn sample(&self, mut asked: Sampling) -> Result<Sampled, String> {
        if !self.caller.is_attended() {
            return Err("Nobody is there to allow it".to_owned());
        }
        if self.sampled.fetch_add(1, Ordering::Relaxed) >= SAMPLINGS_MAX {
            return Err(format!("A call may ask a model at most {SAMPLINGS_MAX} times"));
        }
        let _waits = Waits::of(&self.waits);
        let _turn = self.turn.lock().await;
        let left = SAMPLING_TOKENS_MAX.saturating_sub(self.sampled_tokens.load(Ordering::Relaxed));
        if left == 0 {
            return Err(format!(
                "A call may have a model write at most {SAMPLING_TOKENS_MAX} tokens"
            ));
        }
        asked.tokens_max = asked.tokens_max.min(left);
        let sampled = self.caller.sample(&asked).await?;
        self.sampled_tokens.fetch_add(sampled.tokens, Ordering::Relaxed);
        Ok(sampled)
    }
}

/// Comes when there are news, but not before `next`.
async fn changed(news: &mut watch::Receiver<Option<Progress>>, next: Instant) {
    sleep_until(next).await;
    if news.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
    // Seen is what was told: the caller marks it.
    news.mark_changed();
}

/// Counts a request of the server for as long as it waits.
struct Waits<'a>(&'a watch::Sender<u32>);

impl<'a> Waits<'a> {
    fn of(waits: &'a watch::Sender<u32>) -> Self {
        waits.send_modify(|count| *count += 1);
        Self(waits)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests;
