//! Cuts text into the terms that are indexed and searched: words of scripts that put spaces between them, and
//! pairs of neighbouring characters of scripts that do not.
//!
//! Index, query and excerpt cut with the same function, so that what was indexed can be found, shown and taken
//! out of the index again. Any change of what is cut needs a new [`VERSION`].

use std::collections::HashSet;
use std::sync::OnceLock;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// The index is made anew when it was made by another version.
pub(crate) const VERSION: u32 = 1;

/// Longer words are cut here: base64 and hashes are not searched by their ends. Characters.
const WORD_MOST: usize = 48;

/// A term with its place in the text that was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub text: String,
    pub kind: TermKind,
    /// Bytes of the original text, from 0.
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermKind {
    Word,
    /// Two neighbouring characters.
    Pair,
    /// One character with neighbours of its script.
    Character,
    /// One character without: all that was asked for, when it stands in a query.
    Alone,
}

/// Calls `take` with every term of `text`, in order.
pub(crate) fn cut(text: &str, mut take: impl FnMut(Term)) {
    let mut cutter = Cutter {
        take: &mut take,
        word: None,
        run: None,
    };
    for (start, character) in text.char_indices() {
        let end = start + character.len_utf8();
        if character.is_ascii() {
            cutter.put(character.to_ascii_lowercase(), start, end);
        } else if is_unspaced(character) {
            cutter.put(character, start, end);
        } else {
            decompose_compatible(character, |part| {
                if !is_combining_mark(part) {
                    part.to_lowercase()
                        .for_each(|lower| cutter.put(lower, start, end));
                }
            });
        }
    }
    cutter.end_word();
    cutter.end_run();
}

/// Whether a term is too common in its language to tell anything.
#[must_use]
pub fn is_stopword(term: &str) -> bool {
    static STOPWORDS: OnceLock<HashSet<String>> = OnceLock::new();
    let stopwords = STOPWORDS.get_or_init(|| {
        let mut set = HashSet::new();
        for list in [
            include_str!("../../../../assets/stopwords/en.txt"),
            include_str!("../../../../assets/stopwords/zh.txt"),
        ] {
            for line in list.lines().filter(|line| !line.starts_with('#')) {
                cut(line, |term| {
                    if term.kind != TermKind::Character {
                        set.insert(term.text);
                    }
                });
            }
        }
        set
    });
    stopwords.contains(term)
}

struct Cutter<'take, Take: FnMut(Term)> {
    take: &'take mut Take,
    word: Option<Term>,
    run: Option<Run>,
}

/// The newest character of a run of an unspaced script.
struct Run {
    character: char,
    start: usize,
    end: usize,
    has_neighbour: bool,
}

impl<Take: FnMut(Term)> Cutter<'_, Take> {
    fn put(&mut self, character: char, start: usize, end: usize) {
        if is_unspaced(character) {
            self.end_word();
            let mut has_neighbour = false;
            if let Some(run) = self.run.take() {
                has_neighbour = true;
                let pair = [run.character, character].iter().collect();
                (self.take)(Term {
                    text: pair,
                    kind: TermKind::Pair,
                    start: run.start,
                    end,
                });
                self.single(&run, TermKind::Character);
            }
            self.run = Some(Run {
                character,
                start,
                end,
                has_neighbour,
            });
        } else if character.is_alphanumeric() {
            self.end_run();
            let word = self.word.get_or_insert_with(|| Term {
                text: String::new(),
                kind: TermKind::Word,
                start,
                end,
            });
            word.text.push(character);
            word.end = end;
        } else {
            self.end_word();
            self.end_run();
        }
    }

    fn end_word(&mut self) {
        if let Some(mut word) = self.word.take() {
            if let Some((cut, _)) = word.text.char_indices().nth(WORD_MOST) {
                word.text.truncate(cut);
            }
            stem(&mut word.text);
            (self.take)(word);
        }
    }

    fn end_run(&mut self) {
        if let Some(run) = self.run.take() {
            self.single(
                &run,
                if run.has_neighbour {
                    TermKind::Character
                } else {
                    TermKind::Alone
                },
            );
        }
    }

    fn single(&mut self, run: &Run, kind: TermKind) {
        (self.take)(Term {
            text: run.character.to_string(),
            kind,
            start: run.start,
            end: run.end,
        });
    }
}

/// Whether words of this character's script are written without spaces between them.
fn is_unspaced(character: char) -> bool {
    match u32::from(character) {
        // Thai and Lao; Hangul parts; Myanmar; Khmer.
        0x0E01..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF => character.is_alphanumeric(),
        // Kana, Bopomofo, Han and its extensions, Hangul syllables. The iteration mark and zero count as Han.
        0x3005..=0x3007 | 0x3041..=0x312F | 0x31A0..=0x31FF => character.is_alphanumeric(),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0x1_B000..=0x1_B16F | 0x2_0000..=0x3_FFFF => {
            true
        }
        _ => false,
    }
}

/// Takes the commonest English endings off, so that `runs`, `running` and `run` meet. Too little is safer than
/// too much: what is not plain English stays as it is.
fn stem(word: &mut String) {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    end_plural(word);
    for ending in ["ing", "ed"] {
        let Some(rest) = word.strip_suffix(ending) else {
            continue;
        };
        if rest.len() >= 3 && !word.ends_with("eed") && rest.bytes().any(is_vowel) {
            word.truncate(rest.len());
            end_double(word);
            break;
        }
    }
    if word.len() >= 4 && word.ends_with('e') {
        word.pop();
    }
    if word.len() >= 3 && word.ends_with('y') && !word.bytes().rev().nth(1).is_some_and(is_vowel) {
        word.pop();
        word.push('i');
    }
}

fn end_plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if ["sses", "xes", "zes", "ches", "shes"]
        .iter()
        .any(|ending| word.ends_with(ending))
    {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        word.pop();
    }
}

fn end_double(word: &mut String) {
    let bytes = word.as_bytes();
    if let [.., before, last] = bytes
        && before == last
        && !is_vowel(*last)
        && !b"lsz".contains(last)
    {
        word.pop();
    }
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouy".contains(&byte)
}
