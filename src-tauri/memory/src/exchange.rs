//! Everything remembered as a file of JSON Lines, and back. A file is read to its end, into a nameless file of checked
//! records, before the first record is kept. So nothing of a broken file is kept, and a file's size needs no room in
//! memory. So an import is no single commit. Where storing breaks off, the kept records are told, and the same file
//! once more brings the rest.
//!
//! A whole export of this data folder brings back the missing records. A record that is here stays as the user has it
//! by now. An erased record is missing: whoever brings it back by hand wants it. In anybody else's file no word about a
//! record's worth counts. Such a record is imported, not pinned, from a stranger, and takes no record's place. Each
//! becomes a statement to all conversations, or to the conversations with one assistant, and nothing else. So none is a
//! piece of a knowledge base, part of a session, or first on a page.

use crate::limits::{
    MEMORY_FILE_BYTES_MAX, MEMORY_FILE_TOGETHER, MEMORY_ID_CHARACTERS_MAX, MEMORY_LINE_BYTES_MAX,
    MEMORY_LINES_MAX,
};
use crate::{explain, line, stated};
use sha2::{Digest, Sha256};
use shidi_protocol::{
    ErrorCode, IMPORTANCE_DEFAULT, MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope,
    MemorySource, Reply, UserError, reply,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::error;
use shidi_space::export_key::{Author, ExportKey, FileOf, Judged, unusable};
use shidi_space::exporting::{self, Export};
use shidi_space::jsonl::{Bounds, LinesFile};
use shidi_store::{Batch, MemoryWrite, Write};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write as _};
use std::sync::Arc;
use tokio::sync::mpsc;

const BOUNDS: Bounds = Bounds {
    lines: MEMORY_LINES_MAX,
    line_bytes: MEMORY_LINE_BYTES_MAX,
    bytes: MEMORY_FILE_BYTES_MAX,
};

/// Bytes of a digest that tell a stranger's record from others with its id.
const DIGEST_BYTES: usize = 8;

/// Writes all records to a file in the form in which [`import`] takes them.
///
/// # Errors
/// A place that can't be written to, or storage trouble.
pub fn export(space: &Space, path: &str) -> Result<reply::MemoryFile, UserError> {
    exporting::to_file(space, FileOf::Memory, path, records)
}

/// The same lines in pieces.
pub fn exported(space: &Arc<Space>) -> mpsc::Receiver<Reply> {
    exporting::in_pieces(space, FileOf::Memory, records)
}

fn records(space: &Space, export: &mut Export<'_>) -> Result<(), UserError> {
    let mut after = Some(0);
    while let Some(from) = after {
        let some = space
            .store
            .memories_written(from, MEMORY_FILE_TOGETHER)
            .map_err(|cause| explain(space, &cause))?;
        for (_, record) in &some {
            export.put(record)?;
        }
        after = some.last().map(|(last, _)| *last);
    }
    Ok(())
}

/// Keeps the records of a file.
///
/// # Errors
/// A file that can't be read, a line that is no record, or storage trouble.
pub fn import(space: &Space, path: &str) -> Result<reply::MemoryFile, UserError> {
    let file = LinesFile::at(space, path)?;
    let key = ExportKey::known(&space.home).map_err(|cause| unusable(space.language(), &cause))?;
    let mut judged = Judged::begin(key.as_ref(), FileOf::Memory);
    let unkept = |cause: io::Error| unkept(space, &cause);
    let mut checked = BufWriter::new(tempfile::tempfile_in(space.home.folder()).map_err(unkept)?);
    let broken = |number: usize, why: &str| broken(space, path, number, why);
    let mut records = 0;
    file.each(BOUNDS, broken, |number, text| {
        let Some(text) = judged.take(text) else {
            return Ok(());
        };
        let record = read(space, number, &text).map_err(|why| broken(number, &why))?;
        records += 1;
        serde_json::to_writer(&mut checked, &record).map_err(|cause| unkept(cause.into()))?;
        checked.write_all(b"\n").map_err(unkept)
    })?;
    let checked = checked.into_inner().map_err(|cause| unkept(cause.into_error()))?;
    let mut kept = 0;
    keep(space, checked, judged.author(), &mut kept).map_err(|error| partly(space, error, kept))?;
    Ok(file.answer(records, judged.author()))
}

