//! One download: what is fetched, where it goes, and what is made of it there.

use super::catalogue::Entry;
use super::record::DownloadedFile;
use super::transfer::{Halt, Stage, Wanted, aside, is_whole, part_of, transfer};
use super::unpack::{server_in, unpack};
use reqwest::Url;
use shidi_models::Proxy;
use shidi_protocol::DownloadState;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Clone)]
pub struct Job {
    pub id: String,
    place: PathBuf,
    bytes: u64,
    sha256: String,
    /// The folder that an archive becomes.
    unpacked: Option<PathBuf>,
}

impl Job {
    pub fn of(entry: &Entry, folder: &Path, unpacked: Option<PathBuf>) -> Self {
        Self {
            id: entry.id.clone(),
            place: folder.join(entry.file_name()),
            bytes: entry.bytes,
            sha256: entry.sha256.clone(),
            unpacked,
        }
    }

    /// The file or folder that is there in the end.
    pub fn result(&self) -> &Path {
        self.unpacked.as_deref().unwrap_or(&self.place)
    }

    /// The file for the record; what was unpacked lies in a folder of ours and needs none.
    pub fn downloaded(&self) -> Option<DownloadedFile> {
        let new = || DownloadedFile::new(&self.id, &self.place, self.bytes);
        self.unpacked.is_none().then(new)
    }

    /// What is there already. A file has its name only once its digest was compared.
    pub fn found(&self) -> DownloadState {
        let is_there = match &self.unpacked {
            Some(folder) => server_in(folder).is_some(),
            None => length(&self.place) == Some(self.bytes),
        };
        if is_there {
            return here(self.result());
        }
        match length(&part_of(&self.place)) {
            Some(done) if done > 0 => DownloadState::Partly { done },
            Some(_) | None => DownloadState::Absent,
        }
    }

    /// Fetches it, and unpacks it where it is an archive.
    ///
    /// # Errors
    /// See [`Halt`].
    pub async fn run(
        &self,
        url: Url,
        proxy: &Proxy,
        stop: &CancellationToken,
        tell: &(dyn Fn(Stage) + Send + Sync),
    ) -> Result<(), Halt> {
        let wanted = Wanted {
            url,
            place: self.place.clone(),
            bytes: self.bytes,
            sha256: self.sha256.clone(),
        };
        let Some(folder) = self.unpacked.clone() else {
            return transfer(wanted, proxy, stop, tell).await;
        };
        let (left, stopped) = (wanted.clone(), stop.clone());
        if !aside(move || is_left_whole(&left, &stopped)).await? {
            transfer(wanted, proxy, stop, tell).await?;
        }
        tell(Stage::Checking);
        let (archive, stopped) = (self.place.clone(), stop.clone());
        aside(move || {
            if stopped.is_cancelled() {
                return Err(Halt::Stopped);
            }
            let unpacked = unpack(&archive, &folder);
            // One that can't be unpacked is no better the next time.
            std::fs::remove_file(&archive)?;
            unpacked
        })
        .await
    }
}

/// Whether the archive lies there from before, as it was wanted; anything else in its place is removed.
fn is_left_whole(wanted: &Wanted, stop: &CancellationToken) -> Result<bool, Halt> {
    if wanted.place.symlink_metadata().is_err() {
        return Ok(false);
    }
    if length(&wanted.place) == Some(wanted.bytes) && is_whole(wanted, stop)? {
        return Ok(true);
    }
    std::fs::remove_file(&wanted.place)?;
    Ok(false)
}

/// The length of a file, and of nothing else.
fn length(path: &Path) -> Option<u64> {
    let facts = path.metadata().ok().filter(Metadata::is_file)?;
    Some(facts.len())
}

/// It is there; all links followed, as the settings have it.
pub fn here(path: &Path) -> DownloadState {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    DownloadState::Here {
        path: path.display().to_string(),
    }
}
