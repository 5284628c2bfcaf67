//! Who has come over the process's socket, and whom it waits for at its end.

use std::sync::Arc;
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
    #[must_use]
    pub fn came(self: &Arc<Self>) -> Visitor {
        self.open.send_modify(|open| open.silent += 1);
        Visitor {
            visitors: Arc::clone(self),
            is_silent: true,
            is_served: false,
        }
    }

    /// Whether the end waits for somebody's request.
    #[must_use]
    pub fn are_served(&self) -> bool {
        self.open.borrow().served > 0
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

/// Somebody who is connected, until it is dropped: who breaks off holds up no end.
pub struct Visitor {
    visitors: Arc<Visitors>,
    is_silent: bool,
    is_served: bool,
}

impl Visitor {
    /// It said what for; only the first time counts.
    pub fn asked(&mut self, is_waited_for: bool) {
        if std::mem::take(&mut self.is_silent) {
            self.is_served = is_waited_for;
            self.visitors.open.send_modify(|open| {
                open.silent -= 1;
                open.served += usize::from(is_waited_for);
            });
        }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.visitors.open.send_modify(|open| {
            open.silent -= usize::from(self.is_silent);
            open.served -= usize::from(self.is_served);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a future is ready at once.
    async fn is_now(future: impl Future<Output = ()>) -> bool {
        tokio::select! {
            biased;
            () = future => true,
            () = std::future::ready(()) => false,
        }
    }

    #[tokio::test]
    async fn the_end_waits_for_who_is_served_and_for_who_has_not_spoken_yet() {
        let visitors = Arc::new(Visitors::default());
        let mut visitor = visitors.came();
        assert!(is_now(visitors.none_served()).await);
        assert!(!is_now(visitors.all_left()).await, "it may still ask");
        assert!(!visitors.are_served());
        visitor.asked(true);
        assert!(visitors.are_served());
        assert!(!is_now(visitors.none_served()).await);
        assert!(!is_now(visitors.sent_away()).await);
        drop(visitor);
        assert!(is_now(visitors.all_left()).await);
        assert!(is_now(visitors.sent_away()).await);
    }

    #[tokio::test]
    async fn nobody_waits_for_who_only_watches_or_breaks_off() {
        let visitors = Arc::new(Visitors::default());
        let mut watcher = visitors.came();
        watcher.asked(false);
        assert!(is_now(visitors.all_left()).await);
        let broken = {
            let visitors = Arc::clone(&visitors);
            tokio::spawn(async move {
                let mut visitor = visitors.came();
                visitor.asked(true);
                panic!("a request breaks off");
            })
        };
        assert!(broken.await.is_err());
        assert!(is_now(visitors.none_served()).await);
        drop(watcher);
        assert!(is_now(visitors.all_left()).await);
    }
}
