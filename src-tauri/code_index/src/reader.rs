//! The side that has code read by readers. This side reads one text at a time, and ends each reading
//! that takes too long.

use crate::limits::{REPLY_BYTES_MAX, REPLY_WAIT};
use shidi_reader::code::{FLAG, ask};
use shidi_reader::language::Language;
use shidi_reader::outline::Outline;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Reads texts by a child that is started when the first one comes, and anew after it broke.
pub(crate) struct Reader {
    program: PathBuf,
    running: Option<Running>,
}

struct Running {
    child: Child,
    asks: SyncSender<(Language, String)>,
    answers: Receiver<io::Result<Vec<u8>>>,
}

impl Reader {
    /// A reader by `program`, which is `shidi-reader`.
    pub(crate) fn new(program: PathBuf) -> Self {
        Self {
            program,
            running: None,
        }
    }

    /// The outline of a text; `None` of one that can't be read.
    ///
    /// # Errors
    /// No child can be started.
    pub(crate) fn read(&mut self, language: Language, text: String) -> io::Result<Option<Outline>> {
        let running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.program)?,
        };
        let running = self.running.insert(running);
        let asked = running.asks.send((language, text));
        let answer = asked
            .ok()
            .and_then(|()| running.answers.recv_timeout(REPLY_WAIT).ok());
        let Some(Ok(said)) = answer else {
            // The reader broke on this text, or takes too long for it.
            self.end();
            return Ok(None);
        };
        Ok(postcard::from_bytes(&said).ok().filter(|_| !said.is_empty()))
    }

    fn end(&mut self) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        drop(running.asks);
        // A child that is gone already is just as good.
        running.child.kill().unwrap_or_default();
        if let Err(cause) = running.child.wait() {
            tracing::debug!(%cause, "a reader of code was not waited for");
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.end();
    }
}

impl Running {
    fn start(program: &PathBuf) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg(FLAG)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(mut input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the reader has no pipes"));
        };
        let (asks, asked) = sync_channel::<(Language, String)>(1);
        let (answer, answers) = sync_channel(1);
        // Both pipes may block, so that a thread of their own waits for them. The thread ends with the
        // child.
        std::thread::spawn(move || {
            while let Ok((language, text)) = asked.recv() {
                let said = ask(&mut input, language, &text).and_then(|()| said(&mut output));
                let is_over = said.is_err();
                if answer.send(said).is_err() || is_over {
                    return;
                }
            }
        });
        Ok(Self { child, asks, answers })
    }
}

/// One answer of a child.
fn said(output: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = [0; 4];
    output.read_exact(&mut head)?;
    let length = usize::try_from(u32::from_le_bytes(head)).map_err(io::Error::other)?;
    if length > REPLY_BYTES_MAX {
        return Err(io::Error::other("an answer is too long"));
    }
    let mut said = vec![0; length];
    output.read_exact(&mut said)?;
    Ok(said)
}
