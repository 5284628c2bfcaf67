//! Runs the programs of a suite in the sandbox, and asks the judging model; in a data folder of its own.

use crate::stage::Stage;
use serde_json::Value;
use shidi_evaluation::{
    Assertion, Case, Check, CheckOutcome, Finding, PROGRAM_SECONDS, Settled, Trial, finding_of_model,
    finding_of_program, score, settle, suffice,
};
use shidi_locales::Language;
use shidi_protocol::{Ask, ErrorCode, ExecRequest, Mode, Reply, Request, RunEventKind, UserError, reply};
use shidi_runtime::Connection;
use tokio::sync::Mutex;

/// Seconds in which the judging model answers: a small one on a slow machine reads for minutes.
const JUDGE_SECONDS: u32 = 600;

/// Rounds in which it does: an answer, and one after a correction.
const JUDGE_ROUNDS: u32 = 2;

pub struct Referee {
    configuration: String,
    language: Language,
    /// Opened for the first program.
    place: Mutex<Option<(Connection, Stage)>>,
}

impl Referee {
    pub fn new(configuration: String, language: Language) -> Self {
        Self {
            configuration,
            language,
            place: Mutex::new(None),
        }
    }

    /// The outcome of every check of a task.
    pub async fn checks(&self, case: &Case, trial: &Trial) -> Vec<CheckOutcome> {
        let mut outcomes = Vec::new();
        for check in &case.checks {
            outcomes.push(match check {
                Check::One(assertion) => self.judged(assertion, case, trial).await,
                Check::Set(set) => {
                    let mut within = Vec::new();
                    for assertion in &set.checks {
                        within.push(self.judged(assertion, case, trial).await);
                    }
                    let reasons = within
                        .iter()
                        .filter(|check| !check.holds)
                        .map(|check| check.reason.as_str());
                    CheckOutcome {
                        check: "assert-set".to_owned(),
                        holds: suffice(&within, set.threshold),
                        score: score(&within),
                        weight: set.weight,
                        metric: set.metric.clone(),
                        reason: reasons.collect::<Vec<_>>().join("; "),
                    }
                }
            });
        }
        outcomes
    }

    /// What came of a check.
    async fn judged(&self, assertion: &Assertion, case: &Case, trial: &Trial) -> CheckOutcome {
        let say = self.language.evaluation();
        let finding = match settle(assertion, case, trial) {
            Settled::Now(finding) => Ok(finding),
            Settled::Program(program) => self.value(&program, PROGRAM_SECONDS).await.and_then(|value| {
                let found = finding_of_program(&value, assertion.threshold);
                found.ok_or_else(|| say.program_failed(&value))
            }),
            Settled::Question(question) => self.answer(&question).await.and_then(|answer| {
                let found = finding_of_model(&answer, assertion.threshold);
                found.ok_or_else(|| say.judge_unclear().to_owned())
            }),
        };
        match finding {
            Ok(finding) => assertion.outcome(finding, self.language),
            // A check that could not be judged holds in neither direction.
            Err(reason) => CheckOutcome {
                holds: false,
                score: 0.0,
                reason,
                ..assertion.outcome(failed(), self.language)
            },
        }
    }

    /// What the configured model answers: a program of a suite has none to ask.
    async fn answer(&self, question: &str) -> Result<String, String> {
        let ask = Ask {
            text: question.to_owned(),
            // It reads what others wrote, and has nothing to do but to answer.
            mode: Some(Mode::Ask),
            max_rounds: Some(JUDGE_ROUNDS),
            timeout_s: Some(JUDGE_SECONDS),
            unattended: true,
            ..Ask::default()
        };
        let mut place = self.place.lock().await;
        let connection = self.opened(&mut place).await.map_err(|error| error.message)?;
        let mut replies = connection.send(Request::Ask(Box::new(ask)));
        let mut answer = None;
        while let Some(reply) = replies.next().await {
            match reply {
                Reply::Event { event } => match event.kind {
                    RunEventKind::Answer { text } => answer = Some(text),
                    RunEventKind::RunEnded {
                        error: Some(error), ..
                    } => return Err(error.message),
                    _ => {}
                },
                Reply::Failed { error } => return Err(error.message),
                _ => {}
            }
        }
        answer.ok_or_else(|| self.language.evaluation().judge_unclear().to_owned())
    }

    /// What a program prints.
    pub async fn printed(&self, program: &str) -> Result<String, String> {
        let head = "printed_lines = []\n\
                    def print(*values, sep=' ', end='\\n'):\n    \
                    printed_lines.append(sep.join(str(value) for value in values) + end)\n";
        let program = format!("{head}{program}\n''.join(printed_lines)");
        match self.value(&program, PROGRAM_SECONDS).await? {
            Value::String(text) => Ok(text),
            value => Err(value.to_string()),
        }
    }

    /// The value of a program's last expression.
    async fn value(&self, program: &str, seconds: u32) -> Result<Value, String> {
        let request = ExecRequest {
            program: program.to_owned(),
            limit_time_s: Some(seconds),
            ..ExecRequest::default()
        };
        let executed = self.executed(request).await.map_err(|error| error.message)?;
        match executed.result.error {
            None => Ok(executed.result.value),
            Some(error) => Err(self.language.evaluation().program_failed(error.message)),
        }
    }

    async fn executed(&self, request: ExecRequest) -> Result<reply::Executed, UserError> {
        let mut place = self.place.lock().await;
        self.opened(&mut place).await?.ask(request).await
    }

    /// The connection, opened for whoever needs it first.
    async fn opened<'a>(
        &self,
        place: &'a mut Option<(Connection, Stage)>,
    ) -> Result<&'a Connection, UserError> {
        if place.is_none() {
            let stage = Stage::new(&self.configuration)?;
            *place = Some((stage.open(self.language).await?, stage));
        }
        match place {
            Some((connection, _)) => Ok(connection),
            None => Err(UserError::new(ErrorCode::Internal, "The referee has no place")),
        }
    }

    pub async fn close(&self) {
        if let Some((connection, stage)) = self.place.lock().await.take() {
            connection.close().await;
            drop(stage);
        }
    }
}

fn failed() -> Finding {
    Finding {
        holds: false,
        score: 0.0,
        found: String::new(),
    }
}
