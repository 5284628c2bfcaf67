//! Keeps steps on a thread of its own: takes secrets out, puts prompts beside, writes. Whoever hands steps in never
//! waits: when the thread can't keep up, steps are dropped and that is logged.
//!
//! A step that begins and ends within a moment is written once.

use crate::export::{Exporter, Target};
use crate::limits::{PROMPT_CHARACTERS_MAX, STEPS_GATHERED, STEPS_GATHERED_MOST, STEPS_QUEUED};
use crate::{Draft, names, redaction};
use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_protocol::{JsonMap, Message, ModelRequest, Moment, Part, RunId, Speaker};
use shidi_store::{Batch, Step, StepText, Store, Write};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// Longest wait of somebody who looks for what is on its way: a busy disk.
const FLUSH_LIMIT: Duration = Duration::from_secs(5);

/// Where steps go.
pub struct Traces {
    queue: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    lost: AtomicU64,
    keeps: Arc<AtomicBool>,
    exporter: Arc<Exporter>,
}

enum Job {
    Keep(Box<Draft>),
    /// Answered when everything before it was handed to the store.
    Flush(SyncSender<()>),
}

impl Traces {
    /// Begins to keep steps in `store`.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn begin(store: Store, tasks: &Handle) -> std::io::Result<Self> {
        let exporter = Arc::new(Exporter::begin(tasks));
        let (sender, jobs) = sync_channel(STEPS_QUEUED);
        let keeps = Arc::new(AtomicBool::new(true));
        let keeper = Keeper {
            store,
            keeps: Arc::clone(&keeps),
            exporter: Arc::clone(&exporter),
        };
        let thread = std::thread::Builder::new()
            .name("traces".to_owned())
            .spawn(move || keeper.work(&jobs))?;
        Ok(Self {
            queue: Mutex::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
            lost: AtomicU64::new(0),
            keeps,
            exporter,
        })
    }

    /// Whether steps are kept from now on.
    pub fn keep_steps(&self, keeps: bool) {
        self.keeps.store(keeps, Ordering::Relaxed);
    }

    /// Where steps are sent besides, from now on.
    pub fn send_steps(&self, target: Option<Target>) {
        self.exporter.follow(target);
    }

    /// Whether anybody wants steps at all.
    pub fn is_wanted(&self) -> bool {
        self.keeps.load(Ordering::Relaxed) || self.exporter.is_on()
    }

    /// Hands steps in; never waits.
    pub fn take(&self, drafts: Vec<Draft>) {
        let queue = self.queue.lock();
        let Some(queue) = queue.as_ref() else { return };
        for draft in drafts {
            if let Err(TrySendError::Full(_)) = queue.try_send(Job::Keep(Box::new(draft)))
                && self.lost.fetch_add(1, Ordering::Relaxed) == 0
            {
                tracing::warn!("steps of traces come faster than they can be kept; some are left out");
            }
        }
    }

    /// Returns when all steps so far were handed to the store, or that takes too long.
    pub fn flush(&self) {
        let (told, done) = sync_channel(1);
        let sender = self.queue.lock().clone();
        let is_sent = sender.is_some_and(|sender| sender.send(Job::Flush(told)).is_ok());
        if is_sent && done.recv_timeout(FLUSH_LIMIT).is_err() {
            tracing::warn!("the last steps of traces are not written yet");
        }
    }

    /// Keeps what is on its way and lets go of the store.
    pub fn end(&self) {
        self.queue.lock().take();
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the keeper of traces broke");
        }
        self.exporter.end();
    }
}

struct Keeper {
    store: Store,
    keeps: Arc<AtomicBool>,
    exporter: Arc<Exporter>,
}

/// Steps that are to be written, each in its last form, in the order in which they came first.
#[derive(Default)]
struct Gathered {
    drafts: Vec<Draft>,
    places: HashMap<(RunId, u32), usize>,
}

impl Gathered {
    fn add(&mut self, draft: Draft) {
        match self.places.entry((draft.run.clone(), draft.span.id)) {
            Entry::Occupied(place) => self.drafts[*place.get()] = draft,
            Entry::Vacant(place) => {
                place.insert(self.drafts.len());
                self.drafts.push(draft);
            }
        }
    }
}

