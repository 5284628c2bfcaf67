//! Questions of an editor, and the answers to them. Who decides is the runtime, and the user in front of the editor.

mod sessions;

use crate::editor::Editor;
use crate::following::{Ended, Following};
use crate::limits::REQUESTS_AT_ONCE;
use crate::lines::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, NOT_FOUND, refusal};
use crate::prompt::{self, Prompt, shown};
use crate::threads::{Thread, Threads};
use crate::updates::{Delivery, Updates};
use serde_json::{Value, json};
use shidi_locales::{Acp, Language};
use shidi_protocol::{Ask, AttachSource, ErrorCode, Request, RunId, SessionId, UserError, reply, request};
use shidi_runtime::{Connection, OpenOptions};
use shidi_service::Lender;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The version of the protocol that is spoken here.
const VERSION: u16 = 1;

/// What has gone wrong, with its number in JSON-RPC.
#[derive(Debug)]
pub struct Refusal {
    code: i32,
    said: String,
}

/// Answers an editor.
pub struct Agent {
    lender: Lender,
    language: Language,
    editor: Editor,
    gone: CancellationToken,
    threads: Threads,
    tasks: TaskTracker,
}

/// A prompt that has begun.
struct Begun {
    session: String,
    thread: Thread,
    prompt: Prompt,
    stop: CancellationToken,
}

