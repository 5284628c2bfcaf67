//! `shidi schedule service`: a service of the user's own systemd that does what is due where no desktop program runs.
//!
//! Nothing is written before its user has seen it and agreed.

use super::super::review::decided;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::{ErrorCode, UserError};
use std::path::{Path, PathBuf};
use std::process::Command;

const UNIT: &str = "shidi-schedule.service";

#[derive(Debug, Subcommand)]
pub enum Service {
    Install {
        #[arg(long)]
        yes: bool,
    },
    Remove {
        #[arg(long)]
        yes: bool,
    },
}

/// Shows what would be written, and does it when its user says so.
pub fn serve(action: Service, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let say = console.words.language().schedule();
    let Some(folder) = folder() else {
        let refused = UserError::new(ErrorCode::Input, say.no_systemd());
        return Err(refused.hint(say.start_at_login()).into());
    };
    let path = folder.join(UNIT);
    match action {
        Service::Install { yes } => {
            let unit = unit(options)?;
            if !console.is_json() {
                console.line(&format!("{}\n\n{unit}", path.display()))?;
            }
            if !decided(yes, say.really_install().to_owned(), console)? {
                return Ok(Exit::Done);
            }
            // Nothing is written where nobody would read it.
            systemctl(&["show-environment"], console)?;
            written(&path, &unit, console)?;
            systemctl(&["daemon-reload"], console)?;
            systemctl(&["enable", UNIT], console)?;
            // One that runs already is another program, or has another data folder.
            systemctl(&["restart", UNIT], console)?;
            told(say.is_installed(), console)
        }
        Service::Remove { yes } => {
            if !path.exists() {
                return told(say.is_not_installed(), console);
            }
            if !decided(yes, say.really_uninstall(path.display()), console)? {
                return Ok(Exit::Done);
            }
            // Where systemd does not answer, the file still goes.
            let stopped = systemctl(&["disable", "--now", UNIT], console);
            std::fs::remove_file(&path).map_err(|cause| unwritten(&path, &cause, console))?;
            stopped?;
            systemctl(&["daemon-reload"], console)?;
            told(say.is_uninstalled(), console)
        }
    }
}

fn told(sentence: &str, console: &Console) -> Result<Exit, Failure> {
    match console.is_json() {
        true => console.json(&serde_json::json!({"ok": true}))?,
        false => console.line(sentence)?,
    }
    Ok(Exit::Done)
}

/// Where the user's units are; `None` where there is no systemd.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let config = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    cfg!(target_os = "linux").then(|| config.join("systemd/user"))
}

/// The unit: this very program, with the data folder that was named.
fn unit(options: &Options) -> Result<String, Failure> {
    let program = std::env::current_exe()?;
    let named = options
        .data_dir()
        .map(|folder| format!(" --data-dir {}", quoted(&folder)));
    Ok(format!(
        "[Unit]\nDescription=Shidi does what is scheduled\n\n[Service]\nExecStart={}{} schedule watch\nRestart=always\n\
         RestartSec=30\n\n[Install]\nWantedBy=default.target\n",
        quoted(&program),
        named.unwrap_or_default(),
    ))
}

/// A path as a unit has it: in quotes, with systemd's own signs doubled.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('%', "%%").replace('$', "$$"))
}

fn written(path: &Path, unit: &str, console: &Console) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| shidi_atomic_write::write(path, unit.as_bytes()))
        .map_err(|cause| unwritten(path, &cause, console).into())
}

fn unwritten(path: &Path, cause: &std::io::Error, console: &Console) -> UserError {
    let say = console.words.language().schedule();
    UserError::new(ErrorCode::Storage, say.unit_not_written(cause, path.display()))
        .hint(say.check_the_folder())
}

fn systemctl(words: &[&str], console: &Console) -> Result<(), Failure> {
    let say = console.words.language().schedule();
    let command = format!("systemctl --user {}", words.join(" "));
    let why = match Command::new("systemctl").arg("--user").args(words).output() {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(cause) => cause.to_string(),
    };
    let failed = UserError::new(ErrorCode::Input, say.systemd_refused(&command, why));
    Err(failed.hint(say.run_it_yourself(command)).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_unit_is_one_word_whatever_stands_in_it() {
        assert_eq!(quoted(Path::new("/opt/my shidi")), "\"/opt/my shidi\"");
        assert_eq!(quoted(Path::new("/a%b$c\"d\\e")), r#""/a%%b$$c\"d\\e""#);
    }
}
