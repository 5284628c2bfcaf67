//! How every connection is set up, whoever holds it.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use std::time::Duration;

/// How long a statement waits for a program that is not ours to release the database.
pub(crate) const BUSY_MOST: Duration = Duration::from_secs(2);

/// Statements that a connection keeps compiled: more than there are in this crate.
const STATEMENTS_MOST: usize = 96;

/// Longest text or value of one row, in bytes.
pub const TEXT_MOST_BYTES: i32 = 64 * 1024 * 1024;

/// Bounds and guards that hold for writer and readers alike.
pub(crate) fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_MOST)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MOST);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, TEXT_MOST_BYTES)?;
    connection
        .execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
}
