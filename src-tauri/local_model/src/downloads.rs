//! Downloads of models and of their server: the list, and how far each is. Only the user begins or stops one.
//!
//! A download goes on while its window is closed and ends with the program. The received part stays and is gone on
//! with. Nothing is fetched that nobody clicked: the catalogue is part of the program.

mod catalogue;
mod job;
mod record;
mod removal;
mod transfer;
mod unpack;
mod words;

use crate::limits::{OVERHEAD_BYTES, SPARED_BYTES, TOLD_EVERY};
use crate::{LocalModel, aside, machine};
use catalogue::{Catalogue, Entry, Wrong};
use job::Job;
use parking_lot::Mutex;
use record::Record;
use shidi_protocol::{CatalogueEntry, DownloadState, ModelCatalogue, UserError, reply};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use transfer::{Halt, Stage};
pub(crate) use unpack::newest;

/// Downloads by the ids of their entries.
#[derive(Default)]
pub(crate) struct Downloads {
    all: Mutex<BTreeMap<String, Download>>,
    /// Held while the record of files is changed.
    record: Mutex<()>,
}

/// One that was begun in this process.
struct Download {
    stage: Progress,
    stop: CancellationToken,
    /// Ends once nothing is written any more.
    task: Option<JoinHandle<()>>,
}

enum Progress {
    At(Stage),
    /// The download was stopped, and may still be writing.
    Stopped,
    Halted(Halt),
    There(PathBuf),
}

impl LocalModel {
    /// What can be downloaded, and how far each is.
    pub async fn catalogue(&self) -> reply::LocalModelCatalogue {
        let (list, wrong) = self.list().await;
        let own = self.this.upgrade();
        let shown = aside(move || own.map(|own| own.listed(&list, wrong.as_ref()))).await;
        let catalogue = shown.ok().flatten().unwrap_or_else(|| ModelCatalogue {
            models: Vec::new(),
            engine: None,
            earlier: Vec::new(),
            folder: String::new(),
            memory_bytes: None,
            trouble: None,
        });
        reply::LocalModelCatalogue { catalogue }
    }

    async fn list(&self) -> (Catalogue, Option<Wrong>) {
        let folder = self.space.home.models();
        let read = aside(move || Catalogue::with_own(&folder)).await;
        read.unwrap_or_default()
    }

    fn listed(&self, list: &Catalogue, wrong: Option<&Wrong>) -> ModelCatalogue {
        let language = self.space.language();
        let free = machine::measure().memory_free;
        let folder = self.folder();
        let fits = |entry: &Entry| free.is_none_or(|free| needed(entry.bytes) + SPARED_BYTES <= free);
        let record = Record::read(&self.space.home.models()).unwrap_or_default();
        // Within a family, larger ones answer better.
        let best = list.models.iter().rfind(|entry| free.is_some() && fits(entry));
        let models = list.models.iter().map(|entry| CatalogueEntry {
            needs_bytes: Some(needed(entry.bytes)),
            fits: fits(entry),
            is_best: best.is_some_and(|best| best.id == entry.id),
            ..self.shown(
                entry,
                &self.job_of_model(entry, &folder.clone().unwrap_or_default()),
                &record,
            )
        });
        let own_list = self.space.home.models().join("catalogue.toml");
        let wrong_list = wrong.map(|wrong| words::of_list(wrong, &own_list, language));
        let wrong_folder = folder.as_ref().err().map(|why| words::of_halt(why, language));
        let mut earlier = removal::removable(&record, &self.space.home.engines());
        earlier.retain(|id| list.model(id).is_none() && list.engine().is_none_or(|engine| engine.id != *id));
        ModelCatalogue {
            earlier,
            models: models.collect(),
            engine: list
                .engine()
                .map(|entry| self.shown(entry, &self.job_of_engine(entry), &record)),
            folder: folder.clone().unwrap_or_default().display().to_string(),
            memory_bytes: free,
            trouble: wrong_list.or(wrong_folder),
        }
    }

