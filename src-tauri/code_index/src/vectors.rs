//! Vectors of files, as the index keeps them. Each stands by the fingerprint of its text, so a file with the same text
//! is not sent again.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A short digest of a text.
pub(crate) type Fingerprint = [u8; 16];

/// Vectors that one model made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Vectors {
    pub(crate) model: String,
    pub(crate) of: HashMap<Fingerprint, Vec<f32>>,
}

impl Vectors {
    /// None yet, by that model.
    pub(crate) fn by(model: String) -> Self {
        Self {
            model,
            of: HashMap::new(),
        }
    }
}
