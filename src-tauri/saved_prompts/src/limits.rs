//! Bounds of prompts.

/// Prompts that are listed; nobody finds one among more.
pub const PROMPTS_MAX: usize = 500;

/// The largest file, in bytes: a prompt is read by a person before it is sent.
pub const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Fields of a prompt.
pub const FIELDS_MAX: usize = 20;

/// Characters of a field's name.
pub const FIELD_CHARACTERS_MAX: usize = 40;

/// Characters of what says what a prompt is for.
pub const DESCRIPTION_CHARACTERS_MAX: usize = 300;
