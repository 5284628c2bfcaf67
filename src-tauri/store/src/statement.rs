//! Cached statements: reading rows, and writing with the number of rows that it changed.

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
