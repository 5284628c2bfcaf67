//! A life of a store that can be checked at any moment: numbered operations, each one transaction over all tables that are told
//! of later, and what must be true after the first so many of them.
//!
//! Tests that take a store's life at a bad moment share it: `killing.rs` ends the process, `power.rs` the disk's power.

use crate::fixture::{Folder, append, change, put, refer, session, told, with_session};
use rusqlite::Connection;
use shidi_protocol::{
    DocumentId, Experience, ExperienceDraft, ExperienceGround, ExperienceId, ExperienceState,
    KnowledgeDocument, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment,
    SessionId,
};
use shidi_store::{
    BlobKept, Embedded, Ended, ExperienceKeys, ExperienceWrite, Integrity, KnowledgeWrite, MemoryFilter,
    MemoryWrite, SearchScope, SeenPiece, Store, StoreError, Write,
};
use std::path::Path;
use std::time::Duration;

const SUBJECT: &str = "lantern";
const BASE: &str = "house";
const MODEL: &str = "ollama:small";
/// A file that several sessions refer to.
const SHARED: &str = "blobs/shared";
const DOCUMENTS: u32 = 3;
const EXPERIENCES: u32 = 5;
/// One of this many operations writes something that the one after it erases.
const ERASED_EVERY: u32 = 7;

/// An empty store in which the operations can begin.
pub fn begin(folder: &Folder) -> Store {
    let store = with_session(folder);
    let base = Write::Knowledge(KnowledgeWrite::PutBase(shidi_store::Base {
        name: BASE.to_owned(),
        about: String::new(),
        at: None,
        created: Moment(1),
    }));
    store.commit(base).unwrap();
    store
}

/// How many operations are done.
pub fn done(store: &Store) -> u32 {
    u32::try_from(store.segments(&s1()).unwrap().len()).unwrap()
}

/// Does the operation of that number; returns when it is acknowledged.
pub fn perform(store: &Store, number: u32) -> Result<(), StoreError> {
    // The buffered row must not come without the ones before it, and what was erased must not come back.
    store.buffer(Write::PutSetting {
        key: "n".to_owned(),
        value: number.into(),
    })?;
    if number.is_multiple_of(ERASED_EVERY) {
        let fleeting = session("fleeting");
        let gone = Write::DeleteSession(fleeting.id.clone());
        store.commit(vec![
            gone.clone(),
            Write::PutSession(fleeting),
            append("fleeting", 1, "gone"),
            put(told("fleeting", "gone soon")),
            refer("fleeting", "blobs/fleeting"),
            refer("fleeting", SHARED),
        ])?;
        store.commit(vec![
            gone,
            Write::Memory(MemoryWrite::Delete(MemoryId::from("fleeting"))),
        ])?;
    }
    store.commit(operation(number))?;
    place(store)
}

/// Gives what has no vector yet one, as a model in the background does.
fn place(store: &Store) -> Result<(), StoreError> {
    let placed = store.unplaced(MODEL, 100)?.into_iter().map(|text| Embedded {
        document: text.document,
        numbers: vec![1.0, text.text.len() as f32],
        text: text.text,
    });
    store.buffer(Write::PutVectors {
        model: MODEL.to_owned(),
        placed: placed.collect(),
    })
}

fn operation(number: u32) -> Vec<Write> {
    let mut statement = told(&format!("m{number}"), &statement_of(number));
    statement.subject = Some(SUBJECT.to_owned());
    statement.valid_from = Moment(i64::from(number));
    let mut batch = vec![
        append("s1", number, "an acknowledged segment 确认"),
        put(statement),
        Write::Memory(MemoryWrite::Use {
            memories: vec![MemoryId::from("m1")],
            at: Moment(i64::from(number)),
        }),
        put_experience(number),
        Write::Experience(ExperienceWrite::Decide {
            experience: experience_id(number),
            state: ExperienceState::Approved,
            ground: ExperienceGround::User,
            at: Moment(i64::from(number)),
        }),
    ];
    batch.extend(piece(number));
    batch.extend([
        refer("s1", SHARED),
        refer("s1", &place_of(number)),
        change("s1", number),
    ]);
    // Records that nobody needs come and go.
    match number % 4 {
        1 => batch.push(put(told("passing", "something passing"))),
        3 => batch.push(Write::Memory(MemoryWrite::Evict(vec![MemoryId::from("passing")]))),
        _ => {}
    }
    batch
}

/// One file for each operation.
fn place_of(number: u32) -> String {
    format!("blobs/{number}")
}

fn statement_of(number: u32) -> String {
    format!("the lantern hangs in room {number}")
}

