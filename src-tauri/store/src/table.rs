//! One file per table: what it is for, how it is created, its row, its writes, its reads.
//!
//! Everything here takes a connection and answers in SQLite's words; who holds the connection, what is one
//! transaction and what an error means to a caller is decided in `writer.rs`, `readers.rs` and `error.rs`.

pub(crate) mod call;
pub(crate) mod erasure;
pub(crate) mod experience;
pub(crate) mod knowledge;
pub(crate) mod learning;
pub(crate) mod look;
pub(crate) mod memory;
pub(crate) mod note;
pub(crate) mod partial_answer;
pub(crate) mod result;
pub(crate) mod rule;
pub(crate) mod run_state;
pub(crate) mod segment;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod span;
pub(crate) mod switch;
pub(crate) mod trace;
pub(crate) mod variable;
pub(crate) mod vector;
pub(crate) mod visit;

pub(crate) use crate::statement::{put_row, rows, write, write_one};
