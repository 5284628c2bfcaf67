//! What `shidi doctor` says of the model that makes vectors.

use crate::Embeddings;
use shidi_protocol::{Check, MemoryMeaning};
use shidi_space::storage;
use std::sync::Arc;

impl Embeddings {
    /// The model that makes vectors, where one is chosen.
    pub async fn check(self: &Arc<Self>) -> Option<Check> {
        let language = self.space.language();
        let known = match self.progress().await {
            Ok(known) => known?,
            Err(cause) => {
                let told = storage::explain(&cause, language).message;
                return Some(Check::bad("meaning", told, storage::damaged_hint(language)));
            }
        };
        let remedy = language.embedding().choose_embedding_model();
        let MemoryMeaning {
            model,
            placed,
            of,
            trouble,
        } = known;
        Some(match trouble {
            Some(trouble) => Check::bad("meaning", format!("{model}: {trouble}"), remedy),
            None => Check::good("meaning", format!("{model} ({placed}/{of})")),
        })
    }
}
