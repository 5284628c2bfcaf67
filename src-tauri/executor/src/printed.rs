//! A program's printed text, bounded here once more: a program may have taken over the worker that keeps the limit.

/// Bytes beyond the limit for the worker's own lines: the mark of the cut, and notes on calls.
const NOTES_BYTES_MAX: usize = 64 << 10;

/// A text that never grows beyond its limit.
#[derive(Debug)]
pub struct Printed {
    text: String,
    bytes_max: usize,
}

impl Printed {
    pub fn new(limit_bytes: u64) -> Self {
        let limit = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
        Self {
            text: String::new(),
            bytes_max: limit.saturating_add(NOTES_BYTES_MAX),
        }
    }

    /// A whole text, cut at the limit.
    pub fn of(text: &str, limit_bytes: u64) -> String {
        let mut printed = Self::new(limit_bytes);
        printed.add(text);
        printed.text
    }

    /// Adds the part that fits; a worker that keeps its limit sends no more.
    pub fn add(&mut self, text: &str) {
        let left = self.bytes_max - self.text.len();
        self.text.push_str(&text[..text.floor_char_boundary(left)]);
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_keeps_no_limit_fills_no_memory_of_ours() {
        let mut printed = Printed::new(1_000);
        for _ in 0..100 {
            printed.add(&"长".repeat(1_000));
        }
        let most = 1_000 + NOTES_BYTES_MAX;
        assert!(printed.text().len() <= most && printed.text().len() > most - 3);
        assert_eq!(Printed::of(&"x".repeat(most + 1), 1_000).len(), most);
        assert_eq!(Printed::of("as it was", 1_000), "as it was");
    }
}
