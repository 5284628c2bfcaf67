//! Keeps an unused part of the window libraries out of memory: the graphics driver, with its compiler of shaders.
//!
//! The libraries load the driver at their start, in this process and in the pages' processes (`BALL.md` has the
//! figures). The processor draws everything here. A page that fails without the driver gets the driver back.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Variables that the window libraries read once, at their start.
///
/// The web library's search for a graphics device stays on (`WEBKIT_WEB_RENDER_DEVICE_FILE` would end it). The
/// library also learns the desktop's text scale there. Without the scale every page but the first is drawn by the
/// screen's reported inches, at 200 % half as large. The search finds [`NO_DRIVER`] and takes no memory.
const LEAVES_OUT: [(&str, &str); 2] = [("GDK_GL", "disable"), ("WEBKIT_DISABLE_DMABUF_RENDERER", "1")];
/// The variable with the folders of drivers for a page's process. Then the variable with single files, which goes
/// before the folders.
const DRIVERS: &str = "__EGL_VENDOR_LIBRARY_DIRS";
const DRIVERS_BY_FILE: &str = "__EGL_VENDOR_LIBRARY_FILENAMES";
/// The folders of drivers without such a variable.
const SYSTEM_DRIVERS: [&str; 2] = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"];
/// The driver that draws nothing (`no_driver.rs`), beside the program or in the installation's `lib/shidi`.
const NO_DRIVER: &str = "libshidi_no_driver.so";
/// Its description in our folder of drivers.
const DESCRIPTION: &str = "shidi.json";

/// Our folder of drivers, once the pages use it.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Sets the variables. Must be called before any other thread runs; variables that the user set stay unchanged.
pub fn leave_out_drivers() {
    for (name, value) in LEAVES_OUT {
        if std::env::var_os(name).is_none() {
            // SAFETY: no other thread reads the environment yet.
            unsafe { std::env::set_var(name, value) };
        }
    }
    let is_free = [DRIVERS, DRIVERS_BY_FILE]
        .iter()
        .all(|name| std::env::var_os(name).is_none());
    if let Some(folder) = is_free.then(offer_no_driver).flatten() {
        // SAFETY: as above.
        unsafe { std::env::set_var(DRIVERS, FOLDER.get_or_init(|| folder)) };
    }
}

/// Gives later page processes the system's drivers: one process was lost, and the missing driver may be the cause.
pub fn take_drivers_back() {
    let Some(folder) = FOLDER.get() else { return };
    if let Err(error) = put_system_drivers(folder, &system_drivers()) {
        tracing::warn!(%error, "The pages could not be given the graphics driver");
    }
}

/// Removes the variables from a command of the user's: they are for this program only.
pub fn forget_in(command: &mut Command) {
    for (name, value) in LEAVES_OUT {
        if std::env::var_os(name).is_some_and(|set| set == value) {
            command.env_remove(name);
        }
    }
    if FOLDER.get().is_some() {
        command.env_remove(DRIVERS);
    }
}

/// Creates the folder of drivers. `None` if a part is missing; the pages then load the system's driver.
fn offer_no_driver() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let beside = own.parent()?;
    let installed = beside.parent()?.join("lib/shidi");
    let library = [beside, &installed].map(|place| place.join(NO_DRIVER));
    let library = library.iter().find(|path| path.is_file())?;
    let runtime = PathBuf::from(std::env::var_os("XDG_RUNTIME_DIR")?);
    if !runtime.is_absolute() || system_drivers().is_empty() {
        return None;
    }
    let folder = runtime.join("shidi").join("drivers");
    match put_no_driver(&folder, library) {
        Ok(()) => Some(folder),
        // A failure costs only memory, and the log is not open yet.
        Err(_) => None,
    }
}

fn system_drivers() -> Vec<PathBuf> {
    let folders = SYSTEM_DRIVERS
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok());
    let entries = folders.flat_map(|entries| entries.flatten().map(|entry| entry.path()));
    entries.filter(|path| is_description(path)).collect()
}

fn is_description(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn put_no_driver(folder: &Path, library: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let description =
        serde_json::json!({ "file_format_version": "1.0.0", "ICD": { "library_path": library } });
    std::fs::write(folder.join(DESCRIPTION), description.to_string())?;
    remove_from(folder, |name| name != DESCRIPTION)
}

fn put_system_drivers(folder: &Path, drivers: &[PathBuf]) -> io::Result<()> {
    for driver in drivers {
        if let Some(name) = driver.file_name() {
            std::fs::copy(driver, folder.join(name))?;
        }
    }
    remove_from(folder, |name| name == DESCRIPTION)
}

fn remove_from(folder: &Path, goes: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        if goes(&entry.file_name().to_string_lossy()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_set_otherwise_is_passed_on() {
        let mut command = Command::new("true");
        forget_in(&mut command);
        let removed: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
        for (name, value) in LEAVES_OUT {
            let is_ours = std::env::var_os(name).is_some_and(|set| set == value);
            assert_eq!(removed.iter().any(|removed| removed == name), is_ours, "{name}");
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_folder_names_our_driver_alone_until_the_drivers_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let ours = folder.path().join("drivers");
        let system = folder.path().join("50_mesa.json");
        std::fs::write(&system, "{}").unwrap();
        // The second time clears away the folder that another start left.
        for _ in 0..2 {
            put_no_driver(&ours, Path::new("/usr/lib/shidi/libshidi_no_driver.so")).unwrap();
            assert_eq!(names(&ours), [DESCRIPTION]);
            let said = std::fs::read_to_string(ours.join(DESCRIPTION)).unwrap();
            assert!(
                said.contains(r#""library_path":"/usr/lib/shidi/libshidi_no_driver.so""#),
                "{said}"
            );
            put_system_drivers(&ours, std::slice::from_ref(&system)).unwrap();
            assert_eq!(names(&ours), ["50_mesa.json"]);
        }
    }
}
