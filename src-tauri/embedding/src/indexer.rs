//! Gives the texts of memory their vectors, in the background and newest first. The user has to choose a model that
//! makes vectors. Bounded: a batch at a time, and never two batches at once. A model that fails is left alone for a
//! while.

use crate::Embeddings;
use crate::limits::{
    VECTORS_LOOKED_FOR_AFTER, VECTORS_LOOKED_FOR_EVERY, VECTORS_RETRIED_AFTER, VECTORS_TOGETHER,
};
use crate::query::{Asking, Trouble, beginning};
use shidi_space::limits::AFTER_RUN_WAIT;
use shidi_store::{Embedded, Store, StoreError, Unembedded, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl Embeddings {
    /// Gives texts their vectors, now and again and again, until [`Self::end`]. Begins once.
    pub fn begin(self: &Arc<Self>) {
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let (weak, ended) = (Arc::downgrade(self), self.ended.clone());
        let work = async move {
            let mut looked = Looked::default();
            while let Some(embeddings) = weak.upgrade() {
                let pause = match place(&embeddings, &mut looked).await {
                    Ok(0) => VECTORS_LOOKED_FOR_EVERY,
                    Ok(_) => continue,
                    Err(cause) => {
                        tracing::info!(?cause, "texts are without vectors for now");
                        embeddings.note(Some(cause));
                        VECTORS_RETRIED_AFTER
                    }
                };
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = embeddings.changed.notified() => looked = Looked::default(),
                }
            }
        };
        let work = async move {
            tokio::select! {
                () = work => {}
                () = ended.cancelled() => {}
            }
        };
        self.work.spawn_on(work, &self.space.tasks);
    }

    /// Gives what is new its vectors, before the process ends; what takes longer than `AFTER_RUN_WAIT` is left to the next.
    pub async fn end(self: &Arc<Self>) {
        if !self.begun.load(Ordering::Relaxed) {
            return;
        }
        // The work holds the store, and the database is another program's only when nobody does.
        self.ended.cancel();
        self.work.close();
        self.work.wait().await;
        let last = async {
            stored(&self.space.store, Store::flush).await?;
            let mut looked = Looked::default();
            while place(self, &mut looked).await? > 0 {}
            Ok::<(), Trouble>(())
        };
        match tokio::time::timeout(AFTER_RUN_WAIT, last).await {
            Ok(Ok(())) => {}
            Ok(Err(cause)) => tracing::info!(?cause, "the newest texts are without vectors"),
            Err(_) => tracing::info!("the newest texts are without vectors: the process ends"),
        }
    }
}

/// The time when everything had its vector. A look at many texts takes a moment, so the next look waits for a new text,
/// or for long.
#[derive(Default)]
struct Looked {
    newest: Option<(i64, i64)>,
    at: Option<Instant>,
}

impl Looked {
    fn is_due(&self, newest: (i64, i64)) -> bool {
        let is_new = self.newest != Some(newest);
        is_new || self.at.is_none_or(|at| at.elapsed() >= VECTORS_LOOKED_FOR_AFTER)
    }
}

/// Gives the next texts their vectors. Returns how many; none when all have theirs, no model is chosen, or nothing of the
/// space is left.
async fn place(embeddings: &Arc<Embeddings>, looked: &mut Looked) -> Result<usize, Trouble> {
    let Some(asking) = Asking::of(embeddings).filter(|_| !embeddings.space.is_incognito()) else {
        return Ok(0);
    };
    let store = embeddings.space.store.clone();
    let newest = stored(&store, Store::newest_texts).await?;
    if !looked.is_due(newest) {
        return Ok(0);
    }
    let embedder = asking.open().await?;
    let model = embedder.id();
    let named = model.clone();
    let texts = stored(&store, move |store| store.unplaced(&named, VECTORS_TOGETHER)).await?;
    if texts.is_empty() {
        *looked = Looked {
            newest: Some(newest),
            at: Some(Instant::now()),
        };
        return Ok(0);
    }
    let beginnings: Vec<String> = texts.iter().map(|text| beginning(&text.text)).collect();
    let vectors = asking.documents(&embedder, &beginnings).await?;
    let placed = paired(texts, vectors);
    let count = placed.len();
    stored(&store, move |store| {
        store.commit(Write::DropOtherVectors { model: model.clone() })?;
        store.commit(Write::PutVectors { model, placed })
    })
    .await?;
    asking.embeddings.note(None);
    Ok(count)
}

fn paired(texts: Vec<Unembedded>, vectors: Vec<Vec<f32>>) -> Vec<Embedded> {
    let pairs = texts.into_iter().zip(vectors);
    let placed = pairs.map(|(text, numbers)| Embedded {
        document: text.document,
        text: text.text,
        numbers,
    });
    placed.collect()
}

async fn stored<T: Send + 'static>(
    store: &Store,
    work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Trouble> {
    let store = store.clone();
    let done = tokio::task::spawn_blocking(move || work(&store)).await;
    done.map_err(|cause| Trouble::Own(cause.to_string()))?
        .map_err(|cause| Trouble::Own(cause.to_string()))
}
