//! Rows to write and a folder to write them to.

use serde_json::json;
use shidi_protocol::{
    Body, Call, CallId, CallOutcome, CallRecord, CallState, ChangeKind, Class, ErrorCode, ExecId, Ground,
    MemoryId, MemoryKind, MemoryRecord, Mode, Moment, RunId, RunStatus, Segment, SegmentId, SegmentKind,
    SessionId, Span, TraceQuery, Usage, UserError,
};
use shidi_store::{
    Batch, BlobFile, BlobPurpose, BlobReference, BlobWrite, ChangeRow, ChangeWrite, MemoryWrite, OpenOptions,
    RunState, Session, Store, Variable, Write,
};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// A search waits for the index however slow the machine is, so what it finds is certain.
pub fn patient() -> OpenOptions {
    OpenOptions {
        index_most: Duration::from_secs(60),
        ..OpenOptions::default()
    }
}

pub struct Folder {
    pub folder: TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("shidi").join("shidi.db")
    }

    pub fn open(&self) -> Store {
        Store::open(&self.path(), patient()).unwrap()
    }

    /// All bytes of all files of the store.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for entry in std::fs::read_dir(self.path().parent().unwrap()).unwrap() {
            bytes.extend(std::fs::read(entry.unwrap().path()).unwrap());
        }
        bytes
    }

    pub fn holds(&self, text: &str) -> bool {
        let needle = text.as_bytes();
        self.bytes().windows(needle.len()).any(|window| window == needle)
    }
}

pub fn session(id: &str) -> Session {
    Session {
        id: SessionId::from(id),
        created: Moment(1_000),
        updated: Moment(1_000),
        title: format!("title of {id}"),
        is_named: false,
        folders: vec!["/home/me/work".to_owned()],
        mode: Mode::Risky,
    }
}

pub fn segment(id: u32, run: &str, kind: SegmentKind, text: &str) -> Segment {
    Segment {
        id: SegmentId(id),
        run: RunId::from(run),
        body: Body::plain(&kind, text.to_owned()),
        exec: Some(ExecId(2)),
        round: 1,
        tainted: true,
        time: Moment(2_000 + i64::from(id)),
    }
}

pub fn append(session: &str, id: u32, text: &str) -> Write {
    let segment = Box::new(segment(id, "r1", SegmentKind::User, text));
    Write::AppendSegment {
        session: SessionId::from(session),
        segment,
    }
}

/// A question of the session came with a file of that place.
pub fn refer(session: &str, place: &str) -> Write {
    refer_for(session, BlobPurpose::Attachment, "r1", place)
}

pub fn refer_for(session: &str, purpose: BlobPurpose, owner: &str, place: &str) -> Write {
    Write::Blob(BlobWrite::Refer(Box::new(BlobReference {
        file: BlobFile {
            place: place.to_owned(),
            name: "notes.txt".to_owned(),
        },
        session: Some(SessionId::from(session)),
        run: RunId::from("r1"),
        purpose,
        owner: owner.to_owned(),
    })))
}

/// A call of the session changed a file.
pub fn change(session: &str, call: u32) -> Write {
    Write::Change(ChangeWrite::Put(Box::new(ChangeRow {
        session: Some(SessionId::from(session)),
        run: RunId::from("r1"),
        call: CallId(call),
        kind: ChangeKind::Write,
        path: format!("/home/me/work/notes of {session}.txt"),
        target: None,
        created: false,
        added: 2,
        removed: 1,
        bytes: None,
        undone: false,
        time: Moment(i64::from(call)),
        data: json!({"bytes": 12}),
        after: "5e1f".to_owned(),
    })))
}

pub fn run(id: &str, session: &str, status: Option<RunStatus>) -> RunState {
    RunState {
        run: RunId::from(id),
        session: SessionId::from(session),
        parent: None,
        status,
        state: json!({"round": 3, "exec": 2}),
        question: "why?".to_owned(),
        usage: Usage {
            input: 10,
            cached: 4,
            output: 5,
            cost: Some(0.1),
            model_calls: 1,
            estimated: false,
        },
        offline: false,
        waiting: Vec::new(),
        started: Moment(1_500),
        ended: status.map(|_| Moment(1_900)),
        reason: Some("because".to_owned()),
        error: Some(UserError::new(ErrorCode::Model, "It broke").hint("Mend it")),
        seq: 7,
        build: "0.1.0".to_owned(),
    }
}

