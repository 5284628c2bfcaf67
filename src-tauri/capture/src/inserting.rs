//! Puts a text into the window from which the user called Shidi. The user's own click does so, for no
//! task.

use crate::limits::INSERT_CHARACTERS_MAX;
use crate::{Capture, sentences};
use shidi_protocol::{UserError, reply};
use shidi_senses::SenseError;

/// Puts a text into that window, as it was told with a view.
///
/// # Errors
/// Why it does not stand there, as a sentence with what to do.
pub async fn insert(capture: &Capture, window: u32, text: String) -> Result<reply::Done, UserError> {
    let language = capture.space.language();
    if text.chars().count() > INSERT_CHARACTERS_MAX {
        return Err(sentences::too_long(language, INSERT_CHARACTERS_MAX));
    }
    let inserting = tokio::task::spawn_blocking(move || shidi_senses::insert(window, &text));
    let inserted = inserting
        .await
        .unwrap_or_else(|cause| Err(SenseError::Display(cause.to_string()).into()));
    match inserted {
        Ok(_) => Ok(reply::Done),
        Err(cause) => Err(sentences::not_inserted(language, &cause)),
    }
}
