//! What was said before a task, as a session of its data folder: exchanges on record, which nobody asks again.

use serde_json::{Value, json};
use shidi_evaluation::Exchange;
use shidi_locales::Language;
use shidi_protocol::request::SessionImport;
use shidi_protocol::{
    Body, ErrorCode, Moment, RunId, RunStatus, RunSummary, Segment, SegmentId, SessionId, SessionSummary,
    Usage, UserError, reply,
};
use shidi_runtime::Connection;
use shidi_space::clock;
use shidi_space::export_key::{ExportKey, FileOf};
use shidi_space::home::Home;
use std::path::Path;

/// Puts a session with that history into the data folder. It counts as the folder's own: a stranger's would mark the task.
///
/// # Errors
/// A disk that takes no more.
pub async fn told(
    connection: &Connection,
    data: &Path,
    file: &Path,
    history: &[Exchange],
    language: Language,
) -> Result<SessionId, UserError> {
    let unwritten = |cause: std::io::Error| UserError::new(ErrorCode::Storage, cause.to_string());
    let home = Home::open(Some(data.to_owned()), language)?;
    let key = ExportKey::of(&home).map_err(unwritten)?;
    let mut digest = key.begin(FileOf::Session);
    let mut text = String::new();
    for line in lines(history, clock::now()) {
        let line = line.to_string();
        digest.add(&line);
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&digest.end());
    text.push('\n');
    std::fs::write(file, text).map_err(unwritten)?;
    let import = SessionImport {
        path: file.to_string_lossy().into_owned(),
    };
    let reply::Session { session } = connection.ask(import).await?;
    Ok(session.summary.id)
}

/// The lines of the session's file.
fn lines(history: &[Exchange], now: Moment) -> Vec<Value> {
    let runs: Vec<RunId> = history.iter().map(|_| RunId::mint()).collect();
    let summary = SessionSummary {
        id: SessionId::mint(),
        title: history
            .first()
            .map(|first| first.question.clone())
            .unwrap_or_default(),
        created: now,
        updated: now,
        questions: u32::try_from(history.len()).unwrap_or(u32::MAX),
        excerpt: None,
        waiting: 0,
        assistant: None,
    };
    let mut lines = vec![json!({"type": "session", "session": summary, "head": runs.last()})];
    let mut parent: Option<RunId> = None;
    for (exchange, run) in history.iter().zip(&runs) {
        let row = RunSummary {
            id: run.clone(),
            parent: parent.replace(run.clone()),
            versions: Vec::new(),
            status: Some(RunStatus::Completed),
            reason: None,
            error: None,
            usage: Usage::default(),
            offline: false,
            waiting: Vec::new(),
            awaiting: None,
            seq: 0,
        };
        lines.push(json!({
            "type": "run",
            "run": row,
            "question": exchange.question,
            "started": now,
            "ended": now,
        }));
    }
    let mut id = SegmentId::default();
    for (exchange, run) in history.iter().zip(runs) {
        let question = Body::User {
            text: exchange.question.clone(),
        };
        let answer = Body::Express {
            text: exchange.answer.clone(),
        };
        for body in [question, answer] {
            id = id.next();
            let segment = Segment {
                id,
                run: run.clone(),
                body,
                exec: None,
                round: 0,
                tainted: exchange.tainted,
                time: now,
            };
            lines.push(json!({"type": "segment", "segment": segment}));
        }
    }
    lines
}
