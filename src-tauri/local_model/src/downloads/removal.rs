//! What was downloaded is removed: only what is on record or was unpacked here, and only while nothing needs it.
//!
//! A server that nobody asks at the moment is ended first. No other one starts meanwhile.

use super::record::Record;
use super::unpack::{BEGUN, server_in};
use super::{Progress, words};
use crate::{LocalModel, aside};
use shidi_protocol::{DownloadState, LocalModelPhase, UserError, reply};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::{fs, io};

/// Why a download stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// Nothing of it is here.
    Absent,
    /// It was not downloaded here: it is the user's own.
    Foreign(String),
    /// It is being downloaded.
    Coming,
    /// It is the model file that the settings name.
    Chosen,
    /// It is the program that would serve the chosen file.
    Serves,
    /// Its server answers, or loads a model.
    Answers,
    Disk(String),
}

/// A file of the record, or the folder that a server was unpacked to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// As it is on record.
    path: PathBuf,
    /// The same with all links followed.
    whole: PathBuf,
    bytes: u64,
    is_folder: bool,
}

/// Files that are needed now; all links followed.
#[derive(Debug, Default)]
struct Needed {
    /// The model file that the settings name.
    chosen: Option<PathBuf>,
    /// The program that would be started.
    program: Option<PathBuf>,
    /// Those of a server that answers.
    at_work: Vec<PathBuf>,
}

impl Needed {
    fn obstacle(&self, place: &Path) -> Option<Obstacle> {
        let lies_there = |path: &PathBuf| path.starts_with(place);
        if self.chosen.as_ref().is_some_and(lies_there) {
            Some(Obstacle::Chosen)
        } else if self.program.as_ref().is_some_and(lies_there) {
            Some(Obstacle::Serves)
        } else if self.at_work.iter().any(lies_there) {
            Some(Obstacle::Answers)
        } else {
            None
        }
    }
}

impl LocalModel {
    /// Removes what was downloaded of an entry of the catalogue.
    ///
    /// # Errors
    /// Nothing of it was downloaded here; it is needed now; a disk that refuses.
    pub async fn remove(&self, id: &str) -> Result<reply::LocalModelRemoved, UserError> {
        let freed_bytes = self.removed(id).await?;
        self.tell(|_| {});
        let reply::LocalModelCatalogue { catalogue } = self.catalogue().await;
        Ok(reply::LocalModelRemoved {
            catalogue,
            freed_bytes,
        })
    }

    /// Returns the bytes that are free now.
    async fn removed(&self, id: &str) -> Result<u64, UserError> {
        let language = self.space.language();
        let explain = |why: Obstacle| words::of_obstacle(&why, language);
        if self.is_coming(id) {
            return Err(explain(Obstacle::Coming));
        }
        let record = Record::read(&self.space.home.models()).unwrap_or_default();
        let places = places(&record, &self.space.home.engines(), id);
        if places.is_empty() {
            return Err(self.reason_for_none(id, &record).await);
        }
        // Servers start, and are asked, under this lock alone.
        let mut slot = self.slot.try_lock().map_err(|_| explain(Obstacle::Answers))?;
        let asked = slot
            .as_ref()
            .filter(|running| running.holds.load(Ordering::SeqCst) > 0 && running.server.ended().is_none());
        let at_work = asked.map(|running| [&running.wanted.file.path, &running.wanted.program.path]);
        let needed = self.needed(at_work.into_iter().flatten().cloned().collect());
        if let Some(why) = places.iter().find_map(|place| needed.obstacle(&place.whole)) {
            return Err(explain(why));
        }
        let idle = slot.take_if(|running| {
            let wanted = [&running.wanted.file.path, &running.wanted.program.path];
            places
                .iter()
                .any(|place| wanted.iter().any(|path| path.starts_with(&place.whole)))
        });
        if idle.is_some() {
            self.tell(|told| told.phase = LocalModelPhase::Asleep);
        }
        let own = self.this.upgrade();
        let removed = aside(move || {
            drop(idle);
            own.map_or(Ok(0), |own| own.delete(&places))
        });
        let freed = removed.await.map_err(|trouble| trouble.explain(language))?;
        drop(slot);
        freed.map_err(|cause| explain(Obstacle::Disk(cause.to_string())))
    }

