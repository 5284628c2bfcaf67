//! A server at work: started, waited for until its model is loaded, watched, and killed with whoever holds it.
//!
//! A thread of its own starts it and stays until it has ended, since it is killed with that thread. The server listens
//! at a socket in a folder that only this user opens. A server that knows no sockets listens at a free port of this
//! computer. Either way the server has a key that was made for it, and is not used if it answers without.

use crate::limits::{
    DEATH_WITHIN, GONE_WITHIN, HEALTH_BYTES_MAX, HEALTH_WITHIN, LISTENS_WITHIN, LOADED_WITHIN,
    LOOKED_AT_AFTER, LOOKED_AT_EVERY, WATCHED_EVERY,
};
use crate::program::{KEY, Place};
use crate::words::{End, Words};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use shidi_toolkits::shell::{Confined, SandboxUnavailable, Serving, serve};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{oneshot, watch};

/// How folders of servers are called, before the number of the program that made them.
const PREFIX: &str = "shidi-model-";

/// A server whose process was started. Dropping it kills the process.
pub struct Server {
    pub place: Place,
    pub key: SecretString,
    child: Arc<Mutex<Child>>,
    end: watch::Receiver<Option<End>>,
    /// Where its socket lies.
    _folder: TempDir,
}

/// Why a started server can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    Walls(SandboxUnavailable),
    /// No folder or port could be had for it.
    NoPlace(String),
    Ended(End),
    /// It never listened.
    Deaf,
    /// Its model was not loaded in time.
    Slow,
    /// It answers without its key, so it is none of ours or takes none.
    Open,
}

/// A folder for a socket, and the socket in it; short, since the system bounds such paths.
pub fn folder() -> io::Result<TempDir> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let at = own
        .filter(|folder| folder.is_absolute() && folder.is_dir())
        .unwrap_or_else(std::env::temp_dir);
    let at = at.canonicalize()?;
    sweep(&at);
    let own = format!("{PREFIX}{}-", std::process::id());
    let mut folder = tempfile::Builder::new();
    folder.prefix(&own);
    // The library leaves it open for others to look into.
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    folder.tempdir_in(at)
}

/// Removes folders of programs that were killed. Their names tell whose they are.
fn sweep(at: &Path) {
    if cfg!(not(target_os = "linux")) {
        return;
    }
    for entry in at.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let rest = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        let maker = rest.and_then(|number| number.parse::<u32>().ok());
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker.to_string()).exists()) {
            // Another user's can't be removed, and need not.
            std::fs::remove_dir_all(entry.path()).unwrap_or_default();
        }
    }
}

/// A port that is free now.
pub fn free_port() -> io::Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}

/// A key that nobody knows.
pub fn new_key() -> Result<SecretString, Unready> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|cause| Unready::NoPlace(cause.to_string()))?;
    Ok(SecretString::from(hex::encode(bytes)))
}

impl Server {
    /// Starts it. The key is added to its environment.
    pub async fn start(mut serving: Serving, place: Place, folder: TempDir) -> Result<Self, Unready> {
        let key = new_key()?;
        serving
            .environment
            .push((KEY.to_owned(), key.expose_secret().to_owned()));
        let (told, started) = oneshot::channel();
        let (ended, end) = watch::channel(None);
        let work = move || keep(&serving, told, &ended);
        let thread = std::thread::Builder::new().name("model-server".to_owned());
        thread
            .spawn(work)
            .map_err(|cause| Unready::NoPlace(cause.to_string()))?;
        let broke_off = |_| Unready::NoPlace("thread".to_owned());
        let (child, confined) = started.await.map_err(broke_off)?.map_err(Unready::Walls)?;
        if confined == Confined::No {
            tracing::warn!("nothing confines the program that serves the model file on this system");
        }
        Ok(Self {
            place,
            key,
            child,
            end,
            _folder: folder,
        })
    }

    /// Waits until its model is loaded.
    pub async fn ready(&self) -> Result<(), Unready> {
        let started = Instant::now();
        let mut listens = false;
        let mut pause = LOOKED_AT_AFTER;
        loop {
            if let Some(end) = self.ended() {
                return Err(Unready::Ended(end));
            }
            match self.status("/health", true).await {
                Some(200) => break,
                Some(_) => listens = true,
                None if !listens && started.elapsed() > LISTENS_WITHIN => return Err(Unready::Deaf),
                None => {}
            }
            if started.elapsed() > LOADED_WITHIN {
                return Err(Unready::Slow);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LOOKED_AT_EVERY);
        }
        // Any program that listened at the port in its place would answer here.
        match self.status("/props", false).await {
            Some(401 | 403) => Ok(()),
            Some(_) | None => Err(Unready::Open),
        }
    }

