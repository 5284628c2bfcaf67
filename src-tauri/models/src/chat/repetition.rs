//! Notices an answer that repeats the same words without end, as those of small models do. Nobody has to stop it.
//!
//! Only exact repetition counts, and only a few thousand bytes of one short piece. Rows that somebody wants to be
//! equal are fewer in an answer. Many of them are written by a program.

use shidi_protocol::ModelDelta;

/// Bytes at the end of an answer that must be one piece over and over: about 800 tokens.
const SPAN_BYTES: usize = 3_000;
/// How often that piece stands in them at least.
const TIMES_MIN: usize = 10;
/// Bytes of new text after which the end is looked at again.
const STEP_BYTES: usize = 256;

/// Watches the pieces of one answer.
#[derive(Debug, Default)]
pub(crate) struct Repetition {
    end: Vec<u8>,
    unseen: usize,
    /// Whether thoughts are watched, or words and arguments.
    is_thought: bool,
}

impl Repetition {
    /// Takes the next piece; tells whether the answer repeats itself without end.
    pub(crate) fn is_endless_with(&mut self, delta: &ModelDelta) -> bool {
        let (text, is_thought) = match delta {
            ModelDelta::Text(text) | ModelDelta::ToolArguments { text, .. } => (text, false),
            ModelDelta::Reasoning(text) => (text, true),
            ModelDelta::Asked { .. }
            | ModelDelta::Retracted
            | ModelDelta::Awaits(_)
            | ModelDelta::Timed { .. } => return false,
        };
        if self.is_thought != is_thought {
            *self = Self {
                is_thought,
                ..Self::default()
            };
        }
        self.end.extend_from_slice(text.as_bytes());
        self.unseen += text.len();
        if self.unseen < STEP_BYTES {
            return false;
        }
        self.unseen = 0;
        let over = self.end.len().saturating_sub(SPAN_BYTES);
        self.end.drain(..over);
        endless_period(&self.end).is_some()
    }
}

/// The text up to the end of the first of its repeated pieces. `None` where it does not end in an endless one.
pub(crate) fn once(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let period = endless_period(&bytes[bytes.len().saturating_sub(SPAN_BYTES)..])?;
    let mut begin = bytes.len() - period;
    while begin > 0 && bytes[begin - 1] == bytes[begin - 1 + period] {
        begin -= 1;
    }
    let mut end = begin + period;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Some(text[..end].trim_end())
}

/// The length of the piece that all of these bytes repeat. They must be many, with the piece in them often.
fn endless_period(bytes: &[u8]) -> Option<usize> {
    if bytes.len() < SPAN_BYTES {
        return None;
    }
    let period = bytes.len() - longest_border(bytes);
    (period * TIMES_MIN <= bytes.len()).then_some(period)
}

/// The length of the longest beginning, short of the whole, that is an end too (Knuth, Morris and Pratt).
fn longest_border(bytes: &[u8]) -> usize {
    let mut borders = vec![0; bytes.len()];
    let mut length = 0;
    for at in 1..bytes.len() {
        while length > 0 && bytes[at] != bytes[length] {
            length = borders[length - 1];
        }
        if bytes[at] == bytes[length] {
            length += 1;
        }
        borders[at] = length;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_endless(text: &str, piece_characters: usize) -> bool {
        let mut repetition = Repetition::default();
        let characters: Vec<char> = text.chars().collect();
        characters
            .chunks(piece_characters)
            .any(|piece| repetition.is_endless_with(&ModelDelta::Text(piece.iter().collect())))
    }

    #[test]
    fn one_line_over_and_over_is_noticed_and_stands_once() {
        let line = "await files.write(path=\"contract.txt\", text=\"供货合同\")\n";
        let text = format!("# 盖章\n{}", line.repeat(80));
        assert!(is_endless(&text, 3));
        assert_eq!(once(&text), Some(format!("# 盖章\n{line}").trim_end()));
    }

    #[test]
    fn what_is_long_and_differs_is_left_alone() {
        let rows: Vec<String> = (0..2_000)
            .map(|row| format!("| row {row} | 0 | 0 | 0 |\n"))
            .collect();
        let rows = rows.concat();
        for text in [rows, "-".repeat(400), "ha ".repeat(500), "x, y, z\n".repeat(300)] {
            assert!(!is_endless(&text, 4), "{}", &text[..20]);
            assert_eq!(once(&text), None);
        }
    }

    #[test]
    fn thoughts_and_words_are_watched_apart() {
        let mut repetition = Repetition::default();
        let half = "the same again. ".repeat(100);
        assert!(!repetition.is_endless_with(&ModelDelta::Reasoning(half.clone())));
        assert!(!repetition.is_endless_with(&ModelDelta::Text(half.clone())));
        assert!(!repetition.is_endless_with(&ModelDelta::Retracted));
        assert!(repetition.is_endless_with(&ModelDelta::Text(half)));
    }

    proptest! {
        #[test]
        fn any_piece_is_found_after_any_beginning_and_stands_once(before in r"\PC{0,80}", piece in r"[a-z供货\n ]{1,60}x", size in 1_usize..40) {
            let text = format!("{before}\u{1}{}", piece.repeat(4_000 / piece.len() + 1));
            prop_assert!(is_endless(&text, size));
            let kept = once(&text).unwrap_or_default();
            prop_assert!(text.starts_with(kept));
            prop_assert!(kept.len() <= before.len() + 1 + piece.len());
        }
    }
}
