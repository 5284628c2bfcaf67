//! Starting at login by a value in the user's own part of the registry (compiled there, not tried yet).

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
