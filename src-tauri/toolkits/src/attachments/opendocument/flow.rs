//! One flow of an OpenDocument text, as lines: the body, a text frame, a note or a comment.
//!
//! Each has its own paragraphs, lists and table, since one stands in the middle of another's paragraph.

use super::super::markdown::{heading, link};
use crate::limits::DOCUMENT_LINE_BYTES_MAX;
use std::collections::HashMap;

/// Blanks that one element may stand for.
const BLANKS_MAX: usize = 100;
/// Cells that one element may stand for, and rows: empty sheets repeat theirs to the edge.
const CELLS_REPEATED_MAX: usize = 64;
const ROWS_REPEATED_MAX: usize = 100;

/// Where the lines of a flow belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Body,
    /// The title of a slide.
    Title,
    /// What is said with a slide.
    Notes,
    Footnote,
    Endnote,
    Comment,
}

pub(super) struct Flow {
    pub(super) place: Place,
    /// What stands before the flow's next line: the label of a note, the author of a comment.
    pub(super) mark: String,
    line: String,
    /// The mark before the line's first word: `# ` of a heading, `- ` of a list.
    prefix: String,
    in_paragraph: bool,
    is_heading: bool,
    lists: Vec<List>,
    /// The last number of each style of numbered lists: a later list may go on from it.
    numbers: HashMap<String, u32>,
    table: Table,
    /// Open links: the byte of the line at which each begins, and its address.
    links: Vec<(usize, String)>,
}

struct List {
    style: String,
    is_numbered: bool,
    number: u32,
    /// Whether the open item has no paragraph yet.
    awaits_mark: bool,
}

#[derive(Default)]
struct Table {
    /// Open tables; only the outermost makes rows.
    depth: u32,
    row: String,
    row_times: usize,
    cell_times: usize,
}

impl Flow {
    pub(super) fn new(place: Place) -> Self {
        Self {
            place,
            mark: String::new(),
            line: String::new(),
            prefix: String::new(),
            in_paragraph: false,
            is_heading: false,
            lists: Vec::new(),
            numbers: HashMap::new(),
            table: Table::default(),
            links: Vec::new(),
        }
    }

    pub(super) fn is_in_paragraph(&self) -> bool {
        self.in_paragraph
    }

    /// Begins a paragraph; one with a level is a heading.
    pub(super) fn open_paragraph(&mut self, level: Option<usize>) {
        self.in_paragraph = true;
        if self.table.depth > 0 {
            return;
        }
        self.is_heading = level.is_some();
        self.prefix = match level {
            Some(level) => heading(level),
            None => self.list_mark(),
        };
    }

    /// Ends a paragraph; its line, if it has one.
    pub(super) fn close_paragraph(&mut self) -> Option<String> {
        self.in_paragraph = false;
        if self.table.depth > 0 {
            self.blank();
            return None;
        }
        self.is_heading = false;
        self.end_line()
    }

    /// Breaks the line within a paragraph; the line before the break, if there is one.
    pub(super) fn break_line(&mut self) -> Option<String> {
        if self.table.depth > 0 || self.is_heading {
            self.blank();
            return None;
        }
        if self.line.is_empty() {
            return None;
        }
        let ended = self.end_line();
        self.prefix = "  ".repeat(self.lists.len());
        ended
    }

    pub(super) fn text(&mut self, text: &str) {
        if !self.in_paragraph {
            return;
        }
        for character in text.chars() {
            if self.line.len() >= DOCUMENT_LINE_BYTES_MAX {
                return;
            }
            match character {
                // White space of the file is one blank, and none at a paragraph's beginning.
                ' ' | '\t' | '\n' | '\r' => self.blank(),
                other => self.line.push(other),
            }
        }
    }

    /// Adds what an element stands for. Blanks at a line's beginning are its indentation, and go.
    pub(super) fn sign(&mut self, sign: &str, times: usize) {
        let is_indentation = self.line.is_empty() && sign.trim().is_empty();
        if self.in_paragraph && !is_indentation && self.line.len() < DOCUMENT_LINE_BYTES_MAX {
            self.line.push_str(&sign.repeat(times.min(BLANKS_MAX)));
        }
    }