    fn shown(&self, entry: &Entry, job: &Job, record: &Record) -> CatalogueEntry {
        CatalogueEntry {
            id: entry.id.clone(),
            title: entry.title.clone(),
            file: entry.file_name().to_owned(),
            maker: entry.maker.clone(),
            licence: entry.licence.clone(),
            page: entry.page.clone(),
            bytes: entry.bytes,
            sha256: entry.sha256.clone(),
            needs_bytes: None,
            fits: true,
            is_best: false,
            frees_bytes: self.frees(record, &entry.id),
            state: self.state(job),
        }
    }

    /// How far one is: what lies there counts for more than how a download ended.
    fn state(&self, job: &Job) -> DownloadState {
        let found = job.found();
        let downloads = self.downloads.all.lock();
        match downloads.get(&job.id).map(|download| &download.stage) {
            Some(Progress::At(Stage::Coming(done))) => DownloadState::Coming { done: *done },
            Some(Progress::At(Stage::Checking)) => DownloadState::Checking,
            Some(Progress::Halted(why)) if !matches!(found, DownloadState::Here { .. }) => {
                DownloadState::Failed {
                    error: words::of_halt(why, self.space.language()),
                }
            }
            // Its folder may be another one by now.
            Some(Progress::There(path)) if path.exists() => job::here(path),
            Some(Progress::There(_) | Progress::Halted(_) | Progress::Stopped) | None => found,
        }
    }

    /// Where models lie: the folder that the user chose the last time, else one in the data folder.
    fn folder(&self) -> Result<PathBuf, Halt> {
        let chosen = self.space.config().local_model.folder.clone();
        match chosen.is_empty() {
            true => Ok(self.space.home.models()),
            false => whole(Path::new(&chosen)),
        }
    }

    fn job_of_model(&self, entry: &Entry, folder: &Path) -> Job {
        Job::of(entry, folder, None)
    }

    fn job_of_engine(&self, entry: &Entry) -> Job {
        let folder = self.space.home.engines();
        Job::of(entry, &folder, Some(folder.join(&entry.id)))
    }

    /// Begins or goes on with a download into `folder`, or where models lie.
    ///
    /// # Errors
    /// No such entry; a mirror or a folder that is none, or takes no files; one that runs already.
    pub async fn download(&self, id: &str, folder: Option<&str>) -> Result<(), UserError> {
        let language = self.space.language();
        let explain = |why: Halt| words::of_halt(&why, language);
        let (list, _) = self.list().await;
        let entry = list.model(id).or(list.engine().filter(|engine| engine.id == id));
        let entry = entry.ok_or_else(|| words::of_unknown(id, &list, language))?;
        let named = folder.map(|folder| whole(Path::new(folder))).transpose();
        let named = named.map_err(explain)?;
        let job = match list.model(id) {
            Some(model) => {
                let folder = named.clone().map_or_else(|| self.folder(), Ok);
                self.job_of_model(model, &folder.map_err(explain)?)
            }
            None => self.job_of_engine(entry),
        };
        if let Some(folder) = named.filter(|_| !matches!(job.found(), DownloadState::Here { .. })) {
            transfer::aside(move || writable(&folder))
                .await
                .map_err(explain)?;
        }
        let mirror = self.space.config().local_model.mirror.clone();
        let url = entry
            .url(&mirror)
            .map_err(|mirror| explain(Halt::Mirror(mirror)))?;
        self.begin(job, url).map_err(explain)
    }

    fn begin(&self, job: Job, url: reqwest::Url) -> Result<(), Halt> {
        let mut downloads = self.downloads.all.lock();
        let before = downloads.remove(&job.id);
        if let Some(running) = before
            .as_ref()
            .filter(|download| matches!(download.stage, Progress::At(_)))
        {
            debug_assert!(running.task.is_some());
            downloads.extend(before.map(|running| (job.id.clone(), running)));
            return Err(Halt::Busy);
        }
        if let DownloadState::Here { .. } = job.found() {
            return Ok(());
        }
        let stop = CancellationToken::new();
        let (this, id, stopped) = (self.this.clone(), job.id.clone(), stop.clone());
        let proxy = self.space.config().reach.proxy.clone();
        let task = self.space.tasks.spawn(async move {
            // One that was stopped writes to the same place until it is gone.
            if let Some(before) = before.and_then(|before| before.task) {
                before.await.unwrap_or_default();
            }
            let Some(model) = this.upgrade() else { return };
            let tell = |stage| model.at(&job.id, &stopped, stage);
            let end = match job.found() {
                DownloadState::Here { .. } => Ok(()),
                _ => {
                    let end = job.run(url, &proxy, &stopped, &tell).await;
                    end.map(|()| model.note(&job))
                }
            };
            model.ended(&job, &stopped, end);
        });
        let download = Download {
            stage: Progress::At(Stage::Checking),
            stop,
            task: Some(task),
        };
        downloads.insert(id, download);
        Ok(())
    }

