//! The model's words, as they come.
//!
//! A terminal shows each word at once. A pipe or a file gets each line as soon as the next one begins. The words of a
//! model before a program are mostly one line, and so never get there. Nothing can be taken out of a pipe. So where
//! more of it turns out to be no answer, a line says how much.

use crate::console::{Console, Look};
use crate::failure::Failure;
use shidi_protocol::ExecId;

/// What was said, and what of it is written.
pub struct Speech<'a> {
    console: &'a Console,
    /// Arrived since the last segment.
    streamed: String,
    /// Bytes of it that are written.
    written: usize,
    /// What was said last.
    said: String,
    /// Whether those were the model's own words, and nothing came after them.
    is_own: bool,
}

impl<'a> Speech<'a> {
    #[must_use]
    pub fn new(console: &'a Console) -> Self {
        Self {
            console,
            streamed: String::new(),
            written: 0,
            said: String::new(),
            is_own: false,
        }
    }

    /// Whether words that are still being made are to be seen.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.written > 0
    }

    /// Takes words that are still being made.
    ///
    /// # Errors
    /// Output that can't be written.
    pub fn stream(&mut self, text: &str) -> Result<(), Failure> {
        let is_first = self.streamed.is_empty();
        self.streamed
            .push_str(if is_first { text.trim_start() } else { text });
        let until = self.certain();
        if until > self.written {
            self.console.write(&self.streamed[self.written..until])?;
            self.written = until;
        }
        Ok(())
    }

    /// Bytes that may be written. At a terminal all but blank space that may be the end; elsewhere lines that another
    /// line follows.
    fn certain(&self) -> usize {
        let text = self.streamed.trim_end();
        if self.console.can_stream() {
            text.len()
        } else {
            text.rfind('\n').map_or(0, |end| end + 1)
        }
    }

    /// Takes finished words. A program's are said at once; elsewhere than at a terminal the model's own wait for the answer.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn express(&mut self, text: &str, exec: Option<ExecId>) -> Result<(), Failure> {
        self.is_own = exec.is_none();
        if exec.is_some() || self.console.can_stream() {
            return self.say(text);
        }
        let text = text.trim();
        if !text.starts_with(&self.streamed[..self.written]) {
            self.break_off()?;
        }
        text.clone_into(&mut self.streamed);
        Ok(())
    }

    /// Takes the final answer, which may have been said already.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn answer(&mut self, text: &str) -> Result<(), Failure> {
        if self.written == 0 && self.said.trim() == text.trim() {
            Ok(())
        } else {
            self.say(text)
        }
    }

    /// What the model said last was sent back: what follows takes its place.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn take_back(&mut self) -> Result<(), Failure> {
        self.break_off()?;
        if std::mem::take(&mut self.is_own) && self.console.can_stream() {
            self.console.note(Look::Dim, self.console.words.is_withdrawn());
            self.said.clear();
        }
        Ok(())
    }

    /// A program follows: what was said before it is no answer.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn give_way(&mut self) -> Result<(), Failure> {
        self.is_own = false;
        self.break_off()
    }

    /// The run ends. What had come of an answer is written to its end.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn end(&mut self) -> Result<(), Failure> {
        let whole = self.streamed.trim_end().len();
        if !self.console.can_stream() && self.is_open() && whole > self.written {
            self.console
                .write(&format!("{}\n", &self.streamed[self.written..whole]))?;
            self.written = whole;
        }
        self.break_off()
    }

    /// Leaves what is being said: at a terminal its line ends, elsewhere a line says that it is no answer.
    ///
    /// # Errors
    /// See [`Speech::stream`].
    pub fn break_off(&mut self) -> Result<(), Failure> {
        let streamed = std::mem::take(&mut self.streamed);
        let written = std::mem::take(&mut self.written);
        if written == 0 {
            return Ok(());
        }
        if self.console.can_stream() {
            return self.console.write("\n");
        }
        let lines = streamed[..written].lines().count();
        self.console
            .line(&self.console.words.not_the_answer(lines as u64))
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let written = &self.streamed[..self.written];
        let rest = if written.is_empty() {
            Some(text.trim_end())
        } else {
            text.trim().strip_prefix(written)
        };
        if rest.is_none() {
            self.break_off()?;
        }
        self.console.write(rest.unwrap_or(text.trim_end()))?;
        self.streamed.clear();
        self.written = 0;
        text.trim_end().clone_into(&mut self.said);
        self.console.write("\n")
    }
}
