//! A disk whose power can fail at any operation: a layer between SQLite and its files.
//!
//! The layer lets everything through and writes down what reaches the files of one folder: writes, truncations, syncs,
//! removals. From that list [`Disk::after_power_cut`] makes what a disk may hold that lost its power after any of them:
//! what was synced, and of the rest nothing, all, or any part of it in sectors of 512 bytes, in any order.
//!
//! What it does not show: disks that confirm a sync and lose what was synced, that damage sectors nobody wrote to, and file
//! systems that lose a file's name whose folder was not synced after its contents were. Files that are not SQLite's (the
//! lock) are not its matter.

use parking_lot::{Mutex, MutexGuard};
use rusqlite::ffi;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::{null_mut, slice_from_raw_parts};
use std::sync::Once;

const SECTOR_BYTES: usize = 512;

/// What happened to a file.
#[derive(Debug, Clone)]
enum Operation {
    Write {
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        size: usize,
    },
    Sync,
    /// Removed; whether that was synced, too.
    Remove {
        synced: bool,
    },
    /// Not of a file: so much was acknowledged to the caller.
    Acknowledged(u32),
}

/// Operations in their order, each with the name of its file.
struct Record {
    folder: PathBuf,
    operations: Vec<(String, Operation)>,
}

static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());

fn records() -> MutexGuard<'static, Vec<Record>> {
    RECORDS.lock()
}

/// The recorded disk below a folder.
pub struct Disk {
    folder: PathBuf,
}

/// What becomes of writes that were not synced.
#[derive(Debug, Clone, Copy)]
pub enum Unsynced {
    Lost,
    Kept,
    /// Any sector of any of them.
    Torn,
}

impl Disk {
    /// Records from now on what SQLite does to files in `folder`.
    pub fn record(folder: &Path) -> Self {
        static LAYER: Once = Once::new();
        LAYER.call_once(put_layer);
        let folder = folder.to_owned();
        records().push(Record {
            folder: folder.clone(),
            operations: Vec::new(),
        });
        Self { folder }
    }

    pub fn acknowledged(&self, number: u32) {
        self.with(|record| {
            record
                .operations
                .push((String::new(), Operation::Acknowledged(number)))
        });
    }

    /// How many operations were recorded.
    pub fn operations(&self) -> usize {
        self.with(|record| record.operations.len())
    }

    /// How many of them came before each acknowledgement.
    pub fn before_acknowledgements(&self) -> Vec<usize> {
        self.with(|record| {
            let operations = record.operations.iter().enumerate();
            let told =
                operations.filter(|(_, (_, operation))| matches!(operation, Operation::Acknowledged(_)));
            told.map(|(at, _)| at).collect()
        })
    }

    /// Writes to `target` what the disk may hold after the first `operations`, and returns what was acknowledged by then.
    /// `dice` gives numbers below its argument.
    pub fn after_power_cut(
        &self,
        operations: usize,
        unsynced: Unsynced,
        dice: &mut impl FnMut(u64) -> u64,
        target: &Path,
    ) -> u32 {
        let mut acknowledged = 0;
        let mut files: BTreeMap<String, File> = BTreeMap::new();
        self.with(|record| {
            for (name, operation) in &record.operations[..operations] {
                match operation {
                    Operation::Acknowledged(number) => acknowledged = *number,
                    operation => files.entry(name.clone()).or_default().take(operation),
                }
            }
        });
        std::fs::create_dir_all(target).unwrap();
        for (name, file) in files {
            if let Some(bytes) = file.after_power_cut(unsynced, dice) {
                std::fs::write(target.join(name), bytes).unwrap();
            }
        }
        acknowledged
    }

    fn with<T>(&self, work: impl FnOnce(&mut Record) -> T) -> T {
        let mut records = records();
        let record = records.iter_mut().find(|record| record.folder == self.folder);
        work(record.unwrap())
    }
}

/// One file as it is surely on the disk, and what may or may not be.
#[derive(Default)]
struct File {
    synced: Option<Vec<u8>>,
    since: Vec<Operation>,
}

