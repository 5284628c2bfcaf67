//! A data folder and a work folder of one attempt; both are gone with it.

use shidi_evaluation::{Bytes, KEPT_BYTES_MAX, KEPT_FILE_BYTES_MAX, KEPT_FILES_MAX};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_runtime::{Connection, OpenOptions};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    /// Sets one up with the user's configuration.
    ///
    /// # Errors
    /// A disk that takes no more.
    pub fn new(configuration: &str) -> Result<Self, UserError> {
        let set_up = || -> io::Result<Self> {
            let mut folder = tempfile::Builder::new();
            folder.prefix("shidi-eval-");
            // What a task reads is nobody else's business.
            #[cfg(unix)]
            folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let folder = folder.tempdir()?;
            let stage = Self { folder };
            fs::create_dir_all(stage.data())?;
            fs::create_dir_all(stage.work())?;
            fs::write(stage.data().join("config.toml"), configuration)?;
            Ok(stage)
        };
        set_up().map_err(unwritten)
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder that the task works in.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The folder of the workflows that the user keeps.
    pub fn workflows(&self) -> PathBuf {
        self.data().join("workflows")
    }

    /// A path beside the work folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub async fn open(&self, language: Language) -> Result<Connection, UserError> {
        let options = OpenOptions {
            data_dir: Some(self.data()),
            language: Some(language.code().to_owned()),
            ..OpenOptions::default()
        };
        Connection::open(options).await
    }

    /// The files of the work folder by their paths in it; no link is followed, and what is too large is left out.
    pub fn files(&self) -> BTreeMap<String, Bytes> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.work()];
        let mut left = KEPT_BYTES_MAX;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    folders.push(entry.path());
                }
                let size = entry.metadata().map_or(u64::MAX, |metadata| metadata.len());
                if !kind.is_file() || size > KEPT_FILE_BYTES_MAX.min(left) || found.len() >= KEPT_FILES_MAX {
                    continue;
                }
                if let (Some(name), Ok(bytes)) =
                    (name_in(&entry.path(), &self.work()), fs::read(entry.path()))
                {
                    left -= size;
                    found.insert(name, Bytes(bytes));
                }
            }
        }
        found
    }
}

fn name_in(path: &Path, folder: &Path) -> Option<String> {
    let inner = path.strip_prefix(folder).ok()?;
    let parts: Vec<_> = inner
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    Some(parts.join("/"))
}

pub fn unwritten(cause: io::Error) -> UserError {
    UserError::new(ErrorCode::Storage, cause.to_string())
}
