//! A prompt followed to its end: the run's events go to the editor, its decisions come back.

use crate::editor::Editor;
use crate::limits::{CANCEL_WAIT, PREVIEW_BYTES_MAX, PREVIEW_WAIT};
use crate::tool_calls::{absolute, content, diff, diffs, id_of, whole};
use crate::updates::{Updates, Waiting, What, change_of};
use serde_json::{Value, json};
use shidi_locales::Acp;
use shidi_protocol::{
    CallId, ErrorCode, JsonMap, Reply, Request, RunEvent, RunId, RunStatus, UserError, request,
};
use shidi_runtime::{Connection, Replies};
use std::io::Read;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// How a prompt ended.
pub struct Ended {
    pub stop_reason: &'static str,
    /// What the next prompt answers.
    pub question: Option<(RunId, CallId)>,
}

/// What follows a prompt needs.
pub struct Following<'a> {
    pub connection: &'a Connection,
    pub editor: &'a Editor,
    pub session: &'a str,
    pub folder: Option<String>,
    pub say: Acp,
    /// Cancelled by the editor's wish.
    pub stop: CancellationToken,
    /// Cancelled when the editor goes.
    pub gone: CancellationToken,
    pub updates: Updates,
    /// Answers to decisions that were made while the run was at work: nobody reads them, the run tells all.
    pub answers: Vec<Replies>,
    pub cancel: Option<Cancel>,
    /// Calls on which the editor could not ask: it is not asked about them again.
    pub unasked: Vec<(RunId, CallId)>,
}

/// A wish that the run stops, on its way.
pub struct Cancel {
    until: Instant,
    /// `None` as long as no run has begun that could be stopped.
    sent: Option<Replies>,
}

/// What the editor's user decided.
enum Decision {
    Once,
    Always,
    Refused,
    Cancelled,
    /// The editor can't ask, or is gone.
    Later,
}

