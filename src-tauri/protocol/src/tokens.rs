//! An estimate of tokens without a tokenizer, whose tables would take longer to load than a question takes.
//!
//! Providers report the true number with each answer. The estimate only has to keep a prompt inside its window,
//! so it errs upwards: about 4 Latin letters or 1 Chinese character a token (o200k and Qwen measure 4.3 and
//! 1.4).

/// Tokens of the frame around one segment: its tag, its role, line breaks.
pub const PER_SEGMENT: u32 = 6;

/// Estimates the tokens of `text`.
#[must_use]
pub fn estimate(text: &str) -> u32 {
    let (mut wide, mut narrow) = (0u32, 0u32);
    for character in text.chars() {
        if is_cjk(character) || character as u32 > 0x2000 {
            wide = wide.saturating_add(1);
        } else {
            narrow = narrow.saturating_add(1);
        }
    }
    wide.saturating_add(narrow.div_ceil(4))
}

/// Whether `character` is a Chinese, Japanese or Korean one.
#[must_use]
pub fn is_cjk(character: char) -> bool {
    matches!(character as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}
