//! One file per table: what it is for, how it is created, its row, its writes, its reads.
//!
//! Functions here take a connection and answer in SQLite's words. Callers read by the methods of [`crate::Store`]
//! beside them. `writer.rs` and `readers.rs` decide on the holder of the connection and the extent of a
//! transaction. `error.rs` decides on the meaning of an error for a caller. A reading that joins several tables
//! is in `read.rs`.

pub(crate) mod blob;
pub(crate) mod call;
pub(crate) mod change;
pub(crate) mod correction;
pub(crate) mod dashboard;
pub(crate) mod erasure;
pub(crate) mod experience;
pub(crate) mod form_use;
pub(crate) mod guess;
pub(crate) mod knowledge;
pub(crate) mod learning;
pub(crate) mod look;
pub(crate) mod memory;
pub(crate) mod note;
pub(crate) mod partial_answer;
pub(crate) mod prompt_part;
pub(crate) mod result;
pub(crate) mod rule;
pub(crate) mod run_state;
pub(crate) mod schedule;
pub(crate) mod segment;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod span;
pub(crate) mod switch;
pub(crate) mod trace;
pub(crate) mod variable;
pub(crate) mod vector;
pub(crate) mod visit;
pub(crate) mod workflow;

use crate::StoreError;
pub(crate) use crate::statement::{put_row, rows, write, write_one};

/// Ids that are looked up before one that fits several is called ambiguous.
pub(crate) const FITTING_MOST: u32 = 10;

/// The one id that a text fits; [`StoreError::Ambiguous`] when there are several.
pub(crate) fn only<Id>(text: &str, mut fitting: Vec<Id>) -> Result<Option<Id>, StoreError> {
    match fitting.len() {
        _ if text.is_empty() => Ok(None),
        0 | 1 => Ok(fitting.pop()),
        matches => Err(StoreError::Ambiguous {
            text: text.to_owned(),
            matches: u32::try_from(matches).unwrap_or(FITTING_MOST),
        }),
    }
}