impl Keeper {
    /// Works until nobody hands anything in any more.
    fn work(self, jobs: &Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            let mut gathered = Gathered::default();
            let mut asked = Vec::new();
            let until = Instant::now() + STEPS_GATHERED;
            let mut next = Some(job);
            while let Some(job) = next.take() {
                match job {
                    Job::Keep(draft) => gathered.add(*draft),
                    Job::Flush(told) => asked.push(told),
                }
                if !asked.is_empty() || gathered.drafts.len() >= STEPS_GATHERED_MOST {
                    break;
                }
                let left = until.saturating_duration_since(Instant::now());
                next = jobs.recv_timeout(left).ok();
            }
            self.write(gathered.drafts);
            for told in asked {
                if told.send(()).is_err() {
                    tracing::debug!("nobody waited for the steps any more");
                }
            }
        }
    }

    fn write(&self, drafts: Vec<Draft>) {
        let keeps = self.keeps.load(Ordering::Relaxed);
        let mut batch = Batch::default();
        for draft in drafts {
            let run = draft.run.clone();
            let step = Box::new(clean(draft));
            if !step.span.open {
                self.exporter.take(&run, &step);
            }
            if keeps {
                batch.push(Write::PutStep { run, step });
            }
        }
        if batch.is_empty() {
            return;
        }
        if let Err(cause) = self.store.buffer(batch) {
            tracing::warn!(%cause, "steps of a trace were not kept");
        }
    }
}

/// A step as it may be kept: no secrets, and the prompt as texts of its own.
fn clean(draft: Draft) -> Step {
    let Draft {
        mut span,
        mut content,
        request,
        ..
    } = draft;
    redaction::clean(&mut span.attributes);
    // A name can be the model's own, such as a method that there is none of.
    span.name = shidi_senses::redacted(&span.name);
    redaction::clean(&mut content);
    let mut texts = Vec::new();
    if let Some(request) = request {
        put_prompt(&request, &mut content, &mut texts);
    }
    Step { span, content, texts }
}

/// The prompt as it was sent, in the conventions' form; what a text says stands under its hash.
fn put_prompt(request: &ModelRequest, content: &mut JsonMap, texts: &mut Vec<StepText>) {
    let mut messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| sent(message, texts))
        .collect();
    if let Some(completion) = &request.completion {
        let part = |of: &str, text: &str, texts: &mut Vec<StepText>| json!({ "type": of, "content": kept(text, texts) });
        let parts = [
            part("prefix", &completion.prefix, texts),
            part("suffix", &completion.suffix, texts),
        ];
        messages.push(json!({ "role": "completion", "parts": parts }));
    }
    content.insert(names::INPUT_MESSAGES.to_owned(), messages.into());
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                let (name, description) = (&tool.name, &tool.description);
                json!({ "type": "function", "name": name, "description": description, "parameters": tool.schema })
            })
            .collect();
        let hash = kept(&Value::from(tools).to_string(), texts);
        content.insert(names::TOOL_DEFINITIONS.to_owned(), hash.into());
    }
}

fn sent(message: &Message, texts: &mut Vec<StepText>) -> Value {
    let role = match message.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
    };
    let mut parts = Vec::new();
    for part in &message.parts {
        parts.push(match part {
            Part::Text(text) if message.speaker == Speaker::Tool => {
                json!({ "type": "tool_call_response", "id": message.tool_call_id, "content": kept(text, texts) })
            }
            Part::Text(text) => {
                json!({ "type": "text", "content": kept(text, texts), "tokens": shidi_agent::estimate_tokens(text) })
            }
            // The picture itself is among the session's own files, if it was kept at all.
            Part::Image { media_type, data } => {
                json!({ "type": "blob", "modality": "image", "mime_type": media_type, "bytes": data.len() / 4 * 3 })
            }
        });
    }
    for call in &message.tool_calls {
        parts.push(json!({
            "type": "tool_call", "id": call.id, "name": call.name, "content": kept(&call.arguments, texts),
        }));
    }
    json!({ "role": role, "parts": parts })
}

/// Keeps a text without its secrets; returns the hash that stands for it.
fn kept(text: &str, texts: &mut Vec<StepText>) -> String {
    let text = crate::bounded::text(&shidi_senses::redacted(text), PROMPT_CHARACTERS_MAX);
    let hash = crate::hash(&text, 16);
    if !texts.iter().any(|known| known.hash == hash) {
        texts.push(StepText {
            hash: hash.clone(),
            text,
        });
    }
    hash
}

impl Traces {
    /// Drops the steps of runs that are older than that many days.
    pub fn drop_older(store: &Store, now: Moment, days: u32) {
        let age_ms = i64::from(days) * 86_400_000;
        let before = if days == 0 {
            i64::MAX
        } else {
            now.0.saturating_sub(age_ms)
        };
        let write = Write::DropSteps {
            before: Moment(before),
        };
        if let Err(cause) = store.buffer(write) {
            tracing::warn!(%cause, "old traces were not dropped");
        }
    }
}
