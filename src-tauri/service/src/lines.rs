//! Lines of another program: bounded, whatever it sends.

use shidi_protocol::{Framed, Framing};
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
    framing: Framing,
    has_ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub fn new(reader: R, most: usize) -> Self {
        Self {
            reader: BufReader::new(reader),
            framing: Framing::new(most),
            has_ended: false,
        }
    }

    /// Reads on where it was, also after it was dropped in between. What can't be read ends it.
    pub async fn next(&mut self) -> Line {
        while !self.has_ended {
            let bytes = self.reader.fill_buf().await.unwrap_or_default();
            self.has_ended = bytes.is_empty();
            let (taken, framed) = self.framing.take(bytes);
            self.reader.consume(taken);
            let last = if self.has_ended { self.framing.rest() } else { None };
            match framed.or(last) {
                None => {}
                Some(Framed::TooLong(_)) => return Line::TooLong,
                Some(Framed::Line(mut line)) => {
                    if line.starts_with(BYTE_ORDER_MARK) {
                        line.drain(..BYTE_ORDER_MARK.len());
                    }
                    if !line.trim_ascii().is_empty() {
                        return Line::Whole(line);
                    }
                }
            }
        }
        Line::End
    }
}

#[cfg(test)]
mod tests;
