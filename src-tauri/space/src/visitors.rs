//! Who has come over the process's socket, and whom it waits for at its end.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The programs that are connected.
#[derive(Default)]
pub struct Visitors {
    open: watch::Sender<Open>,
    /// The end of those that nobody waits for.
    ends: CancellationToken,
}

#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// They have brought no request yet.
    silent: usize,
    /// Their request is being answered, and the end waits for it.
    served: usize,
}

impl Visitors {
    /// One has come, and has not said what for.
    pub fn came(&self) {
        self.open.send_modify(|open| open.silent += 1);
    }

    /// It said what for.
    pub fn asked(&self, is_waited_for: bool) {
        self.open.send_modify(|open| {
            open.silent -= 1;
            open.served += usize::from(is_waited_for);
        });
    }

    pub fn left(&self, is_waited_for: bool) {
        self.open
            .send_modify(|open| open.served -= usize::from(is_waited_for));
    }

    /// Comes when those that nobody waits for have to go.
    pub async fn sent_away(&self) {
        self.ends.cancelled().await;
    }

    /// Waits until nobody is served any more.
    pub async fn none_served(&self) {
        self.none(|open| open.served == 0).await;
    }

    /// Waits for those too that may still say what for, and sends the others away.
    pub async fn all_left(&self) {
        self.none(|open| open.served == 0 && open.silent == 0).await;
        self.ends.cancel();
    }

    async fn none(&self, is_over: impl FnMut(&Open) -> bool) {
        if self.open.subscribe().wait_for(is_over).await.is_err() {
            tracing::debug!("nobody counts who is connected");
        }
    }
}
