//! Turns a row of a workbook into one line and back: `12
//! Beijing
//! 1234.5` is row 12 with its first cells.
//!
//! Empty cells keep their place, so that columns can be counted. A bar within a cell is written `\|`, as in
//! Markdown tables. Backslashes right before a bar are doubled, so that every line reads back to the same row.

use std::fmt::Write as _;

const SEPARATOR: char = '|';
const ESCAPE: char = '\\';

/// Columns of one row: the most that a spreadsheet program can show.
const COLUMNS_MAX: u32 = 16_384;

/// One row while it becomes a line.
pub(super) struct Row {
    pub(super) number: u32,
    line: String,
    /// The column of the next cell, if no cell is skipped.
    column: u32,
}

impl Row {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            line: number.to_string(),
            column: 0,
        }
    }

    pub(super) fn cell(&mut self, column: u32, text: &str) {
        if text.is_empty() || column >= COLUMNS_MAX {
            return;
        }
        while self.column < column {
            write!(self.line, " {SEPARATOR}").unwrap_or_default();
            self.column += 1;
        }
        // A line break within a cell would end the row.
        let plain = text.replace(['\n', '\r'], " ");
        write!(self.line, " {SEPARATOR} {}", escaped(plain.trim())).unwrap_or_default();
        self.column = column + 1;
    }

    /// The line; `None` for a row without cells.
    pub(super) fn line(&self) -> Option<&str> {
        (self.column > 0).then_some(&self.line)
    }
}

/// The row's number and its cells; `None` for a line that is no row.
pub(crate) fn cells_of(line: &str) -> Option<(u32, Vec<String>)> {
    let mut parts = vec![String::new()];
    let mut escapes = 0;
    for sign in line.chars() {
        let last = parts.len() - 1;
        match sign {
            ESCAPE => escapes += 1,
            SEPARATOR if escapes == 0 => {
                parts.push(String::new());
                continue;
            }
            SEPARATOR => {
                // Half of the backslashes stay, and the bar.
                let kept = parts[last].len() - usize::div_ceil(escapes, 2);
                parts[last].truncate(kept);
                escapes = 0;
            }
            _ => escapes = 0,
        }
        parts[last].push(sign);
    }
    let mut parts = parts.into_iter().map(|part| part.trim().to_owned());
    let number = parts.next()?.parse().ok()?;
    Some((number, parts.collect()))
}

fn escaped(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut escapes = 0;
    for sign in cell.chars() {
        if sign == SEPARATOR {
            text.extend(std::iter::repeat_n(ESCAPE, escapes + 1));
        }
        escapes = if sign == ESCAPE { escapes + 1 } else { 0 };
        text.push(sign);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_bar_within_a_cell_moves_no_other_cell() {
        let mut row = Row::new(12);
        for (column, cell) in ["a | b", r"C:\x\", "", r"\|", "||", "-"].into_iter().enumerate() {
            row.cell(u32::try_from(column).unwrap(), cell);
        }
        assert_eq!(row.line(), Some(r"12 | a \| b | C:\x\ | | \\\| | \|\| | -"));
        assert_eq!(
            cells_of(row.line().unwrap()),
            Some((
                12,
                ["a | b", r"C:\x\", "", r"\|", "||", "-"]
                    .map(str::to_owned)
                    .to_vec()
            ))
        );
        assert_eq!(Row::new(3).line(), None);
        assert_eq!(cells_of("Total | 3"), None);
    }

    proptest! {
        #[test]
        fn a_row_is_read_as_it_was_written(cells in prop::collection::vec(r"([ |\\a海\n-]|\PC){0,12}", 0..8), number in any::<u32>()) {
            let mut row = Row::new(number);
            for (column, cell) in (0..).zip(&cells) {
                row.cell(column, cell);
            }
            let mut plain: Vec<String> = cells.iter().map(|cell| cell.replace('\n', " ").trim().to_owned()).collect();
            // Empty cells at the end are dropped; cells with blanks alone stay.
            while cells.get(plain.len().wrapping_sub(1)).is_some_and(String::is_empty) {
                plain.pop();
            }
            let read = row.line().map(|line| cells_of(line).unwrap());
            prop_assert_eq!(read, (!plain.is_empty()).then_some((number, plain)));
        }
    }
}
