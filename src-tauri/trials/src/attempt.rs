//! One attempt at a task: its situation is made, its turns are said one after the other, and what is left is gathered.

use crate::referee::Referee;
use crate::stage::{Stage, unwritten};
use crate::{changed, history};
use serde_json::{Value, json};
use shidi_evaluation::{
    ANSWERED_MAX, Case, Content, STEPS_MAX, Side, TEXT_CHARACTERS_MAX, Trial, TrialCall, TrialProgram,
    TrialSegment, TrialVariable,
};
use shidi_locales::Language;
use shidi_protocol::request::{self, knowledge, memory};
use shidi_protocol::{
    Ask, AttachSource, ErrorCode, ExecId, ExecRequest, MemoryKind, MemoryScope, Reply, Request, RunEventKind,
    RunId, RunStatus, SessionId, UserError, reply,
};
use shidi_runtime::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Wait beyond a turn's own bound before it is taken away from outside.
const GRACE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub timeout_s: u32,
    pub max_rounds: Option<u32>,
}

pub struct Attempt<'a> {
    pub case: &'a Case,
    pub side: &'a Side,
    pub bounds: Bounds,
    pub language: Language,
    pub configuration: &'a str,
    pub referee: &'a Referee,
}

/// The attempt while it is at work.
struct Play<'a> {
    trial: Trial,
    session: Option<SessionId>,
    /// What is left to answer questions with.
    answers: std::slice::Iter<'a, String>,
}

/// A turn while it is at work.
#[derive(Default)]
struct Turn {
    number: usize,
    run: Option<RunId>,
    answer: Option<String>,
    needs_approval: bool,
    programs: BTreeMap<ExecId, String>,
    calls: Vec<(shidi_protocol::CallId, TrialCall)>,
    error: Option<UserError>,
}

