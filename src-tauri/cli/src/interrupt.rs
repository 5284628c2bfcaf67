//! Ctrl-C: the first one is a wish that is carried out, the second one ends the program on the spot.

use crate::failure::Exit;
use tokio::sync::mpsc;

/// Tells when the user wants a run to stop.
pub struct Interrupts {
    pressed: mpsc::Receiver<()>,
}

impl Interrupts {
    /// Takes over Ctrl-C from the system's own handling.
    #[must_use]
    pub fn listen() -> Self {
        let (sender, pressed) = mpsc::channel(1);
        tokio::spawn(async move {
            let first = tokio::signal::ctrl_c().await;
            let told = sender.send(()).await;
            let again = if told.is_ok() {
                tokio::signal::ctrl_c().await
            } else {
                Ok(())
            };
            if first.is_ok() && again.is_ok() {
                std::process::exit(Exit::Cancelled.code().into());
            }
        });
        Self { pressed }
    }

    /// Waits for the first Ctrl-C.
    pub async fn pressed(&mut self) {
        if self.pressed.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}
