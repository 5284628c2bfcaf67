//! The corpus of `tests/memory/corpus`, played into a real store in the order of time: a question sees the past alone.

use serde::Deserialize;
use serde_json::Value;
use shidi_protocol::{
    Body, MemoryData, MemoryId, MemoryKind, MemoryOrigin, MemoryQuery, MemoryRecord, MemoryScope,
    MemoryScopes, Mode, Moment, RunId, Segment, SegmentId, SegmentKind, SessionId,
};
use shidi_store::{Batch, MemoryWrite, Session, Store, Visit, Write, canonical};
use std::path::{Path, PathBuf};

/// Hits that are looked at for one question.
pub const HITS: u32 = 50;

#[derive(Deserialize)]
struct Conversation {
    id: String,
    time: Moment,
    assistant: Option<String>,
    page: Option<Page>,
    #[serde(default)]
    incognito: bool,
    segments: Vec<Turn>,
    #[serde(default)]
    records: Vec<Written>,
    deletes: Option<OneOrMany<Deleted>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    Many(Vec<T>),
    One(T),
}

#[derive(Deserialize)]
struct Page {
    url: String,
    #[serde(default)]
    title: String,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    role: String,
    time: Moment,
    text: String,
}

#[derive(Deserialize)]
struct Written {
    id: String,
    kind: MemoryKind,
    time: Moment,
    scope: MemoryScope,
    #[serde(default)]
    source: Vec<String>,
    corrects: Option<String>,
    #[serde(flatten)]
    told: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
struct Deleted {
    time: Moment,
    ids: Vec<String>,
}

#[derive(Deserialize, Clone)]
pub struct Question {
    pub id: String,
    pub kind: String,
    pub language: String,
    pub text: String,
    pub asked_at: Moment,
    assistant: Option<String>,
    page: Option<String>,
    #[serde(default)]
    pub evidence: Vec<Vec<String>>,
    #[serde(default)]
    pub stale: Vec<String>,
    #[serde(default)]
    pub forbidden: Vec<String>,
}

impl Question {
    pub fn query(&self) -> MemoryQuery {
        let mut scopes = vec![MemoryScope::User];
        scopes.extend(self.assistant.clone().map(MemoryScope::Assistant));
        MemoryQuery {
            text: self.text.clone(),
            kinds: Vec::new(),
            scopes: MemoryScopes::These(scopes),
            page: self.page.clone(),
            except: None,
            now: self.asked_at,
            limit: HITS,
        }
    }
}

/// One half of the corpus.
pub struct Half {
    events: Vec<(Moment, Event)>,
    pub questions: usize,
    pub sessions: usize,
}

enum Event {
    Write(Batch),
    Ask(Box<Question>),
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/memory/corpus")
}

impl Half {
    pub fn load(name: &str) -> Self {
        let conversations: Vec<Conversation> = lines(&folder().join(name), "sessions");
        let questions: Vec<Question> = lines(&folder().join(name), "questions");
        let mut half = Self {
            events: Vec::new(),
            questions: questions.len(),
            sessions: conversations.len(),
        };
        for conversation in conversations
            .iter()
            .filter(|conversation| !conversation.incognito)
        {
            half.play(conversation);
        }
        for question in questions {
            half.events
                .push((question.asked_at, Event::Ask(Box::new(question))));
        }
        // Stable: what has the same time stays in the order of the files, questions last.
        half.events.sort_by_key(|(time, _)| *time);
        half
    }

    /// The questions, and the records that were ever written, by id.
    pub fn pairs(&self) -> (Vec<Question>, std::collections::HashMap<String, MemoryRecord>) {
        let mut questions = Vec::new();
        let mut records = std::collections::HashMap::new();
        for (_, event) in &self.events {
            match event {
                Event::Ask(question) => questions.push((**question).clone()),
                Event::Write(batch) => {
                    for write in &batch.0 {
                        if let Write::Memory(MemoryWrite::Put(record))
                        | Write::Memory(MemoryWrite::Supersede { new: record, .. }) = write
                        {
                            records.insert(record.id.as_str().to_owned(), (**record).clone());
                        }
                    }
                }
            }
        }
        (questions, records)
    }

    /// Plays everything into the store and calls `ask` for each question at its time.
    pub fn run(&self, store: &Store, mut ask: impl FnMut(&Question)) {
        for (_, event) in &self.events {
            match event {
                Event::Write(batch) => store.commit(batch.clone()).unwrap(),
                Event::Ask(question) => ask(question),
            }
        }
    }