impl Agent {
    #[must_use]
    pub fn new(
        options: OpenOptions,
        language: Language,
        editor: Editor,
        gone: CancellationToken,
    ) -> Arc<Self> {
        Arc::new(Self {
            lender: Lender::new(options),
            language,
            editor,
            gone,
            threads: Threads::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// Waits until everything that was begun is over.
    pub async fn over(&self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.lender.closed().await;
    }

    /// Takes news of the editor.
    pub fn notified(&self, method: &str, params: &Value) {
        if method == "session/cancel" {
            self.threads.cancel(text(params, "sessionId"));
        }
    }

    /// Takes a request; it is answered when its time has come.
    pub async fn asked(self: &Arc<Self>, id: Value, method: String, params: Value) {
        if self.tasks.len() >= REQUESTS_AT_ONCE {
            let busy = self.say().session_busy();
            return self.editor.send(&refusal(id, INTERNAL_ERROR, busy)).await;
        }
        // A prompt has begun before the next message is read: a cancel that follows finds it.
        let begun = match method.as_str() {
            "session/prompt" => match self.begin(&params) {
                Ok(begun) => Some(begun),
                Err(refused) => return self.respond(id, Err(refused)).await,
            },
            _ => None,
        };
        let agent = Arc::clone(self);
        self.tasks.spawn(async move {
            let answer = match begun {
                Some(begun) => agent.prompted(begun).await,
                None => agent.answer(&method, &params).await,
            };
            agent.respond(id, answer).await;
        });
    }

    async fn respond(&self, id: Value, answer: Result<Value, Refusal>) {
        let message = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(refused) => refusal(id, refused.code, &refused.said),
        };
        self.editor.send(&message).await;
    }

    async fn answer(self: &Arc<Self>, method: &str, params: &Value) -> Result<Value, Refusal> {
        let session = text(params, "sessionId");
        match method {
            "initialize" => self.initialized(params),
            "authenticate" => Ok(json!({})),
            "session/new" => self.new_session(params).await,
            "session/load" => self.load(session, params, Delivery::Again).await,
            "session/resume" => self.load(session, params, Delivery::Live).await,
            "session/list" => self.list(params).await,
            "session/set_mode" => {
                let set = self.threads.set_mode(session, text(params, "modeId"), self.say());
                set.map(|()| json!({})).map_err(|error| self.refused(error))
            }
            "session/close" => {
                self.threads.close(session);
                Ok(json!({}))
            }
            unknown => Err(Refusal {
                code: METHOD_NOT_FOUND,
                said: self.say().no_such_method(shown(unknown)),
            }),
        }
    }

    fn initialized(&self, params: &Value) -> Result<Value, Refusal> {
        if !params.get("protocolVersion").is_some_and(Value::is_u64) {
            return Err(self.wrong("initialize"));
        }
        Ok(json!({
            // The editor goes when it speaks no such version.
            "protocolVersion": VERSION,
            "agentInfo": {"name": "shidi", "title": "Shidi", "version": env!("CARGO_PKG_VERSION")},
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": {"image": true, "audio": false, "embeddedContext": true},
                "mcpCapabilities": {"http": false, "sse": false},
                "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
            },
            "authMethods": [],
        }))
    }

    fn begin(&self, params: &Value) -> Result<Begun, Refusal> {
        let blocks = params.get("prompt").and_then(Value::as_array);
        let blocks = blocks.ok_or_else(|| self.wrong("session/prompt"))?;
        let prompt = prompt::read(blocks, self.say()).map_err(|error| self.refused(error))?;
        let session = text(params, "sessionId").to_owned();
        let stop = CancellationToken::new();
        let thread = self.threads.begin(&session, &stop, self.say());
        let thread = thread.map_err(|error| self.refused(error))?;
        if thread.question.is_some() && !prompt.attached.is_empty() {
            self.threads.put_back(&session, thread);
            let said = self.say().answer_takes_words().to_owned();
            return Err(self.refused(UserError::new(ErrorCode::Input, said)));
        }
        Ok(Begun {
            session,
            thread,
            prompt,
            stop,
        })
    }

    async fn prompted(self: &Arc<Self>, begun: Begun) -> Result<Value, Refusal> {
        let session = begun.session.clone();
        let before = begun.thread.clone();
        let mut has_begun = false;
        let followed = self.with_connection(async |connection| {
            has_begun = true;
            self.follow(connection, begun).await
        });
        let followed = followed.await;
        match &followed {
            Ok(ended) => self.threads.rest(&session, ended.question.clone()),
            Err(_) if has_begun => self.threads.rest(&session, None),
            Err(_) => self.threads.put_back(&session, before),
        }
        let ended = followed.map_err(|error| self.refused(error))?;
        Ok(json!({"stopReason": ended.stop_reason}))
    }

    async fn follow(&self, connection: &Connection, begun: Begun) -> Result<Ended, UserError> {
        let Begun {
            session,
            thread,
            prompt,
            stop,
        } = begun;
        for note in &thread.notes {
            let said = json!({"type": "text", "text": format!("{note}\n\n")});
            let update = json!({"sessionUpdate": "agent_message_chunk", "content": said});
            self.editor.update(&session, update).await;
        }
        if let Some(run) = thread.undecided.clone() {
            let resume = Request::Resume {
                run: Some(run.clone()),
            };
            let following = self.following(connection, &session, &thread, (&stop, Some(run)));
            let ended = following.go_on(resume).await?;
            if ended.stop_reason != "end_turn" || ended.question.is_some() || stop.is_cancelled() {
                return Ok(ended);
            }
        }
        let answered = thread.question.clone();
        let run = answered.as_ref().map(|(run, _)| run.clone());
        let request = match answered {
            Some((run, call)) => {
                let call = Some(call);
                let text = prompt.text;
                Request::Answer { run, call, text }
            }
            None => Request::Ask(Box::new(Ask {
                text: prompt.text,
                files: attached(connection, prompt.attached).await?,
                session: Some(SessionId::from(session.as_str())),
                folders: thread.folder.iter().cloned().collect(),
                mode: thread.mode,
                language: Some(self.language.code().to_owned()),
                ..Ask::default()
            })),
        };
        if stop.is_cancelled() || self.gone.is_cancelled() {
            return Ok(Ended {
                stop_reason: "cancelled",
                question: None,
            });
        }
        let following = self.following(connection, &session, &thread, (&stop, run));
        following.go_on(request).await
    }

    fn following<'a>(
        &'a self,
        connection: &'a Connection,
        session: &'a str,
        thread: &Thread,
        (stop, run): (&CancellationToken, Option<RunId>),
    ) -> Following<'a> {
        // Where a run works that was begun elsewhere, nobody says: another folder's file would be shown as what it changes.
        let is_foreign = run.is_some() && thread.begun_elsewhere;
        let folder = thread.folder.clone().filter(|_| !is_foreign);
        let mut updates = Updates::new(self.language, Delivery::Live, folder.clone());
        updates.run = run;
        Following {
            connection,
            editor: &self.editor,
            session,
            folder,
            say: self.say(),
            stop: stop.clone(),
            gone: self.gone.clone(),
            updates,
            answers: Vec::new(),
            cancel: None,
            unasked: Vec::new(),
        }
    }

    /// Opens the data folder only while `act` works there. Between two prompts the desktop program can have the folder.
    async fn with_connection<T>(
        self: &Arc<Self>,
        act: impl AsyncFnOnce(&Connection) -> Result<T, UserError>,
    ) -> Result<T, UserError> {
        let connection = self.lender.borrow().await?;
        act(&connection).await
    }

    fn say(&self) -> Acp {
        self.language.acp()
    }

    fn wrong(&self, method: &str) -> Refusal {
        Refusal {
            code: INVALID_PARAMS,
            said: self.say().wrong_parameters(method),
        }
    }

    fn refused(&self, error: UserError) -> Refusal {
        let code = match error.code {
            ErrorCode::Input => INVALID_PARAMS,
            ErrorCode::NotFound => NOT_FOUND,
            ErrorCode::Task
            | ErrorCode::Model
            | ErrorCode::Key
            | ErrorCode::KeysLocked
            | ErrorCode::Storage
            | ErrorCode::NewerData
            | ErrorCode::System
            | ErrorCode::Cancelled
            | ErrorCode::Internal => INTERNAL_ERROR,
        };
        let say = self.say();
        let said = match &error.hint {
            Some(hint) => say.with_remedy(hint, &error.message),
            // Sentences of this room are whole.
            None if matches!(error.code, ErrorCode::Input | ErrorCode::NotFound) => error.message.clone(),
            None => say.without_remedy(&error.message),
        };
        Refusal { code, said }
    }
}

/// Puts what goes along into the data folder, where it is no file yet.
async fn attached(connection: &Connection, sources: Vec<AttachSource>) -> Result<Vec<String>, UserError> {
    let mut files = Vec::new();
    for source in sources {
        let path = match source {
            AttachSource::Path { path } => path,
            AttachSource::Text { .. }
            | AttachSource::Image { .. }
            | AttachSource::Url { .. }
            | AttachSource::Resource { .. } => {
                let inspect = request::Inspect {
                    source,
                    session: None,
                };
                let reply::Inspected { attachment } = connection.ask(inspect).await?;
                attachment.path
            }
        };
        files.push(path);
    }
    Ok(files)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
