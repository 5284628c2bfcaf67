//! Bounds a command's output while it comes. The head and the tail are kept, and a line tells of the cut.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};
use std::collections::VecDeque;

/// The beginning and the end of an output that may be very long.
#[derive(Debug, Default)]
pub(crate) struct BoundedOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes that were cut between head and tail.
    cut: u64,
    most: usize,
}

impl BoundedOutput {
    /// Keeps `most` bytes, half from the beginning and half from the end.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let half = self.most / 2;
        let (first, rest) = bytes.split_at(bytes.len().min(half.saturating_sub(self.head.len())));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(half);
        self.tail.drain(..over);
        self.cut += over as u64;
    }

    /// The output as text, with a line in place of the cut.
    pub(crate) fn text(mut self) -> String {
        let tail = self.tail.make_contiguous().to_vec();
        if self.cut == 0 {
            return decoded(&[self.head, tail].concat(), None);
        }
        let encoding = encoding_of(&self.head);
        let (head, tail) = (
            decoded(&self.head, Some(encoding)),
            decoded(&tail, Some(encoding)),
        );
        format!(
            "{}\n[cut: {} bytes]\n{}",
            head.trim_end(),
            self.cut,
            tail.trim_start()
        )
    }
}

fn decoded(bytes: &[u8], encoding: Option<&'static Encoding>) -> String {
    let encoding = encoding.unwrap_or_else(|| encoding_of(bytes));
    plain(&encoding.decode(bytes).0)
}

/// UTF-8 wherever the bytes fit, apart from a cut character at the end.
fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        Err(error) if error.error_len().is_none() => UTF_8,
        Err(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(bytes, true);
            detector.guess(None, Utf8Detection::Allow)
        }
    }
}

/// The text without control sequences of a terminal: colours, cursors, bells, and overwritten lines.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_escape(&mut characters),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            '\n' | '\t' => plain.push(character),
            character if character.is_control() => {}
            character => plain.push(character),
        }
    }
    plain
}

fn skip_escape(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match characters.next() {
        Some('[') => {
            while characters
                .next()
                .is_some_and(|character| !('@'..='~').contains(&character))
            {}
        }
        Some(']') => {
            while characters
                .next()
                .is_some_and(|character| !matches!(character, '\u{7}' | '\u{1b}' | '\n'))
            {}
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(most: usize, bytes: &[u8]) -> String {
        let mut kept = BoundedOutput::new(most);
        for chunk in bytes.chunks(7) {
            kept.add(chunk);
        }
        kept.text()
    }

    #[test]
    fn head_and_tail_are_kept_and_the_rest_is_counted() {
        let lines: Vec<String> = (0..1_000).map(|number| format!("line {number}")).collect();
        let text = kept(100, lines.join("\n").as_bytes());
        assert!(
            text.starts_with("line 0\n") && text.ends_with("line 999"),
            "{text}"
        );
        assert!(text.contains("[cut: 8789 bytes]"), "{text}");
        assert_eq!(kept(100, b"all of it"), "all of it");
    }

    #[test]
    fn any_encoding_is_read() {
        let (gbk, _, _) = encoding_rs::GBK.encode("中文输出：编译完成，没有错误。请查看日志文件。");
        assert!(kept(4_000, &gbk).contains("编译完成"));
        let (latin, _, _) = encoding_rs::WINDOWS_1252.encode("Größe geändert, Übergabe möglich");
        assert!(kept(4_000, &latin).contains("geändert"));
        assert_eq!(
            kept(4_000, "好".as_bytes().get(..2).unwrap_or_default())
                .chars()
                .count(),
            1
        );
    }

    #[test]
    fn nothing_steers_a_terminal() {
        let text = kept(4_000, b"\x1b[31mred\x1b[0m\x07 \x1b]0;title\x07x\r\ny\rz\0");
        assert_eq!(text, "red x\ny\nz");
    }

    proptest! {
        #[test]
        fn whatever_is_printed_is_bounded(bytes in prop::collection::vec(any::<u8>(), 0..2_000), most in 2_usize..400) {
            let mut kept = BoundedOutput::new(most);
            for chunk in bytes.chunks(13) {
                kept.add(chunk);
            }
            prop_assert!(kept.head.len() + kept.tail.len() <= most);
            prop_assert_eq!((kept.head.len() + kept.tail.len()) as u64 + kept.cut, bytes.len() as u64);
            let _text: String = kept.text();
        }
    }
}
