//! Sends steps to a receiver that the user named (OTLP over HTTP, JSON). Off unless an address is set.
//!
//! Everything here has a bound, and nobody waits for it. When the receiver is slow or away, steps are left out and the
//! log says so once. A step that is sent was redacted before it came here. At the program's end a silent receiver
//! that has the last steps is waited for only for a moment.

use crate::limits::{EXPORT_BYTES_QUEUED, EXPORT_GATHERED, EXPORT_QUEUED, EXPORTED_AT_ONCE};
use crate::otlp::{self, Content};
use parking_lot::Mutex;
use shidi_protocol::RunId;
use shidi_store::Step;
use std::io::Cursor;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;

/// Longest wait for a receiver's answer, and for its connection.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// Attempts for one batch, and the pause after the first failure; it doubles.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);
/// Longest wait at the end of the program for what is still to be sent. A busy machine needs a second to connect.
const END_LIMIT: Duration = Duration::from_secs(3);
/// Longest wait at the end of the program for the answer to steps that the receiver has. Its answer changes nothing.
const END_ANSWER_LIMIT: Duration = Duration::from_millis(300);
/// Headers for the receiver, such as a key: the name that OpenTelemetry gives the variable. Never stored.
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// Where steps are sent, and what of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub url: String,
    pub content: Content,
}

impl Target {
    /// What the settings say; `None` while no address is set.
    #[must_use]
    pub fn named(endpoint: &str, content: bool) -> Option<Self> {
        let base = endpoint.trim().trim_end_matches('/');
        if base.is_empty() {
            return None;
        }
        let base = base.strip_suffix("/v1/traces").unwrap_or(base);
        Some(Self {
            url: format!("{base}/v1/traces"),
            content: if content { Content::With } else { Content::Without },
        })
    }
}

pub struct Exporter {
    shared: Arc<Shared>,
    queue: Mutex<Option<mpsc::Sender<String>>>,
    task: Mutex<Option<JoinHandle<()>>>,
    tasks: Handle,
}

#[derive(Default)]
struct Shared {
    target: Mutex<Option<Target>>,
    /// Bytes that wait.
    bytes: AtomicUsize,
    /// Whether the log was told that steps are left out.
    is_told: AtomicBool,
    /// The program ends: nothing is worth a longer wait.
    ending: CancellationToken,
}

impl Exporter {
    /// Ready to send; asks nobody until a step comes.
    #[must_use]
    pub fn begin(tasks: &Handle) -> Self {
        let (sender, waiting) = mpsc::channel(EXPORT_QUEUED);
        let shared = Arc::new(Shared::default());
        let task = tasks.spawn(send_all(Arc::clone(&shared), waiting));
        Self {
            shared,
            queue: Mutex::new(Some(sender)),
            task: Mutex::new(Some(task)),
            tasks: tasks.clone(),
        }
    }

    /// Where steps go from now on.
    pub fn follow(&self, target: Option<Target>) {
        self.shared.is_told.store(false, Ordering::Relaxed);
        *self.shared.target.lock() = target;
    }

    #[must_use]
    pub fn is_on(&self) -> bool {
        self.shared.target.lock().is_some()
    }

    /// Takes a step that is over and redacted; never waits.
    pub fn take(&self, run: &RunId, step: &Step) {
        let Some(target) = self.shared.target.lock().clone() else {
            return;
        };
        let text = otlp::span(run, step, target.content).to_string();
        let size = text.len();
        let waiting = self.shared.bytes.fetch_add(size, Ordering::Relaxed);
        let has_room = waiting + size <= EXPORT_BYTES_QUEUED;
        let queue = self.queue.lock();
        let is_taken = has_room && queue.as_ref().is_some_and(|queue| queue.try_send(text).is_ok());
        if !is_taken {
            self.shared.bytes.fetch_sub(size, Ordering::Relaxed);
            self.shared
                .tell("the receiver of traces is too slow; steps are left out");
        }
    }

    /// Sends what waits, for a moment at most; blocks, and is not for an asynchronous thread.
    pub fn end(&self) {
        self.queue.lock().take();
        self.shared.ending.cancel();
        if let Some(task) = self.task.lock().take() {
            let abort = task.abort_handle();
            let ended = self.tasks.block_on(async { timeout(END_LIMIT, task).await });
            if ended.is_err() {
                abort.abort();
                tracing::warn!("the last steps were not sent to the receiver of traces");
            }
        }
    }
}

impl Shared {
    fn tell(&self, what: &str) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            tracing::warn!("{what}");
        }
    }
}

