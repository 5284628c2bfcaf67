//! `files.write_table`: rows into a workbook or a table of text. Numbers stay numbers and dates become dates, so that
//! the user can go on computing with them. No text becomes a formula.

use super::produce::{Produced, produce};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{TABLE_CELL_CHARACTERS_MAX, TABLE_CELLS_MAX, TABLE_ROWS_MAX};
use crate::safe_path::ResolvedPath;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde_json::{Map, Value, json};
use shidi_protocol::CallOutcome;

/// Widest column that is fitted to its content, in pixels: a long text is better wrapped by its reader.
const COLUMN_PIXELS_MAX: u32 = 420;

/// Rows under one head.
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Value>>,
}

pub(super) fn write_table(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let ending = place
        .leads_to
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    // Before the rows: a program that mends them should not run into this next.
    if !["xlsx", "csv", "tsv"].contains(&ending.as_str()) {
        return Err(ToolError::NoForm {
            path: shown,
            known: "'.xlsx', '.csv' or '.tsv'",
        });
    }
    let table = Table::of(arguments)?;
    let bytes = match ending.as_str() {
        "xlsx" => workbook(&table, arguments.text("sheet"))
            .map_err(|cause| ToolError::NoTable(cause.to_string()))?,
        "csv" => text(&table, b',')?,
        _ => text(&table, b'\t')?,
    };
    let produced = Produced {
        bytes,
        facts: json!({"rows": table.rows.len(), "columns": table.head.len()}),
        told: super::counted(table.rows.len(), "row", "rows"),
    };
    produce(place, environment, produced)
}

impl Table {
    /// The rows as the program passed them: dicts by column, or lists in the order of the columns.
    fn of(arguments: &Arguments<'_>) -> Result<Self, ToolError> {
        let given = arguments.any("rows").and_then(Value::as_array);
        let rows = given.ok_or_else(|| ToolError::NoTable("rows is no list".to_owned()))?;
        if rows.len() > TABLE_ROWS_MAX {
            return Err(ToolError::NoTable(format!(
                "it has more than {TABLE_ROWS_MAX} rows"
            )));
        }
        let named = arguments.any("columns").and_then(Value::as_array);
        let mut head: Vec<String> = named.into_iter().flatten().map(cell_text).collect();
        if head.is_empty() {
            head = keys_of(rows);
        }
        let rows: Vec<Vec<Value>> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                cells(row, &head)
                    .ok_or_else(|| ToolError::NoTable(format!("row {at} is neither a dict nor a list")))
            })
            .collect::<Result<_, _>>()?;
        let widest = rows.iter().map(Vec::len).max().unwrap_or_default();
        // Rows that are lists need no names for their columns.
        head.resize(head.len().max(widest), String::new());
        if rows.len().saturating_mul(head.len()) > TABLE_CELLS_MAX {
            return Err(ToolError::NoTable(format!(
                "it has more than {TABLE_CELLS_MAX} cells"
            )));
        }
        Ok(Self { head, rows })
    }

    fn has_head(&self) -> bool {
        self.head.iter().any(|name| !name.is_empty())
    }
}

/// The keys of all rows, in the order in which they come.
fn keys_of(rows: &[Value]) -> Vec<String> {
    let mut known = Map::new();
    for key in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        known.insert(key.clone(), Value::Null);
    }
    known.into_iter().map(|(key, _)| key).collect()
}

