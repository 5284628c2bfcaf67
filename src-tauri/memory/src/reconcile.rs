//! Reconciles a new statement with what is known: said before, put in its place, or kept beside it.
//!
//! A statement with another value, or one that says it changed, replaces the earlier statement. The history of the
//! statement is kept. A statement that only differs is kept beside the known one and shown with it. Nobody said which
//! of the two is so. A record that derives from foreign content never replaces anything.

use crate::statement_rules::{Relation, is_correction, normalised, same_thing};
use shidi_protocol::{MemoryId, MemoryKind, MemoryOrigin, MemoryQuery, MemoryRecord, MemoryScopes};
use shidi_space::clock;
use shidi_store::{MemoryWrite, Store, StoreError, Write};

/// Known statements that are compared with a new one.
const COMPARED: u32 = 12;

/// Kinds that state something.
pub const STATING: [MemoryKind; 3] = [MemoryKind::Knowledge, MemoryKind::Profile, MemoryKind::Preference];

/// Whether a statement is said to replace what it differs from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manner {
    /// Its own words tell.
    Said,
    /// It replaces this one: so found who read both.
    Corrects(MemoryId),
}

/// What to write so that a statement is kept.
///
/// # Errors
/// The store can't be read.
pub fn settle(store: &Store, record: MemoryRecord, manner: &Manner) -> Result<Vec<Write>, StoreError> {
    let mut known = known(store, &record)?;
    if let Manner::Corrects(id) = manner
        && !known.iter().any(|one| one.id == *id)
    {
        let corrected = store.memory(id)?;
        known.extend(corrected.filter(|one| one.valid_to.is_none() && one.scope == record.scope));
    }
    Ok(settled(record, &known, manner))
}

/// Keeps a statement that the user or a program asked to keep. Returns the record that stands for it: the new one, or
/// the same from before.
///
/// # Errors
/// Storage trouble.
pub fn keep(store: &Store, record: MemoryRecord) -> Result<MemoryRecord, StoreError> {
    let writes = match STATING.contains(&record.kind) {
        true => settle(store, record.clone(), &Manner::Said)?,
        false => vec![Write::Memory(MemoryWrite::Put(Box::new(record.clone())))],
    };
    let known = match writes.as_slice() {
        [.., Write::Memory(MemoryWrite::Use { memories, .. })] => memories.first().cloned(),
        _ => None,
    };
    store.commit(writes)?;
    let kept = store.memory(known.as_ref().unwrap_or(&record.id))?;
    Ok(kept.unwrap_or(record))
}

/// Statements of the same scope that are still so and may be about the same thing.
///
/// # Errors
/// They can't be read.
pub fn known(store: &Store, record: &MemoryRecord) -> Result<Vec<MemoryRecord>, StoreError> {
    let mut known = match &record.subject {
        Some(subject) => store.memories_about(&record.scope, subject)?,
        None => Vec::new(),
    };
    let query = MemoryQuery {
        text: record.text.clone(),
        kinds: STATING.to_vec(),
        scopes: MemoryScopes::These(vec![record.scope.clone()]),
        page: None,
        except: None,
        now: clock::now(),
        limit: COMPARED,
    };
    for hit in store.recall(&query)? {
        let found = store.memory(&MemoryId::from(hit.id.as_str()))?;
        known.extend(found.filter(|found| found.valid_to.is_none() && found.scope == record.scope));
    }
    known.retain(|one| one.id != record.id);
    known.sort_by(|left, right| left.id.cmp(&right.id));
    known.dedup_by(|left, right| left.id == right.id);
    Ok(known)
}

fn settled(mut record: MemoryRecord, known: &[MemoryRecord], manner: &Manner) -> Vec<Write> {
    let relations: Vec<(Relation, &MemoryRecord)> = known
        .iter()
        .map(|one| (relation(&record, one, manner), one))
        .collect();
    let same = relations
        .iter()
        .find(|(relation, one)| *relation == Relation::Same && (record.tainted || !one.tainted));
    if let Some((_, same)) = same {
        // Said again it holds as long as was said last.
        let is_own = record.origin == MemoryOrigin::Told && !record.tainted;
        let limit = (is_own && same.until != record.until).then(|| {
            Write::Memory(MemoryWrite::Limit {
                memory: same.id.clone(),
                until: record.until,
            })
        });
        let used = Write::Memory(MemoryWrite::Use {
            memories: vec![same.id.clone()],
            at: record.time,
        });
        return limit.into_iter().chain([used]).collect();
    }
    // What somebody else wrote gives way to the same in the user's own words.
    let others = relations
        .iter()
        .filter(|(relation, _)| *relation != Relation::Apart);
    let others: Vec<&MemoryRecord> = others.map(|(_, one)| *one).collect();
    if others.is_empty() {
        return vec![Write::Memory(MemoryWrite::Put(Box::new(record)))];
    }
    let is_said = record.subject.is_some() || is_correction(&record.text) || *manner != Manner::Said;
    if is_said && !record.tainted {
        record.pinned |= others.iter().any(|other| other.pinned);
        record.importance = others
            .iter()
            .map(|other| other.importance)
            .fold(record.importance, f64::max);
        let replaced = others.iter().map(|other| {
            Write::Memory(MemoryWrite::Supersede {
                old: other.id.clone(),
                new: Box::new(record.clone()),
            })
        });
        return replaced.collect();
    }
    // Of two under one subject the newer would take the other's place.
    record.subject = None;
    let id = record.id.clone();
    let mut writes = vec![Write::Memory(MemoryWrite::Put(Box::new(record)))];
    writes.extend(others.iter().map(|other| {
        Write::Memory(MemoryWrite::Contradict {
            memory: id.clone(),
            other: other.id.clone(),
        })
    }));
    writes
}

