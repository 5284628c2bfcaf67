//! Picking a region on macOS and Windows: there is no overlay yet.

use crate::places::BallPlaces;
use shidi_locales::Language;
use shidi_protocol::LookAt;
use tokio::sync::oneshot;

/// Picks nothing.
pub fn pick(_places: &BallPlaces, _language: Language, answer: oneshot::Sender<Option<LookAt>>) {
    if answer.send(None).is_err() {
        tracing::debug!("Nobody waits for a region");
    }
}