/// Keeps records that were all read before, and counts in `done` those that are safe.
fn keep(space: &Space, mut checked: File, author: Author, done: &mut u64) -> Result<(), UserError> {
    let unread = |cause: io::Error| unread(space, &cause);
    checked.rewind().map_err(unread)?;
    let mut batch = Batch::default();
    let mut together = 0;
    for line in BufReader::new(checked).lines() {
        let record: MemoryRecord =
            serde_json::from_str(&line.map_err(unread)?).map_err(|cause| unread(cause.into()))?;
        let kept = match author {
            Author::Own => own(space, record)?,
            Author::Stranger => foreign(space, record)?,
        };
        let Some(record) = kept else { continue };
        batch.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
        together += 1;
        if together == MEMORY_FILE_TOGETHER {
            commit(space, std::mem::take(&mut batch))?;
            *done += u64::from(std::mem::take(&mut together));
        }
    }
    commit(space, batch)
}

/// What the user's own record changes: nothing where it is known, but that it has ended.
fn own(space: &Space, record: MemoryRecord) -> Result<Option<MemoryRecord>, UserError> {
    Ok(match known(space, &record.id)? {
        None => Some(record),
        Some(known) if is_strangers(&known) => Some(record),
        // A stranger's that the user holds on to has this id.
        Some(known) if known.origin == MemoryOrigin::Imported && known.text != record.text => {
            Some(MemoryRecord {
                id: beside(&record),
                ..record
            })
        }
        Some(known) if known.valid_to.is_none() && record.valid_to.is_some() => Some(MemoryRecord {
            valid_to: record.valid_to,
            superseded_by: record.superseded_by,
            ..known
        }),
        Some(_) => None,
    })
}

/// A stranger's record. Nothing that the record says about itself makes it count for more. No record that the user
/// told, learned or holds on to is lost to it.
fn foreign(space: &Space, record: MemoryRecord) -> Result<Option<MemoryRecord>, UserError> {
    let is_sessions_own = is_sessions(space, &record)?;
    let record = as_strangers(record, is_sessions_own);
    let says_the_same = |known: &MemoryRecord| {
        known.origin == MemoryOrigin::Imported && known.kind == record.kind && known.text == record.text
    };
    Ok(match known(space, &record.id)? {
        None => Some(record),
        // The same file once more.
        Some(known) if says_the_same(&known) => None,
        Some(known) if is_strangers(&known) => Some(record),
        Some(_) => {
            let id = beside(&record);
            let is_there = self::known(space, &id)?.is_some();
            (!is_there).then_some(MemoryRecord { id, ..record })
        }
    })
}

fn as_strangers(record: MemoryRecord, is_sessions_own: bool) -> MemoryRecord {
    let now = clock::now();
    let kind = strangers_kind(record.kind);
    let id = if is_id(record.id.as_str()) {
        record.id.clone()
    } else {
        MemoryId::from(format!("imported-{}", digest(&record)))
    };
    MemoryRecord {
        id,
        kind,
        scope: strangers_scope(&record.scope),
        // The data is of the kind that the record had.
        data: record.data.filter(|_| kind == record.kind),
        // What states a value of something would take the place of what the user told about it.
        subject: None,
        superseded_by: None,
        origin: MemoryOrigin::Imported,
        source: MemorySource {
            // What was said in a session here, its record knows.
            session: record.source.session.filter(|_| !is_sessions_own),
            ..MemorySource::default()
        },
        time: record.time.min(now),
        valid_from: record.valid_from.min(now),
        importance: IMPORTANCE_DEFAULT,
        uses: 0,
        last_used: None,
        pinned: false,
        tainted: true,
        ..record
    }
}

/// The kind of a stranger's record. Pieces of documents are listed, limited and deleted with their knowledge base
/// alone. A session's own records go with the session. So a file of memories brings neither.
fn strangers_kind(kind: MemoryKind) -> MemoryKind {
    match kind {
        MemoryKind::Conversation
        | MemoryKind::Entity
        | MemoryKind::Preference
        | MemoryKind::Profile
        | MemoryKind::Summary
        | MemoryKind::Knowledge => kind,
        MemoryKind::Working | MemoryKind::Experience | MemoryKind::Chunk => MemoryKind::Knowledge,
    }
}

/// Who may recall a stranger's record. A record of one page would come first there. A record of a session or a
/// knowledge base would be taken for their own.
fn strangers_scope(scope: &MemoryScope) -> MemoryScope {
    match scope {
        MemoryScope::User | MemoryScope::Assistant(_) => scope.clone(),
        MemoryScope::Site(_) | MemoryScope::Session(_) | MemoryScope::Base(_) => MemoryScope::User,
    }
}