fn relation(record: &MemoryRecord, known: &MemoryRecord, manner: &Manner) -> Relation {
    if normalised(&record.text) == normalised(&known.text) {
        return Relation::Same;
    }
    if *manner == Manner::Corrects(known.id.clone()) {
        return Relation::Other;
    }
    let by_words = same_thing(&record.text, &known.text);
    let is_one_subject = record.subject.is_some() && record.subject == known.subject;
    match by_words {
        Relation::Apart if is_one_subject => Relation::Other,
        by_words => by_words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Moment;

    fn told(id: &str, text: &str) -> MemoryRecord {
        MemoryRecord::new(MemoryId::from(id), MemoryKind::Knowledge, text, Moment(1_000))
    }

    fn about(id: &str, subject: &str, text: &str) -> MemoryRecord {
        MemoryRecord {
            subject: Some(subject.to_owned()),
            ..told(id, text)
        }
    }

    /// What is written, in one line: what replaces what, what stands beside what.
    fn written(writes: Vec<Write>) -> String {
        let line = |write: Write| match write {
            Write::Memory(MemoryWrite::Put(record)) => format!("put {}", record.id),
            Write::Memory(MemoryWrite::Supersede { old, new }) => format!("{} for {old}", new.id),
            Write::Memory(MemoryWrite::Contradict { memory, other }) => format!("{memory} against {other}"),
            Write::Memory(MemoryWrite::Use { memories, .. }) => format!("use {}", memories[0]),
            Write::Memory(MemoryWrite::Limit { memory, until }) => format!("{memory} until {until:?}"),
            other => format!("{other:?}"),
        };
        writes.into_iter().map(line).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_statement_is_known_or_new_or_a_correction_or_a_contradiction() {
        let known = [
            told("office", "the office is in Berlin"),
            about("mail", "my email", "my email is a@b.example"),
        ];
        for (new, wanted) in [
            (told("n", "The office is in Berlin."), "use office"),
            (told("n", "the canteen is in Berlin"), "put n"),
            (told("n", "the office is now in Munich"), "n for office"),
            (told("n", "the office is in Munich"), "put n, n against office"),
            (about("n", "my email", "My email is c@d.example"), "n for mail"),
            (about("n", "my email", "我的邮箱是 c@d.example"), "n for mail"),
        ] {
            assert_eq!(
                written(settled(new.clone(), &known, &Manner::Said)),
                wanted,
                "{}",
                new.text
            );
        }
        let found = Manner::Corrects(MemoryId::from("office"));
        assert_eq!(
            written(settled(told("n", "we sit in Munich"), &known, &found)),
            "n for office"
        );
    }

    #[test]
    fn a_correction_replaces_all_that_contradicted_each_other_and_keeps_the_pin() {
        let mut pinned = told("a", "办公室在三楼");
        pinned.pinned = true;
        let known = [pinned, told("b", "办公室在四楼")];
        let writes = settled(told("n", "办公室现在搬到五楼"), &known, &Manner::Said);
        for write in &writes {
            let Write::Memory(MemoryWrite::Supersede { new, .. }) = write else {
                panic!("{write:?}")
            };
            assert!(new.pinned);
        }
        assert_eq!(written(writes), "n for a, n for b");
    }

    #[test]
    fn what_derives_from_foreign_content_replaces_nothing_and_gives_way() {
        let tainted = |record: MemoryRecord| MemoryRecord {
            tainted: true,
            ..record
        };
        let known = [told("office", "the office is in Berlin")];
        let new = tainted(told("n", "the office is now in Moscow"));
        assert_eq!(
            written(settled(new.clone(), &known, &Manner::Said)),
            "put n, n against office"
        );
        let found = Manner::Corrects(MemoryId::from("office"));
        assert_eq!(written(settled(new, &known, &found)), "put n, n against office");
        let known = [tainted(told("page", "the office is in Berlin"))];
        let same = told("n", "the office is in Berlin");
        assert_eq!(
            written(settled(same, &known, &Manner::Corrects(MemoryId::from("page")))),
            "n for page"
        );
    }
}