    fn play(&mut self, conversation: &Conversation) {
        let session = SessionId::from(conversation.id.as_str());
        let site = conversation.page.as_ref().map(|page| canonical(&page.url));
        let mut first = vec![Write::PutSession(Session {
            id: session.clone(),
            created: conversation.time,
            updated: conversation.time,
            title: conversation.id.clone(),
            is_named: false,
            folders: Vec::new(),
            mode: Mode::Risky,
        })];
        if let Some(assistant) = conversation.assistant.clone() {
            first.push(Write::AttributeSession {
                session: session.clone(),
                assistant,
            });
        }
        if let (Some(page), Some(site)) = (&conversation.page, &site) {
            let (site, title) = (site.clone(), page.title.clone());
            first.push(Write::PutVisit(Visit {
                session: session.clone(),
                site,
                title,
                time: conversation.time,
            }));
        }
        self.events.push((conversation.time, Event::Write(Batch(first))));
        for turn in &conversation.segments {
            let write = Write::AppendSegment {
                session: session.clone(),
                segment: Box::new(segment(turn)),
            };
            self.events.push((turn.time, Event::Write(write.into())));
        }
        for written in &conversation.records {
            let record = Box::new(record(written, &session, site.clone()));
            let write = match &written.corrects {
                Some(old) => Write::Memory(MemoryWrite::Supersede {
                    old: MemoryId::from(old.as_str()),
                    new: record,
                }),
                None => Write::Memory(MemoryWrite::Put(record)),
            };
            self.events.push((written.time, Event::Write(write.into())));
        }
        let deleted: &[Deleted] = match &conversation.deletes {
            Some(OneOrMany::Many(deleted)) => deleted,
            Some(OneOrMany::One(deleted)) => std::slice::from_ref(deleted),
            None => &[],
        };
        for deleted in deleted {
            let batch = deleted.ids.iter().map(|id| erase(id)).collect();
            self.events.push((deleted.time, Event::Write(batch)));
        }
    }
}

fn lines<T: for<'de> Deserialize<'de>>(folder: &Path, name: &str) -> Vec<T> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(name))
        .collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).unwrap());
    texts
        .flat_map(|text| {
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect::<Vec<T>>()
        })
        .collect()
}

/// `d001.3` is the third segment of `d001`.
fn place(id: &str) -> (SessionId, SegmentId) {
    let (session, number) = id.rsplit_once('.').unwrap();
    (SessionId::from(session), SegmentId(number.parse().unwrap()))
}

/// The id that the corpus gives to a hit.
pub fn named(hit: &str) -> String {
    hit.replace('/', ".")
}

fn segment(turn: &Turn) -> Segment {
    Segment {
        id: place(&turn.id).1,
        run: RunId::from("r"),
        body: match turn.role.as_str() {
            "user" => Body::plain(&SegmentKind::User, &turn.text),
            _ => Body::plain(&SegmentKind::Express, &turn.text),
        },
        exec: None,
        round: 0,
        tainted: false,
        time: turn.time,
    }
}

fn erase(id: &str) -> Write {
    if id.contains("-r") {
        return Write::Memory(MemoryWrite::Delete(MemoryId::from(id)));
    }
    let (session, segment) = place(id);
    Write::EraseSegment { session, segment }
}

fn record(written: &Written, session: &SessionId, site: Option<String>) -> MemoryRecord {
    let told = |name: &str| written.told.get(name);
    let text = |name: &str| told(name).map(flat).unwrap_or_default();
    let keys: Vec<String> = told("keys")
        .and_then(Value::as_array)
        .map(|keys| keys.iter().map(flat).collect())
        .unwrap_or_default();
    let words = match written.kind {
        MemoryKind::Preference => format!("{}: {}", text("schema"), text("data")),
        MemoryKind::Summary => format!("{} {}", text("question_type"), text("summary")),
        MemoryKind::Entity => format!("{}: {}", text("title"), text("data")),
        _ => text("text"),
    };
    let id = MemoryId::from(written.id.as_str());
    let mut record = MemoryRecord::new(id, written.kind, words, written.time);
    record.scope = written.scope.clone();
    record.origin = MemoryOrigin::Learned;
    record.source.session = Some(session.clone());
    record.source.segments = written.source.iter().map(|id| place(id).1).collect();
    record.source.site = site;
    match written.kind {
        MemoryKind::Preference => {
            record.data = Some(MemoryData::Preference {
                schema: told("schema").cloned().unwrap_or_default(),
                data: told("data").cloned().unwrap_or_default(),
                operation: String::new(),
            });
        }
        MemoryKind::Summary => {
            record.tags.clone_from(&keys);
            record.data = Some(MemoryData::Summary {
                question_type: text("question_type"),
                keys,
            });
        }
        MemoryKind::Entity => {
            record.entities = vec![text("title")];
            record.data = Some(MemoryData::Entity {
                data: told("data").cloned().unwrap_or_default(),
            });
        }
        _ => {}
    }
    record
}

/// A value as words: names and values of its fields one after the other.
fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(flat).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name} {}", flat(value)))
                .collect();
            fields.join("; ")
        }
        other => other.to_string(),
    }
}
