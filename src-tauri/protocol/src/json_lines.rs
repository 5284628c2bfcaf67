//! JSON Lines: what a program or a file says, cut into lines of bounded length, however the bytes arrive.
//!
//! The one framing of sockets, standard input, servers and files. Whoever has bytes gives them; nothing is opened here. What
//! an overlong or broken line is answered with, each protocol says by itself.

use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Cuts bytes into lines. A line in the making never takes more memory than the bound and the edges.
#[derive(Debug)]
pub struct Framing {
    bytes_max: usize,
    edge_bytes: usize,
    /// The line so far; of an overlong one its first bytes.
    head: Vec<u8>,
    /// The last bytes of an overlong line.
    tail: VecDeque<u8>,
    /// Bytes of an overlong line so far; 0 for any other.
    overlong: usize,
}

/// A line that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Framed {
    /// The whole line with its end, which the last one may lack.
    Line(Vec<u8>),
    /// More than the bound; only the edges were kept.
    TooLong(LineEdges),
}

/// The first and the last bytes of an overlong line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEdges {
    pub head: Vec<u8>,
    pub tail: Vec<u8>,
}

impl Framing {
    /// Lines of at most so many bytes, their ends among them. Nothing of an overlong one is kept.
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        Self::with_edges(bytes_max, 0)
    }

    /// The same, with so many bytes of each edge of an overlong line.
    #[must_use]
    pub fn with_edges(bytes_max: usize, edge_bytes: usize) -> Self {
        Self {
            bytes_max,
            edge_bytes,
            head: Vec::new(),
            tail: VecDeque::new(),
            overlong: 0,
        }
    }

    /// Takes bytes as far as the end of a line. Says how many, and the line where it ended among them.
    pub fn take(&mut self, bytes: &[u8]) -> (usize, Option<Framed>) {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        self.add(&bytes[..taken]);
        (taken, end.and_then(|_| self.rest()))
    }

    /// The line that stands last and has no end. The next bytes begin another one.
    pub fn rest(&mut self) -> Option<Framed> {
        let head = std::mem::take(&mut self.head);
        if std::mem::take(&mut self.overlong) > 0 {
            let tail = std::mem::take(&mut self.tail).into();
            return Some(Framed::TooLong(LineEdges { head, tail }));
        }
        (!head.is_empty()).then_some(Framed::Line(head))
    }

    /// The first bytes of a line that is too long already, and its length so far.
    #[must_use]
    pub fn overlong(&self) -> Option<(&[u8], usize)> {
        (self.overlong > 0).then_some((self.head.as_slice(), self.overlong))
    }

    /// The next line of what can be waited for, `None` at the end. An overlong one is told before its end: who reads on
    /// gets what is left of it.
    ///
    /// # Errors
    /// Bytes that can't be read.
    pub fn read(&mut self, source: &mut impl BufRead) -> io::Result<Option<Framed>> {
        loop {
            let bytes = match source.fill_buf() {
                Ok(bytes) => bytes,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(cause),
            };
            if bytes.is_empty() {
                return Ok(self.rest());
            }
            let (taken, framed) = self.take(bytes);
            source.consume(taken);
            if framed.is_some() {
                return Ok(framed);
            }
            if self.overlong > 0 {
                return Ok(self.rest());
            }
        }
    }

    fn add(&mut self, part: &[u8]) {
        if self.overlong == 0 && self.head.len() + part.len() <= self.bytes_max {
            self.head.extend_from_slice(part);
            return;
        }
        if self.overlong == 0 {
            self.overlong = self.head.len();
            let edge = self.head.len().saturating_sub(self.edge_bytes);
            self.tail.extend(&self.head[edge..]);
            self.head.truncate(self.edge_bytes);
            self.head.shrink_to_fit();
        }
        self.overlong += part.len();
        let missing = self.edge_bytes.saturating_sub(self.head.len());
        self.head.extend_from_slice(&part[..missing.min(part.len())]);
        let edge = part.len().saturating_sub(self.edge_bytes);
        self.tail.extend(&part[edge..]);
        let over = self.tail.len().saturating_sub(self.edge_bytes);
        self.tail.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES_MAX: usize = 6;
    const EDGE_BYTES: usize = 3;

    /// All lines of bytes that come in pieces of that size.
    fn framed(bytes: &[u8], size: usize) -> Vec<Framed> {
        let mut framing = Framing::with_edges(BYTES_MAX, EDGE_BYTES);
        let mut lines = Vec::new();
        for mut piece in bytes.chunks(size) {
            while !piece.is_empty() {
                let (taken, line) = framing.take(piece);
                lines.extend(line);
                piece = &piece[taken..];
            }
        }
        lines.extend(framing.rest());
        lines
    }

    fn line(text: &str) -> Framed {
        Framed::Line(text.as_bytes().to_vec())
    }

    fn too_long(head: &str, tail: &str) -> Framed {
        let [head, tail] = [head, tail].map(|edge| edge.as_bytes().to_vec());
        Framed::TooLong(LineEdges { head, tail })
    }

    #[test]
    fn lines_are_the_same_in_pieces_of_any_size() {
        let bytes = b"12345\n\n123456\nok\r\n1234567890\n123456";
        for size in 1..=bytes.len() {
            let expected = [
                line("12345\n"),
                line("\n"),
                too_long("123", "56\n"),
                line("ok\r\n"),
                too_long("123", "90\n"),
                line("123456"),
            ];
            assert_eq!(framed(bytes, size), expected, "pieces of {size}");
        }
    }

    #[test]
    fn an_overlong_line_is_known_before_its_end_and_takes_no_memory() {
        let mut framing = Framing::with_edges(BYTES_MAX, EDGE_BYTES);
        assert_eq!(framing.take(b"{\"id"), (4, None));
        assert_eq!(framing.overlong(), None);
        for _ in 0..1_000 {
            assert_eq!(framing.take(b"xxxxxxxxxx"), (10, None));
        }
        assert_eq!(framing.overlong(), Some((b"{\"i".as_slice(), 10_004)));
        assert!(framing.head.len() + framing.tail.len() <= 2 * EDGE_BYTES);
        assert_eq!(framing.take(b"}\nnext"), (2, Some(too_long("{\"i", "x}\n"))));
        assert_eq!(framing.overlong(), None);
        assert_eq!(framing.take(b"\n"), (1, Some(line("\n"))));
    }

    #[test]
    fn a_source_is_read_to_its_last_line_or_to_what_is_too_long() {
        let mut framing = Framing::new(BYTES_MAX);
        let mut source: &[u8] = b"a\nb";
        let mut next = || framing.read(&mut source).expect("bytes in memory");
        assert_eq!(
            [next(), next(), next()],
            [Some(line("a\n")), Some(line("b")), None]
        );
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        let refused = framing.read(&mut endless).expect("bytes in memory");
        assert_eq!(refused, Some(too_long("", "")));
    }
}