impl Attempt<'_> {
    /// Tries the task.
    ///
    /// # Errors
    /// A situation that can't be made, or a model that can't be reached.
    pub async fn tried(&self) -> Result<Trial, UserError> {
        let stage = Stage::new(self.configuration)?;
        self.write_files(&stage).await?;
        let connection = stage.open(self.language).await?;
        let played = self.played(&connection, &stage).await;
        connection.close().await;
        played
    }

    async fn write_files(&self, stage: &Stage) -> Result<(), UserError> {
        for (name, content) in &self.case.setup.files {
            let bytes = match content {
                Content::Bytes(bytes) => bytes.clone(),
                Content::Python(program) => {
                    let printed = self.referee.printed(program).await;
                    let say = self.language.evaluation();
                    let told = |cause| UserError::new(ErrorCode::Input, say.file_not_made(cause, name));
                    printed.map_err(told)?.into_bytes()
                }
            };
            let path = stage.work().join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(unwritten)?;
            }
            fs::write(path, bytes).map_err(unwritten)?;
        }
        for (name, text) in &self.case.setup.workflows {
            fs::create_dir_all(stage.workflows()).map_err(unwritten)?;
            fs::write(stage.workflows().join(format!("{name}.yaml")), text).map_err(unwritten)?;
        }
        Ok(())
    }

    async fn remember(&self, connection: &Connection, stage: &Stage) -> Result<(), UserError> {
        for text in &self.case.setup.memory {
            let add = memory::Add {
                text: text.clone(),
                kind: MemoryKind::Knowledge,
                scope: MemoryScope::User,
                tags: Vec::new(),
                until: None,
                tainted: false,
            };
            connection.ask(add).await?;
        }
        for (base, documents) in &self.case.setup.knowledge {
            let create = knowledge::Create {
                name: base.clone(),
                about: String::new(),
                at: None,
            };
            connection.ask(create).await?;
            let folder = stage.beside("documents").join(base);
            fs::create_dir_all(&folder).map_err(unwritten)?;
            let mut sources = Vec::new();
            for (name, text) in documents {
                let path = folder.join(name);
                fs::write(&path, text).map_err(unwritten)?;
                sources.push(AttachSource::Path {
                    path: path.to_string_lossy().into_owned(),
                });
            }
            let base = base.clone();
            connection
                .ask_along::<_, UserError>(knowledge::Add { base, sources }, |_| Ok(()))
                .await?;
        }
        Ok(())
    }

    /// The session with what was said before; `None` for a task that begins one.
    async fn before(&self, connection: &Connection, stage: &Stage) -> Result<Option<SessionId>, UserError> {
        let history = &self.case.history;
        if history.is_empty() {
            return Ok(None);
        }
        let file = stage.beside("history.jsonl");
        history::told(connection, &stage.data(), &file, history, self.language)
            .await
            .map(Some)
    }

    async fn played(&self, connection: &Connection, stage: &Stage) -> Result<Trial, UserError> {
        self.remember(connection, stage).await?;
        if let Some(change) = &self.side.change {
            changed::made(connection, stage, change).await?;
        }
        let mut play = Play {
            trial: Trial {
                before: stage.files(),
                ..Trial::default()
            },
            session: self.before(connection, stage).await?,
            answers: self.case.setup.answers.iter(),
        };
        for (place, said) in self.case.turns.iter().enumerate() {
            let ask = self.ask(place, said, play.session.clone(), stage);
            let mut turn = Turn {
                number: place + 1,
                ..Turn::default()
            };
            let most = Duration::from_secs(u64::from(self.bounds.timeout_s)) + GRACE;
            let spoken = self.say(connection, ask, &mut turn, &mut play);
            if tokio::time::timeout(most, spoken).await.is_err() {
                play.trial.late = true;
                if let Some(run) = turn.run.clone() {
                    connection.ask(request::Cancel { run }).await.map(drop)?;
                }
            }
            if let Some(error) = turn.error.take() {
                return Err(error);
            }
            let Play { trial, .. } = &mut play;
            trial.calls.extend(turn.calls.into_iter().map(|(_, call)| call));
            trial.answers.push(turn.answer.unwrap_or_default());
        }
        let Play {
            mut trial, session, ..
        } = play;
        if let Some(session) = session {
            self.read_variables(connection, &session, &mut trial).await;
        }
        trial.after = stage.files();
        Ok(trial)
    }

    fn ask(&self, place: usize, said: &str, session: Option<SessionId>, stage: &Stage) -> Ask {
        let setup = &self.case.setup;
        let path = |name: &String| stage.work().join(name).to_string_lossy().into_owned();
        let context = setup
            .page
            .as_ref()
            .map(|page| json!({"app": "browser", "title": page.title, "url": page.url, "text": page.text}));
        let language = self.case.metadata.get("language").and_then(Value::as_str);
        Ask {
            text: said.to_owned(),
            session,
            files: if place == 0 {
                setup.attach.iter().map(path).collect()
            } else {
                Vec::new()
            },
            context: context.filter(|_| place == 0),
            folders: vec![stage.work().to_string_lossy().into_owned()],
            mode: Some(setup.mode),
            max_rounds: self.bounds.max_rounds,
            timeout_s: Some(self.bounds.timeout_s),
            overrides: self.side.overrides.clone(),
            language: Some(language.unwrap_or(self.language.code()).to_owned()),
            unattended: true,
            ..Ask::default()
        }
    }

    /// Says one turn, and answers what the assistant asks.
    async fn say(&self, connection: &Connection, ask: Ask, turn: &mut Turn, play: &mut Play<'_>) {
        let mut request = Request::Ask(Box::new(ask));
        for _ in 0..ANSWERED_MAX {
            let mut replies = connection.send(request);
            let mut ended = None;
            while let Some(reply) = replies.next().await {
                match reply {
                    Reply::Event { event } => turn.take(event.run, event.kind, play),
                    Reply::Ended { status, .. } => ended = Some(status),
                    Reply::Failed { error } => turn.error = Some(error),
                    _ => {}
                }
            }
            let (Some(RunStatus::Suspended), Some(run)) = (ended, turn.run.clone()) else {
                return;
            };
            let answer = match turn.needs_approval {
                true => None,
                false => play.answers.next(),
            };
            let Some(answer) = answer else {
                let say = self.language.evaluation();
                play.trial.reason = Some(match turn.needs_approval {
                    true => say.waits_for_approval().to_owned(),
                    false => say.asked_back().to_owned(),
                });
                // Nobody is there to answer: the run is stopped, so that the next turn can be said.
                if let Err(error) = connection.ask(request::Cancel { run }).await {
                    tracing::warn!(%error.message, "a run that waits can't be stopped");
                }
                return;
            };
            request = Request::Answer {
                run,
                call: None,
                text: answer.clone(),
            };
        }
    }

    /// Reads the variables that checks name.
    async fn read_variables(&self, connection: &Connection, session: &SessionId, trial: &mut Trial) {
        for name in self.case.variables_named() {
            let is_name = name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_');
            if !is_name || !trial.variables.contains_key(name) {
                continue;
            }
            let request = ExecRequest {
                program: name.to_owned(),
                session: Some(session.clone()),
                ..ExecRequest::default()
            };
            let read: Result<reply::Executed, _> = connection.ask(request).await;
            if let (Ok(reply::Executed { result }), Some(variable)) = (read, trial.variables.get_mut(name)) {
                variable.value = result.value;
            }
        }
        let named = self.case.variables_named();
        trial.variables.retain(|name, _| named.contains(&name.as_str()));
    }
}