    /// Why it has ended, where it has.
    pub fn ended(&self) -> Option<End> {
        self.end.borrow().clone()
    }

    /// The same, after a moment for one that is just ending.
    pub async fn ending(&self) -> Option<End> {
        let mut end = self.end.clone();
        let waited = tokio::time::timeout(DEATH_WITHIN, end.wait_for(Option::is_some));
        waited.await.ok()?.ok()?.clone()
    }

    /// The status of an answer; `None` where none came.
    async fn status(&self, path: &str, with_key: bool) -> Option<u16> {
        let key = match with_key {
            true => format!("Authorization: Bearer {}\r\n", self.key.expose_secret()),
            false => String::new(),
        };
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{key}Connection: close\r\n\r\n");
        let asking = async {
            match &self.place {
                #[cfg(unix)]
                Place::Socket(socket) => {
                    exchange(tokio::net::UnixStream::connect(socket).await?, &request).await
                }
                #[cfg(not(unix))]
                Place::Socket(_) => Err(io::Error::other("no sockets here")),
                Place::Port(port) => {
                    exchange(
                        tokio::net::TcpStream::connect(("127.0.0.1", *port)).await?,
                        &request,
                    )
                    .await
                }
            }
        };
        let answered = tokio::time::timeout(HEALTH_WITHIN, asking).await.ok()?;
        status_in(&answered.ok()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // What it holds is in no file, so nothing is lost.
        self.child.lock().kill().unwrap_or_default();
        let until = Instant::now() + GONE_WITHIN;
        while self.end.borrow().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(HEALTH_BYTES_MAX).read_to_end(&mut answer).await?;
    Ok(answer)
}

fn status_in(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()
}

type Started = Result<(Arc<Mutex<Child>>, Confined), SandboxUnavailable>;

/// Starts a server and stays with it until it has ended.
fn keep(serving: &Serving, told: oneshot::Sender<Started>, ended: &watch::Sender<Option<End>>) {
    let (mut child, confined) = match serve(serving) {
        Ok(started) => started,
        Err(cause) => {
            // Nobody waits any more where the question was given up.
            told.send(Err(cause)).unwrap_or_default();
            return;
        }
    };
    let words = Arc::new(Mutex::new(Words::default()));
    let outputs: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|output| Box::new(output) as _),
        child.stderr.take().map(|output| Box::new(output) as _),
    ];
    let readers = outputs.into_iter().flatten().map(|output| {
        let words = Arc::clone(&words);
        std::thread::spawn(move || listen(output, &words))
    });
    let readers: Vec<_> = readers.collect();
    let child = Arc::new(Mutex::new(child));
    if told.send(Ok((Arc::clone(&child), confined))).is_err() {
        child.lock().kill().unwrap_or_default();
    }
    let status = loop {
        let looked = child.lock().try_wait();
        match looked {
            Ok(Some(status)) => break Some(status),
            Ok(None) => std::thread::sleep(WATCHED_EVERY),
            Err(_) => break None,
        }
    };
    for reader in readers {
        reader.join().unwrap_or_default();
    }
    let end = words.lock().end(status.and_then(code));
    ended.send_replace(Some(end));
}

fn listen(mut output: impl Read, words: &Mutex<Words>) {
    let mut bytes = [0; 4_096];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        words.lock().add(&bytes[..count]);
    }
}

/// The code of an end; one by a signal as shells tell it, and as the walls pass it on.
fn code(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let by_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| signal + 128);
    #[cfg(not(unix))]
    let by_signal = None;
    status.code().or(by_signal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_an_answer_is_read_and_nothing_else_is_one() {
        assert_eq!(status_in(b"HTTP/1.1 503 Service Unavailable\r\nx"), Some(503));
        assert_eq!(status_in(b"HTTP/1.0 200\r\n"), Some(200));
        for none in [b"".as_slice(), b"220 mail\r\n", b"HTTP/1.1 abc\r\n", b"\xff\xff"] {
            assert_eq!(status_in(none), None);
        }
    }

    #[test]
    fn each_server_has_a_key_of_its_own_and_a_folder_that_nobody_else_opens() {
        let keys = [new_key(), new_key()].map(|key| key.map(|key| key.expose_secret().to_owned()));
        assert!(keys[0] != keys[1] && keys[0].as_ref().is_ok_and(|key| key.len() == 48));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let folder =
                folder().map(|folder| folder.path().metadata().map(|facts| facts.permissions().mode()));
            assert_eq!(
                folder.ok().and_then(Result::ok).map(|mode| mode & 0o777),
                Some(0o700)
            );
        }
    }
}
