//! The data folder: where everything lies that Shidi stores, and the lock that makes one process its runtime.

use crate::errors::error;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Paths of one data folder.
#[derive(Debug, Clone)]
pub struct Home {
    folder: PathBuf,
    /// Where files of sessions lie; `None` where none may be kept.
    files: Option<PathBuf>,
}

/// The folder's lock, held until dropped or until the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Home {
    /// The data folder `chosen`, or else `SHIDI_DATA_DIR`, or else the platform's. The folder is created when it is
    /// missing, and closed to everybody else.
    ///
    /// # Errors
    /// When the folder can't be made, or is another user's.
    pub fn open(chosen: Option<PathBuf>, language: Language) -> Result<Self, UserError> {
        let from_environment = std::env::var_os("SHIDI_DATA_DIR")
            .filter(|text| !text.is_empty())
            .map(PathBuf::from);
        let platform =
            || directories::ProjectDirs::from("", "", "shidi").map(|dirs| dirs.data_dir().to_owned());
        let folder = chosen.or(from_environment).or_else(platform).ok_or_else(|| {
            error(
                ErrorCode::Storage,
                language.space().no_data_folder(),
                language.space().name_data_folder(),
            )
        })?;
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        if is_of_another(&folder) {
            return Err(error(
                ErrorCode::Storage,
                language.space().data_folder_of_another(folder.display()),
                language.space().run_as_that_user(),
            ));
        }
        make_private(&folder).map_err(|cause| {
            error(
                ErrorCode::Storage,
                language.space().folder_not_made(cause, folder.display()),
                language.space().check_disk_or_choose_folder(),
            )
        })?;
        let files = Some(folder.clone());
        Ok(Self { folder, files })
    }

    /// The same data folder, with files of sessions somewhere else, or nowhere.
    #[must_use]
    pub fn with_files_in(&self, files: Option<PathBuf>) -> Self {
        Self {
            folder: self.folder.clone(),
            files,
        }
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where files of sessions lie; `None` where none may be kept.
    #[must_use]
    pub fn files(&self) -> Option<&Path> {
        self.files.as_deref()
    }

    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.folder.join("shidi.db")
    }

    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.folder.join("config.toml")
    }

    /// Where the text of documents is kept while it may be needed again.
    #[must_use]
    pub fn documents(&self) -> Option<PathBuf> {
        Some(self.files.as_ref()?.join("documents"))
    }

    /// Where background jobs lie, each in a folder of its own.
    #[must_use]
    pub fn jobs(&self) -> PathBuf {
        self.folder.join("jobs")
    }

    /// Where models are downloaded to, and where the user's own list of them lies.
    #[must_use]
    pub fn models(&self) -> PathBuf {
        self.folder.join("models")
    }

    /// Where servers of model files are unpacked, each in a folder of its own.
    #[must_use]
    pub fn engines(&self) -> PathBuf {
        self.folder.join("engines")
    }

    /// The key by which lines that were exported from here are known again.
    #[must_use]
    pub fn export_key(&self) -> PathBuf {
        self.folder.join("export.key")
    }

    /// The encrypted file of keys, for systems without a keychain.
    #[must_use]
    pub fn keys(&self) -> PathBuf {
        self.folder.join("keys.enc")
    }

    /// Short, and another one for every data folder.
    #[must_use]
    pub fn mark(&self) -> String {
        format!("{:016x}", fnv1a(self.folder.to_string_lossy().as_bytes()))
    }

    fn lock_file(&self) -> PathBuf {
        self.folder.join("lock")
    }

    /// Takes the lock; `None` when another process holds it.
    ///
    /// # Errors
    /// When the lock file can't be opened: the folder is read-only, the disk is full.
    pub fn lock(&self) -> std::io::Result<Option<Lock>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(self.lock_file())?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(cause)) => Err(cause),
        }
    }

    /// Where the process that holds the lock listens, if it has said so yet.
    #[must_use]
    pub fn socket_of_holder(&self) -> Option<PathBuf> {
        let mut text = String::new();
        File::open(self.lock_file())
            .ok()?
            .take(4_096)
            .read_to_string(&mut text)
            .ok()?;
        let path = text.trim();
        (!path.is_empty()).then(|| PathBuf::from(path))
    }

    /// Where browsers' companions find the process whose own socket is `socket`: beside it.
    #[must_use]
    pub fn companions(socket: &Path) -> PathBuf {
        socket.with_extension("companion")
    }

    /// A path for this folder's socket in the user's runtime folder, or inside the data folder without one.
    ///
    /// Socket paths are limited to about 100 bytes, so the name is a short hash of the folder's path.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        let name = format!("{}.sock", self.mark());
        let runtime = std::env::var_os("XDG_RUNTIME_DIR")
            .filter(|text| !text.is_empty())
            .map(PathBuf::from);
        let folder = runtime.map(|runtime| runtime.join("shidi"));
        let is_own = |folder: &PathBuf| !folder.is_symlink() && !is_of_another(folder);
        // Somebody else may have made it first, to be spoken to in our place.
        match folder.filter(|folder| is_own(folder) && make_private(folder).is_ok()) {
            Some(folder) => folder.join(name),
            None => self.folder.join("socket"),
        }
    }
}

impl Lock {
    /// Tells other processes where to connect.
    ///
    /// # Errors
    /// When the lock file can't be written.
    pub fn announce(&mut self, socket: &Path) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(socket.to_string_lossy().as_bytes())?;
        self.file.flush()
    }

    /// Forgets the announcement of an earlier holder.
    ///
    /// # Errors
    /// When the lock file can't be written.
    pub fn withdraw(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)
    }
}

/// Makes a folder that only its owner can open, or closes one that is there.
///
/// # Errors
/// A place that can't be written to, or a folder that isn't ours to close.
pub fn make_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder)?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

/// Whether something is there that another user owns; beyond Unix the system's own folders are the guard.
fn is_of_another(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).is_ok_and(|metadata| metadata.uid() != own_user())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The number of the user whom this process acts for.
#[cfg(unix)]
pub fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A hash that is the same in every build; it names a file and guards nothing.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
