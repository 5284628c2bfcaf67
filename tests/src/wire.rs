//! What a client sent to a server of the tests, as it stood on the wire: one request, then the answer, then the end.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Error, Read, Result};

/// Bytes of the longest body that a test sends.
const BODY_BYTES_MAX: usize = 16 << 20;

/// One request.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// The path with its query, as it was sent.
    pub target: String,
    /// By names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` where the client has gone without one.
    ///
    /// # Errors
    /// What comes is cut off, or longer than any test sends.
    pub fn read(stream: &mut impl Read) -> Result<Option<Self>> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        let mut request = Self {
            method: words.next().unwrap_or_default(),
            target: words.next().unwrap_or_default(),
            ..Self::default()
        };
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            request
                .headers
                .insert(name.to_lowercase(), value.trim().to_owned());
        }
        let length = request.header("content-length").parse().unwrap_or(0);
        if length > BODY_BYTES_MAX {
            return Err(Error::other("longer than any test sends"));
        }
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
        Ok(Some(request))
    }

    /// A header, empty where it was not sent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    #[must_use]
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The query as it was sent.
    #[must_use]
    pub fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// A field of the query, its signs written out.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<String> {
        let whole = reqwest::Url::parse(&format!("http://localhost{}", self.target)).ok()?;
        let mut fields = whole.query_pairs();
        let found = fields.find(|(field, _)| field == name);
        found.map(|(_, value)| value.into_owned())
    }
}

/// An answer as bytes: after it the connection is over.
#[must_use]
pub fn answer(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let told: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{told}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}
