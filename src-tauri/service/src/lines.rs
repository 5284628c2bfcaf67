//! Lines of another program: bounded, whatever it sends.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Some programs begin their output with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The next thing that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Not blank, and without a byte order mark.
    Whole(Vec<u8>),
    /// Longer than is read; nothing of it is kept.
    TooLong,
    End,
}

/// Reads lines of at most so many bytes, their ends among them. The last one needs no end.
pub struct LineReader<R> {
    reader: BufReader<R>,
    most: usize,
    line: Vec<u8>,
    /// Whether the rest of a line that was too long is still to come.
    passes_over: bool,
    has_ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub fn new(reader: R, most: usize) -> Self {
        Self {
            reader: BufReader::new(reader),
            most,
            line: Vec::new(),
            passes_over: false,
            has_ended: false,
        }
    }

    /// Reads on where it was, also after it was dropped in between. What can't be read ends it.
    pub async fn next(&mut self) -> Line {
        while !self.has_ended {
            let read = self.reader.fill_buf().await.unwrap_or_default();
            let end = read.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            self.has_ended = taken == 0;
            let fits = self.line.len() + taken <= self.most;
            if fits && !self.passes_over {
                self.line.extend_from_slice(&read[..taken]);
            } else {
                self.line.clear();
                self.passes_over = true;
            }
            self.reader.consume(taken);
            if end.is_none() && !self.has_ended {
                continue;
            }
            if std::mem::take(&mut self.passes_over) {
                return Line::TooLong;
            }
            let mut line = std::mem::take(&mut self.line);
            if line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
            if !line.trim_ascii().is_empty() {
                return Line::Whole(line);
            }
        }
        Line::End
    }
}

#[cfg(test)]
mod tests;
