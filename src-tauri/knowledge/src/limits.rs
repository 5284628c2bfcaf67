//! Bounds of knowledge bases, with unit and reason.

use std::time::Duration;

/// Characters of a knowledge base's name and of what it says about itself: both stand in the prompt.
pub const BASE_NAME_CHARACTERS_MAX: usize = 60;
pub const BASE_ABOUT_CHARACTERS_MAX: usize = 300;

/// Rows that an import commits at once: what a run commits meanwhile waits for them (some ten milliseconds).
pub const IMPORT_WRITES: usize = 128;

/// Problems of an import that are named; the rest is counted.
pub const IMPORT_PROBLEMS_MAX: usize = 50;

/// Documents of a base that an import compares with what is on the disk.
pub const IMPORT_DOCUMENTS_MAX: u32 = 200_000;

/// Knowledge bases that a prompt names; `knowledge.bases()` gives all.
pub const BASES_SHOWN: usize = 20;

/// Pieces that are looked through for those that go along with a question by themselves. Then how long a
/// question waits for them. The search takes some 10 ms in 100,000 pieces.
pub const PASSAGES_LOOKED_THROUGH: u32 = 12;
pub const PASSAGES_WAIT: Duration = Duration::from_secs(1);

/// How long a list of knowledge bases waits for a server to say what it holds.
pub const SERVER_COUNTS_WAIT: Duration = Duration::from_secs(4);
