//! An estimate of tokens without a tokenizer, whose tables would take longer to load than a question takes.
//!
//! Providers report the true number with each answer. The estimate only has to keep a prompt inside its window,
//! so it errs upwards. The estimate takes about 4 Latin letters or 1 Chinese character a token (o200k and Qwen
//! measure 4.3 and 1.4).

/// Tokens of the frame around one segment: its tag, its role, line breaks.
pub const PER_SEGMENT: u32 = 6;

/// The first byte of each character from U+2000 on is this or a greater one, and no other byte is.
const WIDE: u8 = 0xe2;

/// Bytes that a counter of eight bits counts.
const CHUNK: usize = 255;

/// Estimates the tokens of `text`.
///
/// All of a session is estimated before each request. Bytes are counted, many at once, and no character is put
/// together.
#[must_use]
pub fn estimate(text: &str) -> u32 {
    let (mut wide, mut all) = (0u32, 0u32);
    for chunk in text.as_bytes().chunks(CHUNK) {
        let (mut wide_here, mut all_here) = (0u8, 0u8);
        for byte in chunk {
            wide_here += u8::from(*byte >= WIDE);
            all_here += u8::from(*byte & 0xc0 != 0x80);
        }
        wide = wide.saturating_add(u32::from(wide_here));
        all = all.saturating_add(u32::from(all_here));
    }
    wide.saturating_add(all.saturating_sub(wide).div_ceil(4))
}

/// Whether `character` is a Chinese, Japanese or Korean one.
#[must_use]
pub fn is_cjk(character: char) -> bool {
    matches!(character as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, character by character.
    fn by_characters(text: &str) -> u32 {
        let wide = text.chars().filter(|character| *character >= '\u{2000}').count();
        let narrow = text.chars().count() - wide;
        u32::try_from(wide + narrow.div_ceil(4)).unwrap_or(u32::MAX)
    }

    #[test]
    fn counting_bytes_counts_characters() {
        let signs = [
            "a", "é", "\u{7ff}", "\u{800}", "\u{1fff}", "\u{2000}", "中", "😀", "\n",
        ];
        for (at, sign) in signs.iter().enumerate() {
            for count in [0, 1, 3, 84, 85, 86, 255, 256, 700] {
                let text = format!("{}{}", sign.repeat(count), signs[at..].concat());
                assert_eq!(estimate(&text), by_characters(&text), "{count} of {sign}");
            }
        }
    }
}
