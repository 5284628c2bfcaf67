//! Takes the keys while the windows are still being built: the display gives keys to a program without a window.

use super::{Keyboard, is_wayland};
use crate::keys::{Configured, HotkeyError, HotkeyTexts, Pressed, Taken};
use std::time::{Duration, Instant};
use tauri::AppHandle;
use tauri::async_runtime::{JoinHandle, block_on, spawn};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Longest time that the ball waits for the keys: the display gives them within a few milliseconds. A
/// portal may ask the user first, so the ball does not wait for it.
const BEFORE_BALL: Duration = Duration::from_millis(20);

/// Keys that are being taken.
pub struct Early {
    task: JoinHandle<(Keyboard, Taken)>,
    taken: oneshot::Receiver<()>,
}

impl Early {
    /// Begins with the keys of the settings. Those of assistants follow once the files are read.
    #[must_use]
    pub fn begin(own: Configured, pressed: Pressed) -> Self {
        let (done, taken) = oneshot::channel();
        let written = HotkeyTexts {
            own,
            ..HotkeyTexts::default()
        };
        let task = spawn(async move {
            let mut keyboard = Keyboard::open(pressed).await;
            let outcomes = keyboard.take_all(&written).await;
            if done.send(()).is_err() {
                tracing::debug!("The keys came after the ball");
            }
            (keyboard, Taken { written, outcomes })
        });
        Self { task, taken }
    }

    /// Waits for the keys, if they come within [`BEFORE_BALL`].
    pub fn settle(&mut self) {
        if is_wayland() {
            return;
        }
        let begun = Instant::now();
        let settled = block_on(async { timeout(BEFORE_BALL, &mut self.taken).await });
        tracing::debug!(is_settled = settled.is_ok(), waited = ?begun.elapsed(), "The keys are being taken");
    }

    /// The keyboard, with the keys that it has taken so far.
    pub async fn keyboard(self, _app: &AppHandle) -> (Keyboard, Option<Taken>) {
        match self.task.await {
            Ok((keyboard, taken)) => (keyboard, Some(taken)),
            Err(error) => {
                tracing::error!(%error, "The keys could not be taken");
                (Keyboard::Nobody(HotkeyError::Impossible), None)
            }
        }
    }
}
