//! Tables: columns by what stands in them, rows that go on over pages, the head repeated on each.
//!
//! Where words have no room beside one another their letters get smaller. Where that is not enough, the columns stand in
//! several tables, each with the first column.

use crate::blocks::Table;
use crate::error::PdfError;
use crate::flow::{Flow, baseline, prose, rows};
use crate::limits::{CELL_SIZES, COLUMNS_MAX, MEASURED_ROWS, PART_CELL_SIZE};
use crate::pages::{Owner, RULE, SHADE};
use crate::structure::{NodeId, Part};
use crate::typesetter::{Line, Setting};
use crate::words::{Side, Words};

const LINE: f32 = 1.4;
/// In sizes of the letters of a cell.
const PADDING_X: f32 = 0.52;
const PADDING_Y: f32 = 3.5;

/// A row that is higher is broken where its page ends.
const WHOLE_ROW_MAX: f32 = 220.0;

/// Widths of a column, in sizes of its letters. A longer text needs at least the first. A word that needs more than the
/// other, such as an address, is broken before the whole table suffers.
const TEXT_WIDTH_MIN: f32 = 4.0;
const WORD_WIDTH_MAX: f32 = 8.0;

/// A row whose words are set.
#[derive(Clone)]
struct Row {
    cells: Vec<(Vec<Line>, Owner)>,
    is_head: bool,
}

impl Row {
    fn lines(&self) -> usize {
        self.cells
            .iter()
            .map(|(lines, _)| lines.len())
            .max()
            .unwrap_or(0)
            .max(1)
    }
}

/// What holds for all rows of a table.
struct Grid {
    widths: Vec<f32>,
    sides: Vec<Side>,
    size: f32,
    head: Option<Row>,
}

impl Grid {
    fn of(table: &Table, size: f32) -> Self {
        Self {
            widths: Vec::new(),
            sides: table.sides.clone(),
            size,
            head: None,
        }
    }

    fn padding(&self) -> f32 {
        self.size * PADDING_X
    }

    fn line(&self) -> f32 {
        self.size * LINE
    }

    fn height(&self, lines: usize) -> f32 {
        self.line() * count(lines) + 2.0 * PADDING_Y
    }

    fn setting(&self, column: usize, is_head: bool) -> Setting {
        Setting {
            is_bold: is_head,
            side: self.sides.get(column).copied().unwrap_or_default(),
            ..prose(self.size)
        }
    }
}

