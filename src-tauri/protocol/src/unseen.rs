//! Characters that the eye can't see. The one list for terminal, windows and any other place that shows a
//! stranger's text.
//!
//! An answer is read: characters that some languages and pictures need stay in it. A call is decided on: there
//! each character that could pass for nothing, or for a space, is written out.
//!
//! The windows read the list from a file that a test of this module writes beside the other bindings.

use std::borrow::Cow;
use std::fmt::Write;

/// First and last code point of each range. The ranges hold control and format characters, line separators,
/// and fillers without a shape. Code points reserved for such stand among them. Each character takes no room,
/// or reverses the text around it, so that a text reads as another one. Tab and line feed are visible;
/// [`JOINERS`] stand apart.
pub const UNSEEN: &[(u32, u32)] = &[
    (0x00, 0x08),
    (0x0b, 0x1f),
    (0x7f, 0x9f),
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200b),
    (0x200e, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0d),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x16fe4, 0x16fe4),
    (0x1bca0, 0x1bca3),
    (0x1d159, 0x1d159),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

/// Unseen characters that stay in shown text: words of some languages, and some pictures, are made with them.
pub const JOINERS: [char; 4] = ['\u{200c}', '\u{200d}', '\u{fe0e}', '\u{fe0f}'];

/// Ranges of characters that are ordinary in an answer and must not go unnoticed in a call. They are
/// [`JOINERS`], every space that looks like the usual one, and the empty pattern of Braille. The wide space of
/// Chinese is left out. The wide space is as wide as a letter, and every paragraph may begin with two of them.
pub const AMBIGUOUS: &[(u32, u32)] = &[
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x200c, 0x200d),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x2800, 0x2800),
    (0xfe0e, 0xfe0f),
];

/// Whether a character is one of [`UNSEEN`].
#[must_use]
pub fn is_unseen(character: char) -> bool {
    is_in(UNSEEN, character)
}

/// Whether a character could stand in a call unnoticed: one of [`UNSEEN`] or of [`AMBIGUOUS`].
#[must_use]
pub fn is_unnoticed(character: char) -> bool {
    is_unseen(character) || is_in(AMBIGUOUS, character)
}

fn is_in(ranges: &[(u32, u32)], character: char) -> bool {
    let code = u32::from(character);
    let after = ranges.partition_point(|(first, _)| *first <= code);
    after > 0 && code <= ranges[after - 1].1
}

/// Whether a character has no visible shape: [`UNSEEN`] or one of the [`JOINERS`].
#[must_use]
pub fn is_shapeless(character: char) -> bool {
    is_unseen(character) || JOINERS.contains(&character)
}

/// Whether people and models see a new line after a character.
#[must_use]
pub fn ends_line(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// A text with its unseen characters written out, so that it reads as nothing but itself.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    written(text, is_unseen)
}

/// The text of a call with all unnoticeable characters written out.
#[must_use]
pub fn exact(text: &str) -> Cow<'_, str> {
    written(text, is_unnoticed)
}

fn written(text: &str, is_written_out: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(is_written_out) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_written_out(character) {
            true => write_out(&mut written, character),
            false => written.push(character),
        }
    }
    Cow::Owned(written)
}

/// Adds a character to the text of a call; an unnoticeable one is written out.
pub fn write_exact(text: &mut String, character: char) {
    match is_unnoticed(character) {
        true => write_out(text, character),
        false => text.push(character),
    }
}

fn write_out(text: &mut String, character: char) {
    let code = u32::from(character);
    let written = match code {
        0..=0xff => write!(text, "\\x{code:02x}"),
        0x100..=0xffff => write!(text, "\\u{code:04x}"),
        _ => write!(text, "\\U{code:08x}"),
    };
    // Writing to a string can't fail.
    written.unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn what_turns_or_hides_a_text_is_written_out_and_the_rest_is_as_it_was() {
        let cases = [
            ("a\u{202e}txt.exe", r"a\u202etxt.exe"),
            ("\u{2066}\u{feff}\u{1b}[2J\u{ad}", r"\u2066\ufeff\x1b[2J\xad"),
            ("one\u{2028}two\r\n\tthree", "one\\u2028two\\x0d\n\tthree"),
            ("\u{e0041}", r"\U000e0041"),
            (
                "می\u{200c}خواهم 👩\u{200d}💻 ❤\u{fe0f} 师弟",
                "می\u{200c}خواهم 👩\u{200d}💻 ❤\u{fe0f} 师弟",
            ),
        ];
        for (text, written) in cases {
            assert_eq!(visible(text), written);
            assert_eq!(visible(written), written, "what is written out stays so");
        }
    }

    #[test]
    fn what_is_ordinary_in_an_answer_is_written_out_in_a_call() {
        let cases = [
            ("rm\u{2800}a", r"rm\u2800a"),
            (
                "a\u{a0}b\u{1680}c\u{2009}d\u{202f}e\u{205f}",
                r"a\xa0b\u1680c\u2009d\u202fe\u205f",
            ),
            ("👩\u{200d}💻 ❤\u{fe0f}a\u{fe0e}", r"👩\u200d💻 ❤\ufe0fa\ufe0e"),
            ("\u{3000}\u{3000}师弟 a\tb\n", "\u{3000}\u{3000}师弟 a\tb\n"),
        ];
        for (text, written) in cases {
            assert_eq!(exact(text), written);
            assert_eq!(visible(text), text, "an answer keeps it");
        }
        let nowhere = "a\u{16fe4}b\u{1d159}c\u{202e}";
        assert_eq!(exact(nowhere), r"a\U00016fe4b\U0001d159c\u202e");
        assert_eq!(visible(nowhere), exact(nowhere));
    }

    #[test]
    fn the_lists_are_in_order() {
        for list in [UNSEEN, AMBIGUOUS] {
            assert!(list.iter().all(|(first, last)| first <= last));
            assert!(list.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
        assert!(JOINERS.into_iter().all(|joiner| is_in(AMBIGUOUS, joiner)));
        assert!(!JOINERS.into_iter().any(is_unseen));
        assert!(JOINERS.into_iter().all(is_shapeless));
        let ends: Vec<char> = (0..=0x3000)
            .filter_map(char::from_u32)
            .filter(|one| ends_line(*one))
            .collect();
        assert!(ends.iter().all(|end| *end == '\n' || is_unseen(*end)), "{ends:?}");
        assert!(is_unseen('\u{e0fff}') && !is_unseen('\u{e1000}') && !is_unseen('a'));
    }

    #[test]
    fn export_bindings_unseen() {
        let ranges = |list: &[(u32, u32)]| {
            let lines = list
                .iter()
                .map(|(first, last)| format!("  [0x{first:x}, 0x{last:x}],\n"));
            lines.collect::<String>()
        };
        let text = format!(
            "// This file was generated from the protocol's `unseen.rs`. Do not edit this file manually.\n\n\
             /** First and last code point of each range of characters that the eye can't see. */\n\
             export const UNSEEN: readonly (readonly [number, number])[] = [\n{}];\n\n\
             /** The same of characters that are ordinary in an answer and could stand in a call unnoticed. */\n\
             export const AMBIGUOUS: readonly (readonly [number, number])[] = [\n{}];\n",
            ranges(UNSEEN),
            ranges(AMBIGUOUS)
        );
        let folder = PathBuf::from(std::env::var("TS_RS_EXPORT_DIR").expect("the folder of the bindings"));
        std::fs::write(folder.join("unseen.ts"), text).expect("the bindings can be written");
    }
}