    /// Ends a download; what came stays.
    pub fn stop_download(&self, id: &str) {
        if let Some(download) = self.downloads.all.lock().get_mut(id) {
            download.stop.cancel();
            if let Progress::At(_) | Progress::Halted(_) = download.stage {
                download.stage = Progress::Stopped;
            }
        }
        self.tell(|_| {});
    }

    /// Notes how far a download is, unless it was stopped meanwhile; tells those who watch, not too often.
    fn at(&self, id: &str, stop: &CancellationToken, stage: Stage) {
        {
            // The download is stopped under this lock, so no later word of it counts.
            let mut downloads = self.downloads.all.lock();
            if stop.is_cancelled() {
                return;
            }
            if let Some(download) = downloads.get_mut(id) {
                download.stage = Progress::At(stage);
            }
        }
        let mut told = self.told_progress.lock();
        if stage == Stage::Checking || told.is_none_or(|told| told.elapsed() > TOLD_EVERY) {
            *told = Some(Instant::now());
            drop(told);
            self.tell(|_| {});
        }
    }

    /// Puts a file on record that is there whole now: it may be removed later.
    fn note(&self, job: &Job) {
        let Some(file) = job.downloaded() else { return };
        let folder = self.space.home.models();
        let _record = self.downloads.record.lock();
        let written = Record::read(&folder).and_then(|record| record.with(file).write(&folder));
        if let Err(cause) = written {
            tracing::warn!(%cause, id = job.id, "a download is not on record");
        }
    }

    fn ended(&self, job: &Job, stop: &CancellationToken, end: Result<(), Halt>) {
        if let Err(why) = &end {
            tracing::info!(?why, id = job.id, "a download ended");
        }
        if let Some(download) = self.downloads.all.lock().get_mut(&job.id) {
            match end {
                Ok(()) => download.stage = Progress::There(job.result().to_owned()),
                Err(_) if stop.is_cancelled() => {}
                Err(why) => download.stage = Progress::Halted(why),
            }
        }
        self.tell(|_| {});
    }
}

/// An absolute path; `~` at its beginning is the home.
fn whole(folder: &Path) -> Result<PathBuf, Halt> {
    crate::program::from_home(folder, crate::home().as_deref())
        .ok_or_else(|| Halt::Folder(folder.display().to_string()))
}

/// Makes the folder where it lacks, and tries whether it takes files.
///
/// # Errors
/// It can't be a place for downloads.
fn writable(folder: &Path) -> Result<(), Halt> {
    if folder.exists() && !folder.is_dir() {
        return Err(Halt::NoFolder(folder.to_owned()));
    }
    let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    match tried {
        Ok(_) => Ok(()),
        Err(cause) => Err(Halt::Unwritable(folder.to_owned(), cause.to_string())),
    }
}

/// Memory that a model takes, before its header is there to tell. The figure counts the model's weights, an eighth
/// for its context, and the server. Gemma 4 E4B takes 5.3 GB, and this says 5.2.
fn needed(bytes: u64) -> u64 {
    bytes + bytes / 8 + OVERHEAD_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_a_file_or_cannot_be_made_takes_no_download() {
        let place = tempfile::tempdir().unwrap();
        let (file, new) = (place.path().join("file"), place.path().join("new/inner"));
        std::fs::write(&file, "x").unwrap();
        assert_eq!(writable(&file), Err(Halt::NoFolder(file.clone())));
        let below = file.join("below");
        assert!(matches!(writable(&below), Err(Halt::Unwritable(folder, _)) if folder == below));
        assert_eq!(writable(&new), Ok(()));
        assert_eq!(
            std::fs::read_dir(&new).unwrap().count(),
            0,
            "nothing is left there"
        );
    }
}
