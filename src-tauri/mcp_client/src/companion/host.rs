//! The program between a browser and Shidi, started by the browser: passes messages on without reading them.
//!
//! The program waits until Shidi is there, and ends when either side does; the browser then starts it again.

use super::frames;
use crate::limits::COMPANION_LOOKS_EVERY;
use shidi_protocol::{Framed, Framing};
use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

/// Carries messages between the browser, behind `input` and `output`, and the socket that `find` names. Returns
/// when either side ends; the process must then exit.
///
/// # Errors
/// A browser that does not keep to its frames.
pub fn carry(
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
    find: impl Fn() -> Option<PathBuf>,
) -> io::Result<()> {
    let (sender, said) = mpsc::sync_channel(1);
    let reader = thread::spawn(move || -> io::Result<()> {
        while let Some(line) = frames::read(&mut input)? {
            if sender.send(line).is_err() {
                break;
            }
        }
        Ok(())
    });
    // The browser speaks first; until then no socket is looked for.
    let Ok(mut line) = said.recv() else {
        return reader.join().unwrap_or(Ok(()));
    };
    let stream = loop {
        match find().map(UnixStream::connect) {
            Some(Ok(stream)) => break stream,
            Some(Err(_)) | None if reader.is_finished() => return Ok(()),
            Some(Err(_)) | None => thread::sleep(COMPANION_LOOKS_EVERY),
        }
    };
    let mut to_shidi = stream.try_clone()?;
    // The thread is not joined: it may block in a pipe that only the end of this process closes.
    thread::spawn(move || {
        while to_shidi.write_all(&line).is_ok() {
            match said.recv() {
                Ok(next) => line = next,
                Err(mpsc::RecvError) => break,
            }
        }
        // If this fails, the other side is gone already.
        to_shidi.shutdown(Shutdown::Both).unwrap_or_default();
    });
    let mut lines = BufReader::new(stream);
    // Whatever listens at the socket: a line that never ends must not fill the memory. A browser takes less, too.
    let mut framing = Framing::new(frames::TO_BROWSER_BYTES_MAX + 2);
    while let Ok(Some(Framed::Line(told))) = framing.read(&mut lines) {
        if frames::write(&mut output, told.trim_ascii_end()).is_err() {
            break;
        }
    }
    Ok(())
}
