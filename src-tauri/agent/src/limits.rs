//! Every bound of the mind, with its unit and its reason.

/// Rounds of the coding loop before the executor gives up, unless the user set another number.
/// A task that needs more is better split by the person who asked.
pub const ROUNDS_MAX: u32 = 12;

/// Corrections of malformed answers in a row (F4.5): a third would teach the model nothing.
pub const CORRECTIONS_MAX: u32 = 2;

/// Characters of a malformed answer that its correction quotes, so that the model knows what is meant.
pub const QUOTED_CHARACTERS: usize = 200;

/// Characters of the last output that a model sees when it fills the middle of a program.
pub const DRAFT_OUTPUT_CHARACTERS: usize = 2_000;

/// Times that self-evaluation may send a task back to its source (F3.5).
pub const RETRIGGERS_MAX: u32 = 1;

/// Tokens that one answer of the model may have.
/// A program of 400 lines is about 5,000 tokens; beyond that an answer is better written in rounds.
pub const OUTPUT_TOKENS_MAX: u32 = 8_192;

/// Tokens of a prompt when the model's window is unknown: the smallest window among the presets' models.
pub const WINDOW_TOKENS_DEFAULT: u32 = 64_000;

/// Characters of a program's output that stand in the transcript; the rest is reached by its handle (F4.7).
pub const OUTPUT_CHARACTERS_MAX: usize = 8_000;

/// Characters of the head of an output that went to the cache.
pub const OUTPUT_HEAD_CHARACTERS: usize = 1_500;

/// Characters of one attachment that are pasted into the question; larger ones are read by the program.
pub const ATTACHMENT_PASTED_CHARACTERS: usize = 6_000;

/// Live variables named in a prompt, newest first, and characters of each preview.
pub const VARIABLES_SHOWN: usize = 24;
pub const VARIABLE_PREVIEW_CHARACTERS: usize = 120;

/// Calls of one run, all programs together: a loop that calls more is a mistake.
pub const CALLS_MAX: u32 = 10_000;

/// Characters of a question; a longer text belongs into a file.
pub const QUESTION_CHARACTERS_MAX: usize = 200_000;

/// Characters of a session's title.
pub const TITLE_CHARACTERS: usize = 48;

/// Bytes of outside text that are searched for the arguments of one approval: a second's reading of the newest.
pub const ORIGIN_BYTES_MAX: usize = 4 << 20;

/// Pieces of one argument that are looked for.
pub const ORIGIN_FRAGMENTS_MAX: usize = 64;

/// Digits that make a word a number worth looking for: an account, a telephone, an order.
pub const ORIGIN_DIGITS_MIN: usize = 4;

/// Latin letters (or half as many Chinese ones) below which a text stands in a source by accident.
pub const ORIGIN_WEIGHT_MIN: usize = 6;