pub fn call(run: &str, id: u32, state: CallState) -> CallRecord {
    let mut args = shidi_protocol::JsonMap::new();
    args.insert("path".to_owned(), json!("z.md"));
    args.insert("limit".to_owned(), json!(0.1));
    CallRecord {
        run: RunId::from(run),
        call: Call {
            id: CallId(id),
            exec: ExecId(1),
            toolkit: "files".to_owned(),
            method: "read".to_owned(),
            args,
            line: 4,
            places: [("path".to_owned(), "/home/a/z.md".to_owned())].into(),
        },
        class: Class::ReadOutside,
        state,
        grounds: vec![Ground::User {
            approved: true,
            always: false,
            reason: None,
        }],
        outcome: Some(CallOutcome::success(json!({"b": 1, "a": [null, 2.5]}), "2 lines").untrusted()),
        answered: Some(id),
        started: Moment(1_600),
        ended: Some(Moment(1_601)),
    }
}

pub fn variable(name: &str, value: serde_json::Value) -> Variable {
    Variable {
        name: name.to_owned(),
        kind: "dict".to_owned(),
        text: value.to_string(),
        value: Some(value),
        tainted: true,
        run: Some(RunId::from("r1")),
    }
}

pub fn span(id: u32) -> Span {
    Span {
        id,
        parent: id.checked_sub(1),
        operation: "chat".to_owned(),
        name: "gpt".to_owned(),
        started: Moment(1_500 + i64::from(id) * 10),
        ms: 20,
        open: false,
        attributes: shidi_protocol::JsonMap::from_iter([("tokens".to_owned(), json!(3))]),
    }
}

/// The newest runs, whatever they are.
pub fn newest(limit: u32) -> TraceQuery {
    TraceQuery {
        limit,
        ..TraceQuery::default()
    }
}

/// Something that the user told at 3 s.
pub fn told(id: &str, text: &str) -> MemoryRecord {
    MemoryRecord::new(MemoryId::from(id), MemoryKind::Knowledge, text, Moment(3_000))
}

pub fn put(record: MemoryRecord) -> Write {
    Write::Memory(MemoryWrite::Put(Box::new(record)))
}

/// Takes the closed store back to format 18, which had notes in place of memory, and no context in its index.
pub fn undo_memory(folder: &Folder) {
    rusqlite::Connection::open(folder.path())
        .unwrap()
        .execute_batch(
            "CREATE TABLE note (
               row     INTEGER PRIMARY KEY,
               id      TEXT NOT NULL UNIQUE,
               text    TEXT NOT NULL,
               session TEXT REFERENCES session (id) ON DELETE SET NULL,
               time    INTEGER NOT NULL,
               tainted INTEGER NOT NULL
             ) STRICT;
             CREATE INDEX note_by_session ON note (session);
             INSERT INTO note SELECT row, id, text, session, time, tainted FROM memory;
             DROP TABLE guess; DROP TABLE correction; DROP TABLE experience_link; DROP TABLE prompt_part; DROP TABLE prompt_kind; DROP TABLE form_answer; DROP TABLE form_use; DROP TABLE schedule_run; DROP TABLE schedule; DROP TABLE workflow_program; DROP TABLE workflow_step; DROP TABLE workflow_run;
             DROP TABLE change; DROP TABLE blob_reference; DROP TABLE blob;
             DROP TABLE partial_answer; ALTER TABLE segment DROP COLUMN body;
             ALTER TABLE call DROP COLUMN places;
             ALTER TABLE run_state DROP COLUMN parent; ALTER TABLE session DROP COLUMN head;
             ALTER TABLE session DROP COLUMN named;
             DROP TABLE variable;
             CREATE TABLE variable (
               session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
               name    TEXT NOT NULL,
               kind    TEXT NOT NULL,
               value   TEXT,
               text    TEXT NOT NULL,
               tainted INTEGER NOT NULL,
               run     TEXT,
               PRIMARY KEY (session, name)
             ) STRICT;
             DROP INDEX segment_recalled;
             DROP TABLE piece; DROP TABLE document; DROP TABLE base_source; DROP TABLE base;
             DROP TRIGGER vector_of_erased_segment; DROP TRIGGER vector_of_changed_segment; DROP TABLE vector;
             DROP TABLE experience_run; DROP TABLE experience; DROP TABLE learning; DROP TABLE contradiction;
             DROP VIEW remembered; DROP TABLE memory; DROP TABLE visit; DROP TABLE attribution;
             DROP TABLE search_vocabulary; DROP TABLE search; DROP TABLE search_mark; DROP TABLE switch;
             CREATE VIRTUAL TABLE search USING fts5 (words, pairs, content = '', tokenize = 'ascii');
             CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, 'row');
             CREATE TABLE search_mark (
               id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, segment INTEGER NOT NULL,
               note INTEGER NOT NULL) STRICT;
             INSERT INTO search_mark (id, version, segment, note) VALUES (1, 0, 0, 0);
             PRAGMA user_version = 18;",
        )
        .unwrap();
}

/// A store with session `s1` and its run `r1`.
pub fn with_session(folder: &Folder) -> Store {
    let store = folder.open();
    let run = Write::PutRun(Box::new(run("r1", "s1", None)));
    store
        .commit(Batch(vec![Write::PutSession(session("s1")), run]))
        .unwrap();
    store
}