impl File {
    fn take(&mut self, operation: &Operation) {
        match operation {
            Operation::Sync => {
                let mut bytes = self.synced.take().unwrap_or_default();
                for operation in self.since.drain(..) {
                    apply(&mut bytes, &operation);
                }
                self.synced = Some(bytes);
            }
            Operation::Remove { synced: true } => *self = Self::default(),
            Operation::Remove { synced: false } | Operation::Write { .. } | Operation::Truncate { .. } => {
                self.since.push(operation.clone());
            }
            Operation::Acknowledged(_) => {}
        }
    }

    fn after_power_cut(self, unsynced: Unsynced, dice: &mut impl FnMut(u64) -> u64) -> Option<Vec<u8>> {
        let is_known = self.synced.is_some();
        let mut bytes = self.synced.unwrap_or_default();
        let mut is_there = is_known;
        for operation in self.since {
            let is_kept = match unsynced {
                Unsynced::Lost => false,
                Unsynced::Kept => true,
                Unsynced::Torn => dice(2) == 0,
            };
            match (&operation, unsynced) {
                (Operation::Write { offset, bytes: new }, Unsynced::Torn) => {
                    for (index, sector) in new.chunks(SECTOR_BYTES).enumerate() {
                        if dice(2) == 0 {
                            write(&mut bytes, offset + index * SECTOR_BYTES, sector);
                            is_there = true;
                        }
                    }
                }
                (Operation::Remove { .. }, _) if is_kept => (bytes, is_there) = (Vec::new(), false),
                (operation, _) if is_kept => {
                    apply(&mut bytes, operation);
                    is_there = true;
                }
                _ => {}
            }
        }
        is_there.then_some(bytes)
    }
}

fn apply(bytes: &mut Vec<u8>, operation: &Operation) {
    match operation {
        Operation::Write { offset, bytes: new } => write(bytes, *offset, new),
        Operation::Truncate { size } => bytes.truncate(*size),
        Operation::Remove { .. } => bytes.clear(),
        Operation::Sync | Operation::Acknowledged(_) => {}
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    let end = offset + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(new);
}

// The layer itself: SQLite's own VFS with four of its functions put before. An open file is that VFS's file with a note
// of ours behind it.

/// Of an open file: the functions that it would have without us, and its name.
struct Note {
    methods: *const ffi::sqlite3_io_methods,
    folder: PathBuf,
    name: String,
}

/// The VFS below.
fn below() -> *mut ffi::sqlite3_vfs {
    static BELOW: Mutex<usize> = Mutex::new(0);
    let mut below = BELOW.lock();
    if *below == 0 {
        // SAFETY: SQLite keeps its own VFS as long as the process lives.
        *below = unsafe { ffi::sqlite3_vfs_find(c"unix".as_ptr()) } as usize;
    }
    *below as *mut ffi::sqlite3_vfs
}

/// Makes the layer what every connection of this process uses.
fn put_layer() {
    let below = below();
    // SAFETY: `below` is a VFS of SQLite; the copy lives as long as the process.
    unsafe {
        let mut layer = std::ptr::read(below);
        layer.zName = c"recorded".as_ptr();
        layer.szOsFile += c_int::try_from(size_of::<*mut Note>()).unwrap();
        layer.xOpen = Some(open);
        layer.xDelete = Some(delete);
        let layer = Box::leak(Box::new(layer));
        assert_eq!(ffi::sqlite3_vfs_register(layer, 1), ffi::SQLITE_OK);
    }
}

/// Where the note about an open file is.
unsafe fn note(file: *mut ffi::sqlite3_file) -> *mut *mut Note {
    // SAFETY: every file of this layer was given that much more room in `put_layer`; 8 bytes may be unaligned there.
    unsafe { file.cast::<u8>().add((*below()).szOsFile as usize).cast() }
}

/// The recorded folder in which a file is, and its name.
unsafe fn place(path: *const c_char) -> Option<(PathBuf, String)> {
    if path.is_null() {
        return None;
    }
    // SAFETY: SQLite gives names as C strings.
    let path = Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()));
    let name = path.file_name()?.to_str()?.to_owned();
    let folder = path.parent()?.to_owned();
    let is_recorded = records().iter().any(|record| record.folder == folder);
    is_recorded.then_some((folder, name))
}