    pub(super) fn open_link(&mut self, address: String) {
        self.links.push((self.line.len(), address));
    }

    pub(super) fn close_link(&mut self) {
        if let Some((start, address)) = self.links.pop() {
            link(&mut self.line, start, &address);
        }
    }

    /// Depth of the list that would be opened next, from 1, and the style that it inherits.
    pub(super) fn next_list(&self) -> (usize, String) {
        let style = self.lists.last().map(|list| list.style.clone());
        (self.lists.len() + 1, style.unwrap_or_default())
    }

    pub(super) fn open_list(&mut self, style: String, is_numbered: bool, goes_on: bool) {
        let goes_on = goes_on && self.lists.is_empty();
        let before = self.numbers.get(&style).filter(|_| goes_on);
        let number = before.copied().unwrap_or(0);
        self.lists.push(List {
            style,
            is_numbered,
            number,
            awaits_mark: false,
        });
    }

    pub(super) fn close_list(&mut self) {
        let list = self
            .lists
            .pop()
            .filter(|list| list.is_numbered && self.lists.is_empty());
        if let Some(list) = list {
            self.numbers.insert(list.style, list.number);
        }
    }

    /// Begins an item of the innermost list; `number` where it is not the next one.
    pub(super) fn open_item(&mut self, number: Option<u32>) {
        if let Some(list) = self.lists.last_mut() {
            list.awaits_mark = true;
            if let Some(number) = number {
                list.number = number.saturating_sub(1);
            }
        }
    }

    pub(super) fn open_table(&mut self) {
        self.table.depth += 1;
    }

    pub(super) fn close_table(&mut self) {
        self.table.depth = self.table.depth.saturating_sub(1);
        if self.table.depth == 0 {
            self.table.row.clear();
            self.line.clear();
        }
    }

    pub(super) fn open_row(&mut self, times: usize) {
        if self.table.depth == 1 {
            self.table.row.clear();
            self.table.row_times = times.clamp(1, ROWS_REPEATED_MAX);
        }
    }

    /// Ends a row; its line, if any cell has text, and how many times it stands there.
    pub(super) fn close_row(&mut self) -> Option<(String, usize)> {
        if self.table.depth != 1 {
            return None;
        }
        let row = std::mem::take(&mut self.table.row);
        let has_text = row.chars().any(|character| !"| ".contains(character));
        has_text.then(|| (format!("{row} |"), self.table.row_times))
    }

    pub(super) fn open_cell(&mut self, times: usize) {
        if self.table.depth == 1 {
            self.table.cell_times = times.clamp(1, CELLS_REPEATED_MAX);
        }
    }

    pub(super) fn close_cell(&mut self) {
        if self.table.depth != 1 {
            self.blank();
            return;
        }
        self.links.clear();
        let cell = std::mem::take(&mut self.line);
        for _ in 0..self.table.cell_times {
            if self.table.row.len() >= DOCUMENT_LINE_BYTES_MAX {
                return;
            }
            self.table
                .row
                .push_str(if self.table.row.is_empty() { "| " } else { " | " });
            self.table.row.push_str(cell.trim());
        }
    }

    fn blank(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
    }

    fn end_line(&mut self) -> Option<String> {
        self.links.clear();
        let line = std::mem::take(&mut self.line);
        let prefix = std::mem::take(&mut self.prefix);
        if line.trim().is_empty() {
            return None;
        }
        let mark = std::mem::take(&mut self.mark);
        Some(format!("{mark}{prefix}{}", line.trim_end()))
    }

    /// The mark of a list's item, or the blanks below it; nothing outside lists.
    fn list_mark(&mut self) -> String {
        let depth = self.lists.len();
        let Some(list) = self.lists.last_mut() else {
            return String::new();
        };
        if !list.awaits_mark {
            return "  ".repeat(depth);
        }
        list.awaits_mark = false;
        let blanks = "  ".repeat(depth - 1);
        if !list.is_numbered {
            return format!("{blanks}- ");
        }
        list.number = list.number.saturating_add(1);
        format!("{blanks}{}. ", list.number)
    }
}