    /// Bytes that removing an entry frees; `None` where nothing of it was downloaded here.
    pub(super) fn frees(&self, record: &Record, id: &str) -> Option<u64> {
        let places = places(record, &self.space.home.engines(), id);
        let bytes = places.iter().map(|place| place.bytes).sum();
        (!places.is_empty()).then_some(bytes)
    }

    fn is_coming(&self, id: &str) -> bool {
        let downloads = self.downloads.all.lock();
        downloads
            .get(id)
            .is_some_and(|download| matches!(download.stage, Progress::At(_)))
    }

    fn needed(&self, at_work: Vec<PathBuf>) -> Needed {
        let chosen = self.file().ok();
        let is_named = !self.space.config().local_model.program.is_empty();
        let program = match chosen.is_some() || is_named {
            true => self.program_path().ok(),
            false => None,
        };
        Needed {
            chosen,
            program,
            at_work,
        }
    }

    /// Why there is nothing to remove.
    async fn reason_for_none(&self, id: &str, record: &Record) -> UserError {
        let language = self.space.language();
        let (list, _) = self.list().await;
        let found = match (list.model(id), list.engine().filter(|engine| engine.id == id)) {
            (Some(model), _) => self
                .job_of_model(model, &self.folder().unwrap_or_default())
                .found(),
            (None, Some(engine)) => self.job_of_engine(engine).found(),
            (None, None) => {
                let removable = removable(record, &self.space.home.engines());
                return words::of_none_such(id, &removable, language);
            }
        };
        let why = match found {
            DownloadState::Here { path } => Obstacle::Foreign(path),
            DownloadState::Absent
            | DownloadState::Partly { .. }
            | DownloadState::Coming { .. }
            | DownloadState::Checking
            | DownloadState::Failed { .. } => Obstacle::Absent,
        };
        words::of_obstacle(&why, language)
    }

    /// Returns the bytes that are free then.
    fn delete(&self, places: &[Place]) -> io::Result<u64> {
        for place in places {
            match place.is_folder {
                true => delete_folder(&place.path)?,
                false => self.delete_file(&place.path)?,
            }
        }
        Ok(places.iter().map(|place| place.bytes).sum())
    }

    fn delete_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        let folder = self.space.home.models();
        let _record = self.downloads.record.lock();
        let written = Record::read(&folder).and_then(|record| record.without(path).write(&folder));
        if let Err(cause) = written {
            // A file that is gone is not claimed, whatever stands there.
            tracing::warn!(%cause, "the record of downloads could not be written");
        }
        Ok(())
    }
}

/// Moves a folder among those that are being unpacked, then deletes it. One that is half gone is swept later with them.
fn delete_folder(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    let aside = tempfile::Builder::new().prefix(BEGUN).tempdir_in(parent)?;
    let gone = aside.path().join("gone");
    fs::rename(folder, &gone)?;
    aside.close()
}

/// What lies here of an entry.
fn places(record: &Record, engines: &Path, id: &str) -> Vec<Place> {
    let place = |path: PathBuf, bytes, is_folder| Place {
        whole: path.canonicalize().unwrap_or_else(|_| path.clone()),
        path,
        bytes,
        is_folder,
    };
    let files = record.there(id).into_iter();
    let mut places: Vec<Place> = files.map(|file| place(file.path, file.bytes, false)).collect();
    let engine = engines.join(id);
    if is_unpacked(id)
        && server_in(&engine).is_some()
        && engine.symlink_metadata().is_ok_and(|facts| facts.is_dir())
    {
        let bytes = bytes_below(&engine);
        places.push(place(engine, bytes, true));
    }
    places
}

