//! Opens the database: folder, lock, checks, backup, migration, and the switches of every connection.
//!
//! Nothing here repairs, replaces or deletes a file. A file that can't be opened is reported. A damaged file is only
//! moved aside by `recovery.rs`, when somebody asks.

use crate::StoreError;
use crate::connection::{BUSY_MOST, set_up};
use crate::files::private_file;
use crate::lock::Lock;
use crate::recovery;
use crate::rescue;
use crate::schema::{KNOWN_VERSION, MIGRATIONS};
use crate::search::index;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Pages that a reading connection keeps, in KiB: the lengths of 100,000 indexed texts and the places of a query.
const READER_CACHE_KIB: i32 = 8 * 1024;

/// The write-ahead log is cut to this size whenever it was written back, in bytes.
const LOG_MOST_BYTES: i64 = 16 * 1024 * 1024;

/// The caller's decisions about opening.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Longest time that the integrity check at the start may take; it stops there and finds nothing wrong.
    pub integrity_most: Duration,
    /// Longest time that a buffered write stays in memory only.
    pub buffer_most: Duration,
    /// Longest time that a search waits for an index that is far behind. A few rows are waited for in any case.
    pub index_most: Duration,
    /// Largest size of the database; writing beyond it is [`StoreError::Full`]. `None` leaves it to the disk.
    pub size_most_bytes: Option<u64>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            integrity_most: Duration::from_millis(5),
            buffer_most: Duration::from_millis(100),
            index_most: Duration::from_millis(250),
            size_most_bytes: None,
        }
    }
}

/// A database that is ready to be written to, and the lock that keeps others away while it is held. A database in
/// memory has no lock.
pub(crate) struct Opened {
    pub connection: Connection,
    pub lock: Option<Lock>,
}

/// Numbers databases in memory.
static IN_MEMORY: AtomicU64 = AtomicU64::new(0);

/// How the name of a database in memory begins; the path of a file that we are given never does.
const MEMORY: &str = "file:/";

/// Opens the database for writing, making or migrating it where needed.
pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Opened, StoreError> {
    make_folder(path)?;
    let lock = Lock::take(path)?;
    rescue::finish(path)?;
    make_file(path)?;
    let mut connection = connect(path)?;
    let version = version(&connection, path)?;
    let fault = |error| StoreError::of_sqlite(error, path);
    set_up_writer(&connection, options).map_err(fault)?;
    if version > 0 {
        recovery::check(&connection, path, options.integrity_most)?;
    }
    if version > 0 && version < KNOWN_VERSION {
        recovery::back_up(&connection, path, version)?;
    }
    if version < KNOWN_VERSION {
        migrate(&mut connection, path)?;
    }
    index::prepare(&connection).map_err(fault)?;
    Ok(Opened {
        connection,
        lock: Some(lock),
    })
}

/// A name that no other database in memory has; all connections of that name share one.
pub(crate) fn name_in_memory() -> PathBuf {
    let number = IN_MEMORY.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(format!("{MEMORY}shidi-{number}?vfs=memdb"))
}

/// Makes a database in this process's memory: it has no file, and is gone with its last connection.
pub(crate) fn open_in_memory(name: &Path, options: &OpenOptions) -> Result<Opened, StoreError> {
    let fault = |error| StoreError::of_sqlite(error, name);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(name, flags).map_err(fault)?;
    set_up_writer(&connection, options).map_err(fault)?;
    sort_in_memory(&connection).map_err(fault)?;
    migrate(&mut connection, name)?;
    index::prepare(&connection).map_err(fault)?;
    Ok(Opened {
        connection,
        lock: None,
    })
}

/// What is sorted or copied on the way has no file either.
fn sort_in_memory(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")
}

fn is_in_memory(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(MEMORY.as_bytes())
}

/// Opens one more connection to an open database, for reading.
pub(crate) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if is_in_memory(path) {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_URI)?;
        sort_in_memory(&connection)?;
        connection
    } else {
        Connection::open_with_flags(path, flags)?
    };
    set_up(&connection)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    Ok(connection)
}

/// Makes the folder if it is missing. One that exists keeps its mode: it may be the user's own.
fn make_folder(path: &Path) -> Result<(), StoreError> {
    let folder = folder(path);
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .create(folder)
        .map_err(|error| StoreError::of_files(error, folder))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes an empty file if there is none, so that it has its mode from the first byte. SQLite gives the files beside it
/// the same mode.
fn make_file(path: &Path) -> Result<(), StoreError> {
    let fault = |error: io::Error| StoreError::of_files(error, path);
    let is_new = !path.exists();
    let file = private_file().open(path).map_err(fault)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.metadata().map_err(fault)?.permissions().mode();
        if mode & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))
                .map_err(fault)?;
        }
        if is_new {
            File::open(folder(path))
                .and_then(|folder| folder.sync_all())
                .map_err(fault)?;
        }
    }
    Ok(())
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|error| StoreError::of_sqlite(error, path))
}

/// The format of the database; 0 when it is empty.
fn version(connection: &Connection, path: &Path) -> Result<u32, StoreError> {
    let read = || {
        connection.busy_timeout(BUSY_MOST)?;
        let version = connection.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0))?;
        let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
            row.get::<_, u32>(0)
        })?;
        Ok((version, tables))
    };
    match read().map_err(|error| StoreError::of_sqlite(error, path))? {
        (found, _) if found > KNOWN_VERSION => Err(StoreError::Newer {
            found,
            known: KNOWN_VERSION,
        }),
        (0, tables) if tables > 0 => Err(StoreError::Damaged {
            path: path.to_owned(),
            detail: "it holds another program's tables".to_owned(),
        }),
        (version, _) => Ok(version),
    }
}

fn set_up_writer(connection: &Connection, options: &OpenOptions) -> rusqlite::Result<()> {
    set_up(connection)?;
    // Of a new database the rollback journal is removed here, for good. If the journal came back after a power cut,
    // SQLite would undo everything that was written since.
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.pragma_update(None, "journal_size_limit", LOG_MOST_BYTES)?;
    if let Some(size_most_bytes) = options.size_most_bytes {
        let page_bytes: u64 = connection
            .query_row("PRAGMA page_size", [], |row| row.get::<_, u32>(0))?
            .into();
        let pages = i64::try_from(size_most_bytes / page_bytes).unwrap_or(i64::MAX);
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(())
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    MIGRATIONS.to_latest(connection).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => StoreError::of_sqlite(err, path),
        other => StoreError::Damaged {
            path: path.to_owned(),
            detail: other.to_string(),
        },
    })
}