async fn send_all(shared: Arc<Shared>, mut waiting: mpsc::Receiver<String>) {
    let mut client: Option<(String, Result<reqwest::Client, String>)> = None;
    while let Some(first) = waiting.recv().await {
        let mut spans = vec![first];
        let until = Instant::now() + EXPORT_GATHERED;
        while spans.len() < EXPORTED_AT_ONCE {
            match timeout_at(until, waiting.recv()).await {
                Ok(Some(span)) => spans.push(span),
                Ok(None) | Err(_) => break,
            }
        }
        let size = spans.iter().map(String::len).sum();
        shared.bytes.fetch_sub(size, Ordering::Relaxed);
        let Some(target) = shared.target.lock().clone() else {
            continue;
        };
        if client.as_ref().is_none_or(|(url, _)| *url != target.url) {
            client = Some((target.url.clone(), open_client(&target.url)));
        }
        let outcome = match &client {
            Some((url, Ok(client))) => deliver(client, url, otlp::request(&spans), &shared.ending).await,
            Some((_, Err(cause))) => Err(cause.clone()),
            None => Ok(()),
        };
        match outcome {
            Ok(()) => shared.is_told.store(false, Ordering::Relaxed),
            Err(cause) => shared.tell(&format!("traces were not taken by {}: {cause}", target.url)),
        }
    }
}

/// No redirect: steps go to the address that the user named, and nowhere else; on this machine without a proxy.
fn open_client(url: &str) -> Result<reqwest::Client, String> {
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_LIMIT)
        .timeout(ANSWER_LIMIT);
    let host = reqwest::Url::parse(url).ok();
    let host = host.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
    let is_here = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    let builder = if is_here { builder.no_proxy() } else { builder };
    builder.build().map_err(|cause| cause.to_string())
}

async fn deliver(
    client: &reqwest::Client,
    url: &str,
    body: String,
    ending: &CancellationToken,
) -> Result<(), String> {
    let mut pause = PAUSE;
    let (mut cause, mut is_away) = (String::new(), false);
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            tokio::select! {
                () = sleep(pause) => {}
                () = ending.cancelled(), if is_away => return Err(cause),
            }
            pause *= 2;
        }
        let taken = CancellationToken::new();
        let mut request = client
            .post(url)
            .header("content-type", "application/json")
            .header("content-length", body.len())
            .body(watched(body.clone(), taken.clone()));
        for (name, value) in headers(&std::env::var(HEADERS).unwrap_or_default()) {
            request = request.header(name, value);
        }
        let answer = tokio::select! {
            answer = request.send() => answer,
            () = waited_enough(ending, &taken) => return Err(NO_ANSWER.to_owned()),
        };
        match answer {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => {
                is_away = false;
                cause = answer.status().to_string();
                if !matches!(answer.status().as_u16(), 408 | 429 | 502..=504) {
                    return Err(cause);
                }
            }
            Err(error) => {
                is_away = error.is_connect();
                // Without the address, which may hold a key.
                cause = error.without_url().to_string();
            }
        }
    }
    Err(cause)
}

/// What the log says of a receiver that had not answered when the program ended.
const NO_ANSWER: &str = "no answer when the program ended";

/// Returns when the program ends, the connection has the whole request, and an answer had its moment.
async fn waited_enough(ending: &CancellationToken, taken: &CancellationToken) {
    ending.cancelled().await;
    taken.cancelled().await;
    sleep(END_ANSWER_LIMIT).await;
}

/// A body that says when the connection has taken all of it.
fn watched(text: String, taken: CancellationToken) -> reqwest::Body {
    let text = Cursor::new(text.into_bytes());
    reqwest::Body::wrap_stream(ReaderStream::new(Watched { text, taken }))
}

struct Watched {
    text: Cursor<Vec<u8>>,
    taken: CancellationToken,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let read = Pin::new(&mut self.text).poll_read(context, into);
        if self.text.position() >= self.text.get_ref().len() as u64 {
            self.taken.cancel();
        }
        read
    }
}

/// `name=value` pairs, parted by commas; what is none of it is left out.
fn headers(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .filter(|(name, _)| !name.is_empty() && name.is_ascii())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn a_body_says_when_all_of_it_was_taken_and_not_before() {
        let taken = CancellationToken::new();
        let mut body = Watched {
            text: Cursor::new(b"steps".to_vec()),
            taken: taken.clone(),
        };
        let mut part = [0; 3];
        assert_eq!(body.read(&mut part).await.unwrap(), 3);
        assert!(!taken.is_cancelled(), "two bytes are still here");
        assert_eq!(body.read(&mut part).await.unwrap(), 2);
        assert!(taken.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_waited_for_while_the_program_goes_on_or_the_request_is_on_its_way() {
        let (ending, taken) = (CancellationToken::new(), CancellationToken::new());
        let waits = async || timeout(END_LIMIT, waited_enough(&ending, &taken)).await.is_err();
        taken.cancel();
        assert!(waits().await, "the program goes on");
        ending.cancel();
        assert!(!waits().await);
        let under_way = CancellationToken::new();
        let on_its_way = timeout(END_LIMIT, waited_enough(&ending, &under_way)).await;
        assert!(on_its_way.is_err(), "the receiver has not got it yet");
    }

    #[test]
    fn addresses_are_taken_with_and_without_the_path() {
        let url = |text: &str| Target::named(text, false).map(|target| target.url);
        assert_eq!(url(""), None);
        for text in ["http://h:4318", "http://h:4318/", "http://h:4318/v1/traces"] {
            assert_eq!(url(text).as_deref(), Some("http://h:4318/v1/traces"));
        }
        assert_eq!(
            headers("a=b, c = d=e,=x,y"),
            [("a".into(), "b".into()), ("c".into(), "d=e".into())]
        );
    }
}