/// The names of all that lies here: what is on record, and servers that were unpacked.
pub(super) fn removable(record: &Record, engines: &Path) -> Vec<String> {
    let folders = fs::read_dir(engines).into_iter().flatten().flatten();
    let unpacked = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = record.names().chain(unpacked).collect();
    names.sort();
    names.dedup();
    names.retain(|name| !places(record, engines, name).is_empty());
    names
}

/// Whether a folder of this name was unpacked here: it is called as the catalogue calls servers.
fn is_unpacked(id: &str) -> bool {
    let build = id.strip_prefix("llama.cpp-b").unwrap_or_default();
    !build.is_empty() && build.bytes().all(|sign| sign.is_ascii_digit())
}

/// Bytes of all files below a folder; no link is followed.
fn bytes_below(folder: &Path) -> u64 {
    let (mut folders, mut bytes) = (vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(facts) if facts.is_dir() => folders.push(entry.path()),
                Ok(facts) => bytes += facts.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::record::DownloadedFile;
    use super::*;

    #[test]
    fn what_the_settings_name_or_a_server_reads_is_needed_and_nothing_beside_it() {
        let needed = Needed {
            chosen: Some("/m/a.gguf".into()),
            program: Some("/d/engines/b2/llama-server".into()),
            at_work: vec!["/m/c.gguf".into(), "/d/engines/b1/llama-server".into()],
        };
        for (place, obstacle) in [
            ("/m/a.gguf", Some(Obstacle::Chosen)),
            ("/d/engines/b2", Some(Obstacle::Serves)),
            ("/m/c.gguf", Some(Obstacle::Answers)),
            ("/d/engines/b1", Some(Obstacle::Answers)),
            ("/m/a.gguf.other", None),
            ("/d/engines/b", None),
            ("/m/d.gguf", None),
        ] {
            assert_eq!(needed.obstacle(Path::new(place)), obstacle, "{place}");
        }
    }

    #[test]
    fn files_on_record_and_unpacked_servers_are_removable_and_no_other_path_is() {
        let folder = tempfile::tempdir().unwrap();
        let (engines, models) = (folder.path().join("engines"), folder.path().join("models"));
        fs::create_dir_all(engines.join("llama.cpp-b1/inner")).unwrap();
        fs::create_dir_all(engines.join(".unpackedX")).unwrap();
        fs::create_dir_all(engines.join("llama.cpp-b3")).unwrap();
        fs::create_dir_all(engines.join("mine")).unwrap();
        fs::create_dir_all(&models).unwrap();
        let server = engines.join("llama.cpp-b1/inner/llama-server");
        fs::write(&server, "123").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&server, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(engines.join("llama.cpp-b1/library"), "4567").unwrap();
        fs::write(engines.join("file"), "x").unwrap();
        let model = models.join("a.gguf");
        fs::write(&model, "12345").unwrap();
        fs::copy(&server, engines.join("mine/llama-server")).unwrap();
        let record = Record::default().with(DownloadedFile::new("a", &model, 5));
        let model = model.canonicalize().unwrap();
        let engine = places(&record, &engines, "llama.cpp-b1");
        assert_eq!((engine.len(), engine[0].bytes, engine[0].is_folder), (1, 7, true));
        let file = places(&record, &engines, "a");
        assert_eq!((file.len(), file[0].bytes, &file[0].path), (1, 5, &model));
        assert_eq!(removable(&record, &engines), ["a", "llama.cpp-b1"]);
        for id in [
            "",
            ".",
            "..",
            "../models",
            "llama.cpp-b1/inner",
            "llama.cpp-b3",
            "mine",
            "/",
            ".unpackedX",
            "file",
            "llama.cpp-b2",
        ] {
            assert!(places(&record, &engines, id).is_empty(), "{id:?}");
        }
    }
}
