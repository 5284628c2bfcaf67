//! Tells the desktop when its user has selected a text, where a bar may be shown for the text (F1.8). Hands out the
//! selection as well.
//!
//! The bar is told of a place and a program. The selected text is looked at and let go. The look tells whether the text
//! is more than blanks.

use crate::limits::SUMMON_MOST;
use crate::window_content::Reading;
use crate::{Capture, gate, sentences};
use shidi_protocol::{DesktopSignal, ErrorCode, SelectionEnd, SelectionPlace, UserError};
use shidi_senses::{
    FrontWindow, Gate, LookTrigger, SelectionFollowing, SelectionMade, SelectionNews, Verdict,
};
use shidi_space::clock;
use shidi_space::config::settings::Sensing;
use std::sync::Arc;

/// Takes the news of a selection to the desktop.
pub type ToDesktop = Arc<dyn Fn(DesktopSignal) + Send + Sync>;

/// What the user selected in a view, to be remembered.
pub struct Selected {
    /// The text without secrets.
    pub text: String,
    /// The address of its page, where it has one.
    pub url: String,
}

/// Follows the selection while the user wants a bar, and ends that when they don't.
pub fn follow_selections(capture: &Arc<Capture>, desktop: ToDesktop) {
    let wanted = {
        let config = capture.space.config();
        let is_on = config.privacy.selection && config.privacy.sensing == Sensing::On;
        config.desktop.selection_bar && is_on
    };
    let mut following = capture.looking.selections.lock();
    match (wanted, following.is_some()) {
        (true, false) => *following = begin(capture, desktop),
        (false, true) => {
            *following = None;
            desktop(DesktopSignal::SelectionOver {
                end: SelectionEnd::Left,
            });
        }
        (true, true) | (false, false) => {}
    }
}

fn begin(capture: &Arc<Capture>, desktop: ToDesktop) -> Option<SelectionFollowing> {
    let capture = Arc::downgrade(capture);
    let told = move |news| {
        let Some(capture) = capture.upgrade() else {
            return false;
        };
        match news {
            SelectionNews::Made(made) => match place(&capture, &made) {
                Some(place) => {
                    desktop(DesktopSignal::SelectionMade { place });
                    true
                }
                None => false,
            },
            SelectionNews::Over(end) => {
                desktop(DesktopSignal::SelectionOver { end });
                false
            }
        }
    };
    shidi_senses::follow_selection(told)
        .inspect_err(|cause| tracing::info!(%cause, "selections are not followed"))
        .ok()
}

/// Where a bar may be shown for it; `None` where none may be, or only blanks are selected.
fn place(capture: &Capture, made: &SelectionMade) -> Option<SelectionPlace> {
    let gate = gate(capture);
    if !may_show(capture, &gate, &made.window) || is_blank(capture, &gate, &made.window) {
        return None;
    }
    Some(SelectionPlace {
        app: gate.title(&made.window.app),
        x: made.pointer.0,
        y: made.pointer.1,
        bounds: made.window.bounds,
    })
}

/// Whether the gate lets the selection of that window through, and the user wants a bar over that program.
fn may_show(capture: &Capture, gate: &Gate, window: &FrontWindow) -> bool {
    let is_open = gate.judge(window, None, LookTrigger::Passive)
        == Verdict::Whole {
            may_be_private: false,
        };
    is_open && !shidi_senses::is_among(window, &capture.space.config().desktop.selection_bar_apps.0)
}

fn is_blank(capture: &Capture, gate: &Gate, window: &FrontWindow) -> bool {
    let Some(reading) = Reading::of_selection(capture, SUMMON_MOST) else {
        return true;
    };
    let read = reading.read(window, gate);
    let selected = read.and_then(|(sensed, _)| sensed.content.selection);
    selected.is_none_or(|selection| selection.text.trim().is_empty())
}

/// What the user selected in a view that is in memory.
///
/// # Errors
/// A view that was let go, or without a selection.
pub fn selected(capture: &Capture, id: &str) -> Result<Selected, UserError> {
    let language = capture.space.language();
    let kept = capture.looking.memory.lock().get(id, clock::now()).cloned();
    let kept = kept.ok_or_else(|| sentences::gone(language))?;
    let selected = kept.content.as_ref().and_then(|(sensed, url)| {
        let text = sensed.content.selection.as_ref()?.text.clone();
        Some(Selected {
            text,
            url: url.clone(),
        })
    });
    selected.ok_or_else(|| UserError::new(ErrorCode::Input, sentences::no_selection(language, true)))
}
