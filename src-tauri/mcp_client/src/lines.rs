//! Carries a child's output to the reader of the protocol: one message a line, none beyond its bound.
//!
//! Lines that are no message (a greeting, a log line) are skipped. In place of an overlong answer the reader
//! gets a refusal of the same number, so that only this call fails. If the answer has no number, the stream
//! ends.

use crate::limits::{MESSAGE_BYTES_MAX, MESSAGE_EDGE_BYTES};
use std::collections::VecDeque;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// The code that refuses an overlong answer; the protocol leaves this code to programs.
pub const TOO_LONG: i32 = -32_099;

/// Carries messages over until either side closes.
pub async fn carry(output: impl AsyncRead + Unpin, mut reader: impl AsyncWrite + Unpin) {
    let mut output = BufReader::new(output);
    let mut line = Line::default();
    loop {
        let taken = {
            let Ok(available) = output.fill_buf().await else {
                return;
            };
            if available.is_empty() {
                return;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            line.add(part);
            if end.is_some() {
                let carried = match line.taken() {
                    Taken::Message(message) => reader.write_all(&message).await,
                    Taken::Nothing => Ok(()),
                    Taken::Overlong => return,
                };
                if carried.is_err() || reader.flush().await.is_err() {
                    return;
                }
            }
            part.len() + usize::from(end.is_some())
        };
        output.consume(taken);
    }
}

/// The line that is being read; of an overlong line only its edges are kept.
#[derive(Default)]
struct Line {
    kept: Vec<u8>,
    edge: VecDeque<u8>,
    is_overlong: bool,
}

enum Taken {
    Message(Vec<u8>),
    Nothing,
    Overlong,
}

impl Line {
    fn add(&mut self, part: &[u8]) {
        if !self.is_overlong && self.kept.len() + part.len() <= MESSAGE_BYTES_MAX {
            self.kept.extend_from_slice(part);
            return;
        }
        if !self.is_overlong {
            self.is_overlong = true;
            let tail = self.kept.len().saturating_sub(MESSAGE_EDGE_BYTES);
            self.edge.extend(&self.kept[tail..]);
            self.kept.truncate(MESSAGE_EDGE_BYTES);
            self.kept.shrink_to_fit();
        }
        let tail = part.len().saturating_sub(MESSAGE_EDGE_BYTES);
        self.edge.extend(&part[tail..]);
        let over = self.edge.len().saturating_sub(MESSAGE_EDGE_BYTES);
        self.edge.drain(..over);
    }

    fn taken(&mut self) -> Taken {
        let line = std::mem::take(self);
        if line.is_overlong {
            let edge: Vec<u8> = line.edge.into_iter().collect();
            return match number_at_start(&line.kept).or_else(|| number_at_end(&edge)) {
                Some(number) => Taken::Message(refusal(number)),
                None => Taken::Overlong,
            };
        }
        if !line.kept.trim_ascii_start().starts_with(b"{") {
            return Taken::Nothing;
        }
        let mut message = line.kept;
        message.push(b'\n');
        Taken::Message(message)
    }
}

fn refusal(number: u64) -> Vec<u8> {
    let message = serde_json::json!({
        "jsonrpc": "2.0", "id": number, "error": {"code": TOO_LONG, "message": "too long"},
    });
    format!("{message}\n").into_bytes()
}

/// The number of an answer that begins with it: `{"jsonrpc": "2.0", "id": 7, …`.
fn number_at_start(head: &[u8]) -> Option<u64> {
    let text = plain(head);
    let rest = text.strip_prefix('{')?;
    let rest = rest.strip_prefix("\"jsonrpc\":\"2.0\",").unwrap_or(rest);
    number(rest.strip_prefix("\"id\":")?).map(|(number, _)| number)
}

/// The number of an answer that ends with it: `…, "jsonrpc": "2.0", "id": 7}`.
fn number_at_end(tail: &[u8]) -> Option<u64> {
    let text = plain(tail);
    let text = text.strip_suffix('}')?;
    let text = text.strip_suffix(",\"jsonrpc\":\"2.0\"").unwrap_or(text);
    let (_, after) = text.rsplit_once("\"id\":")?;
    number(after)
        .filter(|(_, rest)| rest.is_empty())
        .map(|(number, _)| number)
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .filter(|character| !character.is_whitespace())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    async fn carried(output: &[u8]) -> String {
        let mut reader = Vec::new();
        carry(output, &mut reader).await;
        String::from_utf8(reader).expect("text")
    }

    fn long(head: &str, tail: &str) -> Vec<u8> {
        format!("{head}{}{tail}\n", "x".repeat(MESSAGE_BYTES_MAX)).into_bytes()
    }

    #[tokio::test]
    async fn only_messages_come_through() {
        let output = b"Server starting\n\n{\"id\":1}\r\n  {\"id\":2}\n\xff\xfe\n{\"id\":3";
        assert_eq!(carried(output).await, "{\"id\":1}\r\n  {\"id\":2}\n");
    }

    #[tokio::test]
    async fn an_overlong_answer_becomes_a_refusal_of_its_number_and_what_follows_comes_through() {
        for mut output in [
            long(
                "{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {\"text\": \"",
                "\"}}",
            ),
            long(
                "{\"result\": {\"id\": 9, \"text\": \"",
                "\"}, \"jsonrpc\": \"2.0\", \"id\": 7}",
            ),
            long("{\"result\": \"", "\", \"id\": 7, \"jsonrpc\": \"2.0\"}"),
        ] {
            output.extend(b"{\"id\":8}\n");
            let text = carried(&output).await;
            let lines: Vec<&str> = text.lines().collect();
            assert!(
                lines[0].contains("\"id\":7") && lines[0].contains("-32099"),
                "{text}"
            );
            assert_eq!(lines[1], "{\"id\":8}");
        }
    }

    #[tokio::test]
    async fn an_overlong_line_without_a_number_ends_the_stream() {
        let mut output = long("{\"result\": \"", "\"}");
        output.extend(b"{\"id\":8}\n");
        assert_eq!(carried(&output).await, "");
    }

    proptest! {
        #[test]
        fn any_bytes_are_carried_without_harm(output in proptest::collection::vec(any::<u8>(), 0..2_000)) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let mut reader = Vec::new();
            runtime.block_on(carry(output.as_slice(), &mut reader));
            for line in reader.split_inclusive(|byte| *byte == b'\n') {
                prop_assert_eq!(line.trim_ascii_start().first(), Some(&b'{'));
            }
        }
    }
}
