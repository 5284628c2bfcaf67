//! What goes along of the folders that a run works in: the files which say how to work there, each once in a conversation.

use super::Run;
use shidi_protocol::{Body, ContextPiece};
use std::sync::Arc;

/// The files that the conversation does not hold yet as they are now. Read on a thread that may wait for a disk.
pub(super) async fn along(run: &Arc<Run>) -> Vec<ContextPiece> {
    let folders = run.folders();
    if folders.is_empty() || run.facts.offline || run.facts.ask.under.is_some() {
        return Vec::new();
    }
    let library = run.engine.library.clone();
    let read = tokio::task::spawn_blocking(move || {
        let files = shidi_folders::project_files(&folders);
        let pieces = files
            .iter()
            .filter_map(|path| shidi_attachments::project_file(path, library.as_ref()));
        pieces.collect::<Vec<_>>()
    });
    let pieces = read.await.unwrap_or_default();
    let mind = run.mind.lock();
    let said = &mind.context().segments;
    let is_known = |piece: &ContextPiece| {
        said.iter()
            .any(|segment| matches!(&segment.body, Body::Context(known) if known == piece))
    };
    pieces.into_iter().filter(|piece| !is_known(piece)).collect()
}
