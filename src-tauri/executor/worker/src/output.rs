//! A program's printed text, and how much of it the supervisor has already.

use std::time::{Duration, Instant};

/// Bytes that are sent at once: most programs print less in all.
const TOLD_AT_ONCE_BYTES: usize = 1 << 10;
/// Bytes after which unsent text is sent, whatever the time.
const TOLD_TOGETHER_BYTES: usize = 1 << 16;
/// How long text may stay unsent while the program goes on printing.
const TOLD_AFTER: Duration = Duration::from_millis(50);

/// A program's printed text, up to its limit.
pub struct Output {
    text: String,
    limit_bytes: usize,
    is_cut: bool,
    /// Bytes of the text that were sent to the supervisor.
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

    /// The text to send now; many short lines must not cost a message each.
    pub fn due(&mut self) -> Option<String> {
        let untold = self.text.len() - self.told;
        let is_due = self.told < TOLD_AT_ONCE_BYTES
            || untold >= TOLD_TOGETHER_BYTES
            || self.told_at.elapsed() >= TOLD_AFTER;
        is_due.then(|| self.untold()).flatten()
    }

    /// All unsent text.
    pub fn untold(&mut self) -> Option<String> {
        let untold = self.text[self.told..].to_owned();
        self.told = self.text.len();
        self.told_at = Instant::now();
        (!untold.is_empty()).then_some(untold)
    }

    /// The whole text, with a mark at the cut.
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
    /// When the text exceeds the limit; the fitting part is kept.
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
