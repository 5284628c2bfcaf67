//! The tool `ask`: a question as a run of its own, followed to its end.
//!
//! The words are a program's, and maybe a stranger's. So the run counts as having read them, and nothing is approved
//! beforehand. A permission from elsewhere does not hold here. A call that needs approval is left waiting for the
//! user.

use crate::answers::{failed, shortened, told};
use crate::exchange::Progress;
use crate::limits::{
    ANSWER_CHARACTERS_MAX, CALL_CHARACTERS_MAX, CANCEL_WAIT, PROGRESS_EVERY, TEXT_CHARACTERS_MAX,
    WAITING_NAMED_MAX,
};
use rmcp::model::CallToolResult;
use serde_json::json;
use shidi_locales::{Language, McpServer};
use shidi_protocol::{
    Ask, CallId, ErrorCode, JsonMap, Mode, Reply, Request, RunEvent, RunEventKind, RunId, RunStatus,
    SessionId, UserError, exact,
};
use shidi_runtime::Replies;
use shidi_service::Borrowed;
use std::collections::BTreeMap;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// Who asks, and how they are told.
pub struct Asker {
    pub language: Language,
    /// Cancelled when the client takes its question back, or goes.
    pub stop: CancellationToken,
    pub progress: Option<Progress>,
}

/// Asks, and waits for the answer.
///
/// # Errors
/// Whatever keeps the run from starting.
pub async fn ask(connection: &Borrowed, question: String, asker: Asker) -> Result<CallToolResult, UserError> {
    let request = Request::Ask(Box::new(asked(question, asker.language)));
    let mut following = Following {
        connection,
        asker,
        run: None,
        session: None,
        answer: String::new(),
        error: None,
        reason: None,
        waiting: Vec::new(),
        news: 0,
        cancel: None,
    };
    let status = following.follow(connection.send(request)).await?;
    Ok(following.result(status))
}

/// The question as text that came from elsewhere, with nothing allowed beforehand.
fn asked(question: String, language: Language) -> Ask {
    Ask {
        text: String::new(),
        piped: Some(question),
        assistant: None,
        session: None,
        files: Vec::new(),
        screens: Vec::new(),
        page: None,
        parts: BTreeMap::new(),
        context: None,
        folders: Vec::new(),
        mode: Some(Mode::Ask),
        unattended: true,
        own_list: true,
        approve: Vec::new(),
        max_rounds: None,
        max_tokens: None,
        max_usd: None,
        timeout_s: None,
        overrides: BTreeMap::new(),
        language: Some(language.code().to_owned()),
        again: None,
        instead: None,
        offered: None,
        replay: None,
        program: None,
        under: None,
        task: None,
    }
}

struct Following<'a> {
    connection: &'a Borrowed,
    asker: Asker,
    run: Option<RunId>,
    session: Option<SessionId>,
    answer: String,
    error: Option<UserError>,
    reason: Option<String>,
    waiting: Vec<Waiting>,
    /// News that were told of the run.
    news: u32,
    cancel: Option<Cancel>,
}

/// A wish that the run stops, on its way.
struct Cancel {
    until: Instant,
    /// `None` as long as no run has begun that could be stopped.
    sent: Option<Replies>,
}

/// Something that only the user can decide.
struct Waiting {
    run: RunId,
    call: CallId,
    what: What,
}

enum What {
    Approval { tool: String, args: JsonMap },
    Question { text: String },
}

