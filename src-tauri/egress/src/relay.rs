//! Carries bytes both ways between a command and a server, counted and bounded.

use crate::limits::{COPIED_BYTES, IDLE_TIMEOUT};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::sync::Notify;

/// Bytes of one connection.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}

/// Why carrying ended before both sides had said everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutShort {
    /// All bytes that the command may move are used up.
    Budget,
    /// A side broke off, or nothing came for too long.
    Broken,
}

/// One direction of a connection.
struct Direction<'a> {
    from: ReadHalf<'a>,
    to: WriteHalf<'a>,
    count: &'a AtomicU64,
}

/// Carries bytes until both sides have said everything. `left` is what all connections together may still move.
pub(crate) async fn carry(
    client: &mut TcpStream,
    server: &mut TcpStream,
    tally: &Tally,
    left: &AtomicU64,
) -> Result<(), CutShort> {
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let moved = Notify::new();
    let out = Direction {
        from: from_client,
        to: to_server,
        count: &tally.sent,
    };
    let back = Direction {
        from: from_server,
        to: to_client,
        count: &tally.received,
    };
    let both = async { tokio::try_join!(copied(out, left, &moved), copied(back, left, &moved)) };
    tokio::select! {
        ended = both => ended.map(drop),
        () = idle(&moved) => Err(CutShort::Broken),
    }
}

async fn copied(mut way: Direction<'_>, left: &AtomicU64, moved: &Notify) -> Result<(), CutShort> {
    let broken = |_: io::Error| CutShort::Broken;
    let mut buffer = vec![0; COPIED_BYTES];
    loop {
        let count = way.from.read(&mut buffer).await.map_err(broken)?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else {
            // The other direction goes on: a request has ended, its answer has not.
            return way.to.shutdown().await.map_err(broken);
        };
        take(left, count as u64)?;
        way.to.write_all(bytes).await.map_err(broken)?;
        way.count.fetch_add(count as u64, Ordering::Relaxed);
        moved.notify_one();
    }
}

/// Takes bytes from what is left for the command.
pub(crate) fn take(left: &AtomicU64, bytes: u64) -> Result<(), CutShort> {
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
        left.checked_sub(bytes)
    });
    taken.map(drop).map_err(|_| CutShort::Budget)
}

/// Returns when nothing has moved for too long.
async fn idle(moved: &Notify) {
    while tokio::time::timeout(IDLE_TIMEOUT, moved.notified()).await.is_ok() {}
}