fn record(folder: &Path, name: &str, operation: Operation) {
    let mut records = records();
    if let Some(record) = records.iter_mut().find(|record| record.folder == folder) {
        record.operations.push((name.to_owned(), operation));
    }
}

unsafe extern "C" fn open(
    _vfs: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: the arguments are SQLite's, for a file with more room than the VFS below needs.
    unsafe {
        note(file).write_unaligned(null_mut());
        let Some(open) = (*below()).xOpen else {
            return ffi::SQLITE_CANTOPEN;
        };
        let code = open(below(), path, file, flags, out_flags);
        if code != ffi::SQLITE_OK || (*file).pMethods.is_null() {
            return code;
        }
        if let Some((folder, name)) = place(path) {
            let methods = (*file).pMethods;
            let mut ours = std::ptr::read(methods);
            ours.xClose = Some(close);
            ours.xWrite = Some(write_through);
            ours.xTruncate = Some(truncate);
            ours.xSync = Some(sync);
            // Without memory mapping of the database: what is written there would pass us by.
            ours.iVersion = 2;
            let known = Box::new(Note {
                methods,
                folder,
                name,
            });
            note(file).write_unaligned(Box::into_raw(known));
            // A few dozen files are opened in a test: their tables are never given back.
            (*file).pMethods = Box::leak(Box::new(ours));
        }
        code
    }
}

/// Calls a function of the VFS below on a file, and records the operation when it succeeded.
unsafe fn through(
    file: *mut ffi::sqlite3_file,
    operation: impl FnOnce() -> Operation,
    call: impl FnOnce(&ffi::sqlite3_io_methods) -> Option<c_int>,
) -> c_int {
    // SAFETY: files with these functions have a note.
    unsafe {
        let known = &*note(file).read_unaligned();
        let code = call(&*known.methods).unwrap_or(ffi::SQLITE_IOERR);
        if code == ffi::SQLITE_OK {
            record(&known.folder, &known.name, operation());
        }
        code
    }
}

unsafe extern "C" fn write_through(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    let operation = || Operation::Write {
        offset: usize::try_from(offset).unwrap_or(0),
        // SAFETY: SQLite gives so many bytes.
        bytes: unsafe { &*slice_from_raw_parts(from.cast::<u8>(), amount as usize) }.to_vec(),
    };
    // SAFETY: as above.
    unsafe {
        through(file, operation, |below| {
            below.xWrite.map(|write| write(file, from, amount, offset))
        })
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    let operation = || Operation::Truncate {
        size: usize::try_from(size).unwrap_or(0),
    };
    // SAFETY: as above.
    unsafe {
        through(file, operation, |below| {
            below.xTruncate.map(|truncate| truncate(file, size))
        })
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as above.
    unsafe {
        through(
            file,
            || Operation::Sync,
            |below| below.xSync.map(|sync| sync(file, flags)),
        )
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the note was made when the file was opened, and is not used after this.
    unsafe {
        let known = Box::from_raw(note(file).read_unaligned());
        let close = (*known.methods).xClose;
        close.map_or(ffi::SQLITE_IOERR, |close| close(file))
    }
}

unsafe extern "C" fn delete(_vfs: *mut ffi::sqlite3_vfs, path: *const c_char, is_synced: c_int) -> c_int {
    // SAFETY: the arguments are SQLite's.
    unsafe {
        let code = (*below())
            .xDelete
            .map_or(ffi::SQLITE_IOERR, |delete| delete(below(), path, is_synced));
        if code == ffi::SQLITE_OK
            && let Some((folder, name)) = place(path)
        {
            let synced = is_synced != 0;
            record(&folder, &name, Operation::Remove { synced });
        }
        code
    }
}
