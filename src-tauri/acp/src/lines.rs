//! Messages of JSON-RPC 2.0 as lines of standard input.
//!
//! A line that is no message is answered with a sentence, under its own number where it has one.

use crate::limits::LINE_BYTES_MAX;
use serde_json::{Map, Value, json};
use shidi_locales::Language;
use shidi_service::{Line, LineReader};
use tokio::io::AsyncRead;

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
    reader: LineReader<R>,
    language: Language,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub fn new(reader: R, language: Language) -> Self {
        Self {
            reader: LineReader::new(reader, LINE_BYTES_MAX),
            language,
        }
    }

    /// The next message; `None` at the end. Reads on where it was, also after it was dropped in between.
    pub async fn next(&mut self) -> Option<Incoming> {
        loop {
            match self.reader.next().await {
                Line::Whole(line) => {
                    if let Some(message) = understood(&line, self.language) {
                        return Some(message);
                    }
                }
                Line::TooLong => {
                    let said = self.language.acp().line_too_long(LINE_BYTES_MAX);
                    return Some(Incoming::Refused(refusal(Value::Null, INVALID_REQUEST, &said)));
                }
                Line::End => return None,
            }
        }
    }
}

/// A line as a message; `None` for one that wants no answer.
#[must_use]
pub fn understood(line: &[u8], language: Language) -> Option<Incoming> {
    let say = language.acp();
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