fn put_experience(number: u32) -> Write {
    let draft = ExperienceDraft {
        goal: format!("goal {number}"),
        lesson: "lesson ".repeat(20),
        code: format!("print({number})"),
    };
    Write::Experience(ExperienceWrite::Put {
        experience: Box::new(Experience::written(experience_id(number), draft, Moment(5_000))),
        keys: ExperienceKeys::default(),
    })
}

fn experience_id(number: u32) -> ExperienceId {
    ExperienceId::from(format!("e{}", number % EXPERIENCES))
}

/// One more piece of a document, as an import writes it.
fn piece(number: u32) -> Vec<Write> {
    let document = DocumentId::from(format!("d{}", number % DOCUMENTS));
    let memory = MemoryId::from(format!("c{number}"));
    let text = format!("chapter{number} says what the house is made of");
    let mut record = MemoryRecord::new(memory.clone(), MemoryKind::Chunk, text, Moment(1));
    record.scope = MemoryScope::Base(BASE.to_owned());
    record.source.document = Some(document.as_str().to_owned());
    record.sort_value = i64::from(number);
    vec![
        put(record),
        Write::Knowledge(KnowledgeWrite::PutPiece(SeenPiece {
            base: BASE.to_owned(),
            document: document.clone(),
            fingerprint: format!("f{number}"),
            memory,
            owns: true,
            round: 1,
        })),
        Write::Knowledge(KnowledgeWrite::PutDocument(Box::new(KnowledgeDocument {
            place: format!("/{}.md", document.as_str()),
            id: document,
            base: BASE.to_owned(),
            format: "text".to_owned(),
            bytes: u64::from(number),
            changed: Moment(1),
            imported: Moment(1),
            pieces: u64::from(number),
            duplicates: 0,
            deprecated: 0,
            partial: false,
            reason: None,
            detail: None,
        }))),
    ]
}

/// Checks everything after a bad moment in which `acknowledged` operations were acknowledged: none of them is lost, no operation is
/// there in part, and the files are sound. Closes the store and returns how many operations are done.
pub fn check(store: Store, acknowledged: u32) -> u32 {
    let segments = store.segments(&s1()).unwrap();
    let ids: Vec<u32> = segments.iter().map(|segment| segment.id.0).collect();
    let count = u32::try_from(ids.len()).unwrap();
    assert_eq!(ids, (1..=count).collect::<Vec<_>>());
    assert!(
        count >= acknowledged,
        "{acknowledged} acknowledged, {count} there"
    );
    let setting = store.setting("n").unwrap().and_then(|value| value.as_u64());
    assert!(setting.unwrap_or(0) >= u64::from(count));
    assert_eq!(store.check(Duration::from_secs(60)).unwrap(), Integrity::Sound);
    let read = reading(&store).unwrap();
    assert_eq!(read, count, "a operation is there in part");
    for number in 1..=count {
        let chunk = store.memory(&MemoryId::from(format!("c{number}"))).unwrap();
        assert!(chunk.is_some(), "chunk {number} of {count}");
    }
    for last in count.saturating_sub(EXPERIENCES) + 1..=count {
        let experience = store.experience(&experience_id(last)).unwrap().unwrap();
        assert_eq!(experience.goal, format!("goal {last}"));
        assert_eq!(experience.state, ExperienceState::Approved);
    }
    for last in count.saturating_sub(DOCUMENTS) + 1..=count {
        let id = DocumentId::from(format!("d{}", last % DOCUMENTS));
        assert_eq!(
            store.document(&id).unwrap().map(|found| found.pieces),
            Some(u64::from(last))
        );
    }
    let mut places = store.blobs().unwrap();
    places.retain(|place| place != "blobs/fleeting" && place != SHARED);
    let mut expected: Vec<String> = (1..=count).map(place_of).collect();
    expected.sort();
    assert_eq!(places, expected, "a file with a row for each operation");
    assert_eq!(
        store.blob_kept(SHARED).unwrap() != BlobKept::Nothing,
        count > 0 || !fleeting_is_gone(&store)
    );
    let changes = store.changes(Some(&s1()), 1_000_000).unwrap();
    assert_eq!(changes.len(), count as usize);
    // The erasure of what the operation before wrote was acknowledged; of the next operation it may be under way.
    if !(count + 1).is_multiple_of(ERASED_EVERY) {
        assert!(fleeting_is_gone(&store));
    }
    let passing = store.memory(&MemoryId::from("passing")).unwrap();
    assert_eq!(passing.is_some(), matches!(count % 4, 1 | 2));
    if count > 0 {
        let m1 = store.memory(&MemoryId::from("m1")).unwrap().unwrap();
        assert_eq!(m1.uses, count);
        let hits = store
            .recall(&asks(&format!("chapter{count}"), MemoryKind::Chunk))
            .unwrap();
        assert_eq!(hits.first().map(|hit| hit.id.clone()), Some(format!("c{count}")));
    }
    // A search for the transcript waits for its index.
    let found = store.search("确认", &SearchScope::Everything, 1).unwrap();
    assert_eq!(found.len(), count.min(1) as usize);
    let path = store.path().to_owned();
    drop(store);
    check_files(&path, count);
    count
}

