//! What changed of what is served, on its way to clients that want to hear of it, in both eras.
//!
//! A client hears that something changed, never what. It reads again, and every permission is asked again then.

use crate::limits::CHANGES_QUEUED;
use parking_lot::Mutex;
use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerCapabilities, ServerNotification, ToolListChangedNotification,
};
use rmcp::service::{Peer, RoleServer, SubscriptionContext, SubscriptionSendError};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio_util::sync::CancellationToken;

/// What is another one than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Tools,
    Prompts,
    Resources,
    /// The resource at this address.
    Resource(String),
}

/// Tells all clients of a server.
#[derive(Debug, Clone)]
pub struct Changes(Sender<Change>);

/// The addresses that a client of the older era hears of.
pub type Subscribed = Arc<Mutex<BTreeSet<String>>>;

impl Default for Changes {
    fn default() -> Self {
        Self(channel(CHANGES_QUEUED).0)
    }
}

impl Changes {
    pub fn announce(&self, change: Change) {
        // Where nobody listens there is nobody to tell.
        self.0.send(change).unwrap_or_default();
    }

    pub(crate) fn listen(&self) -> Receiver<Change> {
        self.0.subscribe()
    }
}

impl Change {
    /// Whether a server with these capabilities tells of it.
    fn is_told_by(&self, server: &ServerCapabilities) -> bool {
        let resources = server.resources.as_ref();
        match self {
            Self::Tools => server.tools.as_ref().and_then(|tools| tools.list_changed) == Some(true),
            Self::Prompts => server.prompts.as_ref().and_then(|prompts| prompts.list_changed) == Some(true),
            Self::Resources => resources.and_then(|resources| resources.list_changed) == Some(true),
            Self::Resource(_) => resources.and_then(|resources| resources.subscribe) == Some(true),
        }
    }

    fn notification(self) -> ServerNotification {
        match self {
            Self::Tools => ToolListChangedNotification::default().into(),
            Self::Prompts => PromptListChangedNotification::default().into(),
            Self::Resources => ResourceListChangedNotification::default().into(),
            Self::Resource(address) => {
                ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(address)).into()
            }
        }
    }
}

/// Whether a server with these capabilities tells of anything.
pub fn tells(server: &ServerCapabilities) -> bool {
    let all = [
        Change::Tools,
        Change::Prompts,
        Change::Resources,
        Change::Resource(String::new()),
    ];
    all.iter().any(|change| change.is_told_by(server))
}

/// Tells a client of the older era until its conversation ends.
pub async fn told_to(
    peer: Peer<RoleServer>,
    mut changes: Receiver<Change>,
    server: ServerCapabilities,
    subscribed: Subscribed,
    ended: CancellationToken,
) {
    loop {
        let next = tokio::select! {
            next = heard(&mut changes) => next,
            () = ended.cancelled() => None,
        };
        let Some(next) = next else {
            return;
        };
        for change in next {
            let is_wanted = match &change {
                Change::Resource(address) => subscribed.lock().contains(address),
                Change::Tools | Change::Prompts | Change::Resources => true,
            };
            if !is_wanted || !change.is_told_by(&server) {
                continue;
            }
            if peer.send_notification(change.notification()).await.is_err() {
                return;
            }
        }
    }
}

/// Tells a client of the newer era what it has subscribed to, until it ends that.
pub async fn told_on(subscription: &SubscriptionContext, mut changes: Receiver<Change>) {
    loop {
        let next = tokio::select! {
            next = heard(&mut changes) => next,
            () = subscription.cancelled() => None,
        };
        let Some(next) = next else {
            return;
        };
        for change in next {
            match subscription.sink().send(change.notification()).await {
                Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
                // The client is gone.
                Err(_) => return,
            }
        }
    }
}

/// What changed next. Whoever missed some can't know which: all lists may be others.
async fn heard(changes: &mut Receiver<Change>) -> Option<Vec<Change>> {
    match changes.recv().await {
        Ok(change) => Some(vec![change]),
        Err(RecvError::Lagged(_)) => Some(vec![Change::Tools, Change::Prompts, Change::Resources]),
        Err(RecvError::Closed) => None,
    }
}

#[cfg(test)]
mod tests;
