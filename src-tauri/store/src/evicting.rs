//! Forgets what nobody needs any more, only when there is too much of it (F6.5).
//!
//! A reading, which blocks nobody, chooses the records to forget. Small transactions take them away, and the writer
//! serves others in between. Nothing pinned goes. Replaced records go first, oldest first, so that a statement never
//! outlives its successor. Then lessons go, the lightest first. The user's own statements go only when nothing else is
//! left. Nothing goes for its age alone but what a session was at work with. A record for a limited time is no question
//! of room. Once that time is over, the record is erased like one that a user deletes.

use crate::column::unsigned;
use crate::table::memory::erase;
use crate::table::rows;
use crate::{Batch, MemoryGroup, MemoryWrite, Store, StoreError, Write};
use rusqlite::{Connection, Row};
use shidi_protocol::{MemoryId, Moment};

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Records of sessions.
    pub short_term_most: u64,
    /// All others, pieces of documents apart.
    pub long_term_most: u64,
    /// Text of both together.
    pub size_most_bytes: u64,
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    pub short_term: u64,
    pub long_term: u64,
    pub bytes: u64,
}

/// Records that are taken away in one transaction: some milliseconds.
const TOGETHER: usize = 32;

/// Records that are taken away in one go; the rest goes in the next.
const AT_ONCE_MOST: usize = 20_000;

/// Half of a record's weight is gone when it was not used for so long.
const HALF_IDLE_DAYS: f64 = 180.0;

/// Days for which what a session worked with, and what it left for short, is kept after it.
const SHORT_TERM_DAYS: i64 = 7;

const DAY_MS: i64 = 86_400_000;

impl Store {
    /// Forgets what is over the limits, and what sessions that ended long ago were at work with. Returns how many records.
    pub fn evict(&self, now: Moment, limits: &MemoryLimits) -> Result<usize, StoreError> {
        let going = self.read(|connection| chosen(connection, now, limits))?;
        for some in going.chunks(TOGETHER) {
            self.commit(Batch::from(Write::Memory(MemoryWrite::Evict(some.to_vec()))))?;
        }
        Ok(going.len())
    }

    /// Erases what is over, out of every file. Returns whether there was something.
    pub fn erase_over(&self, now: Moment) -> Result<bool, StoreError> {
        let mut was_some = false;
        while self.read(|connection| erase::is_some_over(connection, now))? {
            self.commit(Write::Memory(MemoryWrite::DeleteGroup(MemoryGroup::Over(now))))?;
            was_some = true;
        }
        Ok(was_some)
    }

    /// How much is remembered, pieces of documents apart.
    pub fn memory_use(&self) -> Result<MemoryUse, StoreError> {
        self.read(sums)
    }
}

const SHORT: &str = "kind IN ('conversation', 'entity', 'working')";

fn sums(connection: &Connection) -> rusqlite::Result<MemoryUse> {
    let sql = format!(
        "SELECT count(*) FILTER (WHERE {SHORT}), count(*) FILTER (WHERE NOT {SHORT}), coalesce(sum(octet_length(text)), 0)
         FROM memory WHERE kind <> 'chunk'"
    );
    connection.prepare_cached(&sql)?.query_row([], |row| {
        Ok(MemoryUse {
            short_term: unsigned(row.get(0)?),
            long_term: unsigned(row.get(1)?),
            bytes: unsigned(row.get(2)?),
        })
    })
}

/// A record that may go.
struct Candidate {
    id: MemoryId,
    is_short: bool,
    bytes: u64,
    /// Records of lower rank go first, and within a rank those of lower weight.
    rank: u8,
    weight: f64,
    /// Its session was at work with it and is long over.
    is_outlived: bool,
}

/// The records to evict, in the order in which they go.
fn chosen(connection: &Connection, now: Moment, limits: &MemoryLimits) -> rusqlite::Result<Vec<MemoryId>> {
    let MemoryUse {
        mut short_term,
        mut long_term,
        mut bytes,
    } = sums(connection)?;
    let mut candidates = candidates(connection, now)?;
    candidates.sort_by(|left, right| {
        let by_weight = left
            .rank
            .cmp(&right.rank)
            .then(left.weight.total_cmp(&right.weight));
        by_weight.then_with(|| left.id.cmp(&right.id))
    });
    let mut going = Vec::new();
    for candidate in candidates {
        let is_over = match candidate.is_short {
            true => short_term > limits.short_term_most,
            false => long_term > limits.long_term_most,
        };
        if !(candidate.is_outlived || is_over || bytes > limits.size_most_bytes)
            || going.len() >= AT_ONCE_MOST
        {
            continue;
        }
        bytes = bytes.saturating_sub(candidate.bytes);
        match candidate.is_short {
            true => short_term -= 1,
            false => long_term -= 1,
        }
        going.push(candidate.id);
    }
    Ok(going)
}

fn candidates(connection: &Connection, now: Moment) -> rusqlite::Result<Vec<Candidate>> {
    let sql = format!(
        "SELECT id, {SHORT}, octet_length(text), importance, uses, coalesce(last_used, time), valid_to, origin = 'told',
           kind = 'working', coalesce((SELECT updated FROM session WHERE session.id = memory.session), time)
         FROM memory WHERE NOT pinned AND kind <> 'chunk'"
    );
    let week_ago = now.0 - SHORT_TERM_DAYS * DAY_MS;
    let found: Vec<Option<Candidate>> = rows(connection, &sql, [], |row| candidate(row, now, week_ago))?;
    Ok(found.into_iter().flatten().collect())
}

/// `None` for what belongs to a session that is not long over.
fn candidate(row: &Row<'_>, now: Moment, week_ago: i64) -> rusqlite::Result<Option<Candidate>> {
    let is_short: bool = row.get(1)?;
    let is_over = row.get::<_, i64>(9)? < week_ago;
    if is_short && !is_over {
        return Ok(None);
    }
    let idle_days = (now.0 - row.get::<_, i64>(5)?).max(0) as f64 / DAY_MS as f64;
    let uses = f64::from(row.get::<_, u32>(4)?) + 1.0;
    let weight = (row.get::<_, f64>(3)?.max(0.0) + 0.01) * uses * 0.5_f64.powf(idle_days / HALF_IDLE_DAYS);
    let ended: Option<i64> = row.get(6)?;
    let (rank, weight) = match (ended, row.get(7)?) {
        (Some(ended), _) => (0, ended as f64),
        (None, false) => (1, weight),
        (None, true) => (2, weight),
    };
    Ok(Some(Candidate {
        id: MemoryId::from(row.get::<_, String>(0)?),
        is_short,
        bytes: unsigned(row.get(2)?),
        rank,
        weight,
        is_outlived: row.get(8)?,
    }))
}
