//! Starting at login by a launch agent (compiled there, not tried yet).

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