impl Flow<'_> {
    pub(crate) fn table(&mut self, table: &Table) -> Result<(), PdfError> {
        let columns = table.head.len();
        if columns > COLUMNS_MAX {
            return Err(PdfError::TooWide(columns));
        }
        let grid = Grid::of(table, CELL_SIZES[0]);
        let measured: Vec<(f32, f32)> = self
            .measured(table, &grid)?
            .into_iter()
            .map(|(min, max)| (min / grid.size, max / grid.size))
            .collect();
        let (size, parts) = divided(&measured, self.width);
        if let [_] = parts.as_slice() {
            return self.part(table, &measured, size);
        }
        for columns in parts {
            let measured: Vec<(f32, f32)> = columns.iter().map(|column| measured[*column]).collect();
            self.part(&chosen(table, &columns), &measured, size)?;
        }
        Ok(())
    }

    /// A table whose columns have room beside one another. They are `measured` in sizes of letters.
    fn part(&mut self, table: &Table, measured: &[(f32, f32)], size: f32) -> Result<(), PdfError> {
        let mut grid = Grid::of(table, size);
        let room = self.width - 2.0 * grid.padding() * count(table.head.len());
        grid.widths = shares(&least(measured, size, room), room);
        let outer = self.pages.structure.add(self.node, Part::Table);
        let head_node = self.pages.structure.add(outer, Part::Head);
        let body = self.pages.structure.add(outer, Part::Rows);
        self.gap(8.0);
        let head = self.row(&table.head, &grid, head_node, true)?;
        self.settle(grid.height(head.lines()) + grid.height(2))?;
        self.pages
            .shape(self.left, self.pages.y, self.whole(&grid), 0.8, RULE);
        self.place(&head, &grid)?;
        grid.head = Some(Row {
            cells: head
                .cells
                .into_iter()
                .map(|(lines, _)| (lines, Owner::default()))
                .collect(),
            is_head: true,
        });
        for cells in &table.rows {
            let row = self.row(cells, &grid, body, false)?;
            self.place(&row, &grid)?;
        }
        self.gap(11.0);
        Ok(())
    }

    /// The longest word and the longest text of each column.
    fn measured(&mut self, table: &Table, grid: &Grid) -> Result<Vec<(f32, f32)>, PdfError> {
        let mut widths = vec![(0.0_f32, 0.0_f32); table.head.len()];
        let heads = std::iter::once((&table.head, true));
        let all = heads.chain(table.rows.iter().take(MEASURED_ROWS).map(|row| (row, false)));
        for (row, is_head) in all {
            for (column, (words, width)) in row.iter().zip(&mut widths).enumerate() {
                let (min, max) = self.setter.widths(words, grid.setting(column, is_head))?;
                *width = (width.0.max(min), width.1.max(max));
            }
        }
        Ok(widths)
    }

    fn row(&mut self, cells: &[Words], grid: &Grid, parent: NodeId, is_head: bool) -> Result<Row, PdfError> {
        let row = self.pages.structure.add(parent, Part::Row);
        let mut set = Vec::with_capacity(cells.len());
        for (column, (words, width)) in cells.iter().zip(&grid.widths).enumerate() {
            let part = if is_head { Part::HeadCell } else { Part::Cell };
            let node = self.pages.structure.add(row, part);
            let lines = self.setter.lines(words, grid.setting(column, is_head), *width)?;
            set.push((lines, self.owner(node, words)));
        }
        Ok(Row { cells: set, is_head })
    }

    fn whole(&self, grid: &Grid) -> f32 {
        let padding = 2.0 * grid.padding();
        grid.widths.iter().map(|width| width + padding).sum()
    }

    /// Puts a row where it has room: on this page, on the next one, or on both.
    fn place(&mut self, row: &Row, grid: &Grid) -> Result<(), PdfError> {
        let height = grid.height(row.lines());
        if height > self.pages.room() && height <= WHOLE_ROW_MAX {
            self.next_page(grid)?;
        }
        let mut from = 0;
        while from < row.lines() {
            let room = rows(self.pages.room() - 2.0 * PADDING_Y, grid.line());
            if room == 0 {
                self.next_page(grid)?;
                continue;
            }
            let to = row.lines().min(from + room);
            self.slice(row, grid, from, to);
            from = to;
        }
        Ok(())
    }

    fn next_page(&mut self, grid: &Grid) -> Result<(), PdfError> {
        self.turn()?;
        if let Some(head) = &grid.head {
            self.pages
                .shape(self.left, self.pages.y, self.whole(grid), 0.8, RULE);
            let lines = head.lines().min(rows(self.pages.room() / 2.0, grid.line()));
            self.slice(head, grid, 0, lines);
        }
        Ok(())
    }

    /// Draws some lines of a row, all at one height.
    fn slice(&mut self, row: &Row, grid: &Grid, from: usize, to: usize) {
        let top = self.pages.y;
        let height = grid.height(to - from);
        let whole = self.whole(grid);
        if row.is_head {
            self.pages.shape(self.left, top, whole, height, SHADE);
        }
        let first = baseline(top + PADDING_Y, grid.size, grid.line());
        self.mark(first);
        let mut x = self.left + grid.padding();
        for ((lines, owner), width) in row.cells.iter().zip(&grid.widths) {
            let mut at = first;
            for line in lines.iter().take(to).skip(from) {
                self.pages.line(line.clone(), x, at, self.colour, owner);
                at += grid.line();
            }
            if let (true, 0, Some(node)) = (lines.is_empty(), from, owner.node) {
                self.pages.empty(node);
            }
            x += width + 2.0 * grid.padding();
        }
        self.pages.y += height;
        let weight = if row.is_head { 0.8 } else { 0.5 };
        self.pages
            .shape(self.left, self.pages.y - weight / 2.0, whole, weight, RULE);
    }
}

/// The size of a table's letters, and its columns in parts that have room. `measured` are the longest word and the longest
/// text of each column, in sizes of letters.
pub(crate) fn divided(measured: &[(f32, f32)], room: f32) -> (f32, Vec<Vec<usize>>) {
    let needs = |size: f32| -> Vec<f32> {
        let padding = 2.0 * size * PADDING_X;
        let all = measured.iter();
        all.map(|column| padded(need(*column).min(WORD_WIDTH_MAX) * size) + padding)
            .collect()
    };
    let fits = |size: &f32| needs(*size).iter().sum::<f32>() <= room;
    match CELL_SIZES.into_iter().find(fits) {
        Some(size) => (size, vec![(0..measured.len()).collect()]),
        None => (PART_CELL_SIZE, parts(&needs(PART_CELL_SIZE), room)),
    }
}

