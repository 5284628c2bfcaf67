//! Messages of JSON-RPC 2.0 as lines of standard input.
//!
//! A line that is no message is answered with a sentence, under its own number where it has one.

use crate::limits::LINE_BYTES_MAX;
use serde_json::{Map, Value, json};
use shidi_locales::Language;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Some programs begin their output with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub const PARSE_ERROR: i32 = -32_700;
pub const INVALID_REQUEST: i32 = -32_600;
pub const METHOD_NOT_FOUND: i32 = -32_601;
pub const INVALID_PARAMS: i32 = -32_602;
pub const INTERNAL_ERROR: i32 = -32_603;
/// What the protocol says of a session or file that is not there.
pub const NOT_FOUND: i32 = -32_002;

/// What came from the editor.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// An answer to a request of ours; `None` where the editor could not carry it out.
    Answer {
        id: u64,
        result: Option<Value>,
    },
    /// No message: this is the answer to it.
    Refused(Value),
}

/// The editor's messages.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Whether the rest of a line that was too long is still to come.
    passes_over: bool,
    has_ended: bool,
    language: Language,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub fn new(reader: R, language: Language) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            passes_over: false,
            has_ended: false,
            language,
        }
    }

    /// The next message; `None` at the end. Reads on where it was, also after it was dropped in between.
    pub async fn next(&mut self) -> Option<Incoming> {
        while !self.has_ended {
            let read = self.reader.fill_buf().await.unwrap_or_default();
            let end = read.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            self.has_ended = taken == 0;
            let fits = self.line.len() + taken <= LINE_BYTES_MAX;
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
                let said = self.language.acp().line_too_long(LINE_BYTES_MAX);
                return Some(Incoming::Refused(refusal(Value::Null, INVALID_REQUEST, &said)));
            }
            if let Some(message) = understood(&std::mem::take(&mut self.line), self.language) {
                return Some(message);
            }
        }
        None
    }
}

/// A line as a message; `None` for one that wants no answer.
#[must_use]
pub fn understood(line: &[u8], language: Language) -> Option<Incoming> {
    let say = language.acp();
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return None;
    }
    let refused = |id, code, said| Some(Incoming::Refused(refusal(id, code, said)));
    let Ok(read) = serde_json::from_slice::<Value>(line) else {
        return refused(Value::Null, PARSE_ERROR, say.no_json());
    };
    let Value::Object(mut read) = read else {
        return refused(Value::Null, INVALID_REQUEST, say.no_message());
    };
    let id = read.remove("id").filter(|id| !id.is_null());
    let id = match id {
        None => None,
        Some(id @ (Value::Number(_) | Value::String(_))) => Some(id),
        Some(_) => return refused(Value::Null, INVALID_REQUEST, say.no_message()),
    };
    let params = read.remove("params").unwrap_or_else(|| Value::Object(Map::new()));
    match (read.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Some(Incoming::Request { id, method, params }),
        (Some(Value::String(method)), None) => Some(Incoming::Notification { method, params }),
        (Some(_), id) => refused(id.unwrap_or_default(), INVALID_REQUEST, say.no_message()),
        (None, Some(id)) if read.contains_key("result") || read.contains_key("error") => {
            let result = read.remove("result").filter(|_| !read.contains_key("error"));
            id.as_u64().map(|id| Incoming::Answer { id, result })
        }
        (None, None) if read.contains_key("error") => None,
        (None, id) => refused(id.unwrap_or_default(), INVALID_REQUEST, say.no_message()),
    }
}

/// An answer that says what is wrong.
#[must_use]
pub fn refusal(id: Value, code: i32, said: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": said}})
}

#[cfg(test)]
mod tests;
