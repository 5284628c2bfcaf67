//! Corrections: a statement that ended, and the sentences that said it, must not come before their replacement.
//!
//! The old wording often fits a question better than the new one. So the fit of an ended record is lent to its
//! successor, which then comes first. The sentences stay below it, and the ended record is left out.

use super::{Candidate, candidates};
use crate::table::memory::{self, COLUMNS};
use crate::table::rows;
use rusqlite::Connection;
use shidi_protocol::{MemoryId, MemoryQuery, MemoryRecord};
use std::collections::{HashMap, HashSet};

/// The share of its score that a sentence keeps when its statement has ended.
const OUTDATED: f64 = 0.5;

/// Corrections of one statement that are followed, about two microseconds each. A statement that was corrected more
/// often shows nothing, rather than an outdated one.
const CORRECTIONS_MOST: usize = 10_000;

/// Records of one session that ended and are looked at.
const ENDED_MOST: u32 = 256;

/// Settles all corrections that touch the pool.
pub(crate) fn settle(
    connection: &Connection,
    pool: &mut Vec<Candidate>,
    query: &MemoryQuery,
) -> rusqlite::Result<()> {
    let mut followed = HashMap::new();
    for ended in ended(connection, pool)? {
        let successor = successor(connection, &ended, &mut followed)?;
        let known = successor.as_ref().and_then(|id| {
            let at = pool
                .iter()
                .position(|candidate| !candidate.is_segment() && candidate.record.id == *id);
            at.map(|at| pool[at].clone())
        });
        let mut successor = match (known, &successor) {
            (Some(known), _) => Some(known),
            (None, Some(id)) => {
                candidates::by_id(connection, id, query)?.filter(|found| found.record.valid_to.is_none())
            }
            (None, None) => None,
        };
        let stated = Candidate::new(1, ended.clone());
        let outdated = |candidate: &Candidate| {
            let is_it = !candidate.is_segment() && candidate.record.id == ended.id;
            let said = candidate.said(&stated);
            is_it
                || (said
                    && successor
                        .as_ref()
                        .is_none_or(|successor| !candidate.said(successor)))
        };
        let touched: Vec<usize> = (0..pool.len()).filter(|at| outdated(&pool[*at])).collect();
        let best = touched.iter().map(|at| pool[*at].score()).fold(0.0, f64::max);
        if let Some(successor) = &mut successor {
            successor.parts.correction += (best - successor.score()).max(0.0);
        }
        for at in touched {
            let score = pool[at].score();
            pool[at].parts.correction -= score * (1.0 - OUTDATED);
        }
        pool.retain(|candidate| candidate.is_segment() || candidate.record.id != ended.id);
        if let Some(successor) = successor {
            match pool
                .iter_mut()
                .find(|candidate| candidate.document == successor.document)
            {
                Some(known) => *known = successor,
                None => pool.push(successor),
            }
        }
    }
    Ok(())
}

/// Statements that ended and are in the pool, or said by a sentence that is; oldest first.
fn ended(connection: &Connection, pool: &[Candidate]) -> rusqlite::Result<Vec<MemoryRecord>> {
    let mut ended: Vec<MemoryRecord> = Vec::new();
    let mut sessions = HashSet::new();
    for candidate in pool {
        if !candidate.is_segment() {
            if candidate.record.valid_to.is_some() {
                ended.push(candidate.record.clone());
            }
            continue;
        }
        let Some(session) = &candidate.record.source.session else {
            continue;
        };
        if sessions.insert(session.clone()) {
            let sql = format!(
                "SELECT {COLUMNS} FROM remembered WHERE session = ?1 AND valid_to IS NOT NULL LIMIT {ENDED_MOST}"
            );
            let of_session = rows(connection, &sql, [session.as_str()], memory::read)?;
            ended.extend(of_session.into_iter().filter(|record| {
                let stated = Candidate::new(1, record.clone());
                pool.iter().any(|candidate| candidate.said(&stated))
            }));
        }
    }
    ended.sort_by(|left, right| {
        left.valid_from
            .cmp(&right.valid_from)
            .then(left.id.cmp(&right.id))
    });
    ended.dedup_by(|left, right| left.id == right.id);
    Ok(ended)
}

/// The last replacement of a statement. `followed` keeps the ends of chains for the next statement of the same chain.
fn successor(
    connection: &Connection,
    ended: &MemoryRecord,
    followed: &mut HashMap<MemoryId, Option<MemoryId>>,
) -> rusqlite::Result<Option<MemoryId>> {
    let mut next = connection.prepare_cached("SELECT superseded_by FROM remembered WHERE id = ?1")?;
    let mut passed = Vec::new();
    let mut newest = ended.superseded_by.clone();
    while let Some(id) = &newest {
        if let Some(known) = followed.get(id) {
            newest = known.clone();
            break;
        }
        match next.query_row([id.as_str()], |row| row.get::<_, Option<String>>(0)) {
            Ok(Some(later)) if passed.len() < CORRECTIONS_MOST => {
                passed.push(newest.replace(MemoryId::from(later)));
            }
            Ok(None) => break,
            Ok(Some(_)) | Err(rusqlite::Error::QueryReturnedNoRows) => newest = None,
            Err(error) => return Err(error),
        }
    }
    followed.extend(passed.into_iter().flatten().map(|id| (id, newest.clone())));
    Ok(newest)
}