/// Columns that have room together, each time with the first one and at least one other.
fn parts(needs: &[f32], room: f32) -> Vec<Vec<usize>> {
    let first = needs.first().copied().unwrap_or_default();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut left = 0.0;
    for (column, need) in needs.iter().enumerate().skip(1) {
        match parts.last_mut() {
            Some(part) if *need <= left => part.push(column),
            Some(_) | None => {
                parts.push(vec![0, column]);
                left = room - first;
            }
        }
        left -= need;
    }
    match parts.is_empty() {
        true => vec![(0..needs.len()).collect()],
        false => parts,
    }
}

/// Some columns of a table, as a table.
fn chosen(table: &Table, columns: &[usize]) -> Table {
    let cells = |row: &Vec<Words>| -> Vec<Words> {
        let chosen = columns.iter().map(|column| row.get(*column).cloned());
        chosen.map(Option::unwrap_or_default).collect()
    };
    let side = |column: &usize| table.sides.get(*column).copied().unwrap_or_default();
    Table {
        sides: columns.iter().map(side).collect(),
        head: cells(&table.head),
        rows: table.rows.iter().map(cells).collect(),
    }
}

/// What a column needs, in sizes of its letters: its longest word, and some letters of a longer text.
fn need((min, max): (f32, f32)) -> f32 {
    min.max(max.min(TEXT_WIDTH_MIN))
}

/// The least and the most width of each column. What needs more than a page has is broken.
fn least(measured: &[(f32, f32)], size: f32, room: f32) -> Vec<(f32, f32)> {
    let all: f32 = measured.iter().map(|column| padded(need(*column) * size)).sum();
    let most = if all <= room {
        f32::INFINITY
    } else {
        WORD_WIDTH_MAX
    };
    let columns = measured.iter();
    columns
        .map(|column| (need(*column).min(most) * size, column.1 * size))
        .collect()
}

/// What is measured and what is set may differ by a hair.
fn padded(width: f32) -> f32 {
    width.max(8.0) + 0.5
}

/// Widths of columns from their longest words and texts. What is short stands on one line, what is long shares the rest.
/// Words stay whole where they can.
pub(crate) fn shares(columns: &[(f32, f32)], room: f32) -> Vec<f32> {
    let columns: Vec<(f32, f32)> = columns
        .iter()
        .map(|(min, max)| (padded(*min), padded(*max)))
        .collect();
    let most: f32 = columns.iter().map(|(_, max)| *max).sum();
    if most <= room {
        return columns.iter().map(|(_, max)| *max).collect();
    }
    let floors = floors(&columns, room);
    let wanted = wanted(&columns, room);
    let kept: f32 = floors.iter().sum();
    let over: f32 = wanted
        .iter()
        .zip(&floors)
        .map(|(wanted, floor)| (wanted - floor).max(0.0))
        .sum();
    let spare = (room - kept).max(0.0) / over.max(0.01);
    let both = wanted.iter().zip(&floors);
    both.map(|(wanted, floor)| floor + (wanted - floor).max(0.0) * spare)
        .collect()
}

/// The least that each column gets: its longest word. Where all of them have no room, it is an equal part at most.
fn floors(columns: &[(f32, f32)], room: f32) -> Vec<f32> {
    let least: f32 = columns.iter().map(|(min, _)| *min).sum();
    if least <= room {
        return columns.iter().map(|(min, _)| *min).collect();
    }
    let equal = room / count(columns.len());
    columns.iter().map(|(min, _)| min.min(equal)).collect()
}

/// Short columns as wide as they are; the others by how long they are, up to thrice an equal part.
fn wanted(columns: &[(f32, f32)], room: f32) -> Vec<f32> {
    let mut is_short = vec![false; columns.len()];
    let (mut rest, mut equal) = (room, 0.0);
    for _ in 0..columns.len() {
        let open = is_short.iter().filter(|is_short| !**is_short).count();
        equal = rest / count(open);
        let mut fits = columns
            .iter()
            .enumerate()
            .filter(|(at, (_, max))| !is_short[*at] && *max <= equal);
        let Some((at, (_, max))) = fits.next() else { break };
        is_short[at] = true;
        rest -= max;
    }
    let weight = |max: f32| max.min(3.0 * equal);
    let open = columns.iter().zip(&is_short).filter(|(_, is_short)| !**is_short);
    let weights: f32 = open.map(|((_, max), _)| weight(*max)).sum();
    let all = columns.iter().zip(is_short);
    all.map(|((_, max), is_short)| {
        if is_short {
            *max
        } else {
            rest * weight(*max) / weights.max(0.01)
        }
    })
    .collect()
}

fn count(columns: usize) -> f32 {
    f32::from(u16::try_from(columns).unwrap_or(u16::MAX)).max(1.0)
}
