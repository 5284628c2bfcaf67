//! The differences of two texts, line by line: pieces that a person accepts or leaves one by one.

use crate::limits;
use serde_json::{Value, json};

/// Lines around a piece that are shown with it.
const CONTEXT_LINES: usize = 3;

/// One piece: lines of the first text, and lines of the second that would replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The range of the first text's lines that go.
    from: usize,
    to: usize,
    lines: Vec<String>,
}

impl Hunk {
    /// The piece as a window draws it: its place, the removed lines, the added lines, and the lines around.
    pub fn shown(&self, before: &str) -> Value {
        let lines: Vec<&str> = before.split('\n').collect();
        let part = |from: usize, to: usize| lines.get(from..to.min(lines.len())).unwrap_or_default();
        json!({
            "line": self.from + 1,
            "above": part(self.from.saturating_sub(CONTEXT_LINES), self.from),
            "before": part(self.from, self.to),
            "after": self.lines,
            "below": part(self.to, self.to + CONTEXT_LINES),
        })
    }
}

/// The pieces in their order.
///
/// # Errors
/// When a text is too long to be compared.
pub fn between(before: &str, after: &str) -> Result<Vec<Hunk>, String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    if old.len().max(new.len()) > limits::CARD_DIFF_LINES_MAX
        || before.len().max(after.len()) > limits::CARD_CHARACTERS_MAX
    {
        return Err(format!(
            "a text to compare has at most {} lines",
            limits::CARD_DIFF_LINES_MAX
        ));
    }
    let same_head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[same_head..], &new[same_head..]);
    let tails = old.iter().rev().zip(new.iter().rev());
    let same_tail = tails.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - same_tail], &new[..new.len() - same_tail]);
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut from, mut at) = (0, 0);
    for (next_old, next_new) in common(old, new).into_iter().chain([(old.len(), new.len())]) {
        if next_old > from || next_new > at {
            hunks.push(Hunk {
                from: same_head + from,
                to: same_head + next_old,
                lines: new[at..next_new].iter().map(|line| (*line).to_owned()).collect(),
            });
        }
        (from, at) = (next_old + 1, next_new + 1);
    }
    Ok(hunks)
}

/// The pairs of equal lines in a longest common subsequence; none where the table would be too large.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if old.len().saturating_mul(width) > limits::CARD_DIFF_CELLS_MAX {
        return Vec::new();
    }
    let mut table = vec![0u16; (old.len() + 1) * width];
    for (row, line) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            table[row * width + column] = if line == other {
                table[(row + 1) * width + column + 1] + 1
            } else {
                table[(row + 1) * width + column].max(table[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut places = Vec::new();
    while row < old.len() && column < new.len() {
        if old[row] == new[column] {
            places.push((row, column));
            row += 1;
            column += 1;
        } else if table[(row + 1) * width + column] >= table[row * width + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    places
}

/// The first text with the pieces that `is_taken` selects.
pub fn merged(before: &str, hunks: &[Hunk], is_taken: impl Fn(usize) -> bool) -> String {
    let lines: Vec<&str> = before.split('\n').collect();
    let mut result: Vec<&str> = Vec::new();
    let mut from = 0;
    for (number, hunk) in hunks.iter().enumerate() {
        result.extend(&lines[from..hunk.from]);
        if is_taken(number) {
            result.extend(hunk.lines.iter().map(String::as_str));
        } else {
            result.extend(&lines[hunk.from..hunk.to]);
        }
        from = hunk.to;
    }
    result.extend(&lines[from..]);
    result.join("\n")
}
