//! One address becomes one file. The file comes in pieces that can break off anywhere, and its digest is checked before
//! it has its name.
//!
//! The part that came so far lies beside the place as `NAME.part`. The part is hashed again before more is added to it,
//! so that nothing that lies there is trusted. A thread of its own writes and hashes: neither holds up who else is at
//! work.

use crate::limits::{
    ANSWERS_WITHIN, BROKEN_PAUSE, BROKEN_PAUSE_MAX, BROKEN_TRIES, CONNECTED_WITHIN, HASHED_BYTES,
    PIECES_QUEUED, REDIRECTS_MAX, SPARED_DISK_BYTES, UNBEGUN_TRIES,
};
use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode, Url, redirect};
use sha2::{Digest, Sha256};
use shidi_bundles::Refused;
use shidi_models::Proxy;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What is to be there in the end.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub url: Url,
    pub place: PathBuf,
    pub bytes: u64,
    pub sha256: String,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Bytes that are there.
    Coming(u64),
    /// All is there and is compared with the digest, or what was there before is read.
    Checking,
}

/// Why it ended before the file was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// No connection, or one that broke as often as it was made.
    Unreachable(String),
    /// The host answers that there is nothing.
    Status(u16),
    /// What came is another file, and is gone.
    Other,
    /// The host answers with something else; what came before stays.
    Unexpected,
    /// Its user has stopped it.
    Stopped,
    /// Something else has that name.
    Occupied(PathBuf),
    /// Somebody is downloading to that place.
    Busy,
    /// The disk has so many bytes left of those that it needs.
    Full {
        needs: u64,
        free: u64,
    },
    Disk(String),
    /// An archive that is not what it should be.
    Archive(Refused),
    /// One that holds everything but the server.
    NoServer,
    /// An address that is none: the mirror of the settings.
    Mirror(String),
    /// A folder that is no absolute path.
    Folder(String),
    /// A file where a folder should be.
    NoFolder(PathBuf),
    /// A folder that can't be made or written to, and why.
    Unwritable(PathBuf, String),
}

impl From<io::Error> for Halt {
    fn from(cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { needs: 0, free: 0 },
            _ => Self::Disk(cause.to_string()),
        }
    }
}

impl From<Refused> for Halt {
    fn from(why: Refused) -> Self {
        match why {
            Refused::Disk { why } => Self::Disk(why),
            why => Self::Archive(why),
        }
    }
}

/// The part of a file that is there already.
pub fn part_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Fetches what is wanted, from where it broke off the last time, until it is told to stop.
///
/// # Errors
/// See [`Halt`]. What came stays for the next time, unless it was another file.
pub async fn transfer(
    wanted: Wanted,
    proxy: &Proxy,
    stop: &CancellationToken,
    tell: &(dyn Fn(Stage) + Send + Sync),
) -> Result<(), Halt> {
    let empty = part_of(&wanted.place);
    let end = fetched(wanted, proxy, stop, tell).await;
    match end {
        Err(Halt::Busy | Halt::Occupied(_)) | Ok(()) => {}
        // Nothing came, so nothing is there to go on with.
        Err(_) if empty.metadata().is_ok_and(|facts| facts.len() == 0) => std::fs::remove_file(&empty)?,
        Err(_) => {}
    }
    end
}

async fn fetched(
    wanted: Wanted,
    proxy: &Proxy,
    stop: &CancellationToken,
    tell: &(dyn Fn(Stage) + Send + Sync),
) -> Result<(), Halt> {
    let client = client(proxy).map_err(|cause| Halt::Unreachable(cause.to_string()))?;
    tell(Stage::Checking);
    let (at, bytes, stopped) = (wanted.place.clone(), wanted.bytes, stop.clone());
    let mut part = aside(move || Part::open(&at, bytes, stopped)).await?;
    let mut broken = Broken::default();
    while part.bytes < wanted.bytes {
        let before = part.bytes;
        tell(Stage::Coming(before));
        let (left, end) = piece(&client, &wanted, part, tell).await?;
        part = left;
        if stop.is_cancelled() {
            return Err(Halt::Stopped);
        }
        if let Err(why) = end {
            tokio::select! {
                again = broken.again(part.bytes > before, why) => again?,
                () = stop.cancelled() => return Err(Halt::Stopped),
            }
        }
    }
    tell(Stage::Checking);
    aside(move || part.finished(&wanted)).await
}

/// Whether the file that lies there is the wanted one.
///
/// # Errors
/// It can't be read, or its reader was told to stop.
pub fn is_whole(wanted: &Wanted, stop: &CancellationToken) -> Result<bool, Halt> {
    let mut read = Digested::default();
    read.all(&mut File::open(&wanted.place)?, stop)?;
    Ok(read.bytes == wanted.bytes && read.is(&wanted.sha256))
}

