//! Performs calls that are permitted: what a toolkit does by itself, and what needs the store, the clock or other runs.

use super::Run;
use crate::clock;
use crate::limits::{LISTED_MAX, SLEEP_SECONDS_MAX};
use crate::storage;
use serde_json::{Value, json};
use shidi_agent::Event;
use shidi_protocol::{Call, CallOutcome, Class, JsonMap};
use shidi_store::{HitSource, Note, NoteId, SearchScope, StoreError, Write};
use shidi_toolkits::Environment;
use std::sync::Arc;
use std::time::Duration;

/// What the interpreter asks of its host.
const HOST: &str = "host";

impl Run {
    /// The class of a call with its arguments looked at.
    pub(super) fn class_of(&self, call: &Call) -> Class {
        if call.toolkit == HOST {
            return Class::Read;
        }
        shidi_toolkits::class_of(call, &self.environment(Class::Read))
    }

    pub(super) fn perform_call(self: &Arc<Self>, call: Call, class: Class) {
        if let Some(seconds) = pause(&call) {
            self.engine.tasks.spawn(sleep(Arc::clone(self), call.id, seconds));
            return;
        }
        let started = clock::now();
        let outcome = self.outcome(&call, class);
        if call.toolkit != HOST {
            self.note_span(
                "execute_tool",
                &call.tool(),
                started,
                json!({
                    "gen_ai.tool.name": call.tool(),
                    "shidi.ok": outcome.ok(),
                    "shidi.summary": outcome.summary,
                }),
            );
        }
        self.drive(Event::CallReturned {
            call: call.id,
            outcome,
        });
    }

    fn outcome(&self, call: &Call, class: Class) -> CallOutcome {
        if let Some(outcome) = shidi_toolkits::perform(call, &self.environment(class)) {
            return outcome;
        }
        let performed = match (call.toolkit.as_str(), call.method.as_str()) {
            (HOST, _) => Ok(host(call)),
            ("memory", "remember") => self.remember(&call.args),
            ("memory", "search") => self.search_memory(&call.args),
            ("results", "find") => self.find_in_result(&call.args),
            ("results", "read") => self.read_result(&call.args),
            ("system", "running") => Ok(self.running()),
            _ => Ok(CallOutcome::failure(
                "AttributeError",
                format!("There is no {}", call.tool()),
            )),
        };
        performed.unwrap_or_else(|cause| {
            CallOutcome::failure("OSError", storage::explain(&cause, self.words()).message)
        })
    }

    fn environment(&self, permitted: Class) -> Environment {
        Environment {
            folders: self.folders.clone(),
            attached: self.attached.clone(),
            now: clock::now(),
            timezone: jiff::tz::TimeZone::system(),
            permitted,
        }
    }

    fn remember(&self, args: &JsonMap) -> Result<CallOutcome, StoreError> {
        let text = text(args, "text");
        if text.trim().is_empty() {
            return Ok(CallOutcome::failure(
                "ValueError",
                "There is nothing to remember: text is empty",
            ));
        }
        let id = shidi_protocol::RunId::mint().to_string();
        let note = Note {
            id: NoteId::from(id.clone()),
            text: text.trim().to_owned(),
            session: Some(self.session().clone()),
            time: clock::now(),
            tainted: crate::engine::held(&self.mind).state().tainted,
        };
        self.engine.store.commit(Write::AddNote(note))?;
        Ok(CallOutcome::success(json!(id), "kept"))
    }

    fn search_memory(&self, args: &JsonMap) -> Result<CallOutcome, StoreError> {
        let limit = number(args, "limit", 8).clamp(1, u64::from(LISTED_MAX));
        let limit = u32::try_from(limit).unwrap_or(LISTED_MAX);
        let hits = self
            .engine
            .store
            .search(&text(args, "text"), &SearchScope::Everything, limit)?;
        let tainted = hits.iter().any(|hit| hit.tainted);
        let own = self.session();
        let found: Vec<Value> = hits
            .into_iter()
            .filter(|hit| !matches!(&hit.source, HitSource::Segment { session, .. } if session == own))
            .map(|hit| {
                let (source, title) = match &hit.source {
                    HitSource::Note { .. } => ("note", String::new()),
                    HitSource::Segment { session, .. } => ("session", self.title_of(session)),
                };
                let time = hit.time.to_string();
                json!({"source": source, "title": title, "text": hit.excerpt, "time": time, "score": hit.score})
            })
            .collect();
        let summary = format!("{} found", found.len());
        let outcome = CallOutcome::success(Value::Array(found), summary);
        Ok(if tainted { outcome.untrusted() } else { outcome })
    }