/// One look at what is known: the statements are a line without gaps of which the newest alone is so, and the search finds
/// that one. Returns its number.
pub fn reading(store: &Store) -> Result<u32, StoreError> {
    let filter = MemoryFilter {
        kinds: vec![MemoryKind::Knowledge],
        scopes: vec![MemoryScope::User],
        ended: Ended::Included,
    };
    let records = store.memories(&filter, 0, 100_000)?;
    let mut line: Vec<_> = records.iter().filter(|record| record.subject.is_some()).collect();
    line.sort_by_key(|record| record.valid_from);
    let count = u32::try_from(line.len()).unwrap();
    for (record, number) in line.iter().zip(1..) {
        let next = (number < count).then(|| MemoryId::from(format!("m{}", number + 1)));
        let ended = next.as_ref().map(|_| Moment(i64::from(number) + 1));
        if record.text != statement_of(number) || record.superseded_by != next || record.valid_to != ended {
            return Err(torn(format!("record {number} of {count}: {record:?}")));
        }
    }
    let hits = store.recall(&asks("where is the lantern", MemoryKind::Knowledge))?;
    // The search came later than the list, so it may know more.
    match hits.first() {
        None if count == 0 => Ok(0),
        Some(hit) if hit.ended.is_none() && number_of(&hit.id) >= Some(count) => Ok(count),
        first => Err(torn(format!("with {count} records the search finds {first:?}"))),
    }
}

fn torn(detail: String) -> StoreError {
    StoreError::Unreadable { detail }
}

/// The same as [`check`] for a database whose index was lost.
pub fn check_after_rescue(store: Store) -> u32 {
    let count = done(&store);
    check(store, count)
}

fn number_of(id: &str) -> Option<u32> {
    id.strip_prefix('m')?.parse().ok()
}

/// What the store itself does not ask: SQLite's own checks of tables, indexes and full text, and whether rows that belong
/// together are all there.
fn check_files(path: &Path, count: u32) {
    let connection = Connection::open(path).unwrap();
    let text = |sql| {
        connection
            .query_row(sql, [], |row| row.get::<_, String>(0))
            .unwrap()
    };
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    connection
        .execute("INSERT INTO search (search) VALUES ('integrity-check')", [])
        .unwrap();
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let indexed = number("SELECT count(*) FROM search_docsize");
    let texts = number("SELECT (SELECT count(*) FROM segment) + (SELECT count(*) FROM memory)");
    assert_eq!(
        indexed, texts,
        "texts without their place in the index, or the reverse"
    );
    let astray = number(
        "SELECT count(*) FROM vector WHERE NOT EXISTS (SELECT 1 FROM memory WHERE memory.row * 2 + 1 = vector.document)
           AND NOT EXISTS (SELECT 1 FROM segment WHERE segment.row * 2 = vector.document)",
    );
    assert_eq!(astray, 0, "vectors without their texts");
    let lost = number("SELECT count(*) FROM blob_reference WHERE place NOT IN (SELECT place FROM blob)");
    assert_eq!(lost, 0, "references to files that are not kept");
    let pieces = number("SELECT count(*) FROM piece JOIN memory ON memory.id = piece.memory");
    assert_eq!(pieces, count);
    assert_eq!(number("SELECT count(*) FROM piece"), count);
}

fn fleeting_is_gone(store: &Store) -> bool {
    let session = store.session(&SessionId::from("fleeting")).unwrap();
    let is_kept = store.blob_kept("blobs/fleeting").unwrap() != BlobKept::Nothing;
    assert_eq!(
        is_kept,
        session.is_some(),
        "a file that nothing refers to, or the reverse"
    );
    session.is_none() && store.memory(&MemoryId::from("fleeting")).unwrap().is_none()
}

fn asks(text: &str, kind: MemoryKind) -> MemoryQuery {
    let scope = match kind {
        MemoryKind::Chunk => MemoryScope::Base(BASE.to_owned()),
        _ => MemoryScope::User,
    };
    MemoryQuery {
        text: text.to_owned(),
        kinds: vec![kind],
        scopes: MemoryScopes::These(vec![scope]),
        page: None,
        except: None,
        now: Moment(9_000),
        limit: 5,
    }
}

fn s1() -> SessionId {
    SessionId::from("s1")
}