/// Tries that brought nothing, one after the other.
#[derive(Default)]
struct Broken {
    tries: u32,
    /// Whether anything came: who has no network hears of it soon.
    has_come: bool,
}

impl Broken {
    async fn again(&mut self, has_moved: bool, why: Halt) -> Result<(), Halt> {
        let Halt::Unreachable(_) = &why else {
            return Err(why);
        };
        self.has_come |= has_moved;
        self.tries = if has_moved { 1 } else { self.tries + 1 };
        let most = if self.has_come {
            BROKEN_TRIES
        } else {
            UNBEGUN_TRIES
        };
        if self.tries > most {
            return Err(why);
        }
        tracing::info!(?why, tries = self.tries, "a download broke off and goes on");
        let pause = BROKEN_PAUSE * (1 << (self.tries - 1).min(8));
        tokio::time::sleep(pause.min(BROKEN_PAUSE_MAX)).await;
        Ok(())
    }
}

fn client(proxy: &Proxy) -> reqwest::Result<Client> {
    shidi_models::install_tls();
    let builder = Client::builder()
        .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECTED_WITHIN)
        .read_timeout(ANSWERS_WITHIN)
        // A packed answer has another length, and can't be gone on with.
        .no_gzip()
        .no_brotli()
        .redirect(redirect::Policy::custom(|attempt| {
            let from_safe = attempt
                .previous()
                .last()
                .is_some_and(|url| url.scheme() == "https");
            if attempt.previous().len() > REDIRECTS_MAX || (from_safe && attempt.url().scheme() != "https") {
                attempt.stop()
            } else {
                attempt.follow()
            }
        }));
    proxy.before(builder)?.build()
}

/// Asks for the rest and writes what comes. Returns the part as it is then, and why no more came.
async fn piece(
    client: &Client,
    wanted: &Wanted,
    mut part: Part,
    tell: &(dyn Fn(Stage) + Send + Sync),
) -> Result<(Part, Result<(), Halt>), Halt> {
    let mut request = client.get(wanted.url.clone());
    if part.bytes > 0 {
        request = request.header(RANGE, format!("bytes={}-", part.bytes));
    }
    let sent = tokio::select! {
        sent = request.send() => sent,
        () = part.stop.cancelled() => return Err(Halt::Stopped),
    };
    let answer = match sent {
        Ok(answer) => answer,
        Err(cause) => return Ok((part, Err(unreachable(&cause)))),
    };
    match begins_at(&answer, part.bytes, wanted.bytes) {
        Ok(0) if part.bytes > 0 => part = aside(move || part.emptied()).await?,
        Ok(_) => {}
        Err(why) => return Ok((part, Err(why))),
    }
    written(answer, wanted.bytes, part, tell).await
}

/// Where an answer begins: at what was asked for, or at the beginning. An answer of another length is another file,
/// whatever that is. A page that asks for a password is no reason to lose the received part.
fn begins_at(answer: &Response, asked: u64, bytes: u64) -> Result<u64, Halt> {
    let length = answer.content_length();
    let told = answer.headers().get(CONTENT_RANGE);
    let told = told.and_then(|told| {
        told.to_str()
            .ok()?
            .strip_prefix("bytes ")?
            .split('-')
            .next()?
            .parse()
            .ok()
    });
    match answer.status() {
        StatusCode::PARTIAL_CONTENT => {
            let fits = told == Some(asked) && length.is_none_or(|length| length == bytes - asked);
            fits.then_some(asked).ok_or(Halt::Unexpected)
        }
        StatusCode::OK => {
            // A page that asks for a password often tells no length.
            let fits = length == Some(bytes);
            fits.then_some(0).ok_or(Halt::Unexpected)
        }
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            Err(Halt::Unreachable(format!("HTTP {}", status.as_u16())))
        }
        status => Err(Halt::Status(status.as_u16())),
    }
}

/// Hands what comes to the thread that writes.
async fn written(
    mut answer: Response,
    bytes: u64,
    part: Part,
    tell: &(dyn Fn(Stage) + Send + Sync),
) -> Result<(Part, Result<(), Halt>), Halt> {
    let (mut done, stop) = (part.bytes, part.stop.clone());
    let (sender, pieces) = mpsc::channel(PIECES_QUEUED);
    let writing = tokio::task::spawn_blocking(move || part.with(pieces));
    let end = loop {
        let chunk = tokio::select! {
            chunk = answer.chunk() => chunk,
            () = stop.cancelled() => break Err(Halt::Stopped),
        };
        match chunk {
            Ok(Some(piece)) => {
                done += piece.len() as u64;
                if done > bytes {
                    break Err(Halt::Unexpected);
                }
                // It takes no more where it could not write; why is what it returns.
                if sender.send(piece).await.is_err() {
                    break Ok(());
                }
                tell(Stage::Coming(done));
            }
            Ok(None) if done < bytes => break Err(Halt::Unreachable("the connection ended".to_owned())),
            Ok(None) => break Ok(()),
            Err(cause) => break Err(unreachable(&cause)),
        }
    };
    drop(sender);
    let part = writing.await.map_err(|cause| Halt::Disk(cause.to_string()))??;
    Ok((part, end))
}

