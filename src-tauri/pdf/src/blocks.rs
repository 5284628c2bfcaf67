//! What a document consists of, whoever wrote it down and whoever draws it.

use crate::words::{Side, Words};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Heading {
        level: u8,
        words: Words,
    },
    Paragraph(Words),
    Code(String),
    Rule,
    Quote(Vec<Block>),
    List {
        /// Number of the first item; bullets have none.
        first: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Table(Table),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Table {
    pub(crate) sides: Vec<Side>,
    pub(crate) head: Vec<Words>,
    pub(crate) rows: Vec<Vec<Words>>,
}
