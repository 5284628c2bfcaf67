//! Words of a paragraph with their looks, and what is to know of their letters. Pure.

use crate::limits::PIECE_BYTES;
use std::ops::Range;

/// How letters look; the number of a link counts within its paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Look {
    pub(crate) is_bold: bool,
    pub(crate) is_italic: bool,
    pub(crate) is_code: bool,
    pub(crate) is_struck: bool,
    pub(crate) link: Option<usize>,
}

/// Parts of a text, each with its look.
pub(crate) type Looks = Vec<(Range<usize>, Look)>;

/// Where the lines of a text stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Side {
    /// Left, and right for what is read from the right.
    #[default]
    Start,
    Centre,
    Right,
}

/// A text with its looks; addresses of links stand by their numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) looks: Looks,
    pub(crate) addresses: Vec<String>,
}

impl Words {
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, text: &str, look: Look) {
        let start = self.text.len();
        self.text.push_str(text);
        if look != Look::default() && !text.is_empty() {
            self.looks.push((start..self.text.len(), look));
        }
    }

    /// The text in pieces that are shaped at once, each with its looks. Almost every text is one.
    pub(crate) fn pieces(&self) -> Vec<(&str, Looks)> {
        let mut pieces = Vec::new();
        let mut from = 0;
        let mut looks = self.looks.iter().peekable();
        while from < self.text.len() {
            let to = from + cut(&self.text[from..]);
            let mut own = Vec::new();
            while let Some((range, look)) = looks.peek() {
                if range.start >= to {
                    break;
                }
                own.push((range.start.max(from) - from..range.end.min(to) - from, *look));
                if range.end > to {
                    break;
                }
                looks.next();
            }
            pieces.push((&self.text[from..to], own));
            from = to;
        }
        pieces
    }
}

/// Where a piece ends: the whole text, or behind the last space or Chinese letter within the bound.
fn cut(text: &str) -> usize {
    if text.len() <= PIECE_BYTES {
        return text.len();
    }
    let mut end = PIECE_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let ends_well = |(at, letter): (usize, char)| {
        (letter.is_whitespace() || is_east_asian(letter)).then_some(at + letter.len_utf8())
    };
    text[..end]
        .char_indices()
        .rev()
        .take(400)
        .find_map(ends_well)
        .unwrap_or(end)
}

/// Letters that are as wide as high: Chinese, Japanese, Korean, and their punctuation.
pub(crate) fn is_east_asian(letter: char) -> bool {
    is_chinese(letter)
        || matches!(letter, '\u{3000}'..='\u{30ff}' | '\u{3100}'..='\u{31ff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff00}'..='\u{ffef}')
}

fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Marks that Chinese and Latin share: `“”‘’—…·`. Beside Chinese letters they are as wide as these.
pub(crate) fn wide_marks(text: &str) -> Vec<Range<usize>> {
    let is_shared = |letter: char| {
        matches!(
            letter,
            '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{2014}' | '\u{2026}' | '\u{b7}'
        )
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if !is_shared(letter) {
            before = Some(letter);
            continue;
        }
        let mut end = at + letter.len_utf8();
        while let Some((next, _)) = letters.next_if(|(_, next)| is_shared(*next)) {
            end = next + text[next..].chars().next().map_or(0, char::len_utf8);
        }
        let after = letters.peek().map(|(_, letter)| *letter);
        if before.is_some_and(is_east_asian) || after.is_some_and(is_east_asian) {
            found.push(at..end);
        }
        before = None;
    }
    found
}

/// The language of a text as far as its letters tell. It decides on shapes of letters; screen readers are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Chinese,
    Japanese,
    Korean,
    Unknown,
}

impl Language {
    pub(crate) fn of(text: &str) -> Self {
        let (mut chinese, mut kana, mut hangul) = (0_usize, 0_usize, 0_usize);
        for letter in text.chars() {
            match letter {
                '\u{3040}'..='\u{30ff}' => kana += 1,
                '\u{ac00}'..='\u{d7af}' => hangul += 1,
                letter if is_chinese(letter) => chinese += 1,
                _ => {}
            }
        }
        // A few foreign names make no Japanese text.
        if kana * 10 > chinese && kana > 0 && kana >= hangul {
            Self::Japanese
        } else if hangul > chinese {
            Self::Korean
        } else if chinese > 0 {
            Self::Chinese
        } else {
            Self::Unknown
        }
    }

    /// The tag of the language, and of its script.
    pub(crate) fn tag(self) -> Option<&'static str> {
        match self {
            Self::Chinese => Some("zh-Hans"),
            Self::Japanese => Some("ja"),
            Self::Korean => Some("ko"),
            Self::Unknown => None,
        }
    }

    pub(crate) fn letters(self) -> &'static str {
        match self {
            Self::Chinese | Self::Unknown => "Chinese",
            Self::Japanese => "Japanese",
            Self::Korean => "Korean",
        }
    }
}
