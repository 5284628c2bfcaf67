//! Asks a Wayland compositor for layers, over its socket and without a library: a doctor opens no window.

use crate::limits::COMPOSITOR_WAIT;
use crate::own_windows::OwnWindows;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// The compositor's global that makes layers.
const LAYERS: &[u8] = b"zwlr_layer_shell_v1\0";
/// The library that the desktop program asks with, as systems list it.
const LIBRARY: &[u8] = b"libgtk-layer-shell.so.0\0";
/// Where the system's loader keeps the names of all libraries.
const KNOWN_LIBRARIES: &str = "/etc/ld.so.cache";
/// Bytes that a compositor tells of itself; sway needs 2,000.
const TOLD_MOST: usize = 1 << 16;

/// Objects of the protocol: the first is given, the others are ours.
const DISPLAY: u32 = 1;
const REGISTRY: u32 = 2;
const DONE: u32 = 3;
/// `wl_display.sync` and `wl_display.get_registry`.
const SYNC: u32 = 0;
const GET_REGISTRY: u32 = 1;
/// The first event of each of our objects: an error, a global, and that all was told.
const FIRST_EVENT: u32 = 0;
/// Bytes of a message before its arguments.
const HEAD: usize = 8;
/// Bytes before a global's name: a number, and the length of the name.
const BEFORE_NAME: usize = 8;

/// How the desktop of this session lets ball and panel stand.
pub fn own_windows() -> Option<OwnWindows> {
    let is_set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let display = is_set("WAYLAND_DISPLAY")?;
    if prefers_x11(is_set("GDK_BACKEND")) && is_set("DISPLAY").is_some() {
        return Some(OwnWindows::OfX11);
    }
    // An absolute name stands for itself.
    let socket = PathBuf::from(is_set("XDG_RUNTIME_DIR")?).join(display);
    match has_layers(&socket) {
        Ok(true) if is_known(Path::new(KNOWN_LIBRARIES)) => Some(OwnWindows::Layers),
        Ok(true) => Some(OwnWindows::NoLibrary),
        Ok(false) => Some(OwnWindows::NoLayers),
        Err(error) => {
            tracing::debug!(%error, "The compositor does not say what it has");
            None
        }
    }
}

/// Whether the window library opens X11 where it can: unless the user chose otherwise.
fn prefers_x11(chosen: Option<OsString>) -> bool {
    chosen.is_none_or(|chosen| chosen.to_string_lossy().starts_with("x11"))
}

/// Whether the loader knows the library. A system without such a list is believed to have it.
fn is_known(list: &Path) -> bool {
    std::fs::read(list).map_or(true, |names| {
        names.windows(LIBRARY.len()).any(|name| name == LIBRARY)
    })
}

fn has_layers(socket: &Path) -> io::Result<bool> {
    let mut compositor = UnixStream::connect(socket)?;
    compositor.set_read_timeout(Some(COMPOSITOR_WAIT))?;
    compositor.set_write_timeout(Some(COMPOSITOR_WAIT))?;
    let asked = [[DISPLAY, GET_REGISTRY, REGISTRY], [DISPLAY, SYNC, DONE]];
    for [object, request, new] in asked {
        let size = (HEAD + size_of::<u32>()) as u32;
        for word in [object, size << 16 | request, new] {
            compositor.write_all(&word.to_ne_bytes())?;
        }
    }
    is_told(&mut compositor)
}

/// Whether layers are among what the compositor tells.
fn is_told(compositor: &mut impl Read) -> io::Result<bool> {
    let (mut told, mut found) = (0, false);
    loop {
        let object = word(compositor)?;
        let about = word(compositor)?;
        let (size, event) = ((about >> 16) as usize, about & 0xFFFF);
        told += size;
        let arguments = size.checked_sub(HEAD).filter(|_| told <= TOLD_MOST);
        let mut arguments = vec![0; arguments.ok_or(io::ErrorKind::InvalidData)?];
        compositor.read_exact(&mut arguments)?;
        match (object, event) {
            (REGISTRY, FIRST_EVENT) => {
                let name = arguments.get(BEFORE_NAME..);
                found |= name.is_some_and(|name| name.starts_with(LAYERS));
            }
            (DONE, FIRST_EVENT) => return Ok(found),
            (DISPLAY, FIRST_EVENT) => return Err(io::ErrorKind::InvalidData.into()),
            _ => {}
        }
    }
}