impl Following<'_> {
    async fn follow(&mut self, mut replies: Replies) -> Result<RunStatus, UserError> {
        let stop = self.asker.stop.clone();
        loop {
            // A run that has not begun yet can't be stopped: it is waited for, and stopped as it begins.
            let wish = self.cancel.as_ref().filter(|cancel| cancel.sent.is_some());
            let until = wish.map(|cancel| cancel.until);
            let is_wished = self.cancel.is_some();
            let reply = tokio::select! {
                reply = replies.next() => reply,
                () = stop.cancelled(), if !is_wished => {
                    self.cancel = Some(Cancel { until: Instant::now() + CANCEL_WAIT, sent: None });
                    self.send_cancel();
                    continue;
                }
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    return Ok(RunStatus::Cancelled);
                }
                () = sleep(PROGRESS_EVERY), if self.asker.progress.is_some() => {
                    self.tell(String::new()).await;
                    continue;
                }
            };
            match reply {
                Some(Reply::Event { event }) => {
                    self.take(&event);
                    self.send_cancel();
                    if let Some(news) = news(&event.kind, self.asker.language.mcp_server()) {
                        self.tell(news).await;
                    }
                }
                Some(Reply::Ended { status, .. }) => return Ok(status),
                Some(Reply::Failed { error }) => return Err(error),
                Some(_) | None => {
                    let say = self.asker.language.mcp_server();
                    let broken = UserError::new(ErrorCode::Internal, say.broke_off());
                    return Err(broken.hint(say.ask_again()));
                }
            }
        }
    }

    /// Stops the run once there is one, where that is wished.
    fn send_cancel(&mut self) {
        if let (Some(cancel), Some(run)) = (&mut self.cancel, &self.run)
            && cancel.sent.is_none()
        {
            let run = run.clone();
            cancel.until = Instant::now() + CANCEL_WAIT;
            cancel.sent = Some(self.connection.send(Request::Cancel { run }));
        }
    }

    fn take(&mut self, event: &RunEvent) {
        let is_own = self.run.as_ref().is_none_or(|run| *run == event.run);
        match &event.kind {
            RunEventKind::RunStarted { session, under, .. } if under.is_none() && self.run.is_none() => {
                self.run = Some(event.run.clone());
                self.session = Some(session.clone());
            }
            RunEventKind::Answer { text } if is_own => self.answer.clone_from(text),
            RunEventKind::RunEnded { error, reason, .. } if is_own => {
                self.error.clone_from(error);
                self.reason.clone_from(reason);
            }
            RunEventKind::ApprovalNeeded { call, tool, args, .. } => {
                let (tool, args) = (tool.clone(), args.clone());
                self.waits(event, *call, What::Approval { tool, args });
            }
            RunEventKind::Question { call, text, .. } => {
                self.waits(event, *call, What::Question { text: text.clone() });
            }
            RunEventKind::Decided { call, .. } | RunEventKind::CallDone { call, .. } => {
                self.waiting
                    .retain(|waiting| waiting.run != event.run || waiting.call != *call);
            }
            RunEventKind::RunStarted { .. }
            | RunEventKind::Answer { .. }
            | RunEventKind::RunEnded { .. }
            | RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Awaiting { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::Call { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::Output { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. } => {}
        }
    }

    fn waits(&mut self, event: &RunEvent, call: CallId, what: What) {
        self.waiting
            .retain(|waiting| waiting.run != event.run || waiting.call != call);
        self.waiting.push(Waiting {
            run: event.run.clone(),
            call,
            what,
        });
    }

    /// Tells the client that the run is at work, where it wants to know.
    async fn tell(&mut self, what: String) {
        let Some(progress) = &self.asker.progress else {
            return;
        };
        self.news += 1;
        let message = Some(what).filter(|what| !what.is_empty());
        // A client that takes no news still gets its answer.
        if !progress.tell(f64::from(self.news), None, message).await {
            self.asker.progress = None;
        }
    }

    fn result(self, status: RunStatus) -> CallToolResult {
        let say = self.asker.language.mcp_server();
        let answer = shortened(&self.answer, ANSWER_CHARACTERS_MAX);
        let text = match status {
            RunStatus::Completed => answer.clone(),
            RunStatus::Suspended => self.what_waits(say),
            RunStatus::Cancelled => {
                return failed(&UserError::new(ErrorCode::Cancelled, say.cancelled()), say);
            }
            RunStatus::Failed | RunStatus::GaveUp => {
                let why = self.reason.unwrap_or_else(|| say.gave_up().to_owned());
                let why = UserError::new(ErrorCode::Task, why).hint(say.ask_again());
                return failed(&self.error.unwrap_or(why), say);
            }
        };
        let data = json!({"status": status, "session": self.session, "run": self.run, "answer": answer});
        told(text, data)
    }

    /// What the run waits for, and where the user decides.
    fn what_waits(&self, say: McpServer) -> String {
        let waiting = self.waiting.iter().take(WAITING_NAMED_MAX);
        let mut lines: Vec<String> = waiting
            .map(|Waiting { run, call, what }| match what {
                What::Approval { tool, args } => say.waits_for_approval(call, called(tool, args), run),
                What::Question { text } => say.waits_for_answer(shortened(text, TEXT_CHARACTERS_MAX), run),
            })
            .collect();
        if lines.is_empty() {
            lines.push(say.waits(self.run.as_ref().map(RunId::as_str).unwrap_or_default()));
        }
        lines.join("\n")
    }
}

/// A call in one line.
fn called(tool: &str, args: &JsonMap) -> String {
    let args = args.iter().map(|(name, value)| format!("{name}={value}"));
    let call = format!("{tool}({})", args.collect::<Vec<_>>().join(", "));
    exact(&shortened(&call, CALL_CHARACTERS_MAX)).into_owned()
}

/// What a client is told of an event on the way.
fn news(event: &RunEventKind, say: McpServer) -> Option<String> {
    match event {
        RunEventKind::Call { toolkit, method, .. } => Some(format!("{toolkit}.{method}")),
        RunEventKind::Code { .. } => Some(say.runs_program().to_owned()),
        RunEventKind::RunStarted { .. } => Some(say.at_work().to_owned()),
        RunEventKind::Context { .. }
        | RunEventKind::Recalled { .. }
        | RunEventKind::Segment { .. }
        | RunEventKind::Delta { .. }
        | RunEventKind::Retracted
        | RunEventKind::Standing { .. }
        | RunEventKind::Awaiting { .. }
        | RunEventKind::CallDone { .. }
        | RunEventKind::ApprovalNeeded { .. }
        | RunEventKind::Question { .. }
        | RunEventKind::Decided { .. }
        | RunEventKind::Card { .. }
        | RunEventKind::Output { .. }
        | RunEventKind::Variables { .. }
        | RunEventKind::Todo { .. }
        | RunEventKind::Notification { .. }
        | RunEventKind::Compacted { .. }
        | RunEventKind::Answer { .. }
        | RunEventKind::RunEnded { .. } => None,
    }
}
