//! Starts the program at login, if the user wants so, in the way of each platform. Off by default.

use crate::settings::Autostart;
use std::io;

/// Makes the system's list of programs agree with the setting. A failure is only logged; the next start tries again.
pub fn follow(wanted: Autostart) {
    let done = match wanted {
        Autostart::On => std::env::current_exe().and_then(|program| system::add(&program)),
        Autostart::Off => system::remove(),
    };
    match done {
        Ok(()) => {}
        Err(error) if wanted == Autostart::Off && error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(%error, "Starting at login could not be set"),
    }
}

/// An entry of the XDG autostart folder.
#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::io;
    use std::path::{Path, PathBuf};

    const NAME: &str = "dev.shidi.desktop.desktop";

    pub fn add(program: &Path) -> io::Result<()> {
        let file = file()?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let entry = entry(program);
        if fs::read_to_string(&file).is_ok_and(|there| there == entry) {
            return Ok(());
        }
        shidi_atomic_write::write(&file, entry.as_bytes())
    }

    pub fn remove() -> io::Result<()> {
        fs::remove_file(file()?)
    }

    fn file() -> io::Result<PathBuf> {
        let folder = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
        let config =
            config.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
        Ok(config.join("autostart").join(NAME))
    }

    fn entry(program: &Path) -> String {
        format!(
            "[Desktop Entry]\nType=Application\nName=Shidi\nName[zh_CN]=师弟\nExec={}\nIcon=shidi-desktop\nTerminal=false\n",
            quoted(&program.to_string_lossy())
        )
    }

    /// The text in the form of the specification: in quotes, with its special characters escaped twice.
    fn quoted(path: &str) -> String {
        let mut text = String::from('"');
        for sign in path.chars() {
            match sign {
                '"' | '`' | '$' => text.extend(['\\', '\\', sign]),
                '\\' => text.push_str("\\\\\\\\"),
                '%' => text.push_str("%%"),
                other => text.push(other),
            }
        }
        text.push('"');
        text
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_path_of_any_signs_is_one_word_of_the_entry() {
            assert_eq!(quoted("/opt/师 弟/shidi"), "\"/opt/师 弟/shidi\"");
            assert_eq!(quoted("/a$b%c\"d"), "\"/a\\\\$b%%c\\\\\"d\"");
        }
    }
}

/// A launch agent (compiled there, not tried yet).
#[cfg(target_os = "macos")]
mod system {
    use std::fs;
    use std::io;
    use std::path::{Path, PathBuf};

    pub fn add(program: &Path) -> io::Result<()> {
        let file = file()?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let program = program
            .to_string_lossy()
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let agent = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\
             <key>Label</key><string>dev.shidi.desktop</string>\n\
             <key>ProgramArguments</key><array><string>{program}</string></array>\n\
             <key>RunAtLoad</key><true/>\n</dict></plist>\n"
        );
        fs::write(file, agent)
    }

    pub fn remove() -> io::Result<()> {
        fs::remove_file(file()?)
    }

    fn file() -> io::Result<PathBuf> {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
        Ok(home.join("Library/LaunchAgents/dev.shidi.desktop.plist"))
    }
}

/// A value in the user's own part of the registry (compiled there, not tried yet).
#[cfg(target_os = "windows")]
mod system {
    use std::io;
    use std::path::Path;
    use std::process::Command;

    const KEY: &str = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";

    pub fn add(program: &Path) -> io::Result<()> {
        let value = format!("\"{}\"", program.display());
        registry(&["add", KEY, "/v", "Shidi", "/t", "REG_SZ", "/d", &value, "/f"])
    }

    pub fn remove() -> io::Result<()> {
        registry(&["delete", KEY, "/v", "Shidi", "/f"])
            .map_err(|_| io::Error::new(io::ErrorKind::NotFound, "there is no such value"))
    }

    fn registry(arguments: &[&str]) -> io::Result<()> {
        match Command::new("reg").args(arguments).status()?.success() {
            true => Ok(()),
            false => Err(io::Error::other("the registry refused")),
        }
    }
}
