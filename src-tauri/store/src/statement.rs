//! Cached statements for reading rows, and for writing with the number of changed rows. A whole row is written by the
//! names of its columns.

use rusqlite::{Connection, Params, Row, ToSql, params_from_iter};

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

/// Writes a whole row, over an earlier one of the same `key`. Of an earlier row, the columns that are `kept` stay.
pub(crate) fn put_row(
    connection: &Connection,
    table: &str,
    key: &[&str],
    columns: &[(&str, &dyn ToSql)],
    kept: &[&str],
) -> rusqlite::Result<()> {
    let sql = put_sql(table, key, columns, kept);
    write_one(
        connection,
        &sql,
        params_from_iter(columns.iter().map(|(_, value)| value)),
    )
}

fn put_sql(table: &str, key: &[&str], columns: &[(&str, &dyn ToSql)], kept: &[&str]) -> String {
    let (mut names, mut marks, mut changed) = (String::new(), String::new(), String::new());
    for (name, _) in columns {
        add(&mut names, &[name]);
        add(&mut marks, &["?"]);
        if !key.contains(name) && !kept.contains(name) {
            add(&mut changed, &[name, " = excluded.", name]);
        }
    }
    let key = key.join(", ");
    format!("INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {changed}")
}

fn add(list: &mut String, parts: &[&str]) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.extend(parts.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::named_params;

    #[test]
    fn a_row_is_written_over_but_for_what_it_keeps() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE word (id TEXT PRIMARY KEY, text TEXT, first INTEGER) STRICT;")
            .unwrap();
        for (text, moment) in [("one", 1), ("two", 2)] {
            let columns = named_params! { "first": moment, "id": "a", "text": text };
            put_row(&connection, "word", &["id"], columns, &["first"]).unwrap();
        }
        let read = |row: &Row<'_>| Ok((row.get("id")?, row.get("text")?, row.get("first")?));
        let all: Vec<(String, String, i64)> = rows(&connection, "SELECT * FROM word", [], read).unwrap();
        assert_eq!(all, [("a".to_owned(), "two".to_owned(), 1)]);
        let wrong = named_params! { "id": "a", "meaning": "none" };
        assert!(put_row(&connection, "word", &["id"], wrong, &[]).is_err());
    }
}
