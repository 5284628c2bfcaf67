//! Takes values away that nobody needs any more, so that a session does not grow with everything its programs overwrite.
//!
//! A value is needed where a version ends with it: it is the nearest above a run that none follows. Some values were
//! replaced below it on every line. Only a question that is asked again in the middle finds them. They are kept as far
//! as there is room, the values of newer runs first. Where a value goes and an older one stays, a deletion takes its
//! place. No value under a name is better than an earlier one.

use super::{delete, rows, write};
use crate::column::unsigned;
use rusqlite::{Connection, params};
use shidi_protocol::{RunId, SessionId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter;

/// Bytes of values that are kept beside the last values of versions. One program may leave as much, so the last
/// question finds the same values whenever it is asked again.
const REPLACED_MOST_BYTES: u64 = 16 << 20;

/// What a row counts at least, so that their number is bounded, too: what a session reads at each program.
const ROW_LEAST_BYTES: u64 = 4 << 10;

/// Where something was left: at a run, by its place among those of its session, or before all of them.
type Place = Option<usize>;

/// A row without its value.
#[derive(Debug, Clone)]
struct Entry {
    row: i64,
    name: String,
    place: Place,
    bytes: u64,
    is_deletion: bool,
}

/// The fate of a row that no version needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Goes,
    /// The row hides an older value.
    BecomesDeletion,
}

/// Which runs follow which.
struct Tree {
    /// The parent of each run.
    parents: Vec<Place>,
    /// The last run of each version; before all runs, if there are none.
    ends: Vec<Place>,
}

/// Takes away what no version ends with and there is no room for.
pub(crate) fn sweep(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    take_away(connection, session, None, REPLACED_MOST_BYTES)
}

/// Deletes a variable on somebody's word: of earlier values only what another version ends with stays.
pub(crate) fn erase(
    connection: &Connection,
    session: &SessionId,
    name: &str,
    run: Option<&RunId>,
) -> rusqlite::Result<()> {
    delete(connection, session, name, run)?;
    take_away(connection, session, Some(name), 0)
}

fn take_away(
    connection: &Connection,
    session: &SessionId,
    name: Option<&str>,
    room_bytes: u64,
) -> rusqlite::Result<()> {
    let (tree, places) = tree(connection, session)?;
    let entries = entries(connection, session, name, &places)?;
    for (row, fate) in fates(&tree, &entries, room_bytes) {
        let sql = match fate {
            Fate::Goes => "DELETE FROM variable WHERE rowid = ?1",
            Fate::BecomesDeletion => {
                "UPDATE variable SET kind = '', value = NULL, text = '', tainted = FALSE, deleted = TRUE WHERE rowid = ?1"
            }
        };
        write(connection, sql, [row])?;
    }
    Ok(())
}

