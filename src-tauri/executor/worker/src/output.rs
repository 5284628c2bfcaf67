//! What a program prints, and how much of it the supervisor knows already.

use std::time::{Duration, Instant};

/// Bytes that are told at once: most programs print less in all.
const TOLD_AT_ONCE_BYTES: usize = 1 << 10;
/// Bytes after which the rest is told, whatever the time.
const TOLD_TOGETHER_BYTES: usize = 1 << 16;
/// How long what was printed may be unknown to the supervisor while the program goes on printing.
const TOLD_AFTER: Duration = Duration::from_millis(50);

/// What a program prints, up to its limit.
pub struct Output {
    text: String,
    limit_bytes: usize,
    is_cut: bool,
    /// Bytes of the text that the supervisor was told.
    told: usize,
    told_at: Instant,
}

impl Output {
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            text: String::new(),
            limit_bytes,
            is_cut: false,
            told: 0,
            told_at: Instant::now(),
        }
    }

    /// What the supervisor is to be told now; printing many short lines must not cost a message each.
    pub fn due(&mut self) -> Option<String> {
        let untold = self.text.len() - self.told;
        let is_due = self.told < TOLD_AT_ONCE_BYTES
            || untold >= TOLD_TOGETHER_BYTES
            || self.told_at.elapsed() >= TOLD_AFTER;
        is_due.then(|| self.untold()).flatten()
    }

    /// All that the supervisor was not told yet.
    pub fn untold(&mut self) -> Option<String> {
        let untold = self.text[self.told..].to_owned();
        self.told = self.text.len();
        self.told_at = Instant::now();
        (!untold.is_empty()).then_some(untold)
    }

    /// What was printed, with a mark where it was cut.
    pub fn finish(mut self) -> String {
        if self.is_cut {
            self.text
                .push_str(&format!("\n[output cut after {} bytes]\n", self.limit_bytes));
        }
        self.text
    }

    /// Adds a line of ours, even past the limit.
    pub fn note(&mut self, line: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// When it is more than there may be; what fits is kept.
    pub fn write(&mut self, text: &str) -> Result<(), String> {
        let left = self.limit_bytes - self.text.len().min(self.limit_bytes);
        if text.len() <= left && !self.is_cut {
            self.text.push_str(text);
            return Ok(());
        }
        if !self.is_cut {
            self.text.push_str(&text[..text.floor_char_boundary(left)]);
            self.is_cut = true;
        }
        Err(format!(
            "the program printed more than the {} bytes it may",
            self.limit_bytes
        ))
    }
}
