//! Sockets that only their user can open, and the framing on them: one JSON value a line, of bounded length.

use crate::home;
use crate::limits::LINE_BYTES_MAX;
use shidi_protocol::{Framed, Framing};
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// A socket at `path` that only this user can open. A stale socket of a process that is gone is replaced.
///
/// # Errors
/// When the socket can't be made.
pub fn listener(path: &Path) -> std::io::Result<UnixListener> {
    // Only the holder of the lock comes here, so whatever lies there belongs to nobody.
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {}
        Err(cause) => return Err(cause),
    }
    let listener = UnixListener::bind(path)?;
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(listener)
}

/// Whether the process at the other end is this user's.
pub fn is_own_user(stream: &UnixStream) -> bool {
    stream
        .peer_cred()
        .is_ok_and(|peer| peer.uid() == home::own_user())
}

/// Whether somebody accepts connections at `path`.
pub async fn answers(path: &Path) -> bool {
    UnixStream::connect(path).await.is_ok()
}

/// The next line of a request or a reply; `None` at the end.
///
/// # Errors
/// As [`read_line_within`].
pub async fn read_line(read: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<Option<String>> {
    read_line_within(read, LINE_BYTES_MAX).await
}

/// The next line; `None` at the end.
///
/// # Errors
/// A line of more than `bytes_max`, or one that is cut off; trouble with the socket.
pub async fn read_line_within(
    read: &mut (impl AsyncBufReadExt + Unpin),
    bytes_max: usize,
) -> std::io::Result<Option<String>> {
    let mut framing = Framing::new(bytes_max);
    loop {
        let bytes = read.fill_buf().await?;
        if bytes.is_empty() {
            return match framing.rest() {
                None => Ok(None),
                Some(_) => Err(std::io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let (taken, framed) = framing.take(bytes);
        read.consume(taken);
        match framed {
            Some(Framed::Line(line)) => {
                let text = String::from_utf8(line).map_err(|_| std::io::ErrorKind::InvalidData)?;
                return Ok(Some(text));
            }
            None if framing.overlong().is_none() => {}
            Some(Framed::TooLong(_)) | None => return Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Writes a message as one line.
///
/// # Errors
/// Trouble with the socket.
pub async fn write_line(
    write: &mut (impl AsyncWriteExt + Unpin),
    message: &impl serde::Serialize,
) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(std::io::Error::other)?;
    line.push(b'\n');
    write.write_all(&line).await
}

/// The same for a reader that may have stopped reading.
///
/// # Errors
/// Trouble with the socket, or nobody who takes the message within `wait`.
pub async fn write_line_within(
    write: &mut (impl AsyncWriteExt + Unpin),
    message: &impl serde::Serialize,
    wait: Duration,
) -> std::io::Result<()> {
    match tokio::time::timeout(wait, write_line(write, message)).await {
        Ok(written) => written,
        Err(_) => Err(std::io::ErrorKind::TimedOut.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::REPLY_WAIT;
    use tokio::io::BufReader;

    #[tokio::test]
    async fn who_takes_no_replies_is_let_go_and_who_takes_them_late_is_not() {
        let long = "x".repeat(4 << 20);
        let (deaf, served) = UnixStream::pair().unwrap();
        let (_read, mut write) = served.into_split();
        let refused = write_line_within(&mut write, &long, Duration::from_millis(20)).await;
        assert_eq!(refused.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
        drop(deaf);
        let (slow, served) = UnixStream::pair().unwrap();
        let (_read, mut write) = served.into_split();
        let reading = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            read_line(&mut BufReader::new(slow)).await
        });
        write_line_within(&mut write, &long, REPLY_WAIT).await.unwrap();
        let line = reading.await.unwrap().unwrap().unwrap();
        assert_eq!(line.len(), long.len() + 3);
    }

    /// The lines of what came, and how it ended.
    async fn lines(bytes: &[u8]) -> (Vec<String>, Option<std::io::ErrorKind>) {
        let mut read = BufReader::with_capacity(2, bytes);
        let mut lines = Vec::new();
        loop {
            match read_line_within(&mut read, 5).await {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => return (lines, None),
                Err(cause) => return (lines, Some(cause.kind())),
            }
        }
    }

    #[tokio::test]
    async fn lines_come_whole_or_the_socket_is_in_trouble() {
        let both = vec!["1234\n".to_owned(), "\n".to_owned()];
        let cut_off = Some(std::io::ErrorKind::UnexpectedEof);
        assert_eq!(lines(b"1234\n\n").await, (both.clone(), None));
        assert_eq!(lines(b"1234\n\nhalf").await, (both.clone(), cut_off));
        assert_eq!(lines(b"1234\n\n12345\n").await, (both.clone(), cut_off));
        assert_eq!(lines(b"1234\n\n123456789").await, (both, cut_off));
        let unreadable = Some(std::io::ErrorKind::InvalidData);
        assert_eq!(lines(b"\xff\n").await, (Vec::new(), unreadable));
    }
}