impl Following<'_> {
    /// Follows a request, and what its run is asked to do after each rest, to the end.
    ///
    /// # Errors
    /// A request that was refused, or why the run failed.
    pub async fn go_on(mut self, mut request: Request) -> Result<Ended, UserError> {
        loop {
            let status = self.listen(self.connection.send(request)).await?;
            if self.cancel.is_some() {
                return Ok(ended("cancelled"));
            }
            request = match status {
                RunStatus::Suspended => match self.decide().await {
                    Some(decided) => decided,
                    None => return self.rest().await,
                },
                RunStatus::Completed => return Ok(ended("end_turn")),
                RunStatus::Cancelled => return Ok(ended("cancelled")),
                RunStatus::GaveUp => {
                    let said = self.updates.reason.take();
                    self.tell(&said.unwrap_or_else(|| self.say.gave_up().to_owned()))
                        .await;
                    return Ok(ended("max_turn_requests"));
                }
                RunStatus::Failed => {
                    let said = self.updates.reason.take();
                    let said = said.unwrap_or_else(|| self.say.gave_up().to_owned());
                    let failed = self.updates.error.take();
                    return Err(failed.unwrap_or_else(|| UserError::new(ErrorCode::Task, said)));
                }
            };
        }
    }

    async fn listen(&mut self, mut replies: Replies) -> Result<RunStatus, UserError> {
        let (stop, gone) = (self.stop.clone(), self.gone.clone());
        loop {
            // A run that has not begun yet can't be stopped: it is waited for, and stopped as it begins.
            let wish = self.cancel.as_ref().filter(|cancel| cancel.sent.is_some());
            let until = wish.map(|cancel| cancel.until);
            let is_wished = self.cancel.is_some();
            let reply = tokio::select! {
                reply = replies.next() => reply,
                () = stop.cancelled(), if !is_wished => {
                    self.begin_cancel();
                    continue;
                }
                () = gone.cancelled(), if !is_wished => {
                    self.begin_cancel();
                    continue;
                }
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    return Ok(RunStatus::Cancelled);
                }
            };
            match reply {
                Some(Reply::Event { event }) => self.take(&event).await,
                Some(Reply::Ended { status, .. }) => return Ok(status),
                Some(Reply::Failed { error }) => return Err(error),
                Some(Reply::Cancelled { .. }) => return Ok(RunStatus::Cancelled),
                Some(_) | None => {
                    let broken = UserError::new(ErrorCode::Internal, self.say.broke_off());
                    return Err(broken.hint(self.say.ask_again()));
                }
            }
        }
    }

    fn begin_cancel(&mut self) {
        let until = Instant::now() + CANCEL_WAIT;
        self.cancel = Some(Cancel { until, sent: None });
        self.send_cancel();
    }

    /// Stops the run once there is one, where that is wished.
    fn send_cancel(&mut self) {
        if let (Some(cancel), Some(run)) = (&mut self.cancel, &self.updates.run)
            && cancel.sent.is_none()
        {
            let run = run.clone();
            cancel.until = Instant::now() + CANCEL_WAIT;
            cancel.sent = Some(self.connection.send(Request::Cancel { run }));
        }
    }

    async fn take(&mut self, event: &RunEvent) {
        for update in self.updates.take(event) {
            self.editor.update(self.session, update).await;
        }
        self.send_cancel();
        if let Some(id) = change_of(event, &self.updates) {
            self.show_change(id).await;
        }
        self.decline_servers().await;
        let is_urgent = |waiting: &Waiting| matches!(waiting.what, What::Approval { is_urgent: true, .. });
        let mut waiting = self.updates.waiting.iter();
        if self.cancel.is_none()
            && let Some(at) = waiting.position(|waiting| is_urgent(waiting) && self.can_be_asked(waiting))
            && let Some(request) = self.decide_on(at).await
        {
            self.answers.push(self.connection.send(request));
        }
    }

    /// Declines the questions of servers while their calls are at work. An editor has no form for a question, and its
    /// next prompt comes too late.
    async fn decline_servers(&mut self) {
        let is_urgent =
            |waiting: &mut Waiting| matches!(waiting.what, What::Question { is_urgent: true, .. });
        let asked: Vec<Waiting> = self.updates.waiting.extract_if(.., is_urgent).collect();
        for Waiting { run, call, .. } in asked {
            self.tell(self.say.server_question_declined()).await;
            let refuse = Request::Refuse {
                run,
                call,
                reason: None,
            };
            self.answers.push(self.connection.send(refuse));
        }
    }

    /// Shows what a call changed, as it is on record.
    async fn show_change(&self, id: String) {
        let show = request::changes::Show { change: id.clone() };
        // A call that changed no file has no record.
        let Ok(changed) = self.connection.ask(show).await else {
            return;
        };
        if changed.change.id != id || changed.change.bytes.is_some() {
            return;
        }
        let path = changed.change.to.as_ref().unwrap_or(&changed.change.path);
        let content = diffs(path, &changed.diff, changed.change.created);
        if !content.is_empty() {
            let update = json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "content": content});
            self.editor.update(self.session, update).await;
        }
    }

    /// Asks the user what the run waits for; `None` leaves it waiting.
    async fn decide(&mut self) -> Option<Request> {
        let is_approval = |waiting: &Waiting| matches!(waiting.what, What::Approval { .. });
        let mut waiting = self.updates.waiting.iter();
        match waiting.position(|waiting| is_approval(waiting) && self.can_be_asked(waiting)) {
            Some(at) => self.decide_on(at).await,
            // What waits is decided elsewhere: the run is followed until it goes on.
            None if self.updates.waiting.is_empty() && !self.is_over() => {
                let run = self.updates.run.clone();
                run.map(|run| Request::Resume { run: Some(run) })
            }
            None => None,
        }
    }

    fn can_be_asked(&self, waiting: &Waiting) -> bool {
        let is_it = |(run, call): &(RunId, CallId)| *run == waiting.run && *call == waiting.call;
        !self.unasked.iter().any(is_it)
    }

    /// Whether nobody wants more of this prompt.
    fn is_over(&self) -> bool {
        self.stop.is_cancelled() || self.gone.is_cancelled()
    }

    async fn decide_on(&mut self, at: usize) -> Option<Request> {
        let Waiting { run, call, what } = self.updates.waiting.get(at)?.clone();
        let What::Approval {
            tool, args, family, ..
        } = what
        else {
            return None;
        };
        let decision = self.permission(&run, call, (&tool, &args), &family).await;
        match decision {
            Decision::Later => {
                self.unasked.push((run, call));
                return None;
            }
            Decision::Once | Decision::Always | Decision::Refused | Decision::Cancelled => {}
        }
        // Who waits still says so again.
        self.updates.waiting.remove(at);
        Some(match decision {
            Decision::Once | Decision::Later => Request::Approve {
                run,
                call,
                always: false,
            },
            Decision::Always => Request::Approve {
                run,
                call,
                always: true,
            },
            Decision::Refused => Request::Refuse {
                run,
                call,
                reason: None,
            },
            Decision::Cancelled => Request::Cancel {
                run: self.updates.run.clone().unwrap_or(run),
            },
        })
    }

    async fn permission(
        &self,
        run: &RunId,
        call: CallId,
        (tool, args): (&str, &JsonMap),
        family: &str,
    ) -> Decision {
        let mut shown = vec![content(&whole(tool, args))];
        shown.extend(previewed(tool, args, self.folder.clone()).await);
        let option = |id: &str, kind: &str, name: &str| json!({"optionId": id, "kind": kind, "name": name});
        let mut options = vec![option("once", "allow_once", self.say.allow_once())];
        if !family.is_empty() {
            let name = self.say.allow_always(shidi_protocol::exact(family));
            options.push(option("always", "allow_always", &name));
        }
        options.push(option("refuse", "reject_once", self.say.refuse()));
        let call = json!({"toolCallId": id_of(run, call), "status": "pending", "content": shown});
        let params = json!({"sessionId": self.session, "toolCall": call, "options": options});
        let answer = tokio::select! {
            answer = self.editor.ask("session/request_permission", params) => answer,
            () = self.gone.cancelled() => return Decision::Later,
            () = self.stop.cancelled() => return Decision::Cancelled,
        };
        let Some(outcome) = answer.as_ref().and_then(|answer| answer.get("outcome")) else {
            return Decision::Later;
        };
        let chosen = |name: &str| outcome.get(name).and_then(Value::as_str);
        match (chosen("outcome"), chosen("optionId")) {
            (Some("selected"), Some("once")) => Decision::Once,
            (Some("selected"), Some("always")) if !family.is_empty() => Decision::Always,
            (Some("selected"), Some("refuse")) => Decision::Refused,
            (Some("cancelled"), _) => Decision::Cancelled,
            _ => Decision::Later,
        }
    }

    /// Leaves the run waiting, and says for what.
    async fn rest(self) -> Result<Ended, UserError> {
        if self.stop.is_cancelled() {
            return Ok(ended("cancelled"));
        }
        let mut question = None;
        for Waiting { run, call, what } in &self.updates.waiting {
            match what {
                What::Approval { .. } => self.tell(&self.say.waits_for_approval(call, run)).await,
                What::Question { text, .. } => {
                    self.tell(text).await;
                    question.get_or_insert_with(|| (run.clone(), *call));
                }
            }
        }
        Ok(Ended {
            stop_reason: "end_turn",
            question,
        })
    }

    async fn tell(&self, text: &str) {
        let said = json!({"type": "text", "text": format!("\n\n{text}")});
        let update = json!({"sessionUpdate": "agent_message_chunk", "content": said});
        self.editor.update(self.session, update).await;
    }
}

