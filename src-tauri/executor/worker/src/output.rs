//! What a program prints.

/// What a program prints, up to its limit.
pub struct Output {
    text: String,
    limit_bytes: usize,
    is_cut: bool,
}

impl Output {
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            text: String::new(),
            limit_bytes,
            is_cut: false,
        }
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