fn cells(row: &Value, head: &[String]) -> Option<Vec<Value>> {
    match row {
        Value::Array(cells) => Some(cells.clone()),
        Value::Object(fields) => Some(
            head.iter()
                .map(|name| fields.get(name).cloned().unwrap_or_default())
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// A value as a person reads it.
fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// With a byte order mark where there are letters beyond ASCII: spreadsheet programs read them right only then.
fn text(table: &Table, delimiter: u8) -> Result<Vec<u8>, ToolError> {
    let broken = |cause: csv::Error| ToolError::NoTable(cause.to_string());
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    if table.has_head() {
        writer.write_record(&table.head).map_err(broken)?;
    }
    for row in &table.rows {
        let missing = table.head.len() - row.len();
        let cells = row.iter().map(cell_text).chain(vec![String::new(); missing]);
        writer.write_record(cells).map_err(broken)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|cause| ToolError::NoTable(cause.to_string()))?;
    Ok(if bytes.is_ascii() {
        bytes
    } else {
        [&b"\xef\xbb\xbf"[..], &bytes].concat()
    })
}

fn workbook(table: &Table, sheet: &str) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let worksheet = workbook.add_worksheet();
    if !sheet.is_empty() {
        worksheet.set_name(sheet)?;
    }
    let mut first = 0;
    if table.has_head() {
        let bold = Format::new().set_bold();
        for (column, name) in (0..).zip(&table.head) {
            worksheet.write_string_with_format(0, column, name, &bold)?;
        }
        worksheet.set_freeze_panes(1, 0)?;
        first = 1;
    }
    let formats = Formats::new();
    for (row, cells) in (first..).zip(&table.rows) {
        for (column, value) in (0..).zip(cells) {
            put(worksheet, (row, column), value, &formats)?;
        }
    }
    let (rows, columns) = (table.rows.len(), table.head.len());
    if table.has_head() && rows > 0 && columns > 0 {
        let (last, width) = (
            u32::try_from(rows).unwrap_or(u32::MAX),
            u16::try_from(columns - 1).unwrap_or(u16::MAX),
        );
        worksheet.autofilter(0, 0, last, width)?;
    }
    worksheet.set_autofit_max_width(COLUMN_PIXELS_MAX).autofit();
    workbook.save_to_buffer()
}

/// Formats of dates as every locale's spreadsheet program knows them.
struct Formats {
    date: Format,
    moment: Format,
}

impl Formats {
    fn new() -> Self {
        Self {
            date: Format::new().set_num_format("yyyy-mm-dd"),
            moment: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
        }
    }
}

fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &Value,
    formats: &Formats,
) -> Result<(), XlsxError> {
    let written = match value {
        Value::Null => return Ok(()),
        Value::Bool(is_so) => sheet.write_boolean(row, column, *is_so),
        Value::Number(number) => match exact(number) {
            Some(number) => sheet.write_number(row, column, number),
            // More digits than a workbook's numbers have: shown, not rounded.
            None => sheet.write_string(row, column, number.to_string()),
        },
        Value::String(text) => match moment(text) {
            Some((at, true)) => sheet.write_datetime_with_format(row, column, &at, &formats.date),
            Some((at, false)) => sheet.write_datetime_with_format(row, column, &at, &formats.moment),
            None => sheet.write_string(row, column, shortened(text)),
        },
        Value::Array(_) | Value::Object(_) => sheet.write_string(row, column, shortened(&value.to_string())),
    };
    written.map(|_| ())
}

/// The number, where a workbook holds it as it is: its numbers have 15 digits.
fn exact(number: &serde_json::Number) -> Option<f64> {
    const LARGEST: f64 = 1e15;
    let value = number.as_f64()?;
    (!(number.is_i64() || number.is_u64()) || value.abs() < LARGEST).then_some(value)
}

/// `2026-11-25`, or `2026-11-25T09:30:00` with or without its seconds: a day or a moment without a zone.
fn moment(text: &str) -> Option<(ExcelDateTime, bool)> {
    let day = text
        .parse::<jiff::civil::Date>()
        .ok()
        .filter(|_| text.len() == 10);
    let at = match day {
        Some(_) => None,
        None => text
            .get(10..11)
            .filter(|mark| ["T", " "].contains(mark))
            .and_then(|_| text.parse::<jiff::civil::DateTime>().ok()),
    };
    let is_zoned = text.ends_with('Z')
        || text
            .get(10..)
            .is_some_and(|rest| rest.contains('+') || rest.contains('['));
    if day.is_none() && (at.is_none() || is_zoned) {
        return None;
    }
    ExcelDateTime::parse_from_str(text)
        .ok()
        .map(|at| (at, day.is_some()))
}

/// What a cell of a workbook can hold.
fn shortened(text: &str) -> String {
    text.chars().take(TABLE_CELL_CHARACTERS_MAX).collect()
}
