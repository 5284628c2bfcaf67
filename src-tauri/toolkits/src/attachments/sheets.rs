//! Workbooks (XLSX, XLSB, XLS, ODS): sheet by sheet, each row a line that begins with its number.
//!
//! A formula stands with its last computed value.

use super::frame::{Findings, Stop};
use super::row::Row;
use calamine::{
    CellErrorType, Data, DataRef, ExcelDateTime, Ods, OdsError, Reader, SheetType, SheetVisible, Xls,
    XlsError, Xlsb, Xlsx, XlsxError,
};
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::io::{Read, Seek};

/// Rows between two reports of progress.
const PROGRESS_ROWS: u32 = 2_000;

/// Which of the four kinds a workbook is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Xlsx,
    Xlsb,
    Xls,
    Ods,
}

pub(crate) fn read<R: Read + Seek>(source: R, kind: Kind, findings: &mut Findings<'_>) -> Result<(), Stop> {
    match kind {
        Kind::Xlsx => {
            let mut book = Xlsx::new(source).map_err(|error| match error {
                XlsxError::Password => locked(),
                other => Stop::broken(other),
            })?;
            each_sheet(&mut book, "xlsx", findings, |book, name, findings| {
                streamed(book, name, findings)
            })
        }
        Kind::Xlsb => {
            let mut book = Xlsb::new(source).map_err(Stop::broken)?;
            each_sheet(&mut book, "xlsx", findings, in_memory)
        }
        Kind::Xls => {
            let mut book = Xls::new(source).map_err(|error| match error {
                XlsError::Password => locked(),
                other => Stop::broken(other),
            })?;
            each_sheet(&mut book, "xls", findings, in_memory)
        }
        Kind::Ods => {
            let mut book = Ods::new(source).map_err(|error| match error {
                OdsError::Password => locked(),
                other => Stop::broken(other),
            })?;
            each_sheet(&mut book, "ods", findings, in_memory)
        }
    }
}

fn locked() -> Stop {
    Stop::Refused(Unreadable::Locked, String::new())
}

fn each_sheet<R: Read + Seek, B: Reader<R>>(
    book: &mut B,
    format: &str,
    findings: &mut Findings<'_>,
    read: impl Fn(&mut B, &str, &mut Findings<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    findings.format(format, AttachmentUnit::Sheet)?;
    let sheets = book.sheets_metadata().to_vec();
    let total = sheets.len() as u64;
    let readable = sheets
        .iter()
        .filter(|sheet| matches!(sheet.typ, SheetType::WorkSheet | SheetType::MacroSheet));
    for (index, sheet) in readable.enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let title = match sheet.visible {
            SheetVisible::Visible => "",
            SheetVisible::Hidden | SheetVisible::VeryHidden => "hidden",
        };
        findings.part(number, &sheet.name, title)?;
        read(book, &sheet.name, findings)?;
        findings.progress(u64::from(number), total)?;
    }
    Ok(())
}

fn in_memory<R: Read + Seek, B: Reader<R>>(
    book: &mut B,
    name: &str,
    findings: &mut Findings<'_>,
) -> Result<(), Stop>
where
    B::Error: std::fmt::Display,
{
    whole(&book.worksheet_range(name).map_err(Stop::broken)?, findings)
}

/// Reads cell by cell: a sheet of a million rows is never in memory.
fn streamed<R: Read + Seek>(
    book: &mut calamine::Xlsx<R>,
    name: &str,
    findings: &mut Findings<'_>,
) -> Result<(), Stop> {
    let mut cells = book.worksheet_cells_reader(name).map_err(Stop::broken)?;
    let rows = cells.dimensions().end.0;
    let mut row = Row::new(1);
    while let Some(cell) = cells.next_cell().map_err(Stop::broken)? {
        let (index, column) = cell.get_position();
        if index + 1 != row.number {
            let number = row.number;
            finish(&std::mem::replace(&mut row, Row::new(index + 1)), findings)?;
            if number / PROGRESS_ROWS != (index + 1) / PROGRESS_ROWS {
                findings.progress(u64::from(index + 1), u64::from(rows + 1))?;
            }
        }
        row.cell(column, &shown(cell.get_value()));
    }
    finish(&row, findings)
}

fn whole(range: &calamine::Range<Data>, findings: &mut Findings<'_>) -> Result<(), Stop> {
    let Some((first_row, first_column)) = range.start() else {
        return Ok(());
    };
    for (offset, cells) in range.rows().enumerate() {
        let number = first_row + u32::try_from(offset).unwrap_or(u32::MAX) + 1;
        let mut row = Row::new(number);
        for (column, cell) in (first_column..).zip(cells) {
            row.cell(column, &shown(&as_ref(cell)));
        }
        finish(&row, findings)?;
    }
    Ok(())
}

fn finish(row: &Row, findings: &mut Findings<'_>) -> Result<(), Stop> {
    row.line().map_or(Ok(()), |line| findings.line(line))
}

fn as_ref(cell: &Data) -> DataRef<'_> {
    match cell {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(flag) => DataRef::Bool(*flag),
        Data::DateTime(moment) => DataRef::DateTime(*moment),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}

fn shown(cell: &DataRef<'_>) -> String {
    match cell {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => plain_number(*number),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTime(moment) => moment_text(moment),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error_text(error),
        DataRef::Empty => String::new(),
    }
}

/// A number as a spreadsheet shows it: fifteen digits, and an exponent only where needed.
fn plain_number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    rounded.to_string()
}

fn moment_text(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    if moment.is_duration() {
        let seconds = (moment.as_f64() * 86_400.0).round();
        let hours = (seconds / 3_600.0).floor();
        return format!("{hours:.0}:{minute:02}:{second:02}");
    }
    let has_time = moment.as_f64().fract() != 0.0;
    match (moment.as_f64() >= 1.0, has_time) {
        (true, false) => format!("{year:04}-{month:02}-{day:02}"),
        (true, true) => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
        (false, _) => format!("{hour:02}:{minute:02}:{second:02}"),
    }
}

fn error_text(error: &CellErrorType) -> String {
    error.to_string()
}
