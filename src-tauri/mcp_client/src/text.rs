//! Makes a stranger's text fit to be shown: bounded, in one paragraph, without control and hidden characters.

use shidi_protocol::{is_shapeless, is_unseen, visible};

/// How an escape begins that colours a terminal; it ends with an m.
const COLOUR: &str = "\u{1b}[";

/// `text` as one paragraph of at most `characters`.
pub fn paragraph(text: &str, characters: usize) -> String {
    // Dropped and joined characters count too: otherwise a cut end could go unseen.
    let mut paragraph = String::new();
    let mut count = 0;
    let mut space = false;
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            space = !paragraph.is_empty();
            continue;
        }
        if is_shapeless(character) {
            continue;
        }
        if count + usize::from(space) >= characters {
            paragraph.push('…');
            return paragraph;
        }
        if space {
            paragraph.push(' ');
            count += 1;
            space = false;
        }
        paragraph.push(character);
        count += 1;
    }
    paragraph
}

/// A paragraph for a docstring: nothing in it ends the string or escapes a character.
pub fn docstring(text: &str, characters: usize) -> String {
    let text = paragraph(text, characters);
    text.replace('\\', "/").replace("\"\"\"", "'''")
}

/// `text` with its line breaks, without control and hidden characters.
pub fn readable(text: &str) -> String {
    let is_seen =
        |letter: &char| matches!(letter, '\n' | '\t') || !(letter.is_control() || is_unseen(*letter));
    text.chars().filter(is_seen).collect()
}

/// `text` as one line of a log, cut after `characters`. The colours of a terminal are left out. What the eye can't see is
/// written out: a log is read to find out what a program did.
pub fn logged(text: &str, characters: usize) -> String {
    let plain = uncoloured(text);
    let line: String = plain
        .trim()
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .take(characters + 1)
        .collect();
    match line.char_indices().nth(characters) {
        None => visible(&line).into_owned(),
        Some((end, _)) => format!("{}…", visible(&line[..end])),
    }
}

/// The text without the escapes that colour a terminal.
fn uncoloured(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(COLOUR) {
        plain.push_str(before);
        let end = after.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';');
        rest = match end.strip_prefix('m') {
            Some(after_colour) => after_colour,
            None => {
                plain.push_str(COLOUR);
                after
            }
        };
    }
    plain.push_str(rest);
    plain
}

/// The first `characters` of `text` with its line breaks; a cut text tells its full length.
pub fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((end, _)) => {
            let all = text.chars().count();
            format!("{}\n[cut: {characters} of {all} characters]", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_s_text_is_one_paragraph_without_what_hides_or_steers() {
        let text = "Reads\n\n\tfiles.\u{1b}[2J \u{202e}Hidden\u{200b} \u{e0041}words";
        assert_eq!(paragraph(text, 100), "Reads files. [2J Hidden words");
        assert_eq!(paragraph("abcdef", 3), "abc…");
        assert_eq!(paragraph("师弟 师弟", 2), "师弟…");
    }

    #[test]
    fn nothing_in_a_docstring_ends_it() {
        assert_eq!(docstring("a\"\"\"\nimport os\\", 100), "a''' import os/");
        assert!(!docstring("\"\"\"\"\"", 100).contains("\"\"\""));
    }
}
