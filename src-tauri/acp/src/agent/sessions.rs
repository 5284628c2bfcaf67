//! The sessions of an editor: new ones, those on record, and how each begins.

use super::{Agent, Refusal, text};
use crate::limits::SESSIONS_LISTED;
use crate::prompt::shown;
use crate::threads::{Thread, folder, modes, no_session};
use crate::updates::{Delivery, Updates};
use serde_json::{Value, json};
use shidi_protocol::{ErrorCode, Mode, RunEventKind, RunStatus, SessionDetail, SessionId, reply, request};
use std::sync::Arc;

impl Agent {
    pub(super) async fn new_session(self: &Arc<Self>, params: &Value) -> Result<Value, Refusal> {
        let thread = self.thread(params, "session/new")?;
        let mode = self.usual_mode().await?;
        let session = SessionId::mint_beforehand();
        let opened = self.threads.open(session.as_str(), thread, self.say());
        opened.map_err(|error| self.refused(error))?;
        Ok(json!({"sessionId": session, "modes": modes(mode, self.say())}))
    }

    /// Opens a session that is on record, and shows it again where that is wanted.
    pub(super) async fn load(
        self: &Arc<Self>,
        session: &str,
        params: &Value,
        told: Delivery,
    ) -> Result<Value, Refusal> {
        let mut thread = self.thread(params, "session/load")?;
        let mode = self.usual_mode().await?;
        let show = request::SessionShow {
            session: SessionId::from(session),
        };
        let shown = self
            .with_connection(async |connection| connection.ask(show).await)
            .await;
        let detail = match shown {
            // An editor names its sessions whole: another spelling would be another one to it.
            Ok(reply::Session { session: known }) if known.summary.id.as_str() != session => {
                return Err(self.refused(no_session(session, self.say())));
            }
            Ok(reply::Session { session }) => Some(session),
            // The session was opened, and nothing asked in it yet.
            Err(error)
                if error.code == ErrorCode::NotFound && SessionId::from(session).is_minted_beforehand() =>
            {
                None
            }
            Err(error) if error.code == ErrorCode::NotFound => {
                return Err(self.refused(no_session(session, self.say())));
            }
            Err(error) => return Err(self.refused(error)),
        };
        if let Some(detail) = &detail {
            note_what_waits(detail, &mut thread);
        }
        let folder = thread.folder.clone();
        let opened = self.threads.open(session, thread, self.say());
        opened.map_err(|error| self.refused(error))?;
        if let Some(detail) = detail.filter(|_| told == Delivery::Again) {
            let folder = self.folder_of(session, folder).await?;
            let mut updates = Updates::new(self.language, told, folder);
            for event in &detail.events {
                for update in updates.take(event) {
                    self.editor.update(session, update).await;
                }
            }
        }
        Ok(json!({"modes": modes(mode, self.say())}))
    }

    /// The sessions that have a folder, which an editor needs.
    pub(super) async fn list(self: &Arc<Self>, params: &Value) -> Result<Value, Refusal> {
        let cwd = params.get("cwd").and_then(Value::as_str);
        let listed = self.with_connection(async |connection| {
            let limit = SESSIONS_LISTED;
            let reply::Sessions { sessions } = connection.ask(request::SessionList { limit }).await?;
            let mut listed = Vec::new();
            for session in sessions {
                let of = request::folders::List {
                    session: Some(session.id.clone()),
                    paths: Vec::new(),
                };
                let reply::Folders { folders } = connection.ask(of).await?;
                let paths: Vec<&str> = folders
                    .folders
                    .iter()
                    .map(|folder| folder.path.as_str())
                    .collect();
                let found = match cwd {
                    Some(cwd) => paths.iter().find(|path| **path == cwd),
                    None => paths.first(),
                };
                if let Some(path) = found {
                    listed.push(json!({
                        "sessionId": session.id,
                        "cwd": path,
                        "title": session.title,
                        "updatedAt": session.updated,
                    }));
                }
            }
            Ok(listed)
        });
        let sessions = listed.await.map_err(|error| self.refused(error))?;
        Ok(json!({"sessions": sessions}))
    }

    /// The folder below which a session's places lie. The folder that the editor opens counts where it is one of
    /// the session's own.
    async fn folder_of(
        self: &Arc<Self>,
        session: &str,
        opened: Option<String>,
    ) -> Result<Option<String>, Refusal> {
        let of = request::folders::List {
            session: Some(SessionId::from(session)),
            paths: Vec::new(),
        };
        let asked = self
            .with_connection(async |connection| connection.ask(of).await)
            .await;
        let reply::Folders { folders } = asked.map_err(|error| self.refused(error))?;
        let mut own = folders.folders.into_iter().map(|folder| folder.path);
        let first = own.next();
        let is_own = |opened: &String| first.as_ref() == Some(opened) || own.any(|path| path == *opened);
        // A session without a folder names whole places alone.
        Ok(opened.filter(is_own).or(first))
    }

    /// A session as its editor opens it.
    fn thread(&self, params: &Value, method: &str) -> Result<Thread, Refusal> {
        let cwd = params.get("cwd").and_then(Value::as_str);
        let cwd = cwd.ok_or_else(|| self.wrong(method))?;
        let mut thread = Thread::default();
        match folder(cwd, self.say()).map_err(|error| self.refused(error))? {
            Ok(folder) => thread.folder = Some(folder),
            Err(note) => thread.notes.push(note),
        }
        let servers = params.get("mcpServers").and_then(Value::as_array);
        let names = servers.into_iter().flatten().take(crate::limits::ROWS_SHOWN);
        let names: Vec<String> = names.map(|server| shown(text(server, "name"))).collect();
        if !names.is_empty() {
            thread.notes.push(self.say().servers_left_out(names.join(", ")));
        }
        Ok(thread)
    }

    /// The mode that new sessions begin with.
    async fn usual_mode(self: &Arc<Self>) -> Result<Mode, Refusal> {
        let asked = self.with_connection(async |connection| connection.ask(request::ConfigList {}).await);
        let reply::Config { entries, .. } = asked.await.map_err(|error| self.refused(error))?;
        let mode = entries.into_iter().find(|entry| entry.key == "mode");
        let mode = mode.and_then(|entry| serde_json::from_value(Value::from(entry.value)).ok());
        Ok(mode.unwrap_or_default())
    }
}

/// What a session waits for: a question is answered by the next prompt, a decision is asked for before it.
fn note_what_waits(detail: &SessionDetail, thread: &mut Thread) {
    let resting = detail
        .runs
        .iter()
        .filter(|run| run.status == Some(RunStatus::Suspended));
    for run in resting {
        for card in &run.waiting {
            if let RunEventKind::Question { call, .. } = &card.event.kind {
                let waits = (card.event.run.clone(), *call);
                thread.question.get_or_insert(waits);
            }
        }
        if thread.question.is_none() {
            thread.undecided.get_or_insert_with(|| run.id.clone());
        }
        thread.begun_elsewhere = true;
    }
}