/// The runs of a session, oldest first, and the place of each.
fn tree(connection: &Connection, session: &SessionId) -> rusqlite::Result<(Tree, HashMap<String, usize>)> {
    let runs: Vec<(String, Option<String>)> = rows(
        connection,
        "SELECT run, parent FROM run_state WHERE session = ?1 ORDER BY started, run",
        [session.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let place = |(place, (run, _)): (usize, &(String, _))| (run.clone(), place);
    let places: HashMap<String, usize> = runs.iter().enumerate().map(place).collect();
    let parents = runs
        .iter()
        .map(|(_, parent)| places.get(parent.as_ref()?).copied());
    Ok((Tree::of(parents.collect()), places))
}

/// The entries of runs that are known.
fn entries(
    connection: &Connection,
    session: &SessionId,
    name: Option<&str>,
    places: &HashMap<String, usize>,
) -> rusqlite::Result<Vec<Entry>> {
    let read = rows(
        connection,
        "SELECT rowid, name, run, octet_length(name) + ifnull(octet_length(value), 0) + octet_length(text), deleted
         FROM variable WHERE session = ?1 AND (?2 IS NULL OR name = ?2)",
        params![session.as_str(), name],
        |row| {
            let run: Option<String> = row.get(2)?;
            let place = match run {
                None => None,
                Some(run) => match places.get(&run) {
                    None => return Ok(None),
                    known => known.copied(),
                },
            };
            Ok(Some(Entry {
                row: row.get(0)?,
                name: row.get(1)?,
                place,
                bytes: unsigned(row.get(3)?).max(ROW_LEAST_BYTES),
                is_deletion: row.get(4)?,
            }))
        },
    )?;
    Ok(read.into_iter().flatten().collect())
}

impl Tree {
    fn of(parents: Vec<Place>) -> Self {
        let followed: HashSet<usize> = parents.iter().copied().flatten().collect();
        let mut ends: Vec<Place> = (0..parents.len())
            .filter(|run| !followed.contains(run))
            .map(Some)
            .collect();
        if parents.is_empty() {
            ends.push(None);
        }
        Self { parents, ends }
    }

    /// A place and those above it, up to before the first run. Rows of a stranger's file may name each other: it ends.
    fn up(&self, from: Place) -> impl Iterator<Item = Place> {
        let above = |place: &Place| place.map(|run| self.parents.get(run).copied().flatten());
        iter::successors(Some(from), above).take(self.parents.len() + 1)
    }

    /// Rows of one name that a version ends with.
    fn ended_with(&self, entries: &HashMap<Place, &Entry>) -> HashSet<i64> {
        let mut seen = HashSet::new();
        let mut found = HashSet::new();
        for end in &self.ends {
            // Above a place where another version came by, there is nothing new.
            let mut way = self.up(*end).take_while(|place| seen.insert(*place));
            found.extend(way.find_map(|place| entries.get(&place)).map(|entry| entry.row));
        }
        found
    }
}

/// The fates of rows that change.
fn fates(tree: &Tree, entries: &[Entry], mut room_bytes: u64) -> Vec<(i64, Fate)> {
    let mut names: BTreeMap<&str, HashMap<Place, &Entry>> = BTreeMap::new();
    for entry in entries {
        names.entry(&entry.name).or_default().insert(entry.place, entry);
    }
    // What is alone is what all versions end with that know it.
    names.retain(|_, of_name| of_name.len() > 1 || of_name.values().any(|entry| entry.is_deletion));
    let mut replaced: Vec<&Entry> = Vec::new();
    for of_name in names.values() {
        let needed = tree.ended_with(of_name);
        let is_replaced = |entry: &&Entry| !entry.is_deletion && !needed.contains(&entry.row);
        replaced.extend(of_name.values().copied().filter(is_replaced));
    }
    replaced.sort_by_key(|entry| Reverse((entry.place, entry.row)));
    let mut going: HashSet<i64> = HashSet::new();
    for entry in replaced {
        match room_bytes.checked_sub(entry.bytes) {
            Some(rest) => room_bytes = rest,
            None => {
                going.insert(entry.row);
            }
        }
    }
    let is_value = |entry: &Entry| !entry.is_deletion && !going.contains(&entry.row);
    let mut fates = Vec::new();
    for of_name in names.values() {
        for entry in of_name.values().filter(|entry| !is_value(entry)) {
            let mut above = tree.up(entry.place).skip(1);
            let hides = above
                .find_map(|place| of_name.get(&place))
                .is_some_and(|above| is_value(above));
            match (hides, entry.is_deletion) {
                (true, true) => {}
                (true, false) => fates.push((entry.row, Fate::BecomesDeletion)),
                (false, _) => fates.push((entry.row, Fate::Goes)),
            }
        }
    }
    fates
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(row: i64, place: Place, bytes: u64) -> Entry {
        Entry {
            row,
            name: "x".to_owned(),
            place,
            bytes,
            is_deletion: bytes == 0,
        }
    }

    fn fates_of(parents: &[Place], rows: &[(Place, u64)], room_bytes: u64) -> Vec<(i64, Fate)> {
        let entries: Vec<Entry> = (0..)
            .zip(rows)
            .map(|(row, (place, bytes))| entry(row, *place, *bytes))
            .collect();
        let mut fates = fates(&Tree::of(parents.to_vec()), &entries, room_bytes);
        fates.sort_by_key(|(row, _)| *row);
        fates
    }

    /// Four runs, one after the other.
    const LINE: [Place; 4] = [None, Some(0), Some(1), Some(2)];
    /// The last two follow the first run, each for itself.
    const FORK: [Place; 3] = [None, Some(0), Some(0)];

    #[test]
    fn what_a_version_ends_with_stays_without_any_room() {
        assert_eq!(fates_of(&LINE, &[(Some(1), 9)], 0), []);
        assert_eq!(
            fates_of(&LINE, &[(Some(0), 9), (Some(3), 9)], 0),
            [(0, Fate::Goes)]
        );
        // The other version still has what the first run left.
        assert_eq!(fates_of(&FORK, &[(Some(0), 9), (Some(2), 9)], 0), []);
        assert_eq!(
            fates_of(&FORK, &[(Some(0), 9), (Some(1), 9), (Some(2), 9)], 0),
            [(0, Fate::Goes)]
        );
    }

    #[test]
    fn what_was_replaced_stays_as_far_as_there_is_room_of_newer_runs_first() {
        let rows = [(None, 4), (Some(0), 5), (Some(1), 3), (Some(3), 9)];
        assert_eq!(fates_of(&LINE, &rows, 12), []);
        assert_eq!(fates_of(&LINE, &rows, 8), [(0, Fate::Goes)]);
        assert_eq!(fates_of(&LINE, &rows, 7), [(1, Fate::BecomesDeletion)]);
        assert_eq!(fates_of(&LINE, &rows, 3), [(0, Fate::Goes), (1, Fate::Goes)]);
    }

    #[test]
    fn where_an_older_value_stays_a_deletion_hides_it() {
        // The second run follows the first; a third one, too, which knows what the first left.
        let parents = [None, Some(0), Some(0), Some(1)];
        let rows = [(Some(0), 5), (Some(1), 5), (Some(3), 5)];
        assert_eq!(fates_of(&parents, &rows, 0), [(1, Fate::BecomesDeletion)]);
    }

    #[test]
    fn a_deletion_that_hides_nothing_goes() {
        assert_eq!(fates_of(&LINE, &[(Some(2), 0)], 99), [(0, Fate::Goes)]);
        assert_eq!(fates_of(&LINE, &[(Some(1), 5), (Some(2), 0)], 99), []);
        assert_eq!(
            fates_of(&LINE, &[(Some(1), 5), (Some(2), 0)], 0),
            [(0, Fate::Goes), (1, Fate::Goes)]
        );
        assert_eq!(
            fates_of(&LINE, &[(Some(1), 5), (Some(2), 0), (Some(3), 0)], 99),
            [(2, Fate::Goes)]
        );
        assert_eq!(fates_of(&[], &[(None, 0)], 99), [(0, Fate::Goes)]);
    }

    /// The row of the value that a version finds whose last run is at `place`.
    fn finds(tree: &Tree, entries: &[Entry], place: Place) -> Option<i64> {
        let at = |place: Place| entries.iter().find(|entry| entry.place == place);
        let nearest = tree.up(place).find_map(at);
        nearest.filter(|entry| !entry.is_deletion).map(|entry| entry.row)
    }

    proptest! {
        #[test]
        fn a_sweep_changes_no_version_and_elsewhere_only_takes_away(
            follows in prop::collection::vec(prop::option::weighted(0.9, any::<prop::sample::Index>()), 0..12),
            left in prop::collection::vec((any::<prop::sample::Index>(), 0_u64..5), 0..12),
            room_bytes in 0_u64..30,
        ) {
            let parent = |(run, parent): (usize, &Option<prop::sample::Index>)| match run {
                0 => None,
                _ => parent.map(|index| index.index(run)),
            };
            let tree = Tree::of(follows.iter().enumerate().map(parent).collect());
            let places: Vec<Place> = (0..tree.parents.len()).map(Some).chain([None]).collect();
            let mut before: Vec<Entry> = Vec::new();
            for (row, (index, bytes)) in (0..).zip(left) {
                let place = places[index.index(places.len())];
                if before.iter().all(|entry| entry.place != place) {
                    before.push(entry(row, place, bytes));
                }
            }
            let fates: HashMap<i64, Fate> = fates(&tree, &before, room_bytes).into_iter().collect();
            let mut after = before.clone();
            after.retain(|entry| fates.get(&entry.row) != Some(&Fate::Goes));
            for entry in after.iter_mut().filter(|entry| fates.contains_key(&entry.row)) {
                entry.is_deletion = true;
            }
            for place in &places {
                let (was, is) = (finds(&tree, &before, *place), finds(&tree, &after, *place));
                prop_assert!(is == was || (is.is_none() && !tree.ends.contains(place)), "{place:?}: {was:?}, {is:?}");
            }
            let needed: HashSet<i64> = tree.ends.iter().filter_map(|end| finds(&tree, &before, *end)).collect();
            let kept = after.iter().filter(|entry| !entry.is_deletion && !needed.contains(&entry.row));
            prop_assert!(kept.map(|entry| entry.bytes).sum::<u64>() <= room_bytes);
            prop_assert_eq!(super::fates(&tree, &after, room_bytes), []);
        }
    }

    #[test]
    fn runs_that_name_each_other_end() {
        let circle = [Some(1), Some(0), Some(2)];
        assert_eq!(
            fates_of(&circle, &[(Some(0), 5), (Some(1), 5), (Some(2), 0)], 99),
            [(2, Fate::Goes)]
        );
    }
}
