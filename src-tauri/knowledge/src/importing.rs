//! The request behind an import. The named places become files, and each file goes through [`Import`]. The caller
//! hears how far the import is.

use crate::backend::{Backend, Trouble};
use crate::import::{Import, Item, items_of};
use crate::local::LocalBackend;
use crate::{existing, explain, place};
use shidi_protocol::{AttachSource, ErrorCode, KnowledgeBase, KnowledgeReport, Reply, Unreadable, UserError};
use shidi_space::Space;
use shidi_space::blob_store::keeps_no_files;
use shidi_space::download::{Download, Downloaded};
use shidi_space::errors::{error, internal};
use shidi_space::limits::REPLIES_QUEUED;
use shidi_space::progress::ProgressReporter;
use shidi_store::{KnowledgeWrite, Write};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

/// The items to import, in the order in which they were named. Also the places that could not even be looked at.
#[derive(Default)]
struct Named {
    items: Vec<Item>,
    /// Places as the user named them, to be looked at again.
    sources: Vec<String>,
    problems: Vec<(String, Unreadable, Option<String>)>,
    cut: bool,
}

/// Imports into a base: what is named, or again everything that it was filled from. Replies: any number of `Progress`,
/// then `Imported`. An import that nobody listens to any more stops after the document that it is at.
///
/// # Errors
/// No such base.
pub fn add(
    space: &Arc<Space>,
    download: &'static dyn Download,
    base: &str,
    sources: Vec<AttachSource>,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let base = existing(space, base)?;
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let space = Arc::clone(space);
    space.clone().tasks.spawn(async move {
        let reply = match imported((&space, download), &base, sources, &sender).await {
            Ok(report) => Reply::Imported {
                base: base.name,
                report,
            },
            Err(error) => Reply::Failed { error },
        };
        if sender.send(reply).await.is_err() {
            tracing::debug!("nobody waited for the import");
        }
    });
    Ok(receiver)
}

async fn imported(
    (space, download): (&Arc<Space>, &dyn Download),
    base: &KnowledgeBase,
    sources: Vec<AttachSource>,
    sender: &mpsc::Sender<Reply>,
) -> Result<KnowledgeReport, UserError> {
    let is_again = sources.is_empty();
    let sources = if is_again {
        earlier(space, &base.name)?
    } else {
        sources
    };
    let mut named = Named::default();
    for source in sources {
        name((space, download), source, &mut named, sender).await?;
    }
    let there = place::there(space, base).await?;
    let (space, base, sender) = (Arc::clone(space), base.name.clone(), sender.clone());
    let language = space.language();
    let work = tokio::task::spawn_blocking(move || {
        let mut backend: Box<dyn Backend> = match there {
            Some(there) => Box::new(there),
            None => Box::new(LocalBackend::new(&space.store, &base)),
        };
        read_all(&space, &base, backend.as_mut(), named, is_again, &sender)
    });
    work.await
        .map_err(|cause| internal(language, &cause.to_string()))?
}

/// Everything that a base was filled from.
fn earlier(space: &Space, base: &str) -> Result<Vec<AttachSource>, UserError> {
    let places = space
        .store
        .base_sources(base)
        .map_err(|cause| explain(space, &cause))?;
    let language = space.language();
    if places.is_empty() {
        return Err(error(
            ErrorCode::Input,
            language.knowledge().base_empty(),
            language.knowledge().say_what_to_add(),
        ));
    }
    let source = |place: String| match place.contains("://") {
        true => AttachSource::Url { url: place },
        false => AttachSource::Path { path: place },
    };
    Ok(places.into_iter().map(source).collect())
}

/// Finds the files that a source stands for.
async fn name(
    (space, download): (&Space, &dyn Download),
    source: AttachSource,
    named: &mut Named,
    sender: &mpsc::Sender<Reply>,
) -> Result<(), UserError> {
    let language = space.language();
    match source {
        AttachSource::Url { url } => {
            let mut told = ProgressReporter::new(sender, language.knowledge().fetching());
            match download.download(space, &url, &mut told).await? {
                Downloaded::Kept(path) => {
                    named.sources.push(url.clone());
                    named.items.push(Item {
                        place: url,
                        path,
                        is_named: true,
                    });
                }
                Downloaded::Unreachable { reason, detail } => {
                    named.problems.push((url, reason, Some(detail)));
                }
            }
        }
        AttachSource::Path { path } => name_path(PathBuf::from(path), named),
        AttachSource::Text { .. } | AttachSource::Image { .. } | AttachSource::Resource { .. } => {
            return Err(error(
                ErrorCode::Input,
                language.knowledge().base_takes(),
                language.knowledge().save_as_file(),
            ));
        }
    }
    Ok(())
}

fn name_path(path: PathBuf, named: &mut Named) {
    let place = path.display().to_string();
    if !path.is_dir() {
        if path.exists() {
            named.sources.push(place.clone());
        }
        named.items.push(Item {
            place,
            path,
            is_named: true,
        });
        return;
    }
    match items_of(&path) {
        Ok((items, cut)) => {
            named.sources.push(place);
            named.items.extend(items);
            named.cut |= cut;
        }
        Err(cause) => named.problems.push((place, cause.reason(), cause.detail())),
    }
}

fn read_all(
    space: &Space,
    base: &str,
    backend: &mut dyn Backend,
    named: Named,
    is_again: bool,
    sender: &mpsc::Sender<Reply>,
) -> Result<KnowledgeReport, UserError> {
    let fail = |cause| explain(space, &cause);
    let sources = named.sources.iter().map(|place| {
        Write::Knowledge(KnowledgeWrite::PutSource {
            base: base.to_owned(),
            place: place.clone(),
        })
    });
    let sources: Vec<Write> = sources.collect();
    space.store.commit(shidi_store::Batch(sources)).map_err(fail)?;
    let Some(library) = &space.library else {
        return Err(keeps_no_files(space.language()));
    };
    let fail = |cause: Trouble| cause.explain(space);
    let mut import = Import::new(backend, library, base);
    for (place, reason, detail) in named.problems {
        import.problem(&place, reason, detail);
    }
    if named.cut {
        import.cut_short();
    }
    let total = named.items.len() as u64;
    let mut told = ProgressReporter::new(sender, space.language().knowledge().importing());
    for (done, item) in named.items.iter().enumerate() {
        if sender.is_closed() {
            break;
        }
        let done = done as u64;
        told.tell(done, total);
        // One long document is told by its parts.
        let mut parts = |part, parts| {
            if total == 1 {
                told.tell(part, parts);
            }
        };
        import.document(item, &mut parts).map_err(fail)?;
    }
    if !named.cut {
        remove_missing(&named.sources, &named.items, is_again, &mut import).map_err(fail)?;
    }
    import.finish_all().map_err(fail)
}

/// Erases documents that lay in a folder that was just gone through, and lie there no more. A whole base may be gone
/// through again. Then a file that was named by itself and is gone goes, too.
fn remove_missing(
    sources: &[String],
    items: &[Item],
    is_again: bool,
    import: &mut Import<'_>,
) -> Result<(), Trouble> {
    let present: HashSet<&str> = items.iter().map(|item| item.place.as_str()).collect();
    for document in import.documents()? {
        let path = Path::new(&document.place);
        let is_file = !document.place.contains("://");
        let lay_there = is_again || sources.iter().any(|source| path.starts_with(source));
        let is_gone = !present.contains(document.place.as_str()) || (is_again && !path.exists());
        if is_file && lay_there && is_gone && !path.exists() {
            import.remove(document.id)?;
        }
    }
    Ok(())
}
