//! A Qdrant server over its REST interface: just what a knowledge base takes.
//!
//! The official client speaks gRPC and would bring some hundred packages; seven requests of JSON are enough. Nothing is
//! redirected, every answer has a bound, and a key never goes over an open line beyond this computer.

use reqwest::{Client, Method, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How long a server may take to be there.
const CONNECT_WAIT: Duration = Duration::from_secs(3);
/// How long one request may take: some dozen pieces to write, or a hundred to read.
const ANSWER_WAIT: Duration = Duration::from_secs(20);
/// Bytes of one answer at most: a hundred pieces of the largest size.
const ANSWER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Characters of what a server says about a refusal that are shown.
const SAID_MAX: usize = 200;

/// The sparse vector under which a piece is found.
pub const WORDS: &str = "words";
/// What the server filters by.
const INDEXED: [(&str, &str); 6] = [
    ("kind", "keyword"),
    ("document", "keyword"),
    ("place", "keyword"),
    ("by", "keyword"),
    ("round", "integer"),
    ("failed", "bool"),
];

/// Why a server did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("'{0}' is no address of a server")]
    Address(String),
    #[error("The key would go to {0} unencrypted")]
    OpenLine(String),
    #[error("The server does not answer: {0}")]
    Away(String),
    #[error("The server does not take the key")]
    Key,
    #[error("The server has no such collection")]
    Missing,
    #[error("The server has a collection of that name that was not made for a knowledge base")]
    Foreign,
    #[error("The server refused with status {status}: {said}")]
    Refused { status: u16, said: String },
    #[error("The answer of the server is none of Qdrant's")]
    Malformed,
}

/// A point with its words; those without are found by what they hold only.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub id: String,
    pub words: Option<Sparse>,
    pub payload: Value,
}

/// Terms by their numbers, each with its weight.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sparse {
    pub indices: Vec<u32>,
    pub values: Vec<f32>,
}

/// One collection of a server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Server {
    client: Client,
    collection: Url,
    key: Option<Arc<SecretString>>,
}

impl Server {
    /// The collection at a server's address; nothing is asked of it yet.
    ///
    /// # Errors
    /// What is no address, and a key that would go unencrypted beyond this computer.
    pub fn new(address: &str, collection: &str, key: Option<SecretString>) -> Result<Self, Failure> {
        let mut url = parsed(address)?;
        if key.is_some() && is_open_line(&url) {
            return Err(Failure::OpenLine(url.host_str().unwrap_or_default().to_owned()));
        }
        let builder = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_WAIT)
            .timeout(ANSWER_WAIT);
        let builder = if is_here(&url) {
            builder.no_proxy()
        } else {
            builder
        };
        let client = builder
            .build()
            .map_err(|cause| Failure::Away(innermost(&cause)))?;
        url.path_segments_mut()
            .map_err(|()| Failure::Address(address.to_owned()))?
            .pop_if_empty()
            .extend(["collections", collection]);
        Ok(Self {
            client,
            collection: url,
            key: key.map(Arc::new),
        })
    }

    /// Makes the collection if there is none.
    ///
    /// # Errors
    /// As all requests; and that somebody else made it for something else.
    pub async fn ensure(&self) -> Result<(), Failure> {
        match self.send(Method::GET, &[], None).await {
            Ok(known) => {
                let words = known
                    .pointer("/config/params/sparse_vectors")
                    .and_then(|vectors| vectors.get(WORDS));
                words.map(|_| ()).ok_or(Failure::Foreign)?;
            }
            Err(Failure::Missing) => {
                let body = json!({"vectors": {}, "sparse_vectors": {WORDS: {"modifier": "idf"}}});
                self.send(Method::PUT, &[], Some(body)).await?;
            }
            Err(cause) => return Err(cause),
        }
        for (field_name, field_schema) in INDEXED {
            let body = json!({"field_name": field_name, "field_schema": field_schema});
            self.send(Method::PUT, &["index"], Some(body)).await?;
        }
        Ok(())
    }

    /// Asks whether the server is there and takes the key; whether it has the collection makes no difference.
    pub async fn greet(&self) -> Result<(), Failure> {
        match self.send(Method::GET, &[], None).await {
            Ok(_) | Err(Failure::Missing) => Ok(()),
            Err(cause) => Err(cause),
        }
    }

    /// Takes the collection away with all that is in it.
    pub async fn drop_all(&self) -> Result<(), Failure> {
        self.send(Method::DELETE, &[], None).await.map(|_| ())
    }

    /// Writes points, over earlier ones of the same ids.
    pub async fn put(&self, points: &[Point]) -> Result<(), Failure> {
        let points: Vec<Value> = points
            .iter()
            .map(|point| {
                let vector = match &point.words {
                    Some(words) => json!({WORDS: {"indices": words.indices, "values": words.values}}),
                    None => json!({}),
                };
                json!({"id": point.id, "vector": vector, "payload": point.payload})
            })
            .collect();
        let body = json!({"points": points});
        self.send(Method::PUT, &["points"], Some(body)).await.map(|_| ())
    }

    /// Erases what a filter fits.
    pub async fn delete(&self, filter: Value) -> Result<(), Failure> {
        let body = json!({"filter": filter});
        self.send(Method::POST, &["points", "delete"], Some(body))
            .await
            .map(|_| ())
    }

    /// How many points a filter fits.
    pub async fn count(&self, filter: Value) -> Result<u64, Failure> {
        let body = json!({"filter": filter, "exact": true});
        let counted = self.send(Method::POST, &["points", "count"], Some(body)).await?;
        counted["count"].as_u64().ok_or(Failure::Malformed)
    }

    /// Payloads of points that a filter fits, from the id `offset` on, and the id to go on from.
    pub async fn scroll(
        &self,
        filter: &Value,
        offset: Option<&Value>,
        limit: u32,
    ) -> Result<(Vec<Value>, Option<Value>), Failure> {
        let mut body = json!({"filter": filter, "limit": limit, "with_payload": true, "with_vector": false});
        if let Some(offset) = offset {
            body["offset"] = offset.clone();
        }
        let mut page = self.send(Method::POST, &["points", "scroll"], Some(body)).await?;
        let next = Some(page["next_page_offset"].take()).filter(|next| !next.is_null());
        Ok((
            payloads(page["points"].take())?
                .into_iter()
                .map(|(payload, _)| payload)
                .collect(),
            next,
        ))
    }

    /// What fits those words best, best first, with scores.
    pub async fn query(
        &self,
        words: &Sparse,
        filter: Value,
        limit: u32,
    ) -> Result<Vec<(Value, f64)>, Failure> {
        let body = json!({
            "query": {"indices": words.indices, "values": words.values},
            "using": WORDS,
            "filter": filter,
            "limit": limit,
            "with_payload": true,
        });
        let mut found = self.send(Method::POST, &["points", "query"], Some(body)).await?;
        payloads(found["points"].take())
    }

    /// Asks something of the collection and gives the `result` of the answer.
    async fn send(&self, method: Method, path: &[&str], body: Option<Value>) -> Result<Value, Failure> {
        let mut url = self.collection.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.extend(path);
        }
        let is_write = method != Method::GET && matches!(path, ["points" | "index"] | ["points", "delete"]);
        if is_write {
            // Without it a server answers before others can read what was written.
            url.set_query(Some("wait=true"));
        }
        let mut request = self.client.request(method, url);
        if let Some(key) = &self.key {
            request = request.header("api-key", key.expose_secret());
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request
            .send()
            .await
            .map_err(|cause| Failure::Away(innermost(&cause)))?;
        let status = answer.status();
        let mut answer: Value = serde_json::from_slice(&bounded(answer).await?).unwrap_or_default();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Failure::Key),
            StatusCode::NOT_FOUND if answer.get("status").is_some() => Err(Failure::Missing),
            _ if !status.is_success() => {
                let said = answer
                    .pointer("/status/error")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let said = said
                    .chars()
                    .filter(|one| !one.is_control())
                    .take(SAID_MAX)
                    .collect();
                Err(Failure::Refused {
                    status: status.as_u16(),
                    said,
                })
            }
            _ if answer["status"] == "ok" => Ok(answer["result"].take()),
            _ => Err(Failure::Malformed),
        }
    }
}