fn word(compositor: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; size_of::<u32>()];
    compositor.read_exact(&mut bytes)?;
    Ok(u32::from_ne_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    fn event(object: u32, event: u32, arguments: &[u8]) -> Vec<u8> {
        let size = (HEAD + arguments.len()) as u32;
        let head = [object.to_ne_bytes(), (size << 16 | event).to_ne_bytes()].concat();
        [head, arguments.to_vec()].concat()
    }

    fn global(name: &str) -> Vec<u8> {
        let mut text = [name.as_bytes(), &[0]].concat();
        let length = text.len() as u32;
        text.resize(text.len().next_multiple_of(4), 0);
        let before = [1u32.to_ne_bytes(), length.to_ne_bytes()].concat();
        event(
            REGISTRY,
            FIRST_EVENT,
            &[before, text, 4u32.to_ne_bytes().to_vec()].concat(),
        )
    }

    fn done() -> Vec<u8> {
        event(DONE, FIRST_EVENT, &7u32.to_ne_bytes())
    }

    #[test]
    fn a_compositor_has_layers_if_it_tells_of_them() {
        let with = [global("wl_seat"), global("zwlr_layer_shell_v1"), done()].concat();
        assert!(is_told(&mut with.as_slice()).unwrap());
        let without = [global("wl_seat"), global("zwlr_layer_shell_v1_x"), done()].concat();
        assert!(!is_told(&mut without.as_slice()).unwrap());
    }

    #[test]
    fn what_is_cut_off_too_long_or_refused_is_an_error() {
        let told = [global("zwlr_layer_shell_v1"), done()].concat();
        for end in 0..told.len() {
            assert!(is_told(&mut &told[..end]).is_err(), "{end}");
        }
        let endless = global("wl_output").repeat(TOLD_MOST / 20);
        assert!(is_told(&mut endless.as_slice()).is_err());
        let tiny = [DONE.to_ne_bytes(), (4u32 << 16).to_ne_bytes()].concat();
        assert!(is_told(&mut tiny.as_slice()).is_err());
        let refused = event(DISPLAY, FIRST_EVENT, &[0; 12]);
        assert!(is_told(&mut refused.as_slice()).is_err());
    }

    #[test]
    fn the_compositor_is_asked_over_its_socket() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("wayland-7");
        let listener = UnixListener::bind(&socket).unwrap();
        let compositor = std::thread::spawn(move || {
            let (mut asker, _) = listener.accept().unwrap();
            let mut asked = [0; 24];
            asker.read_exact(&mut asked).unwrap();
            let answer = [global("zwlr_layer_shell_v1"), done()].concat();
            asker.write_all(&answer).unwrap();
            asked
        });
        assert!(has_layers(&socket).unwrap());
        let words = [1u32, 12 << 16 | 1, 2, 1, 12 << 16, 3];
        assert_eq!(
            compositor.join().unwrap().to_vec(),
            words.map(u32::to_ne_bytes).concat()
        );
        assert!(has_layers(&folder.path().join("nobody")).is_err());
    }

    #[test]
    fn the_library_is_looked_for_in_the_loaders_list() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("ld.so.cache");
        std::fs::write(&list, b"libgtk-3.so.0\0libgtk-layer-shell.so.0\0").unwrap();
        assert!(is_known(&list));
        std::fs::write(&list, b"libgtk-3.so.0\0libgtk4-layer-shell.so.0\0").unwrap();
        assert!(!is_known(&list));
        assert!(is_known(&folder.path().join("none")));
    }

    #[test]
    fn x11_is_preferred_unless_the_user_chose_otherwise() {
        assert!(prefers_x11(None));
        assert!(prefers_x11(Some("x11".into())));
        assert!(!prefers_x11(Some("wayland".into())));
    }
}
