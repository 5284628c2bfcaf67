//! Views that are held in memory, one for each tab or window (F2.2). They stay for a short time, or until the user lets
//! a pinned one go.

use crate::ledger::{note, record};
use crate::{Capture, CaptureState, KeptView, sentences, view};
use shidi_protocol::{ContentSource, HeldView, LookAt, LookOutcome, RunId, UserError, reply};
use shidi_senses::Subject;
use shidi_space::clock;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Keeps a view for a short time. A look at pixels stands in the ledger, sent or not.
pub(crate) fn keep(
    capture: &Arc<Capture>,
    kept: KeptView,
    has_pixels: bool,
) -> Result<reply::Looked, UserError> {
    let id = RunId::mint().as_str().to_owned();
    if let Some((sensed, _)) = &kept.content {
        capture.looking.sensors.note_seen(sensed.source);
    }
    if has_pixels {
        note(capture, &record(&id, &kept, LookOutcome::Gone))?;
    }
    let kept = Arc::new(kept);
    let subject = Subject {
        key: kept.subject(),
        window: kept.seen.window.filter(|_| *capture.looking.following.lock()),
    };
    let now = clock::now();
    capture
        .looking
        .memory
        .lock()
        .keep(&id, Arc::clone(&kept), subject, now);
    forget_in_time(&capture.looking);
    Ok(reply::Looked {
        view: view(capture, &id, &kept),
    })
}

/// What is held now, the latest first.
pub fn held(capture: &Capture) -> reply::HeldViews {
    let mut memory = capture.looking.memory.lock();
    let held = memory.held(clock::now());
    let views = held.map(|held| HeldView {
        id: held.id.to_owned(),
        what: held.view.what,
        app: held.view.seen.app.clone(),
        title: held.view.title(),
        url: held.view.url(),
        time: held.view.time,
        until: held.until,
        has_picture: held.view.picture.is_some(),
        stale: is_stale(capture, held.view),
        pinned: held.pinned,
    });
    reply::HeldViews {
        views: views.collect(),
    }
}

/// Keeps a view until it is let go, or lets it go in time again.
///
/// # Errors
/// A view that was let go, or too many that are pinned.
pub fn pin(capture: &Arc<Capture>, id: &str, on: bool) -> Result<reply::HeldViews, UserError> {
    let pinned = capture.looking.memory.lock().pin(id, on, clock::now());
    pinned.map_err(|cause| sentences::not_pinned(capture.space.language(), cause))?;
    if !on {
        forget_in_time(&capture.looking);
    }
    Ok(held(capture))
}

/// Lets go of a view.
pub fn forget(capture: &Capture, id: &str) -> reply::Done {
    capture.looking.memory.lock().forget(id);
    reply::Done
}

/// Whether somebody acted in the page of a view after it was read, or the page is gone.
pub(crate) fn is_stale(capture: &Capture, kept: &KeptView) -> bool {
    let read = kept.content.as_ref().and_then(|(sensed, _)| sensed.page.as_ref());
    read.is_some_and(|read| capture.pages.acts(&read.page) != Some(read.acts))
}

/// Lets go in time of what is kept, also when nobody asks any more. One sweeper does so for every space that looks. The
/// space whose look began the sweeper may end before the view goes.
fn forget_in_time(looking: &Arc<CaptureState>) {
    let Some(at_work) = looking.memory.lock().sweeper() else {
        return;
    };
    let looking = Arc::downgrade(looking);
    tokio::spawn(async move {
        while let Some(pause) = swept(&looking) {
            tokio::time::sleep(pause).await;
        }
        drop(at_work);
    });
}

/// Sweeps once; `None` where nothing is left that goes in time.
fn swept(looking: &Weak<CaptureState>) -> Option<Duration> {
    let looking = looking.upgrade()?;
    let pause_ms = looking.memory.lock().swept(clock::now())?;
    Some(Duration::from_millis(pause_ms))
}

impl KeptView {
    /// What the next look of the same kind at the same tab or window shows anew. A part of the screen is nobody's.
    fn subject(&self) -> Option<String> {
        let what = match self.what {
            LookAt::Facts | LookAt::Page | LookAt::Form => "text",
            LookAt::Window => "picture",
            LookAt::Selection | LookAt::Monitor | LookAt::Region { .. } => return None,
        };
        let page = self.content.as_ref().and_then(|(sensed, _)| sensed.page.as_ref());
        let of = match (page, self.seen.window) {
            (Some(read), _) => format!("{}/{}", read.page.browser, read.page.tab),
            (None, Some(window)) => window.to_string(),
            (None, None) => return None,
        };
        Some(format!("{what} {of}"))
    }

    fn title(&self) -> String {
        let page = self.content.as_ref().map(|(sensed, _)| &sensed.content.title);
        let page = page.filter(|title| !title.is_empty());
        page.unwrap_or(&self.seen.title).clone()
    }

    fn url(&self) -> Option<String> {
        let (sensed, url) = self.content.as_ref()?;
        let is_page = sensed.source == ContentSource::Companion && !url.is_empty();
        is_page.then(|| url.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Moment;
    use shidi_senses::{KEPT_MS, Seen};

    /// Keeps a view that was looked at so many milliseconds ago.
    fn looked(looking: &CaptureState, id: &str, ago_ms: u64) -> Weak<KeptView> {
        let time = Moment(clock::now().0.saturating_sub_unsigned(ago_ms));
        let kept = Arc::new(KeptView {
            what: LookAt::Monitor,
            time,
            seen: Seen::default(),
            picture: None,
            content: None,
            pdf: None,
            words: None,
        });
        let view = Arc::downgrade(&kept);
        looking.memory.lock().keep(id, kept, Subject::default(), time);
        view
    }

    #[tokio::test]
    async fn a_hundred_looks_have_one_sweeper_that_keeps_no_memory_alive() {
        let looking = Arc::new(CaptureState::default());
        for number in 0..100 {
            looked(&looking, &number.to_string(), 0);
            forget_in_time(&looking);
            tokio::task::yield_now().await;
        }
        assert_eq!(Arc::weak_count(&looking), 1);
        assert_eq!(Arc::strong_count(&looking), 1);
    }

    #[tokio::test]
    async fn a_view_goes_although_nobody_asks_and_the_sweeper_ends_with_the_last() {
        let looking = Arc::new(CaptureState::default());
        for round in 0..2 {
            let view = looked(&looking, &round.to_string(), KEPT_MS + 1);
            assert!(view.upgrade().is_some());
            forget_in_time(&looking);
            while Arc::weak_count(&looking) > 0 {
                tokio::task::yield_now().await;
            }
            assert!(view.upgrade().is_none(), "round {round}");
        }
    }
}
