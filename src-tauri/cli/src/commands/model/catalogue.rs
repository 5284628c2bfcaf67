//! `shidi model catalogue`, `download`, `engine` and `remove`: what can be downloaded, how far each is, and its end.
//!
//! A download belongs to the program that holds the data folder. Where this command holds the folder, its end is the
//! download's end. The next download goes on with the part that came.

use crate::commands::review::decided;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::words::Words;
use serde_json::json;
use shidi_protocol::{CatalogueEntry, DownloadState, ErrorCode, ModelCatalogue, UserError, reply, request};
use shidi_runtime::Connection;
use std::path::Path;
use std::time::Duration;

/// The pause between two looks at a download.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(250);

/// Lists what can be downloaded.
///
/// # Errors
/// A connection that broke.
pub async fn list(connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let catalogue = read(connection).await?;
    if console.is_json() {
        console.json(&catalogue)?;
        return Ok(Exit::Done);
    }
    for entry in catalogue.models.iter().chain(&catalogue.engine) {
        console.line(&line(entry, console))?;
        console.line(&format!("  {}", console.painted(Look::Dim, &entry.page)))?;
    }
    if let Some(trouble) = &catalogue.trouble {
        console.note(Look::Bad, &trouble.message);
        if let Some(hint) = &trouble.hint {
            console.note(Look::Dim, hint);
        }
    }
    console.note(Look::Dim, &console.words.catalogue_folder(&catalogue.folder));
    Ok(Exit::Done)
}

/// Downloads a model, and lets it answer if that is wanted.
///
/// # Errors
/// No such model, or why it did not come.
pub async fn download(
    connection: &Connection,
    id: &str,
    to: Option<&Path>,
    then_use: bool,
    console: &Console,
) -> Result<Exit, Failure> {
    let folder = to.map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
    let id = id.to_owned();
    let begin = request::LocalModelDownload {
        id: id.clone(),
        folder,
    };
    let reply::LocalModelCatalogue { catalogue } = connection.ask(begin).await?;
    let place = followed(connection, &id, catalogue, console).await?;
    if then_use {
        return super::file::choose(connection, Path::new(&place), console).await;
    }
    Ok(Exit::Done)
}

/// Downloads the server for this system.
///
/// # Errors
/// No build for this system, or why it did not come.
pub async fn engine(connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let engine = read(connection).await?.engine;
    let id = engine.map(|engine| engine.id).ok_or_else(|| {
        let words = console.words;
        Failure::from(UserError::new(ErrorCode::NotFound, words.engine_none()).hint(words.engine_none_hint()))
    })?;
    download(connection, &id, None, false, console).await
}

/// Removes what was downloaded.
///
/// # Errors
/// Nothing of it was downloaded by Shidi, or it is needed now.
pub async fn remove(
    connection: &Connection,
    name: String,
    yes: bool,
    console: &Console,
) -> Result<Exit, Failure> {
    let words = console.words;
    let catalogue = read(connection).await?;
    let question = match entry_of(&catalogue, &name) {
        // What is refused anyway is not asked about.
        Some(entry) => entry
            .frees_bytes
            .map(|bytes| words.model_remove(freed(bytes, words), clean(&entry.title))),
        None if catalogue.earlier.contains(&name) => Some(words.model_remove_earlier(clean(&name))),
        None => None,
    };
    if let Some(question) = question
        && !decided(yes, question, console)?
    {
        return Ok(Exit::Done);
    }
    let removed = connection.ask(request::LocalModelRemove { id: name }).await?;
    match console.is_json() {
        true => console.json(&json!({"freed_bytes": removed.freed_bytes}))?,
        false => console.line(&words.model_removed(freed(removed.freed_bytes, words)))?,
    }
    Ok(Exit::Done)
}

async fn read(connection: &Connection) -> Result<ModelCatalogue, Failure> {
    let reply::LocalModelCatalogue { catalogue } = connection.ask(request::LocalModelCatalogue).await?;
    Ok(catalogue)
}

