//! One request of a client at work: who asks, and the ways back to them while it lasts.
//!
//! Both eras of the protocol look alike from here. In the older one a question goes to the client and is waited for.
//! In the newer one the request ends with its questions, and comes again with their answers. Whoever carries it out
//! begins anew then, and finds what was answered.

use crate::changes::{Change, Changes};
use crate::limits::{ANSWER_WAIT, PROGRESS_WAIT};
use crate::questions::{Answers, Halt, Question, Questions};
use crate::seal::Seal;
use crate::severity::Severity;
use parking_lot::Mutex;
use rmcp::model::{
    ClientCapabilities, CustomNotification, CustomRequest, ErrorCode, ErrorData, InputRequests,
    InputRequiredResult, ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerNotification,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use serde_json::{Value, json};
use shidi_locales::McpServer;
use std::sync::Arc;
use tokio::time::timeout;

/// The key under which a request of the newer era says how much of the log it wants.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// A request at work.
pub struct Exchange {
    context: RequestContext<RoleServer>,
    changes: Changes,
    /// The least that is said of the log; `None` for nothing.
    level: Option<Severity>,
    round: Round,
    seal: Arc<Seal>,
    say: McpServer,
    /// The answers that were used so far, for the next round.
    used: Mutex<Answers>,
}

/// What a request has beside its parameters.
#[derive(Default)]
pub struct Round {
    /// Names the request, whichever round it is in.
    pub subject: String,
    pub answers: Answers,
}

/// The way in which a client is told how far its request is.
#[derive(Debug, Clone)]
pub struct Progress {
    peer: Peer<RoleServer>,
    token: ProgressToken,
}

impl Exchange {
    pub(crate) fn new(
        context: RequestContext<RoleServer>,
        changes: Changes,
        level: Option<Severity>,
        round: Round,
        (seal, say): (Arc<Seal>, McpServer),
    ) -> Self {
        let is_newer = is_newer(&context);
        let wished = context.meta.get(LOG_LEVEL).and_then(Value::as_str);
        let wished = wished.and_then(Severity::named);
        Self {
            // Each request of the newer era says it itself, and nothing is said to one that does not.
            level: level.and_then(|level| if is_newer { wished } else { Some(level) }),
            context,
            changes,
            round,
            seal,
            say,
            used: Mutex::default(),
        }
    }

    /// The name that the client gives itself.
    #[must_use]
    pub fn client(&self) -> String {
        client(&self.context)
    }

    /// Whether the client can be asked this.
    #[must_use]
    pub fn can_ask(&self, question: &Question) -> bool {
        question.is_declared(&self.capabilities())
    }

    /// The answers to all questions, by their names.
    ///
    /// # Errors
    /// The client can't be asked that, has taken its request back, or answers something else. In the newer era also the
    /// questions themselves: the result says so, and the request comes again.
    pub async fn ask(&self, questions: Questions) -> Result<Answers, Halt> {
        let is_newer = is_newer(&self.context);
        let code = match is_newer {
            true => ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
            false => ErrorCode::INVALID_REQUEST,
        };
        let client = self.capabilities();
        if let Some(other) = questions.values().find(|question| !question.is_declared(&client)) {
            return Err(other.kind.undeclared(code, self.say).into());
        }
        if is_newer {
            return self.answered_before(questions);
        }
        let mut answers = Answers::new();
        for (name, question) in questions {
            let answer = self.answered_now(&question).await?;
            answers.insert(name, answer);
        }
        Ok(answers)
    }

    /// The answers that came with the request, or the questions that have none.
    fn answered_before(&self, questions: Questions) -> Result<Answers, Halt> {
        let mut answers = Answers::new();
        let mut open = InputRequests::new();
        for (name, question) in questions {
            let answer = self.round.answers.get(&name);
            match answer.filter(|answer| question.is_answered_by(answer)) {
                Some(answer) => {
                    answers.insert(name, answer.clone());
                }
                None => {
                    open.insert(name, question.as_input()?);
                }
            }
        }
        let mut used = self.used.lock();
        used.extend(answers.clone());
        if open.is_empty() {
            return Ok(answers);
        }
        let Some(state) = self.seal.closed(&self.round.subject, &used) else {
            return Err(ErrorData::internal_error(self.say.no_chance(), None).into());
        };
        let asks = InputRequiredResult::new(Some(open), Some(state));
        Err(Halt::Asks(Box::new(asks)))
    }

    async fn answered_now(&self, question: &Question) -> Result<Value, Halt> {
        let request = CustomRequest::new(question.kind.method(), Some(question.params.clone()));
        let sent = self.context.peer.send_request_with_option(
            ServerRequest::CustomRequest(request),
            PeerRequestOptions::with_timeout(ANSWER_WAIT),
        );
        let waiting = sent.await.map_err(unanswered)?;
        let answer = tokio::select! {
            answer = waiting.await_response() => answer.map_err(unanswered)?,
            () = self.context.ct.cancelled() => return Err(unanswered(ServiceError::TransportClosed)),
        };
        let answer = serde_json::to_value(answer)
            .map_err(|cause| ErrorData::internal_error(cause.to_string(), None))?;
        match question.is_answered_by(&answer) {
            true => Ok(answer),
            false => {
                let said = self.say.no_answer(question.kind.method());
                Err(ErrorData::invalid_params(said, None).into())
            }
        }
    }

    /// Says something in the log that the client may follow; whether it went out.
    pub async fn log(&self, severity: Severity, logger: &str, data: Value) -> bool {
        if self.level.is_none_or(|least| severity < least) {
            return false;
        }
        let said = json!({"level": severity.name(), "logger": logger, "data": data});
        let said = CustomNotification::new("notifications/message", Some(said));
        let said = ServerNotification::CustomNotification(said);
        let sent = timeout(PROGRESS_WAIT, self.context.peer.send_notification(said)).await;
        matches!(sent, Ok(Ok(())))
    }

    /// How far the request is, where the client wants to know.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let token = self.context.meta.get_progress_token()?;
        Some(Progress {
            peer: self.context.peer.clone(),
            token,
        })
    }

    /// Tells all clients of a change.
    pub fn announce(&self, change: Change) {
        self.changes.announce(change);
    }

    /// Waits until the client takes its request back, or is gone.
    pub async fn cancelled(&self) {
        self.context.ct.cancelled().await;
    }

    fn capabilities(&self) -> ClientCapabilities {
        self.context.client_capabilities().unwrap_or_default()
    }
}

impl Progress {
    /// Tells how much is done; whether it went out. The numbers only ever grow.
    pub async fn tell(&self, done: f64, total: Option<f64>, message: Option<String>) -> bool {
        let mut progress = ProgressNotificationParam::new(self.token.clone(), done);
        progress.total = total;
        progress.message = message;
        let told = timeout(PROGRESS_WAIT, self.peer.notify_progress(progress)).await;
        matches!(told, Ok(Ok(())))
    }
}

/// Whether a request is one of the era in which each request says all of itself.
pub fn is_newer(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The name that the client of a request gives itself.
pub fn client(context: &RequestContext<RoleServer>) -> String {
    let client = context.client_info().map(|client| client.name);
    client.unwrap_or_default()
}

/// Why a question that was sent has no answer.
fn unanswered(cause: ServiceError) -> Halt {
    match cause {
        ServiceError::McpError(refused) => refused.into(),
        other => ErrorData::internal_error(other.to_string(), None).into(),
    }
}
