//! The terminal: results on stdout, everything else on stderr, colours only where a person looks.
//!
//! Words of a model, a program or a file never steer the terminal and read as nothing but themselves. Characters that
//! the eye can't see are written out there.

use crate::failure::{Exit, Failure};
use crate::typeahead;
use crate::words::Words;
use serde::Serialize;
use shidi_protocol::{ErrorCode, UserError, visible};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Human,
    /// One JSON object per line and nothing else.
    JsonLines,
}

/// How a piece of text looks on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Plain,
    Dim,
    Strong,
    Good,
    Bad,
}

/// Stdout and stderr of this process.
pub struct Console {
    pub format: Format,
    pub words: Words,
    is_terminal: bool,
    colours_out: bool,
    colours_note: bool,
}

impl Console {
    #[must_use]
    pub fn new(format: Format, words: Words) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self {
            format,
            words,
            is_terminal: io::stdout().is_terminal(),
            colours_out: wanted && io::stdout().is_terminal(),
            colours_note: wanted && io::stderr().is_terminal(),
        }
    }

    #[must_use]
    pub fn is_json(&self) -> bool {
        self.format == Format::JsonLines
    }

    /// Whether a person sits at both ends: questions can be asked inline.
    #[must_use]
    pub fn can_ask(&self) -> bool {
        !self.is_json() && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Whether text may be written while it is still being made.
    #[must_use]
    pub fn can_stream(&self) -> bool {
        !self.is_json() && self.is_terminal
    }

    /// Writes text to stdout; to a file or pipe exactly as it is.
    ///
    /// # Errors
    /// A reader that went away or a full disk.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let text = if self.is_terminal {
            tame(text)
        } else {
            Cow::Borrowed(text)
        };
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Writes one line of [`Console::painted`] pieces to stdout.
    ///
    /// # Errors
    /// See [`Console::write`].
    pub fn line(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()?;
        Ok(())
    }

    /// Writes a piece of a file to stdout, exactly as it is.
    ///
    /// # Errors
    /// See [`Console::write`].
    pub fn piece(&self, text: &str) -> Result<(), Failure> {
        io::stdout().lock().write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes one JSON object as a line of stdout.
    ///
    /// # Errors
    /// See [`Console::write`].
    pub fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value).map_err(io::Error::other)?;
        line.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&line)?;
        out.flush()?;
        Ok(())
    }

    /// Writes one line to stderr. A terminal that is gone can't be told about it.
    pub fn note(&self, look: Look, text: &str) {
        let line = painted(look, text, self.colours_note);
        writeln!(io::stderr().lock(), "{line}").unwrap_or_default();
    }

    /// Says to a person that a list is empty; a program sees it.
    pub fn note_if_empty<T>(&self, listed: &[T]) {
        if listed.is_empty() && !self.is_json() {
            self.note(Look::Dim, self.words.nothing_here());
        }
    }

    /// Writes a prompt to stderr and leaves the cursor after it.
    pub fn prompt(&self, text: &str) {
        let mut err = io::stderr().lock();
        write!(err, "{}", painted(Look::Strong, text, self.colours_note)).unwrap_or_default();
        err.flush().unwrap_or_default();
    }

    /// Asks for a yes at the terminal. Anything else is a no, and so is a text that was typed before the question.
    pub fn confirms(&self, question: &str) -> bool {
        if !typeahead::drop_typed() {
            return false;
        }
        self.prompt(question);
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer).is_ok();
        read && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是")
    }

    /// Shows how far long work is, on a line of stderr that the next report replaces. Nothing is shown where stderr is
    /// no terminal.
    pub fn progress(&self, what: &str, done: u64, total: u64) {
        if self.is_json() || !io::stderr().is_terminal() {
            return;
        }
        let of = if total > 0 {
            format!(" / {total}")
        } else {
            String::new()
        };
        let mut err = io::stderr().lock();
        write!(err, "\r\x1b[K{} {done}{of}", tame(what)).unwrap_or_default();
        err.flush().unwrap_or_default();
    }

    /// Whether a line of stderr can be written anew, for somebody who reads.
    #[must_use]
    pub fn can_redraw(&self) -> bool {
        !self.is_json() && io::stderr().is_terminal()
    }

    /// Writes a dim line that the next report replaces.
    pub fn redraw(&self, text: &str) {
        let mut err = io::stderr().lock();
        write!(err, "\r\x1b[K{}", painted(Look::Dim, text, self.colours_note)).unwrap_or_default();
        err.flush().unwrap_or_default();
    }

    /// Takes that line away.
    pub fn progress_over(&self) {
        if !self.is_json() && io::stderr().is_terminal() {
            write!(io::stderr().lock(), "\r\x1b[K").unwrap_or_default();
        }
    }

    /// Tells why a command could not be carried out, and how it ends then.
    #[must_use]
    pub fn fail(&self, failure: &Failure) -> Exit {
        match failure {
            Failure::User(error) => {
                self.complain(error);
                Exit::Because(error.code)
            }
            Failure::OutputClosed => Exit::Done,
            Failure::Output(_) | Failure::Threads(_) | Failure::Unanswered => {
                self.complain(&UserError::new(ErrorCode::Internal, failure.to_string()));
                Exit::TaskFailed
            }
        }
    }

    /// Tells what broke and what to do about it.
    pub fn complain(&self, error: &UserError) {
        self.note(Look::Bad, &error.message);
        if let Some(hint) = &error.hint {
            self.hint(hint);
        }
    }

    pub fn hint(&self, text: &str) {
        self.note(Look::Plain, &format!("{}{text}", self.words.hint()));
    }

    /// Text for stdout in the given look.
    #[must_use]
    pub fn painted(&self, look: Look, text: &str) -> String {
        painted(look, text, self.colours_out)
    }
}

fn painted(look: Look, text: &str, colours: bool) -> String {
    let text = tame(text);
    let code = match look {
        Look::Plain => return text.into_owned(),
        Look::Dim => "2",
        Look::Strong => "1",
        Look::Good => "32",
        Look::Bad => "31",
    };
    if colours {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.into_owned()
    }
}

/// The text with what can't be seen written out. An end of line as other systems write it is one.
fn tame(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        visible(&text.replace("\r\n", "\n")).into_owned().into()
    } else {
        visible(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_steers_the_terminal_or_reads_as_something_else() {
        let said = "ok\u{1b}[2J\r\n\u{202e}txt.exe\u{200b}\u{7}";
        assert_eq!(
            painted(Look::Plain, said, false),
            "ok\\x1b[2J\n\\u202etxt.exe\\u200b\\x07"
        );
        assert_eq!(painted(Look::Bad, "\u{2066}", true), "\x1b[31m\\u2066\x1b[0m");
    }
}
