//! Telling encodings apart, and cutting without breaking characters.

use super::*;
use std::io::Write;

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    io::Seek::rewind(&mut file).unwrap();
    file
}

fn lines_of(bytes: &[u8], first: u64, limit: u64, bytes_max: usize) -> Lines {
    let mut text = TextFile::of(file_of(bytes), Path::new("x")).unwrap();
    text.lines(first, limit, bytes_max, Path::new("x")).unwrap()
}

#[test]
fn an_empty_file_is_text_without_lines() {
    let lines = lines_of(b"", 1, 10, 100);
    assert_eq!(
        (lines.text.as_str(), lines.count, lines.ending),
        ("", 0, Ending::File)
    );
}

#[test]
fn a_character_across_two_chunks_stays_whole() {
    let text = "é".repeat(SNIFF_BYTES);
    let shifted = format!("a{text}");
    assert_eq!(lines_of(shifted.as_bytes(), 1, 1, usize::MAX).text, shifted);
}

#[test]
fn a_cut_never_falls_within_a_character() {
    for bytes_max in 0..9 {
        let lines = lines_of("中文字".as_bytes(), 1, 1, bytes_max);
        assert_eq!(lines.text.chars().count(), bytes_max / 3);
    }
}

#[test]
fn exactly_the_lines_asked_for_end_at_the_end_of_the_file() {
    assert_eq!(lines_of(b"a\nb\n", 1, 2, 100).ending, Ending::File);
    assert_eq!(lines_of(b"a\nb\nc", 1, 2, 100).ending, Ending::Lines);
    assert_eq!(lines_of(b"a\nb\nc", 3, 2, 100).text, "c");
}

#[test]
fn bytes_that_do_not_fit_are_replaced_and_remembered() {
    let mut bytes = "text ".repeat(SNIFF_BYTES).into_bytes();
    bytes.push(0xff);
    let mut text = TextFile::of(file_of(&bytes), Path::new("x")).unwrap();
    let lines = text.lines(1, 1, usize::MAX, Path::new("x")).unwrap();
    assert!(lines.text.ends_with('\u{fffd}') && text.replaced());
}

#[test]
fn latin_text_with_accents_is_not_mistaken_for_chinese() {
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode("Le café était fermé, à côté de l'hôtel");
    assert_eq!(sniff(&bytes).unwrap(), encoding_rs::WINDOWS_1252);
}
