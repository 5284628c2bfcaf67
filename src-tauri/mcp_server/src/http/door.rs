//! Connections that have not shown the token yet: few at once, and each for a short time.
//!
//! The token alone tells a program of the user from anybody else. Connections that say nothing would take all the
//! files that the process may open. [`Visitor`] goes along with each request, and the guard says when it is known.

use crate::limits::{STRANGER_WAIT, STRANGERS_MAX};
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use parking_lot::Mutex;
use std::future::Future;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// A port that takes connections up one by one, as long as there is room for strangers.
pub struct Door {
    listener: TcpListener,
    places: Arc<Semaphore>,
    wait: Duration,
}

/// Whoever opened a connection: a stranger until the token was shown.
#[derive(Clone)]
pub struct Visitor {
    /// The place among strangers; empty for a known one.
    place: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

/// A connection that fails once its visitor has stayed a stranger for too long.
pub struct Connection {
    stream: TcpStream,
    visitor: Visitor,
    /// The end of a stranger's time.
    end: Option<Pin<Box<Sleep>>>,
}

impl Door {
    pub fn new(listener: TcpListener) -> Self {
        Self::with(listener, STRANGERS_MAX, STRANGER_WAIT)
    }

    fn with(listener: TcpListener, places: usize, wait: Duration) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(places)),
            wait,
        }
    }

    /// A place among strangers, once there is one.
    async fn place(&self) -> OwnedSemaphorePermit {
        match Arc::clone(&self.places).acquire_owned().await {
            Ok(place) => place,
            // Nobody closes it.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    /// Further connections wait with the system, which bounds them itself.
    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let place = self.place().await;
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let connection = Connection {
            stream,
            visitor: Visitor {
                place: Arc::new(Mutex::new(Some(place))),
            },
            end: Some(Box::pin(sleep(self.wait))),
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Visitor {
    /// Takes the visitor for a program of the user: it has shown the token.
    pub fn admit(&self) {
        drop(self.place.lock().take());
    }

    fn is_known(&self) -> bool {
        self.place.lock().is_none()
    }
}

impl Connected<IncomingStream<'_, Door>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        stream.io().visitor.clone()
    }
}

impl Connection {
    /// The stream, as long as its visitor may use it.
    ///
    /// # Errors
    /// A stranger's time is over.
    fn stream(&mut self, context: &mut Context<'_>) -> io::Result<Pin<&mut TcpStream>> {
        if self.visitor.is_known() {
            self.end = None;
        }
        let over = self.end.as_mut().map(|end| end.as_mut().poll(context));
        match over {
            Some(Poll::Ready(())) => Err(io::ErrorKind::TimedOut.into()),
            Some(Poll::Pending) | None => Ok(Pin::new(&mut self.stream)),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut().stream(context) {
            Ok(stream) => stream.poll_read(context, buffer),
            Err(late) => Poll::Ready(Err(late)),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut().stream(context) {
            Ok(stream) => stream.poll_write(context, bytes),
            Err(late) => Poll::Ready(Err(late)),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut().stream(context) {
            Ok(stream) => stream.poll_write_vectored(context, pieces),
            Err(late) => Poll::Ready(Err(late)),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut().stream(context) {
            Ok(stream) => stream.poll_flush(context),
            Err(late) => Poll::Ready(Err(late)),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
