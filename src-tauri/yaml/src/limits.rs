//! Bounds of documents, with unit and reason.

/// Bytes of text within one document: thousands of tasks, or a table of a hundred thousand rows.
pub const TEXT_BYTES_MAX: usize = 16 << 20;

/// Levels of a document: a schema within a check has a dozen.
pub const DEPTH_MAX: usize = 48;

/// Bytes of stack for reading one: a level takes some 40 kB in a build without optimisation.
pub const STACK_BYTES: usize = 8 << 20;

/// Values of a document.
pub const NODES_MAX: usize = 1_000_000;

/// Fields of a head that are mended one by one: people write a dozen.
pub const LOOSE_FIELDS_MAX: usize = 100;
