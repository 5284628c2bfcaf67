//! Messages as lines of standard input and output.
//!
//! The library drops a line that it can't read, and whoever sent it waits. Here each such line is answered with a
//! sentence, under its own number where it has one. Nothing but messages reaches standard output.

use crate::limits::{LAST_WORDS_WAIT, LINE_BYTES_MAX, MESSAGES_QUEUED};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_service::{Line, LineReader, line_of, write};
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The client's messages, and the way back.
pub struct Lines<R> {
    reader: LineReader<R>,
    messages: Option<mpsc::Sender<Vec<u8>>>,
    writing: JoinHandle<()>,
    /// Cancelled when the client can't be reached any more.
    gone: CancellationToken,
    language: Language,
}

/// A line as it was understood.
enum Understood {
    Message(Box<ClientJsonRpcMessage>),
    /// News that nobody here knows: it wants no answer.
    Nothing,
    Refused(Value),
}

impl<R: AsyncRead + Unpin + Send + 'static> Lines<R> {
    /// This function must be called within a runtime.
    pub fn new(
        reader: R,
        writer: impl AsyncWrite + Unpin + Send + 'static,
        gone: CancellationToken,
        language: Language,
    ) -> Self {
        let (messages, queued) = mpsc::channel(MESSAGES_QUEUED);
        Self {
            reader: LineReader::new(reader, LINE_BYTES_MAX),
            messages: Some(messages),
            writing: tokio::spawn(write(queued, writer, gone.clone())),
            gone,
            language,
        }
    }

    async fn next_line(&mut self) -> Line {
        tokio::select! {
            line = self.reader.next() => line,
            () = self.gone.cancelled() => Line::End,
        }
    }

    /// Answers a line that is no message. A client that reads nothing gets no more of such answers.
    fn refuse(&self, refusal: &Value) {
        if let Some(messages) = &self.messages {
            messages.try_send(line_of(refusal)).unwrap_or_default();
        }
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let messages = self.messages.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let line = line_of(&serde_json::to_value(&message)?);
            let messages = messages.ok_or_else(gone)?;
            messages.send(line).await.map_err(|_| gone())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let refusal = match self.next_line().await {
                Line::Whole(line) => match understood(&line, self.language) {
                    Understood::Message(message) => return Some(*message),
                    Understood::Nothing => continue,
                    Understood::Refused(refusal) => refusal,
                },
                Line::TooLong => {
                    let said = self.language.mcp_server().line_too_long(LINE_BYTES_MAX);
                    refusal(Value::Null, ErrorCode::INVALID_REQUEST, &said)
                }
                Line::End => {
                    self.gone.cancel();
                    return None;
                }
            };
            self.refuse(&refusal);
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.messages = None;
        let ended = tokio::time::timeout(LAST_WORDS_WAIT, &mut self.writing).await;
        ended
            .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
            .map_err(io::Error::other)
    }
}

fn understood(line: &[u8], language: Language) -> Understood {
    let say = language.mcp_server();
    let Ok(read) = serde_json::from_slice::<Value>(line) else {
        return Understood::Refused(refusal(Value::Null, ErrorCode::PARSE_ERROR, say.no_json()));
    };
    if let Ok(message) = serde_json::from_value(read.clone()) {
        return Understood::Message(Box::new(message));
    }
    // A message without a number that is no request wants no answer, and an answer least of all.
    let has = |name: &str| read.get(name).is_some();
    match read.get("id") {
        None if has("method") => Understood::Nothing,
        _ if has("result") || has("error") => Understood::Nothing,
        Some(id @ (Value::Number(_) | Value::String(_))) => {
            Understood::Refused(refusal(id.clone(), ErrorCode::INVALID_REQUEST, say.no_message()))
        }
        Some(_) | None => {
            Understood::Refused(refusal(Value::Null, ErrorCode::INVALID_REQUEST, say.no_message()))
        }
    }
}

fn refusal(id: Value, code: ErrorCode, said: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": said}})
}

#[cfg(test)]
mod tests;
