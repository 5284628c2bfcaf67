//! The proxy of one command: HTTP CONNECT, SOCKS5 and requests of plain HTTP, all on one port.
//!
//! The proxy works on a thread of its own, so that it also serves where no other runtime is. When the command has
//! ended, its connections end with the proxy.

use crate::conversation::{MISUNDERSTOOD, ProxyRequest, asked, said};
use crate::limits::{
    ACCEPT_PAUSE, BYTES_MAX, CONNECTIONS_AT_ONCE, CONNECTIONS_MAX, HEAD_TIMEOUT, LOOKUP_TIMEOUT,
};
use crate::neighbourhood::{Neighbours, OfThisComputer, Place, locate};
use crate::reaching::{Reached, directly, through};
use crate::relay::{CutShort, Tally, carry, take};
use crate::{Connection, Gate, Network, Refusal, Target, Upstream, Verdict};
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Why an allowed host was not reached whose command did not wait for that.
const ENDED_FIRST: &str = "the command ended first";

/// The way that a command's connections take.
pub struct Way {
    pub gate: Arc<dyn Gate>,
    pub upstream: Upstream,
    pub around: Arc<dyn Neighbours>,
}

impl Way {
    /// The way through this computer's own network.
    #[must_use]
    pub fn new(gate: Arc<dyn Gate>, upstream: Upstream) -> Self {
        Self {
            gate,
            upstream,
            around: Arc::new(OfThisComputer),
        }
    }
}

