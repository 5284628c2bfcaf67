//! Frames of native messaging: a length of four bytes in the machine's order, then that many bytes of JSON.

use super::MESSAGE_BYTES_MAX;
use std::io::{self, Read, Write};

/// Largest message that a browser takes, in bytes; it ends the connection on a longer one.
pub const TO_BROWSER_BYTES_MAX: usize = 1 << 20;

/// The next message as one line; `None` at a proper end.
///
/// # Errors
/// An end within a frame, a length out of bounds, trouble with the pipe.
pub fn read(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let first = loop {
        match from.read(&mut length) {
            Ok(count) => break count,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    };
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[first..])?;
    let length = usize::try_from(u32::from_ne_bytes(length)).unwrap_or(usize::MAX);
    if length > MESSAGE_BYTES_MAX {
        return Err(io::Error::other("the message is too long"));
    }
    let mut message = vec![0; length];
    from.read_exact(&mut message)?;
    // A line break between JSON's tokens may be replaced by a space.
    for byte in &mut message {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    message.push(b'\n');
    Ok(Some(message))
}

/// Writes one message.
///
/// # Errors
/// A message too long for a browser, trouble with the pipe.
pub fn write(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    if message.len() > TO_BROWSER_BYTES_MAX {
        return Err(io::Error::other("the message is too long for a browser"));
    }
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    to.write_all(&length.to_ne_bytes())?;
    to.write_all(message)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_length_out_of_bounds_is_no_message() {
        let frame = [u32::MAX.to_ne_bytes().as_slice(), b"{}"].concat();
        assert!(read(&mut frame.as_slice()).is_err());
    }

    #[test]
    fn an_end_within_a_frame_is_no_proper_end() {
        let frame = [9_u32.to_ne_bytes().as_slice(), b"{}"].concat();
        assert!(read(&mut frame.as_slice()).is_err());
        assert!(read(&mut [1_u8, 0].as_slice()).is_err());
        assert!(read(&mut [].as_slice()).is_ok_and(|end| end.is_none()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_one_line(messages in proptest::collection::vec("[^\\r\\n]{0,80}", 0..8)) {
            let mut pipe = Vec::new();
            for message in &messages {
                write(&mut pipe, message.as_bytes()).unwrap();
            }
            let mut pipe = pipe.as_slice();
            for message in &messages {
                let line = read(&mut pipe).unwrap().unwrap();
                prop_assert_eq!(line, format!("{message}\n").into_bytes());
            }
            prop_assert!(read(&mut pipe).unwrap().is_none());
        }

        #[test]
        fn no_bytes_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut pipe = bytes.as_slice();
            while let Ok(Some(_)) = read(&mut pipe) {}
        }
    }
}