impl Turn {
    fn take(&mut self, run: RunId, kind: RunEventKind, play: &mut Play<'_>) {
        let Play { trial, session, .. } = play;
        match kind {
            RunEventKind::RunStarted {
                session: own,
                under: None,
                ..
            } => {
                self.run = Some(run);
                *session = Some(own);
            }
            RunEventKind::Question { .. } => {
                if !trial.asked_in.contains(&self.number) {
                    trial.asked_in.push(self.number);
                }
            }
            RunEventKind::ApprovalNeeded { .. } => self.needs_approval = true,
            RunEventKind::Answer { text } => self.answer = Some(text),
            RunEventKind::RunEnded {
                status,
                reason,
                error,
                usage,
                ms,
            } if self.run.as_ref() == Some(&run) => {
                trial.usage.add(&usage);
                trial.ms += ms;
                trial.status = Some(status);
                self.over(status, reason, error, trial);
            }
            step => self.note(step, trial),
        }
    }

    /// Notes a step on the way.
    fn note(&mut self, step: RunEventKind, trial: &mut Trial) {
        match step {
            RunEventKind::Code { exec, program } => {
                self.programs.insert(exec, program);
            }
            RunEventKind::Call {
                call,
                toolkit,
                method,
                args,
                ..
            } if self.calls.len() < STEPS_MAX => {
                let call_of = TrialCall {
                    turn: self.number,
                    tool: format!("{toolkit}.{method}"),
                    args,
                    ok: false,
                };
                self.calls.push((call, call_of));
            }
            RunEventKind::CallDone { call, ok, .. } => {
                if let Some((_, done)) = self.calls.iter_mut().find(|(id, _)| *id == call) {
                    done.ok = ok;
                }
            }
            RunEventKind::Output {
                exec,
                stdout,
                ok,
                error,
                ..
            } if trial.programs.len() < STEPS_MAX => {
                trial.programs.push(TrialProgram {
                    program: self.programs.get(&exec).cloned().unwrap_or_default(),
                    output: cut(&format!("{stdout}{}", error.unwrap_or_default())),
                    ok,
                });
            }
            RunEventKind::Segment { body, .. } if trial.segments.len() < STEPS_MAX => {
                trial.segments.extend(segment(self.number, &body));
            }
            RunEventKind::Variables { names } => {
                for variable in names {
                    let value = TrialVariable {
                        kind: variable.kind,
                        value: Value::Null,
                    };
                    trial.variables.insert(variable.name, value);
                }
            }
            _ => {}
        }
    }

    /// What the end of a run says, where it has no answer.
    fn over(
        &mut self,
        status: RunStatus,
        reason: Option<String>,
        error: Option<UserError>,
        trial: &mut Trial,
    ) {
        let of_model = |error: &UserError| {
            matches!(
                error.code,
                ErrorCode::Model | ErrorCode::Key | ErrorCode::KeysLocked | ErrorCode::System
            )
        };
        self.error = error.filter(of_model);
        let Some(reason) = reason else { return };
        let bound = Bound::told(&reason);
        trial.late |= bound == Some(Bound::Time);
        trial.rounds_over |= bound == Some(Bound::Rounds);
        // That a bound was reached is nothing that the model said.
        if status == RunStatus::GaveUp && bound.is_none() && self.answer.is_none() {
            self.answer = Some(reason.clone());
        }
        trial.reason = Some(reason);
    }
}

/// What ended a run that its model did not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Time,
    Rounds,
}

impl Bound {
    /// The bound of which a reason tells, in any language.
    fn told(reason: &str) -> Option<Self> {
        Language::ALL.iter().find_map(|language| {
            let say = language.agent();
            let digits: String = reason.chars().filter(char::is_ascii_digit).collect();
            let rounds = [
                say.rounds_over(&digits),
                say.same_failures(&digits),
                say.same_outcomes(&digits),
            ];
            if reason == say.time_over() {
                Some(Self::Time)
            } else if rounds.iter().any(|text| reason.starts_with(text.as_str())) {
                Some(Self::Rounds)
            } else {
                None
            }
        })
    }
}

fn segment(turn: usize, body: &shidi_protocol::Body) -> Option<TrialSegment> {
    let body = serde_json::to_value(body).ok()?;
    let word = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    Some(TrialSegment {
        turn,
        kind: word("kind").to_owned(),
        text: cut(word("text")),
    })
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_CHARACTERS_MAX).collect()
}
