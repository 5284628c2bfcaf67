//! Lines come whole or not at all, however the bytes arrive.

use super::*;
use proptest::prelude::*;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::ReadBuf;

const MOST: usize = 12;

/// Gives its bytes in pieces of a given size.
struct Pieces(Vec<u8>, usize);

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let size = self.1.min(self.0.len()).min(into.remaining());
        let piece: Vec<u8> = self.0.drain(..size).collect();
        into.put_slice(&piece);
        Poll::Ready(Ok(()))
    }
}

fn all(bytes: &[u8], size: usize) -> Vec<Line> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(async {
        let mut reader = LineReader::new(Pieces(bytes.to_vec(), size), MOST);
        let mut lines = Vec::new();
        loop {
            match reader.next().await {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    })
}

fn whole(text: &str) -> Line {
    Line::Whole(text.as_bytes().to_vec())
}

#[test]
fn blank_lines_and_marks_are_passed_over_and_the_last_line_needs_no_end() {
    let lines = all(b"\xef\xbb\xbfa\n\n \r\n\xef\xbb\xbf\nb\r\nc", 3);
    assert_eq!(lines, [whole("a\n"), whole("b\r\n"), whole("c")]);
}

#[test]
fn a_line_that_is_too_long_is_told_once_and_the_next_one_comes() {
    for size in [1, 5, 100] {
        let lines = all(
            b"0123456789012345678901234567890\nok\n0123456789x\n0123456789xy",
            size,
        );
        assert_eq!(
            lines,
            [
                Line::TooLong,
                whole("ok\n"),
                whole("0123456789x\n"),
                whole("0123456789xy")
            ]
        );
    }
}

#[tokio::test]
async fn a_reader_that_was_dropped_in_between_loses_nothing() {
    let (mut writer, reader) = tokio::io::duplex(64);
    let mut lines = LineReader::new(reader, MOST);
    tokio::io::AsyncWriteExt::write_all(&mut writer, b"hal")
        .await
        .expect("room");
    tokio::select! {
        biased;
        line = lines.next() => panic!("{line:?}"),
        () = tokio::task::yield_now() => {}
    }
    tokio::io::AsyncWriteExt::write_all(&mut writer, b"ves\n")
        .await
        .expect("room");
    assert_eq!(lines.next().await, whole("halves\n"));
}

proptest! {
    #[test]
    fn bytes_come_to_the_same_lines_in_pieces_of_any_size(
        bytes in proptest::collection::vec(prop::sample::select(b"ab \r\n\xef\xbb\xbf".to_vec()), 0..200),
        size in 1_usize..40,
    ) {
        let lines = all(&bytes, size);
        prop_assert_eq!(&lines, &all(&bytes, 1_000));
        for line in lines {
            if let Line::Whole(line) = line {
                prop_assert!(line.len() <= MOST && !line.trim_ascii().is_empty());
            }
        }
    }
}