/// Whether a record says that it comes from a session that is here.
fn is_sessions(space: &Space, record: &MemoryRecord) -> Result<bool, UserError> {
    let Some(session) = &record.source.session else {
        return Ok(false);
    };
    let known = space.store.session(session);
    Ok(known.map_err(|cause| explain(space, &cause))?.is_some())
}

/// Whether a record is a stranger's that the user has not made their own.
fn is_strangers(known: &MemoryRecord) -> bool {
    known.origin == MemoryOrigin::Imported && known.tainted && !known.pinned
}

fn known(space: &Space, id: &MemoryId) -> Result<Option<MemoryRecord>, UserError> {
    space.store.memory(id).map_err(|cause| explain(space, &cause))
}

/// Another id, the same at each import, so that a file imported twice is there once.
fn beside(record: &MemoryRecord) -> MemoryId {
    MemoryId::from(format!("{}-{}", record.id, digest(record)))
}

/// What a record says, in so many digits that nobody finds another text with them by chance.
fn digest(record: &MemoryRecord) -> String {
    let said = [
        record.id.as_str(),
        record.kind.name(),
        &record.scope.to_string(),
        &record.text,
    ]
    .join("\0");
    hex::encode(&Sha256::digest(said.as_bytes())[..DIGEST_BYTES])
}

/// Whether a text of somebody else's can be an id: it is shown, and typed in parts.
fn is_id(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_' | b'.' | b':');
    (1..=MEMORY_ID_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_sign)
}

/// The record of a line.
fn read(space: &Space, number: usize, text: &str) -> Result<MemoryRecord, String> {
    let mut record = line::record(text, number)?;
    record.text = stated(space, &record.text).map_err(|error| error.message)?;
    Ok(record)
}

fn commit(space: &Space, batch: Batch) -> Result<(), UserError> {
    space.store.commit(batch).map_err(|cause| explain(space, &cause))
}

fn unkept(space: &Space, cause: &io::Error) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Storage,
        language.memory().import_not_put_aside(cause),
        language.memory().import_check_disk(),
    )
}

/// What was put aside can't be read back.
fn unread(space: &Space, cause: &io::Error) -> UserError {
    let language = space.language();
    let message = language.memory().put_aside_unreadable();
    UserError::new(ErrorCode::Storage, format!("{message} ({cause})"))
}

/// The same trouble, with what is in by now and how to bring the rest.
fn partly(space: &Space, error: UserError, kept: u64) -> UserError {
    let message = &error.message;
    let say = space.language().memory();
    let told = match kept {
        0 => say.nothing_imported(message),
        kept => say.partly_imported(kept, message),
    };
    UserError {
        message: told,
        ..error
    }
}

fn broken(space: &Space, path: &str, number: usize, why: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.memory().line_no_record(number, path, why),
        language.memory().import_one_record_a_line(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::Moment;

    fn strangers(kind: MemoryKind, scope: &str) -> MemoryRecord {
        let mut record = MemoryRecord::new(MemoryId::from("m1"), kind, "x".to_owned(), Moment(1));
        record.scope = scope.parse().unwrap();
        record.source.document = Some("handbook".to_owned());
        record.source.session = Some("s1".to_owned().into());
        record.data = serde_json::from_value(json!({"type": "entity", "data": 1})).unwrap();
        as_strangers(record, true)
    }

    #[test]
    fn a_stranger_makes_statements_and_nothing_that_is_taken_for_somebody_elses() {
        use MemoryKind::{Chunk, Entity, Experience, Knowledge, Preference, Profile, Working};
        for (kind, expected) in [
            (Chunk, Knowledge),
            (Working, Knowledge),
            (Experience, Knowledge),
            (Preference, Preference),
            (Profile, Profile),
            (Entity, Entity),
        ] {
            let record = strangers(kind, "user");
            assert_eq!(record.kind, expected);
            assert_eq!(record.data.is_some(), kind == expected, "{kind:?}");
            assert_eq!(record.source, MemorySource::default());
            assert!(record.tainted);
        }
        for (scope, expected) in [
            ("base:handbook", "user"),
            ("session:s1", "user"),
            ("site:https://wiki.example/refunds", "user"),
            ("assistant:lawyer", "assistant:lawyer"),
            ("user", "user"),
        ] {
            assert_eq!(strangers(Knowledge, scope).scope.to_string(), expected);
        }
    }
}
