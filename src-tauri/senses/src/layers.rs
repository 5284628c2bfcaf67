//! Whether ball and panel can be layers of a Wayland desktop: the desktop program decides by the same signs.
//!
//! The compositor is asked over its socket, so that a command loads no library of windows.

#[cfg(unix)]
mod compositor;

use std::path::{Path, PathBuf};

/// The protocol, and the library that speaks it for the desktop program.
const PROTOCOL: &str = "zwlr_layer_shell_v1";
const LIBRARY: &str = "libgtk-layer-shell.so.0";
/// The variable that leaves the windows ordinary ones.
const OFF: &str = "SHIDI_NO_LAYERS";
/// Where libraries are without a list of them.
const FOLDERS: [&str; 4] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
/// The list of the system's libraries.
const LISTED: &str = "/etc/ld.so.cache";

/// What ball and panel are under a Wayland desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    /// Layers above other windows.
    There,
    /// Ordinary windows: the compositor has no layers.
    NotOffered,
    /// Ordinary windows: the library is missing.
    NoLibrary,
    /// Ordinary windows: the user wants no layers.
    Off,
    /// Windows of X11, which the desktop serves as well.
    OfX11,
}

/// What ball and panel are under the Wayland desktop of that name.
#[must_use]
pub fn layers(display: &str) -> Layers {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") {
        // The desktop program prefers X11, where a window chooses its place by itself.
        Layers::OfX11
    } else if is_set(OFF) {
        Layers::Off
    } else if !has_library() {
        Layers::NoLibrary
    } else if compositor::offers(&socket(display), PROTOCOL) {
        Layers::There
    } else {
        Layers::NotOffered
    }
}

/// The display's socket, by its name or path.
fn socket(display: &str) -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").unwrap_or_default();
    Path::new(&runtime).join(display)
}

fn has_library() -> bool {
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let is_in = |folder: &Path| folder.join(LIBRARY).is_file();
    std::env::split_paths(&named).any(|folder| folder.is_absolute() && is_in(&folder))
        || FOLDERS.iter().any(|folder| is_in(Path::new(folder)))
        || std::fs::read(LISTED).is_ok_and(|listed| lists(&listed, LIBRARY))
}

/// Whether a name stands in a list of names and paths that end with a zero. The system writes one within the other.
fn lists(listed: &[u8], name: &str) -> bool {
    listed.split(|byte| *byte == 0).any(|one| {
        let before = one.strip_suffix(name.as_bytes());
        before.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
    })
}

#[cfg(not(unix))]
mod compositor {
    use std::path::Path;

    /// There is none.
    pub fn offers(_socket: &Path, _protocol: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_listed_by_its_whole_name() {
        assert!(lists(b"libgtk-3.so.0\0libgtk-layer-shell.so.0\0", LIBRARY));
        assert!(lists(b"/usr/lib/libgtk-layer-shell.so.0\0", LIBRARY));
        assert!(!lists(b"libgtk-layer-shell.so.0.8.0\0", LIBRARY));
        assert!(!lists(b"another-libgtk-layer-shell.so.0\0", LIBRARY));
    }
}