fn unreachable(cause: &reqwest::Error) -> Halt {
    // The innermost reason is the one that says something.
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    Halt::Unreachable(innermost.to_string())
}

/// Bytes with their digest.
#[derive(Default)]
struct Digested {
    bytes: u64,
    digest: Sha256,
}

impl Digested {
    fn add(&mut self, piece: &[u8]) {
        self.digest.update(piece);
        self.bytes += piece.len() as u64;
    }

    /// Reads to the end.
    fn all(&mut self, file: &mut File, stop: &CancellationToken) -> Result<(), Halt> {
        let mut buffer = vec![0; HASHED_BYTES];
        loop {
            if stop.is_cancelled() {
                return Err(Halt::Stopped);
            }
            match file.read(&mut buffer)? {
                0 => return Ok(()),
                read => self.add(&buffer[..read]),
            }
        }
    }

    fn is(self, sha256: &str) -> bool {
        hex::encode(self.digest.finalize()) == sha256
    }
}

/// What came so far, locked against others, and the digest of it.
struct Part {
    file: File,
    path: PathBuf,
    bytes: u64,
    digested: Digested,
    stop: CancellationToken,
}

impl Part {
    /// Opens what lies beside `place`, and reads it through.
    fn open(place: &Path, bytes: u64, stop: CancellationToken) -> Result<Self, Halt> {
        if place.symlink_metadata().is_ok() {
            return Err(Halt::Occupied(place.to_owned()));
        }
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let path = part_of(place);
        // A pipe would be waited for, and what a link leads to is not ours.
        if path.symlink_metadata().is_ok_and(|facts| !facts.is_file()) {
            return Err(Halt::Occupied(path));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nofollow());
        let file = options.open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Halt::Busy),
            Err(TryLockError::Error(cause)) => return Err(cause.into()),
        }
        let mut part = Self {
            file,
            path,
            bytes: 0,
            digested: Digested::default(),
            stop,
        };
        if part.file.metadata()?.len() > bytes {
            part.file.set_len(0)?;
        }
        part.digested.all(&mut part.file, &part.stop)?;
        part.bytes = part.digested.bytes;
        let needs = bytes - part.bytes + SPARED_DISK_BYTES;
        match free_bytes(&part.path) {
            Some(free) if free < needs => Err(Halt::Full { needs, free }),
            Some(_) | None => Ok(part),
        }
    }

    fn emptied(mut self) -> Result<Self, Halt> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        (self.bytes, self.digested) = (0, Digested::default());
        Ok(self)
    }

    /// Adds pieces until no more come.
    fn with<P: AsRef<[u8]>>(mut self, mut pieces: mpsc::Receiver<P>) -> io::Result<Self> {
        while let Some(piece) = pieces.blocking_recv() {
            self.file.write_all(piece.as_ref())?;
            self.digested.add(piece.as_ref());
        }
        self.bytes = self.digested.bytes;
        Ok(self)
    }

    /// Gives the file its name, if it is the one that was wanted.
    fn finished(self, wanted: &Wanted) -> Result<(), Halt> {
        if !self.digested.is(&wanted.sha256) {
            std::fs::remove_file(&self.path)?;
            return Err(Halt::Other);
        }
        self.file.sync_all()?;
        if self.stop.is_cancelled() {
            return Err(Halt::Stopped);
        }
        if wanted.place.symlink_metadata().is_ok() {
            return Err(Halt::Occupied(wanted.place.clone()));
        }
        Ok(std::fs::rename(&self.path, &wanted.place)?)
    }
}

#[cfg(unix)]
fn nofollow() -> i32 {
    i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default()
}

/// Bytes that are free where a file lies, as far as the system tells.
#[cfg(unix)]
fn free_bytes(path: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(path).ok()?;
    told.f_bavail.checked_mul(told.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_path: &Path) -> Option<u64> {
    None
}

pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Halt> + Send + 'static,
) -> Result<T, Halt> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|cause| Halt::Disk(cause.to_string()))?
}

#[cfg(test)]
mod tests;