fn ended(stop_reason: &'static str) -> Ended {
    Ended {
        stop_reason,
        question: None,
    }
}

/// The change that a call would make, worked out beside the thread that speaks with the editor. A folder of another
/// computer may not answer.
async fn previewed(tool: &str, args: &JsonMap, folder: Option<String>) -> Option<Value> {
    let (tool, args) = (tool.to_owned(), args.clone());
    let reading = tokio::task::spawn_blocking(move || preview(&tool, &args, folder.as_deref()));
    timeout(PREVIEW_WAIT, reading).await.ok()?.ok()?
}

/// What a call would change in a text file, as far as it can be told before.
fn preview(tool: &str, args: &JsonMap, folder: Option<&str>) -> Option<Value> {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    let path = absolute(text("path")?, folder)?;
    match tool {
        "files.edit" => Some(diff(&path, Some(text("old")?), text("new")?)),
        "files.write" if args.get("append") == Some(&Value::Bool(true)) => {
            Some(diff(&path, Some(""), text("text")?))
        }
        "files.write" => match before(&path) {
            Before::Nothing => Some(diff(&path, None, text("text")?)),
            Before::Text(before) => Some(diff(&path, Some(&before), text("text")?)),
            Before::Unknown => None,
        },
        _ => None,
    }
}

enum Before {
    Nothing,
    Text(String),
    Unknown,
}

/// What stands in a file. Only regular files of a bounded size are opened: a pipe would hold the editor up.
fn before(path: &str) -> Before {
    let facts = match std::fs::symlink_metadata(path) {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Before::Nothing,
        Err(_) => return Before::Unknown,
        Ok(facts) => facts,
    };
    if !facts.is_file() || facts.len() > PREVIEW_BYTES_MAX {
        return Before::Unknown;
    }
    let read = || {
        let mut text = String::new();
        let file = std::fs::File::open(path)?;
        file.take(PREVIEW_BYTES_MAX).read_to_string(&mut text)?;
        Ok::<String, std::io::Error>(text)
    };
    read().map_or(Before::Unknown, Before::Text)
}
