//! What the user removed takes the counts of its parts of prompts along (F12.5): they hold its name.
//!
//! Counts that stay are a pity, never a failure of the removal.

use crate::Space;
use shidi_store::{ForgottenParts, Write};

/// Forgets how the prompts of an assistant fared.
pub fn forget_assistant(space: &Space, name: &str) {
    forget(space, ForgottenParts::Assistant(name.to_owned()));
}

/// Forgets how the toolkit of a server or a plugin fared.
pub fn forget_toolkit(space: &Space, name: &str) {
    forget(space, ForgottenParts::Toolkit(name.to_owned()));
}

fn forget(space: &Space, parts: ForgottenParts) {
    if let Err(cause) = space.store.commit(Write::ForgetParts(parts)) {
        tracing::warn!(%cause, "the counts of what was removed stay");
    }
}
