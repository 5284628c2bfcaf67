//! Takes thoughts out of the text of models that write them inline, as `<think>…</think>` before the answer.
//!
//! Only at the very start of an answer: further on, the tag may be the subject of the user's question.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// A piece of an answer, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Thought(String),
    Text(String),
}

#[derive(Debug, Default)]
pub(crate) struct ThinkSplitter {
    place: Place,
    /// Characters that may still become a tag.
    held: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first word.
    #[default]
    Start,
    Thought,
    /// After the thought: blank lines before the answer are dropped.
    Gap,
    Text,
}

impl ThinkSplitter {
    pub(crate) fn push(&mut self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if text.is_empty() {
            return pieces;
        }
        if self.place == Place::Text {
            pieces.push(Piece::Text(text.to_owned()));
            return pieces;
        }
        self.held.push_str(text);
        // Each turn moves to a later state or returns, so there are at most as many turns as states.
        for _ in 0..4 {
            if !self.turn(&mut pieces) {
                break;
            }
        }
        pieces
    }

    /// Returns the characters held back.
    pub(crate) fn finish(&mut self) -> Vec<Piece> {
        let rest = std::mem::take(&mut self.held);
        if rest.is_empty() {
            return Vec::new();
        }
        match self.place {
            Place::Thought => vec![Piece::Thought(rest)],
            Place::Start | Place::Gap | Place::Text => vec![Piece::Text(rest)],
        }
    }

    /// Sorts as much of the held text as is certain; returns whether the state changed.
    fn turn(&mut self, pieces: &mut Vec<Piece>) -> bool {
        match self.place {
            Place::Start => {
                let trimmed = self.held.trim_start();
                if let Some(rest) = trimmed.strip_prefix(OPEN) {
                    self.held = rest.to_owned();
                    self.place = Place::Thought;
                } else if OPEN.starts_with(trimmed) {
                    return false;
                } else {
                    self.place = Place::Text;
                }
            }
            Place::Thought => {
                let Some(end) = self.held.find(CLOSE) else {
                    self.give_thought(pieces);
                    return false;
                };
                let rest = self.held.split_off(end);
                let thought = std::mem::replace(&mut self.held, rest[CLOSE.len()..].to_owned());
                if !thought.is_empty() {
                    pieces.push(Piece::Thought(thought));
                }
                self.place = Place::Gap;
            }
            Place::Gap => {
                self.held = self.held.trim_start().to_owned();
                if self.held.is_empty() {
                    return false;
                }
                self.place = Place::Text;
            }
            Place::Text => {
                let text = std::mem::take(&mut self.held);
                if !text.is_empty() {
                    pieces.push(Piece::Text(text));
                }
                return false;
            }
        }
        true
    }

    /// Returns all of a thought but an end that may begin the closing tag.
    fn give_thought(&mut self, pieces: &mut Vec<Piece>) {
        let keep = (1..CLOSE.len())
            .rev()
            .find(|length| self.held.ends_with(&CLOSE[..*length]))
            .unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - keep);
        let thought = std::mem::replace(&mut self.held, rest);
        if !thought.is_empty() {
            pieces.push(Piece::Thought(thought));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pieces: &[&str]) -> (String, String) {
        let mut splitter = ThinkSplitter::default();
        let mut all: Vec<Piece> = pieces.iter().flat_map(|piece| splitter.push(piece)).collect();
        all.extend(splitter.finish());
        let (mut thought, mut text) = (String::new(), String::new());
        for piece in all {
            match piece {
                Piece::Thought(more) => thought.push_str(&more),
                Piece::Text(more) => text.push_str(&more),
            }
        }
        (thought, text)
    }

    #[test]
    fn thoughts_before_the_answer_are_told_apart_at_every_cut() {
        let whole = "\n<think>\n先算 a<b\n</think>\n\n答案是 <think>";
        for (cut, _) in whole.char_indices() {
            let (head, tail) = whole.split_at(cut);
            assert_eq!(
                split(&[head, tail]),
                ("\n先算 a<b\n".to_owned(), "答案是 <think>".to_owned()),
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn other_text_passes_untouched() {
        for text in ["<thin air>", "a <think>b</think>", "  plain", "<", ""] {
            assert_eq!(split(&[text]), (String::new(), text.to_owned()));
        }
        assert_eq!(split(&["<think>cut"]), ("cut".to_owned(), String::new()));
    }
}
