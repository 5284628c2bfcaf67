//! The way back to a program: whole messages, one after the other.

use serde_json::Value;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A message as a line.
#[must_use]
pub fn line_of(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Writes what is queued, in order, until nobody queues any more or nobody reads. `gone` is cancelled then.
pub async fn write(
    mut queued: mpsc::Receiver<Vec<u8>>,
    mut writer: impl AsyncWrite + Unpin,
    gone: CancellationToken,
) {
    while let Some(line) = queued.recv().await {
        let written = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        if written.await.is_err() {
            gone.cancel();
            return;
        }
    }
}