/// Whether everything that is said to that address goes unencrypted beyond this computer.
pub fn goes_openly(address: &str) -> bool {
    parsed(address).is_ok_and(|url| is_open_line(&url))
}

/// A server's address, in one form: `http://host:6333`.
///
/// # Errors
/// What is none.
pub fn canonical(address: &str) -> Result<String, Failure> {
    parsed(address).map(|url| url.as_str().trim_end_matches('/').to_owned())
}

fn parsed(address: &str) -> Result<Url, Failure> {
    let unfit = || Failure::Address(address.to_owned());
    let url = Url::parse(address.trim()).map_err(|_| unfit())?;
    let is_plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let is_fit = matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain;
    is_fit.then_some(url).ok_or_else(unfit)
}

fn is_open_line(url: &Url) -> bool {
    url.scheme() == "http" && !is_here(url)
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

async fn bounded(mut answer: reqwest::Response) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(some) = answer
        .chunk()
        .await
        .map_err(|cause| Failure::Away(innermost(&cause)))?
    {
        if bytes.len() + some.len() > ANSWER_BYTES_MAX {
            return Err(Failure::Malformed);
        }
        bytes.extend_from_slice(&some);
    }
    Ok(bytes)
}

fn payloads(points: Value) -> Result<Vec<(Value, f64)>, Failure> {
    let Value::Array(points) = points else {
        return Err(Failure::Malformed);
    };
    let payload = |mut point: Value| {
        (
            point["payload"].take(),
            point["score"].as_f64().unwrap_or_default(),
        )
    };
    Ok(points.into_iter().map(payload).collect())
}

/// The reason that says something: "connection refused".
fn innermost(cause: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = cause;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stays_on_this_computer_or_goes_encrypted() {
        shidi_models::install_tls();
        let key = || Some(SecretString::from("k"));
        for address in [
            "https://team.example",
            "http://localhost:6333",
            "http://127.0.0.1:6333/",
            "http://[::1]:6333",
        ] {
            assert!(Server::new(address, "c", key()).is_ok(), "{address}");
            assert!(!goes_openly(address), "{address}");
        }
        for address in [
            "http://team.example:6333",
            "http://10.0.0.7:6333",
            "http://localhost.example",
        ] {
            assert!(
                matches!(Server::new(address, "c", key()), Err(Failure::OpenLine(_))),
                "{address}"
            );
            assert!(
                Server::new(address, "c", None).is_ok() && goes_openly(address),
                "{address}"
            );
        }
        for address in [
            "",
            "team",
            "ftp://team.example",
            "http://",
            "https://me:secret@team.example",
            "https://team.example/?x=1",
        ] {
            assert!(
                matches!(Server::new(address, "c", None), Err(Failure::Address(_))),
                "{address}"
            );
        }
        assert_eq!(
            canonical(" HTTP://Team.example:6333/ ").unwrap(),
            "http://team.example:6333"
        );
        let server = Server::new("https://team.example/qdrant/", "手册 a", None).unwrap();
        assert_eq!(
            server.collection.as_str(),
            "https://team.example/qdrant/collections/%E6%89%8B%E5%86%8C%20a"
        );
    }
}
