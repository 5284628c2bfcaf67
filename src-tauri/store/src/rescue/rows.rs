//! Reads the rows of one table around the pages that can't be read.
//!
//! Reading goes from the front to the first such page, and from the back to the last. Between them, where rows have
//! numbers, it goes by halves. A half that can't be read is halved again. Where they have none, what lies between is
//! lost.

use crate::table;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};

/// Halves that are tried for one table, each of some microseconds: enough for thousands of damaged pages.
const TRIES_MOST: u32 = 200_000;

/// A table of the new database.
pub(super) struct Table {
    pub name: String,
    columns: Vec<String>,
    /// The columns by which its rows are ordered.
    order: Vec<String>,
    is_numbered: bool,
}

/// The outcome of rescuing a table.
#[derive(Default)]
pub(super) struct Copied {
    pub rows: u64,
    /// Rows that were read and fit no more.
    pub lost: u64,
    /// Whether part of it could not be read.
    pub is_torn: bool,
}

/// How far a reading came: to its end, or to something that can't be read.
enum Reached {
    End,
    Damage,
}

impl Table {
    /// All tables that hold the truth; the search index is made of them.
    pub fn all(target: &Connection) -> rusqlite::Result<Vec<Self>> {
        let found: Vec<(String, bool)> = table::rows(
            target,
            "SELECT name, wr FROM pragma_table_list
             WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('search_mark', 'erasure')
             ORDER BY name",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        found
            .into_iter()
            .map(|(name, without_numbers)| Self::read(target, name, !without_numbers))
            .collect()
    }

    fn read(target: &Connection, name: String, is_numbered: bool) -> rusqlite::Result<Self> {
        let columns: Vec<(String, u32)> = table::rows(
            target,
            "SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid",
            [&name],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut keys: Vec<(u32, String)> = columns
            .iter()
            .filter(|(_, place)| *place > 0)
            .map(|(column, place)| (*place, quoted(column)))
            .collect();
        keys.sort();
        let order = match is_numbered {
            true => vec!["rowid".to_owned()],
            false => keys.into_iter().map(|(_, column)| column).collect(),
        };
        Ok(Self {
            columns: columns.into_iter().map(|(column, _)| column).collect(),
            name,
            order,
            is_numbered,
        })
    }

    /// Copies what can be read. Fails only when the new database takes no writes.
    pub fn copy(&self, source: &Connection, target: &Connection) -> rusqlite::Result<Copied> {
        let mut copied = Copied::default();
        let Ok(common) = self.common(source) else {
            copied.is_torn = true;
            return Ok(copied);
        };
        if common.is_empty() {
            // A table that the damaged database, of an earlier format, does not have.
            return Ok(copied);
        }
        let mut copy = Copy {
            table: self,
            common,
            source,
            target,
            copied: &mut copied,
            first: i64::MAX,
            last: i64::MIN,
        };
        if let Reached::End = copy.front()? {
            return Ok(copied);
        }
        let front = copy.last;
        copy.back()?;
        let back = copy.first;
        if self.is_numbered && front < back {
            let from = if front == i64::MIN { 0 } else { front + 1 };
            copy.between(from, back)?;
        }
        copied.is_torn = true;
        Ok(copied)
    }

    /// Columns that both databases have.
    fn common(&self, source: &Connection) -> rusqlite::Result<Vec<String>> {
        let there: Vec<String> = table::rows(
            source,
            "SELECT name FROM pragma_table_info(?1)",
            [&self.name],
            |row| row.get(0),
        )?;
        let common = self.columns.iter().filter(|column| there.contains(column));
        Ok(common.map(|column| quoted(column)).collect())
    }
}

/// Copying one table.
struct Copy<'a> {
    table: &'a Table,
    common: Vec<String>,
    source: &'a Connection,
    target: &'a Connection,
    copied: &'a mut Copied,
    /// Lowest and highest number of the rows of the last reading.
    first: i64,
    last: i64,
}

impl Copy<'_> {
    fn front(&mut self) -> rusqlite::Result<Reached> {
        let order = self.table.order.join(", ");
        self.take("TRUE", &order)
    }

    fn back(&mut self) -> rusqlite::Result<()> {
        (self.first, self.last) = (i64::MAX, i64::MIN);
        let order: Vec<String> = self.table.order.iter().map(|key| format!("{key} DESC")).collect();
        self.take("TRUE", &order.join(", ")).map(|_| ())
    }

    /// Rows from `from` on and before `to`.
    fn between(&mut self, from: i64, to: i64) -> rusqlite::Result<()> {
        // Without a row from the back the end of the numbers is not known. The numbers are dense, so the end is not far
        // beyond the front.
        let to = to.min(from.saturating_add(1 << 40));
        let mut ranges = vec![(from, to)];
        let mut tries = 0;
        while let Some((from, to)) = ranges.pop()
            && tries < TRIES_MOST
        {
            tries += 1;
            (self.first, self.last) = (i64::MAX, i64::MIN);
            let within = format!("rowid >= {from} AND rowid < {to}");
            if let Reached::End = self.take(&within, "rowid")? {
                continue;
            }
            let from = from.max(self.last.saturating_add(1));
            if to - from < 2 {
                continue;
            }
            let middle = from + (to - from) / 2;
            ranges.push((middle, to));
            ranges.push((from, middle));
        }
        Ok(())
    }

    /// Copies rows until the end, or until something can't be read.
    fn take(&mut self, which: &str, order: &str) -> rusqlite::Result<Reached> {
        let (name, common) = (quoted(&self.table.name), self.common.join(", "));
        let number = if self.table.is_numbered { "rowid" } else { "0" };
        let sql = format!("SELECT {number}, {common} FROM {name} WHERE {which} ORDER BY {order}");
        let places = vec!["?"; self.common.len()].join(", ");
        let mut insert = self.target.prepare_cached(&format!(
            "INSERT OR IGNORE INTO {name} ({common}) VALUES ({places})"
        ))?;
        let Ok(mut statement) = self.source.prepare(&sql) else {
            return Ok(Reached::Damage);
        };
        let Ok(mut rows) = statement.query([]) else {
            return Ok(Reached::Damage);
        };
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(Reached::End),
                Err(_) => return Ok(Reached::Damage),
            };
            let number: i64 = row.get(0)?;
            self.first = self.first.min(number);
            self.last = self.last.max(number);
            let mut values = Vec::with_capacity(self.common.len());
            for column in 1..=self.common.len() {
                values.push(value(row.get_ref(column)?));
            }
            match insert.execute(params_from_iter(values)) {
                // Rows that were read before are passed by.
                Ok(changed) => self.copied.rows += changed as u64,
                Err(error) if is_of_row(&error) => self.copied.lost += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether the row itself can't be written, damaged as it is.
fn is_of_row(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{ConstraintViolation, TooBig, TypeMismatch};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| [ConstraintViolation, TooBig, TypeMismatch].contains(&code))
}

/// A value as it is read; text of which bytes are damaged keeps the others.
fn value(read: ValueRef<'_>) -> Value {
    match read {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
