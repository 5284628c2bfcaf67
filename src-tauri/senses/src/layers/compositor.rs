//! Asks a compositor which protocols it offers, in the words of Wayland's wire.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest wait for the whole answer.
const ANSWER_MOST: Duration = Duration::from_secs(1);
/// Bytes of an answer that are read; compositors send some 2 KiB.
const ANSWER_MAX_BYTES: usize = 64 * 1024;
/// The numbers of the display, which is there, and of the objects that are asked for.
const DISPLAY: u32 = 1;
const REGISTRY: u32 = 2;
const CALLBACK: u32 = 3;
/// Requests of the display.
const SYNC: u32 = 0;
const GET_REGISTRY: u32 = 1;
/// Bytes before a message's content, and before a registry's name of a protocol.
const HEADER: usize = 8;
const NAME_AT: usize = HEADER + 8;

/// Whether the compositor behind this socket offers a protocol.
pub fn offers(socket: &Path, protocol: &str) -> bool {
    ask(socket, protocol, Instant::now() + ANSWER_MOST).unwrap_or_else(|error| {
        tracing::debug!(%error, "The compositor did not say what it offers");
        false
    })
}

fn ask(socket: &Path, protocol: &str, until: Instant) -> io::Result<bool> {
    let mut compositor = UnixStream::connect(socket)?;
    compositor.set_write_timeout(Some(left(until)?))?;
    compositor.write_all(&question())?;
    let mut answer: Vec<u8> = Vec::new();
    loop {
        if let Some(offered) = offered(&answer, protocol) {
            return Ok(offered);
        }
        compositor.set_read_timeout(Some(left(until)?))?;
        let mut part = [0; 4096];
        let count = compositor.read(&mut part)?;
        if count == 0 || answer.len() > ANSWER_MAX_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        answer.extend(part.iter().take(count));
    }
}

/// The time until then; an error once it is over.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(left)
}

/// Asks for the registry, and for a callback after all that it tells.
fn question() -> Vec<u8> {
    let size = 12 << 16;
    let numbers = [
        [DISPLAY, size | GET_REGISTRY, REGISTRY],
        [DISPLAY, size | SYNC, CALLBACK],
    ];
    numbers.concat().into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// Whether the protocol is among what the answer names. `None` while more is to come.
fn offered(answer: &[u8], protocol: &str) -> Option<bool> {
    let mut rest = answer;
    loop {
        let object = number(rest, 0)?;
        let size = (number(rest, 4)? >> 16) as usize;
        let message = rest.get(..size.max(HEADER))?;
        match object {
            CALLBACK => return Some(false),
            REGISTRY if name_in(message) == Some(protocol.as_bytes()) => return Some(true),
            _ => {}
        }
        rest = rest.get(message.len()..)?;
    }
}

/// The name in a message of the registry, without the zero at its end.
fn name_in(message: &[u8]) -> Option<&[u8]> {
    let length = number(message, NAME_AT - 4)? as usize;
    message.get(NAME_AT..)?.get(..length.checked_sub(1)?)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_ne_bytes(*four))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::thread;

    /// A message of the registry that names a protocol.
    fn named(protocol: &str) -> Vec<u8> {
        let mut name = protocol.as_bytes().to_vec();
        name.push(0);
        let length = name.len();
        name.resize(length.next_multiple_of(4), 0);
        let size = NAME_AT + name.len() + 4;
        let head = [REGISTRY, (size as u32) << 16, 7, length as u32];
        let mut message: Vec<u8> = head.into_iter().flat_map(u32::to_ne_bytes).collect();
        message.extend(name);
        message.extend(4_u32.to_ne_bytes());
        message
    }

    fn over() -> Vec<u8> {
        let numbers = [CALLBACK, 12 << 16, 0];
        numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
    }

    #[test]
    fn a_protocol_is_offered_once_it_is_named_and_missing_once_all_are() {
        let answer = [named("wl_shm"), named("zwlr_layer_shell_v1"), over()].concat();
        assert_eq!(offered(&answer, "zwlr_layer_shell_v1"), Some(true));
        assert_eq!(offered(&answer, "zwlr_layer_shell"), Some(false));
        assert_eq!(offered(&answer, "xdg_wm_base"), Some(false));
    }

    #[test]
    fn an_answer_that_is_cut_anywhere_or_broken_says_nothing_yet() {
        let answer = [named("wl_shm"), named("wl_output"), over()].concat();
        for end in 0..answer.len() {
            assert_eq!(offered(&answer[..end], "xdg_wm_base"), None, "{end}");
        }
        assert_eq!(offered(&[0; 15], "xdg_wm_base"), None);
        assert_eq!(offered(&[255; 64], "xdg_wm_base"), None);
    }

    #[test]
    fn a_compositor_that_answers_byte_by_byte_is_left_when_the_time_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("wayland-7");
        let listener = UnixListener::bind(&socket).unwrap();
        let dripping = thread::spawn(move || {
            let (mut asker, _) = listener.accept().unwrap();
            // A message that is too long to end.
            while asker.write_all(&[255]).is_ok() {
                thread::park_timeout(Duration::from_millis(5));
            }
        });
        let until = Instant::now() + Duration::from_millis(100);
        assert!(ask(&socket, "xdg_wm_base", until).is_err());
        dripping.join().unwrap();
    }

    #[test]
    fn a_compositor_that_is_not_there_offers_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!offers(&folder.path().join("wayland-7"), "xdg_wm_base"));
    }
}
