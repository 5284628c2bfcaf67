//! Cuts text into the terms that are indexed and searched. They are words in scripts with spaces between words, and
//! pairs of neighbouring characters in scripts without.
//!
//! Index, query and excerpt cut with the same function. So an indexed text can be found, shown and taken out of the
//! index again. Any change of what is cut needs a new [`VERSION`].

use std::collections::HashSet;
use std::sync::OnceLock;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// The index is made anew when it was made by another version.
pub(crate) const VERSION: u32 = 2;

/// Longer words are cut here: base64 and hashes are not searched by their ends. Characters.
const WORD_MOST: usize = 48;

/// Parts of one word at most: `aB1cD2…` is no name.
const PARTS_MOST: usize = 8;

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
    /// What a name is put together of, as `refreshToken` and `utf8`; comes after its word.
    Part,
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
        last: ' ',
    };
    for (start, character) in text.char_indices() {
        let end = start + character.len_utf8();
        if character.is_ascii() {
            cutter.part_at(character, start);
            cutter.put(character.to_ascii_lowercase(), start, end);
        } else if is_unspaced(character) {
            cutter.put(character, start, end);
        } else {
            cutter.part_at(character, start);
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
    word: Option<Word>,
    run: Option<Run>,
    /// The character of a word that was read last, as it was written.
    last: char,
}

/// A word that is being read.
struct Word {
    term: Term,
    /// Where its parts begin: bytes of the term, and of the original text.
    parts: Vec<(usize, usize)>,
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
            let word = self.word.get_or_insert_with(|| Word {
                term: Term {
                    text: String::new(),
                    kind: TermKind::Word,
                    start,
                    end,
                },
                parts: Vec::new(),
            });
            word.term.text.push(character);
            word.term.end = end;
        } else {
            self.end_word();
            self.end_run();
        }
    }

    /// Marks the beginning of a part before a character that is written after another kind. Such are `aB`, `a1`,
    /// `1a`, and the last capital of `HTTPServer`.
    fn part_at(&mut self, character: char, start: usize) {
        let last = std::mem::replace(&mut self.last, character);
        let Some(word) = &mut self.word else { return };
        let at = word.term.text.len();
        if last.is_alphabetic() && character.is_alphabetic() {
            if !last.is_uppercase() && character.is_uppercase() {
                word.parts.push((at, start));
            } else if last.is_uppercase() && character.is_lowercase() {
                // `Word` begins with its capital, `HTTPServer`'s second part with the capital before.
                let before = at - last.to_lowercase().map(char::len_utf8).sum::<usize>().min(at);
                if before > 0 && word.parts.last().is_none_or(|(begun, _)| *begun < before) {
                    word.parts.push((before, start - last.len_utf8()));
                }
            }
        } else if last.is_alphanumeric()
            && character.is_alphanumeric()
            && last.is_alphabetic() != character.is_alphabetic()
        {
            word.parts.push((at, start));
        }
    }

    fn end_word(&mut self) {
        let Some(Word { mut term, parts, .. }) = self.word.take() else {
            return;
        };
        let whole = term.text.clone();
        if let Some((cut, _)) = term.text.char_indices().nth(WORD_MOST) {
            term.text.truncate(cut);
        }
        stem(&mut term.text);
        let end = (whole.len(), term.end);
        let first = (0, term.start);
        (self.take)(term);
        if parts.is_empty() || parts.len() >= PARTS_MOST {
            return;
        }
        let begins = std::iter::once(first).chain(parts.iter().copied());
        let ends = parts.iter().copied().chain(std::iter::once(end));
        for ((from, start), (to, end)) in begins.zip(ends) {
            let Some(part) = whole.get(from..to).filter(|part| part.chars().nth(1).is_some()) else {
                continue;
            };
            let mut text: String = part.chars().take(WORD_MOST).collect();
            stem(&mut text);
            let kind = TermKind::Part;
            (self.take)(Term {
                text,
                kind,
                start,
                end,
            });
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