/// A proxy at work. The proxy ends with this value, and every connection too.
pub struct Egress {
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Egress {
    /// Serves whoever connects to `listener`.
    ///
    /// # Errors
    /// The system gives no thread or no timer.
    pub fn begin(listener: TcpListener, way: Arc<Way>) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let stop = CancellationToken::new();
        let server = Arc::new(Server {
            way,
            stop: stop.clone(),
            places: Arc::new(Semaphore::new(CONNECTIONS_AT_ONCE)),
            bytes_left: AtomicU64::new(BYTES_MAX),
        });
        let thread = std::thread::Builder::new()
            .name("egress".to_owned())
            .spawn(move || {
                runtime.block_on(server.serve(listener));
                // A look-up can't be broken off, and the end of the command waits for this thread, not for that.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Egress {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A connection that failed has nothing more to say.
            thread.join().unwrap_or_default();
        }
    }
}

struct Server {
    way: Arc<Way>,
    stop: CancellationToken,
    places: Arc<Semaphore>,
    bytes_left: AtomicU64,
}

/// What is known of a connection while it lasts.
struct Record {
    target: Option<Target>,
    /// What the connection counts as if the command ends now.
    refusal: Option<Refusal>,
    tally: Tally,
    began: Instant,
}

impl Server {
    async fn serve(self: Arc<Self>, listener: TcpListener) {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
            return;
        };
        let mut at_work = JoinSet::new();
        let mut count = 0;
        loop {
            let next = async {
                let place = Arc::clone(&self.places).acquire_owned().await;
                (listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                next = next => next,
                () = self.stop.cancelled() => break,
            };
            while at_work.try_join_next().is_some() {}
            let (Ok((stream, _)), Ok(place)) = (accepted, place) else {
                // The system has no descriptor left for the moment.
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            count += 1;
            let is_bounded = count <= CONNECTIONS_MAX;
            at_work.spawn(Arc::clone(&self).connection(stream, place, is_bounded));
        }
        while at_work.join_next().await.is_some() {}
    }

    /// Sees one connection through, and reports it.
    async fn connection(
        self: Arc<Self>,
        mut stream: TcpStream,
        _place: OwnedSemaphorePermit,
        is_bounded: bool,
    ) {
        let mut record = Record {
            target: None,
            refusal: None,
            tally: Tally::default(),
            began: Instant::now(),
        };
        tokio::select! {
            () = self.seen_through(&mut stream, is_bounded, &mut record) => {}
            () = self.stop.cancelled() => {}
        }
        if let Some(target) = record.target {
            self.way.gate.ended(Connection {
                target,
                refusal: record.refusal,
                sent_bytes: record.tally.sent.load(Ordering::Relaxed),
                received_bytes: record.tally.received.load(Ordering::Relaxed),
                took: record.began.elapsed(),
            });
        }
    }

    async fn seen_through(&self, stream: &mut TcpStream, is_bounded: bool, record: &mut Record) {
        let mut bytes = Vec::new();
        let asked = match timeout(HEAD_TIMEOUT, asked(stream, &mut bytes)).await {
            Ok(Ok(Some((target, asked)))) => {
                record.target = Some(target);
                asked
            }
            Ok(Ok(None)) => return,
            Ok(Err(_)) => {
                return said(stream, MISUNDERSTOOD).await;
            }
            Err(_) => return,
        };
        let Some(target) = record.target.clone() else {
            return;
        };
        let reached = match is_bounded {
            true => {
                let is_plain = matches!(asked, ProxyRequest::Forward(_));
                self.reach(&target, is_plain, &mut record.refusal).await
            }
            false => Err(Refusal::TooMuch),
        };
        match reached {
            Ok(reached) => {
                record.refusal = None;
                let carried = self.carried(stream, &asked, reached, &bytes, &record.tally).await;
                record.refusal = carried.err().and_then(|cause| match cause {
                    CutShort::Budget => Some(Refusal::TooMuch),
                    // Whoever breaks off a connection that was made was not refused.
                    CutShort::Broken => None,
                });
            }
            Err(refusal) => {
                let sentence = self.way.gate.sentence(&target, &refusal);
                record.refusal = Some(refusal.clone());
                said(stream, &asked.refusal(&refusal, &sentence)).await;
            }
        }
    }

    /// Decides on a host, and reaches it at the addresses that were judged. `meanwhile` is what the connection counts as
    /// if the command ends before that.
    async fn reach(
        &self,
        target: &Target,
        is_plain: bool,
        meanwhile: &mut Option<Refusal>,
    ) -> Result<Reached, Refusal> {
        let says = match target.says_local() {
            true => Network::Local,
            false => Network::Open,
        };
        // Before the name is looked up: a look-up tells the name to whoever keeps it.
        self.decided(target, says, meanwhile).await?;
        let host = target.host();
        let found = timeout(LOOKUP_TIMEOUT, locate(&host, self.way.around.as_ref()));
        let found = found.await.map_err(|_| Refusal::Unknown)?;
        if found.place != Place::Far && says == Network::Open {
            self.decided(target, Network::Local, meanwhile).await?;
        }
        let proxy = match found.place {
            // None stands between this computer and itself.
            Place::Own => None,
            Place::Far | Place::Neighbour | Place::Link => {
                let before = self.way.upstream.before(target, is_plain);
                before.map_err(|_| Refusal::UnknownProxy)?
            }
        };
        match proxy {
            None => directly(target, &found).await,
            Some(proxy) => through(&proxy, target, &found, is_plain).await,
        }
    }

    async fn decided(
        &self,
        target: &Target,
        network: Network,
        meanwhile: &mut Option<Refusal>,
    ) -> Result<(), Refusal> {
        let undecided = match network {
            Network::Open => Refusal::Undecided,
            Network::Local => Refusal::Local,
        };
        *meanwhile = Some(undecided.clone());
        match self.way.gate.decide(target, network).await {
            Verdict::Allowed => {
                *meanwhile = Some(Refusal::Unreachable {
                    cause: ENDED_FIRST.to_owned(),
                });
                Ok(())
            }
            Verdict::Refused => Err(Refusal::Refused),
            Verdict::Undecided => Err(undecided),
        }
    }

    async fn carried(
        &self,
        stream: &mut TcpStream,
        asked: &ProxyRequest,
        mut reached: Reached,
        follows: &[u8],
        tally: &Tally,
    ) -> Result<(), CutShort> {
        let broken = |_: io::Error| CutShort::Broken;
        let mut to_client = asked.consent();
        let mut to_server = match (asked, &reached.authorization) {
            (ProxyRequest::Forward(forward), Some(authorization)) => {
                forward.head_for_proxy(authorization.as_deref())
            }
            (ProxyRequest::Forward(forward), None) => forward.head(),
            (ProxyRequest::Tunnel | ProxyRequest::Socks, _) => Vec::new(),
        };
        to_client.extend(&reached.first);
        to_server.extend(follows);
        take(&self.bytes_left, (to_server.len() + reached.first.len()) as u64)?;
        stream.write_all(&to_client).await.map_err(broken)?;
        reached.stream.write_all(&to_server).await.map_err(broken)?;
        tally.sent.fetch_add(to_server.len() as u64, Ordering::Relaxed);
        tally
            .received
            .fetch_add(reached.first.len() as u64, Ordering::Relaxed);
        carry(stream, &mut reached.stream, tally, &self.bytes_left).await
    }
}
