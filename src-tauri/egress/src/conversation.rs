//! The talk with a program: its request to the proxy in either language, and the last words to the program.

use crate::Refusal;
use crate::limits::{HEAD_BYTES_MAX, LAST_WORDS_TIMEOUT};
use crate::request::{
    Forward, Malformed, Request, SOCKS, SOCKS_DONE, SOCKS_NO_COMMAND, SOCKS_NO_METHOD, SOCKS_NO_PROOF,
    SOCKS_NOT_ALLOWED, SOCKS_UNREACHABLE, read_greeting, read_http, read_socks,
};
use crate::target::Target;
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// What a program asked for, and how it is answered.
pub(crate) enum ProxyRequest {
    /// A tunnel over HTTP.
    Tunnel,
    Forward(Forward),
    Socks,
}

impl ProxyRequest {
    /// What the program hears once its server was reached.
    pub(crate) fn consent(&self) -> Vec<u8> {
        match self {
            Self::Tunnel => b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec(),
            Self::Socks => socks_answer(SOCKS_DONE),
            // Its server answers itself.
            Self::Forward(_) => Vec::new(),
        }
    }

    /// What the program hears when its server was not reached.
    pub(crate) fn refusal(&self, refusal: &Refusal, sentence: &str) -> Vec<u8> {
        match self {
            Self::Tunnel | Self::Forward(_) => refused_over_http(refusal, sentence),
            Self::Socks => socks_answer(socks_code(refusal)),
        }
    }
}

/// What a program hears that speaks neither language.
pub(crate) const MISUNDERSTOOD: &[u8] = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

/// Reads what a program asks for. `bytes` are left with what followed. `None` where it went away, or was told that
/// what it speaks is not understood.
pub(crate) async fn asked(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
) -> Result<Option<(Target, ProxyRequest)>, Malformed> {
    if !more(stream, bytes).await {
        return Ok(None);
    }
    if bytes.first() != Some(&SOCKS) {
        let Some(request) = read(stream, bytes, read_http).await? else {
            return Ok(None);
        };
        return Ok(Some(match request {
            Request::Connect(target) => (target, ProxyRequest::Tunnel),
            Request::Forward(forward) => (forward.target.clone(), ProxyRequest::Forward(forward)),
        }));
    }
    let Ok(Some(is_plain)) = read(stream, bytes, read_greeting).await else {
        return Ok(None);
    };
    if !is_plain {
        said(stream, &[SOCKS, SOCKS_NO_METHOD]).await;
        return Ok(None);
    }
    if stream.write_all(&[SOCKS, SOCKS_NO_PROOF]).await.is_err() {
        return Ok(None);
    }
    match read(stream, bytes, read_socks).await {
        Ok(target) => Ok(target.map(|target| (target, ProxyRequest::Socks))),
        Err(Malformed) => {
            said(stream, &socks_answer(SOCKS_NO_COMMAND)).await;
            Ok(None)
        }
    }
}

/// Reads until a reader understands what came; takes that from `bytes`.
async fn read<T>(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    reader: impl Fn(&[u8]) -> Result<Option<(T, usize)>, Malformed>,
) -> Result<Option<T>, Malformed> {
    loop {
        if let Some((read, length)) = reader(bytes)? {
            bytes.drain(..length);
            return Ok(Some(read));
        }
        if bytes.len() >= HEAD_BYTES_MAX {
            return Err(Malformed);
        }
        if !more(stream, bytes).await {
            return Ok(None);
        }
    }
}

/// Whether more bytes came.
async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> bool {
    stream.read_buf(bytes).await.is_ok_and(|count| count > 0)
}

/// Says the last words to a program, and lets the program read them. A connection that is closed while bytes lie
/// unread breaks off.
pub(crate) async fn said(stream: &mut TcpStream, words: &[u8]) {
    let saying = async {
        stream.write_all(words).await?;
        stream.shutdown().await?;
        let mut rest = [0; 1_024];
        for _ in 0..64 {
            if stream.read(&mut rest).await? == 0 {
                break;
            }
        }
        io::Result::Ok(())
    };
    match timeout(LAST_WORDS_TIMEOUT, saying).await {
        // The program has gone, or does not listen.
        Ok(Ok(()) | Err(_)) | Err(_) => {}
    }
}

fn refused_over_http(refusal: &Refusal, sentence: &str) -> Vec<u8> {
    let (code, name) = match refusal {
        Refusal::Refused | Refusal::Undecided | Refusal::Local => (403, "Forbidden"),
        Refusal::Unknown | Refusal::Unreachable { .. } | Refusal::UnknownProxy => (502, "Bad Gateway"),
        Refusal::TooMuch => (503, "Service Unavailable"),
    };
    // Some programs show the words of the status, others the body.
    let is_plain = |character: &char| (' '..='~').contains(character);
    let words: String = sentence.chars().filter(is_plain).collect();
    let reason = if words.is_empty() { name } else { words.as_str() };
    let length = sentence.len() + 1;
    format!(
        "HTTP/1.1 {code} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{sentence}\n"
    )
    .into_bytes()
}

fn socks_code(refusal: &Refusal) -> u8 {
    match refusal {
        Refusal::Refused | Refusal::Undecided | Refusal::Local | Refusal::TooMuch => SOCKS_NOT_ALLOWED,
        Refusal::Unknown | Refusal::Unreachable { .. } | Refusal::UnknownProxy => SOCKS_UNREACHABLE,
    }
}

fn socks_answer(code: u8) -> Vec<u8> {
    const VERSION_4: u8 = 1;
    [&[SOCKS, code, 0, VERSION_4][..], &[0; 6]].concat()
}
