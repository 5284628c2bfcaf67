//! The pieces that go along from the folders that a run works in. They are the files which say how to work there, and
//! the skill that a question calls. Each goes along once in a conversation.

use super::Run;
use shidi_locales::Language;
use shidi_protocol::{Body, ContextPiece};
use std::sync::Arc;

/// The files that the conversation does not hold yet as they are now, and the skill that the question calls. Read on a thread
/// that may wait for a disk.
pub(super) async fn along(run: &Arc<Run>, question: &str) -> Vec<ContextPiece> {
    if run.facts.offline || run.facts.ask.under.is_some() {
        return Vec::new();
    }
    let (own, question) = (Arc::clone(run), question.to_owned());
    let read = tokio::task::spawn_blocking(move || {
        let library = own.workspace.library.as_ref();
        let files = shidi_folders::project_files(&own.folders());
        let pieces = files
            .iter()
            .filter_map(|path| shidi_attachments::project_file(path, library));
        pieces.chain(skill_of(&own, &question)).collect::<Vec<_>>()
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

/// The skill that a question calls by its name, in the language of the question.
pub(super) fn skill_of(run: &Run, question: &str) -> Vec<ContextPiece> {
    let language = shidi_agent::language_of(question, run.facts.ask.language.as_deref());
    let called = run
        .features()
        .skills
        .called(question, &run.folders(), Language::named(language));
    called.into_iter().collect()
}
