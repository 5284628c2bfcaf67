//! The power fails at any operation on the disk, also in the middle of a write: nothing acknowledged is lost, nothing is
//! there in part, and the store opens.

use crate::disk::{Disk, Unsynced};
use crate::fixture::Folder;
use crate::operations;
use shidi_store::{OpenOptions, Store};

/// Operations of one recorded life, and moments of it at which the power fails.
const DEEDS: u32 = 40;
const CUTS: u64 = 60;

/// Lives of one test run: 60 power cuts, or 3,000 in `make soak`, which sets `SHIDI_SOAK`.
fn lives() -> u64 {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        50
    } else {
        1
    }
}

/// Numbers that look random and are the same in every run.
fn dice(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |bound| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    }
}

/// A store's life on a recorded disk.
fn recorded() -> (Folder, Disk, usize) {
    let folder = Folder::new();
    let disk = Disk::record(folder.path().parent().unwrap());
    let store = operations::begin(&folder);
    let from = disk.operations();
    for number in 1..=DEEDS {
        operations::perform(&store, number).unwrap();
        disk.acknowledged(number);
    }
    drop(store);
    (folder, disk, from)
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_there_in_part_after_a_power_cut() {
    (0..lives()).for_each(live);
}

fn live(seed: u64) {
    let (_folder, disk, from) = recorded();
    let operations = (disk.operations() - from) as u64;
    assert!(operations > 400, "only {operations} operations were recorded");
    let mut dice = dice(seed);
    let told = disk.before_acknowledgements();
    let mut untold = 0;
    for cut in 0..CUTS {
        // Some fall where a operation is done and not yet told.
        let operations = match cut % 4 {
            0 => told[usize::try_from(dice(u64::from(DEEDS))).unwrap()],
            _ => from + usize::try_from(dice(operations + 1)).unwrap(),
        };
        let unsynced = [Unsynced::Torn, Unsynced::Lost, Unsynced::Kept][usize::try_from(cut % 3).unwrap()];
        let after = Folder::new();
        let target = after.path().parent().unwrap().to_owned();
        let acknowledged = disk.after_power_cut(operations, unsynced, &mut dice, &target);
        let place =
            format!("life {seed}, cut {cut} after {operations} operations, unsynced writes {unsynced:?}");
        println!("{place}");
        let store = Store::open(&after.path(), OpenOptions::default())
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        let there = operations::done(&store);
        assert!(
            there <= acknowledged + 1,
            "{place}: {there} operations of {acknowledged}"
        );
        operations::check(store, acknowledged);
        untold += u32::from(there > acknowledged);
    }
    assert!(
        untold >= 10,
        "{untold} cuts between a operation and its acknowledgement"
    );
}

/// The disk shows what it is for: without the sync of each commit, acknowledged operations are lost.
#[test]
fn the_recorded_disk_loses_what_was_not_synced() {
    let folder = Folder::new();
    let disk = Disk::record(folder.folder.path());
    let path = folder.folder.path().join("careless.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE operation (n);")
        .unwrap();
    for number in 1..=20 {
        connection
            .execute("INSERT INTO operation VALUES (?1)", [number])
            .unwrap();
        disk.acknowledged(number);
    }
    let after = tempfile::tempdir().unwrap();
    let acknowledged = disk.after_power_cut(disk.operations(), Unsynced::Lost, &mut dice(1), after.path());
    assert_eq!(acknowledged, 20);
    let count = rusqlite::Connection::open(after.path().join("careless.db"))
        .and_then(|found| found.query_row("SELECT count(*) FROM operation", [], |row| row.get::<_, u32>(0)));
    assert!(count.map_or(true, |count| count < 20));
}