/// Waits for the end of a download, and tells how far it is. Returns where it lies.
async fn followed(
    connection: &Connection,
    id: &str,
    mut catalogue: ModelCatalogue,
    console: &Console,
) -> Result<String, Failure> {
    loop {
        let entry = entry_of(&catalogue, id);
        let state = entry.map_or(&DownloadState::Absent, |entry| &entry.state);
        match (state, entry) {
            (DownloadState::Here { path }, _) => {
                console.progress_over();
                match console.is_json() {
                    true => console.json(&entry)?,
                    false => console.line(path)?,
                }
                return Ok(path.clone());
            }
            (DownloadState::Failed { error }, _) => {
                console.progress_over();
                return Err(error.clone().into());
            }
            // Somebody else has stopped it.
            (DownloadState::Absent | DownloadState::Partly { .. }, _) | (_, None) => {
                console.progress_over();
                let words = console.words;
                return Err(UserError::new(ErrorCode::Cancelled, words.download_stopped())
                    .hint(words.download_stopped_hint(id))
                    .into());
            }
            (DownloadState::Coming { .. } | DownloadState::Checking, Some(entry)) => {
                if console.can_redraw() {
                    console.redraw(&format!("{}  {}", entry.title, state_of(entry, console.words)));
                }
            }
        }
        tokio::time::sleep(LOOKED_AT_EVERY).await;
        catalogue = read(connection).await?;
    }
}

fn entry_of<'a>(catalogue: &'a ModelCatalogue, id: &str) -> Option<&'a CatalogueEntry> {
    let mut entries = catalogue.models.iter().chain(&catalogue.engine);
    entries.find(|entry| entry.id == id)
}

/// `qwen3.5-4b  Qwen3.5 4B · Alibaba · Apache-2.0 · 2.7 GB · about 3.5 GB of memory`.
fn line(entry: &CatalogueEntry, console: &Console) -> String {
    let words = console.words;
    let mut facts = vec![entry.title.clone(), entry.maker.clone(), entry.licence.clone()];
    facts.retain(|fact| !fact.is_empty());
    facts.push(size(entry.bytes));
    if let Some(needs) = entry.needs_bytes {
        facts.push(words.model_file_memory(tenths(needs)));
    }
    if entry.is_best {
        facts.push(words.catalogue_best().to_owned());
    }
    if !entry.fits {
        facts.push(words.catalogue_too_large().to_owned());
    }
    let state = state_of(entry, words);
    if !state.is_empty() {
        facts.push(state);
    }
    format!(
        "{}  {}",
        console.painted(Look::Strong, &entry.id),
        facts.join(" · ")
    )
}

fn state_of(entry: &CatalogueEntry, words: Words) -> String {
    let share = |done: u64| format!("{} %", (done * 100) / entry.bytes.max(1));
    match &entry.state {
        DownloadState::Absent => String::new(),
        DownloadState::Partly { done } => words.catalogue_partly(share(*done)),
        DownloadState::Coming { done } => {
            format!("{} / {} · {}", size(*done), size(entry.bytes), share(*done))
        }
        DownloadState::Checking => words.catalogue_checking().to_owned(),
        DownloadState::Here { .. } => words.catalogue_here().to_owned(),
        DownloadState::Failed { error } => error.message.clone(),
    }
}

/// `2.7 GB`, `18 MB`.
fn size(bytes: u64) -> String {
    match bytes < 100_000_000 {
        true => format!("{} MB", bytes.div_ceil(1_000_000)),
        false => format!("{} GB", tenths(bytes)),
    }
}

/// Room that becomes free.
fn freed(bytes: u64, words: Words) -> String {
    match bytes < 1_000_000 {
        true => words.less_than_a_megabyte().to_owned(),
        false => size(bytes),
    }
}

/// Gigabytes with one decimal, the nearest one.
fn tenths(bytes: u64) -> String {
    let tenths = (bytes + 50_000_000) / 100_000_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