    fn title_of(&self, session: &shidi_protocol::SessionId) -> String {
        let row = self.engine.store.session(session);
        row.ok()
            .flatten()
            .map(|session| session.title)
            .unwrap_or_default()
    }

    fn find_in_result(&self, args: &JsonMap) -> Result<CallOutcome, StoreError> {
        let (handle, words) = (text(args, "handle"), text(args, "text"));
        let found = self.engine.store.find(self.session(), &handle, &words, 20)?;
        Ok(match found {
            None => no_result(&handle),
            Some(excerpts) => {
                let lines: Vec<Value> = excerpts
                    .iter()
                    .map(|excerpt| json!({"line": excerpt.line, "text": excerpt.text}))
                    .collect();
                let summary = format!("{} lines", lines.len());
                CallOutcome::success(Value::Array(lines), summary).untrusted()
            }
        })
    }

    fn read_result(&self, args: &JsonMap) -> Result<CallOutcome, StoreError> {
        let handle = text(args, "handle");
        let Some(result) = self.engine.store.result(self.session(), &handle)? else {
            return Ok(no_result(&handle));
        };
        let offset = usize::try_from(number(args, "offset_line", 1).max(1) - 1).unwrap_or(usize::MAX);
        let limit = usize::try_from(number(args, "limit_lines", 200))
            .unwrap_or(200)
            .min(2_000);
        let lines: Vec<&str> = result.text.lines().skip(offset).take(limit).collect();
        let summary = format!("{} lines", lines.len());
        let outcome = CallOutcome::success(json!(lines.join("\n")), summary);
        Ok(if result.tainted {
            outcome.untrusted()
        } else {
            outcome
        })
    }

    fn running(&self) -> CallOutcome {
        let shown = |run: &Arc<Run>| {
            let status = if run.id() == self.id() { None } else { run.status() };
            json!({"run": run.id(), "question": run.question(), "status": status.map_or(json!("at work"), |status| json!(status))})
        };
        let runs: Vec<Value> = self.engine.runs().iter().map(shown).collect();
        let summary = format!("{} running", runs.len());
        CallOutcome::success(Value::Array(runs), summary)
    }
}

async fn sleep(run: Arc<Run>, call: shidi_protocol::CallId, seconds: f64) {
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs_f64(seconds)) => {}
        () = run.cancel.cancelled() => return,
    }
    run.drive_blocking(Event::CallReturned {
        call,
        outcome: CallOutcome::success(Value::Null, "waited"),
    })
    .await;
}

/// Seconds that a call is to wait, if waiting is what it is for.
fn pause(call: &Call) -> Option<f64> {
    let is_pause = call.method == "sleep" && (call.toolkit == HOST || call.toolkit == "system");
    let seconds = call.args.get("seconds").and_then(Value::as_f64).unwrap_or(0.0);
    is_pause.then(|| {
        if seconds.is_finite() {
            seconds.clamp(0.0, SLEEP_SECONDS_MAX)
        } else {
            0.0
        }
    })
}

/// The clock and entropy, recorded like any call so that a replay sees the same.
pub fn host(call: &Call) -> CallOutcome {
    match call.method.as_str() {
        "clock" => {
            let now = clock::now();
            let offset = jiff::tz::TimeZone::system().to_offset(now.timestamp()).seconds() / 60;
            CallOutcome::success(json!({"unix_ms": now.0, "utc_offset_minutes": offset}), "")
        }
        "entropy" => CallOutcome::success(json!({"hex": entropy(&call.args)}), ""),
        other => CallOutcome::failure("RuntimeError", format!("The host has no {other}")),
    }
}

/// Random bytes in hexadecimal, from the random half of fresh ids.
fn entropy(args: &JsonMap) -> String {
    let digits = usize::try_from(number(args, "bytes", 32)).unwrap_or(32).min(64) * 2;
    let mut hex = String::with_capacity(digits + 16);
    while hex.len() < digits {
        let id = shidi_protocol::RunId::mint();
        hex.push_str(id.as_str().get(18..32).unwrap_or_default());
    }
    hex.truncate(digits);
    hex
}

fn no_result(handle: &str) -> CallOutcome {
    CallOutcome::failure(
        "KeyError",
        format!("This session has no result with the handle \"{handle}\""),
    )
}

fn text(args: &JsonMap, name: &str) -> String {
    args.get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn number(args: &JsonMap, name: &str, default: u64) -> u64 {
    args.get(name).and_then(Value::as_u64).unwrap_or(default)
}
