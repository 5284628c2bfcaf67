//! One file per table: what it is for, how it is created, its row, its writes, its reads.
//!
//! Everything here takes a connection and answers in SQLite's words; who holds the connection, what is one
//! transaction and what an error means to a caller is decided in `writer.rs`, `readers.rs` and `error.rs`.

pub(crate) mod call;
pub(crate) mod erasure;
pub(crate) mod experience;
pub(crate) mod knowledge;
pub(crate) mod learning;
pub(crate) mod look;
pub(crate) mod memory;
pub(crate) mod note;
pub(crate) mod result;
pub(crate) mod rule;
pub(crate) mod run_state;
pub(crate) mod segment;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod span;
pub(crate) mod switch;
pub(crate) mod trace;
pub(crate) mod variable;
pub(crate) mod vector;
pub(crate) mod visit;

use rusqlite::{Connection, Params, Row};

/// All rows of a cached statement.
pub(crate) fn rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection
        .prepare_cached(sql)?
        .query_map(parameters, read)?
        .collect()
}

/// Performs a cached statement and says how many rows it changed.
pub(crate) fn write(connection: &Connection, sql: &str, parameters: impl Params) -> rusqlite::Result<usize> {
    connection.prepare_cached(sql)?.execute(parameters)
}

/// Performs a cached statement that must change exactly one row.
pub(crate) fn write_one(connection: &Connection, sql: &str, parameters: impl Params) -> rusqlite::Result<()> {
    match write(connection, sql, parameters)? {
        1 => Ok(()),
        changed => Err(rusqlite::Error::StatementChangedRows(changed)),
    }
}
