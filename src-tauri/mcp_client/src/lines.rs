//! Carries a child's output to the reader of the protocol: one message a line, none beyond its bound.
//!
//! Lines that are no message (a greeting, a log line) are skipped. In place of an overlong or unreadable answer, the
//! reader gets a refusal of the same number. So only this call fails, and at once. If an overlong answer has no number,
//! the stream ends.

use crate::limits::{ENDLESS_BYTES, MESSAGE_BYTES_MAX, MESSAGE_EDGE_BYTES};
use shidi_protocol::{Framed, Framing, LineEdges};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// The codes that refuse an overlong answer, and one that is no JSON; the protocol leaves them to programs.
pub const TOO_LONG: i32 = -32_099;
pub const UNREADABLE: i32 = -32_098;

/// Carries messages over until either side closes.
pub async fn carry(output: impl AsyncRead + Unpin, mut reader: impl AsyncWrite + Unpin) {
    let mut output = BufReader::new(output);
    // The end of a line is not the message's.
    let mut framing = Framing::with_edges(MESSAGE_BYTES_MAX + 1, MESSAGE_EDGE_BYTES);
    // Whether the line at hand was refused before its end.
    let mut is_refused = false;
    loop {
        let (taken, framed) = match output.fill_buf().await {
            Ok(bytes) if !bytes.is_empty() => framing.take(bytes),
            Ok(_) | Err(_) => return,
        };
        output.consume(taken);
        let has_ended = framed.is_some();
        let taken = match framed {
            Some(_) | None if is_refused => Taken::Nothing,
            Some(Framed::Line(line)) => message(line),
            Some(Framed::TooLong(edges)) => refused(&edges),
            None => refused_early(&framing),
        };
        is_refused = !has_ended && (is_refused || matches!(taken, Taken::Message(_)));
        let carried = match taken {
            Taken::Message(message) => reader.write_all(&message).await,
            Taken::Nothing => Ok(()),
            Taken::Overlong => return,
        };
        if carried.is_err() || reader.flush().await.is_err() {
            return;
        }
    }
}

enum Taken {
    Message(Vec<u8>),
    Nothing,
    Overlong,
}

/// What is known of a line before its end: that it is too long, and whose answer it is.
///
/// Some lines never end; whoever waits for their answer is told at once.
fn refused_early(framing: &Framing) -> Taken {
    let Some((head, length)) = framing.overlong() else {
        return Taken::Nothing;
    };
    match number_at_start(head) {
        Some(number) => Taken::Message(refusal(number, TOO_LONG, "too long")),
        None if length > ENDLESS_BYTES => Taken::Overlong,
        None => Taken::Nothing,
    }
}

/// An overlong line that ended.
fn refused(edges: &LineEdges) -> Taken {
    match number_at_start(&edges.head).or_else(|| number_at_end(&edges.tail)) {
        Some(number) => Taken::Message(refusal(number, TOO_LONG, "too long")),
        None => Taken::Overlong,
    }
}

/// A line within its bound, as the reader of the protocol gets it.
fn message(line: Vec<u8>) -> Taken {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Taken::Nothing;
    }
    let message = readable(line);
    if serde_json::from_slice::<serde_json::Value>(&message).is_ok() {
        return Taken::Message(message);
    }
    let edge = &message[message.len().saturating_sub(MESSAGE_EDGE_BYTES)..];
    match number_at_start(&message).or_else(|| number_at_end(edge)) {
        Some(number) => Taken::Message(refusal(number, UNREADABLE, "no JSON")),
        None => Taken::Nothing,
    }
}

/// A line in UTF-8 and without halves of characters. Servers are read that print in another encoding, or cut a text in
/// the middle of an emoji.
fn readable(line: Vec<u8>) -> Vec<u8> {
    let text = match String::from_utf8(line) {
        Ok(text) => text,
        Err(cause) => String::from_utf8_lossy(cause.as_bytes()).into_owned(),
    };
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return text.into_bytes();
    }
    whole_escapes(&text).into_bytes()
}

/// The text with `\ufffd` in place of each escape that is half of a character.
fn whole_escapes(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (half(escape), escape.get(6..).and_then(half)) {
            (None, _) => escape.chars().take(2).map(char::len_utf8).sum(),
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole.push_str(rest);
    whole
}

/// The half of a character that an escape at the text's start stands for.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    (0xD800..=0xDFFF).contains(&code).then_some(code)
}

fn refusal(number: u64, code: i32, why: &str) -> Vec<u8> {
    let message = serde_json::json!({
        "jsonrpc": "2.0", "id": number, "error": {"code": code, "message": why},
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
        let output = b"Server starting\n\n{\"id\":1}\r\n  {\"id\":2}\n\xff\xfe\n{not json}\n{\"id\":3";
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
    async fn an_answer_that_is_no_json_fails_its_call_at_once() {
        for output in [
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"text\":\"cut\n",
            "{\"result\":NaN,\"jsonrpc\":\"2.0\",\"id\":7}\n",
        ] {
            let text = carried(output.as_bytes()).await;
            assert!(text.contains("\"id\":7") && text.contains("-32098"), "{text}");
        }
    }

    #[tokio::test]
    async fn an_answer_in_another_encoding_or_with_half_a_character_comes_through() {
        let read = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
        let latin = carried(b"{\"id\":1,\"a\":\"caf\xe9\"}\n").await;
        assert_eq!(read(latin)["a"], "caf\u{fffd}");
        let halves = r#"{"id":1,"a":"caf\udce9 \ud83d\ude00 \ud83d \\ud83d \\\ude00 é"}"#;
        let whole = carried(format!("{halves}\n").as_bytes()).await;
        assert_eq!(read(whole)["a"], "caf\u{fffd} 😀 \u{fffd} \\ud83d \\\u{fffd} é");
    }

    #[tokio::test]
    async fn a_line_that_never_ends_is_refused_before_its_end() {
        let (mut output, server) = tokio::io::duplex(1 << 16);
        let (reader, mut carried) = tokio::io::duplex(1 << 16);
        let carrying = tokio::spawn(carry(server, reader));
        output
            .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"")
            .await
            .expect("a pipe");
        let flood = tokio::spawn(async move {
            let block = [b'x'; 1 << 16];
            while output.write_all(&block).await.is_ok() {}
        });
        let mut told = [0; 64];
        let count = tokio::io::AsyncReadExt::read(&mut carried, &mut told)
            .await
            .expect("a refusal");
        let told = String::from_utf8_lossy(&told[..count]);
        assert!(told.contains("\"id\":7") && told.contains("-32099"), "{told}");
        carrying.abort();
        flood.abort();
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
