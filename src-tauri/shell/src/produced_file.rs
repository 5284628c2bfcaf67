//! Opens files that tasks made, by the user's click. A file that only shows itself opens in the system's program for
//! it. Anything else is shown in its folder. A file that can run is never started from here.

use crate::system::{file_manager, links};
use crate::words;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::path::{Path, PathBuf};
use tauri::AppHandle;

/// Endings of files that programs only show: pages are not among them, since they load from elsewhere what they please.
const SHOWN: [&str; 46] = [
    "avif", "bmp", "bz2", "c", "csv", "docx", "epub", "flac", "gif", "go", "gz", "ini", "java", "jpeg",
    "jpg", "json", "log", "m4a", "md", "mkv", "mov", "mp3", "mp4", "odp", "ods", "odt", "ogg", "opus", "pdf",
    "png", "pptx", "rs", "rtf", "tar", "tif", "tiff", "toml", "ts", "tsv", "txt", "wav", "webm", "webp",
    "xlsx", "yaml", "zip",
];

/// What becomes of a file that is to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// A program shows it.
    Shown,
    /// Its folder is shown with it.
    InItsFolder,
}

/// Opens a file or folder; what may run is shown in its folder instead.
///
/// # Errors
/// Nothing there, a path that is none, no program that shows it.
pub fn open(app: &AppHandle, path: &str, language: Language) -> Result<(), UserError> {
    let path = found(path, language)?;
    match opening(&path) {
        Opening::Shown => links::hand_over(&path.to_string_lossy()).map_err(|error| {
            tracing::warn!(%error, "A file could not be opened");
            let (message, hint) = words::file_not_opened(language);
            UserError::new(ErrorCode::System, message).hint(hint)
        }),
        Opening::InItsFolder => {
            file_manager::show(app, path);
            Ok(())
        }
    }
}

/// Shows a file in its folder.
///
/// # Errors
/// Nothing there, a path that is none.
pub fn show(app: &AppHandle, path: &str, language: Language) -> Result<(), UserError> {
    file_manager::show(app, found(path, language)?);
    Ok(())
}

/// The path of something that is there; a link is taken for itself.
fn found(path: &str, language: Language) -> Result<PathBuf, UserError> {
    let is_path = Path::new(path).is_absolute() && !path.chars().any(char::is_control);
    let path = Some(PathBuf::from(path)).filter(|path| is_path && path.symlink_metadata().is_ok());
    path.ok_or_else(|| {
        let (message, hint) = words::file_gone(language);
        UserError::new(ErrorCode::NotFound, message).hint(hint)
    })
}

fn opening(path: &Path) -> Opening {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    match path.symlink_metadata() {
        // Elsewhere folders may be programs.
        Ok(facts) if facts.is_dir() && cfg!(target_os = "linux") => Opening::Shown,
        Ok(facts) if facts.is_file() && SHOWN.contains(&ending.as_str()) => Opening::Shown,
        Ok(_) | Err(_) => Opening::InItsFolder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_can_run_or_loads_from_elsewhere_is_shown_in_its_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (name, expected) in [
            ("报告.docx", Opening::Shown),
            ("TABLE.CSV", Opening::Shown),
            ("chart.png", Opening::Shown),
            ("run.sh", Opening::InItsFolder),
            ("app.desktop", Opening::InItsFolder),
            ("tool.AppImage", Opening::InItsFolder),
            ("setup.exe", Opening::InItsFolder),
            ("macro.xlsm", Opening::InItsFolder),
            ("page.html", Opening::InItsFolder),
            ("drawing.svg", Opening::InItsFolder),
            ("no-ending", Opening::InItsFolder),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, "x").unwrap();
            assert_eq!(opening(&path), expected, "{name}");
        }
        #[cfg(unix)]
        {
            let link = folder.path().join("link.txt");
            std::os::unix::fs::symlink(folder.path().join("run.sh"), &link).unwrap();
            assert_eq!(opening(&link), Opening::InItsFolder);
        }
    }

    #[test]
    fn only_whole_paths_of_what_is_there_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "x").unwrap();
        assert_eq!(found(path.to_str().unwrap(), Language::SOURCE).unwrap(), path);
        for path in [
            "a.txt",
            "-x",
            "",
            "/nowhere/at/all",
            "/tmp\n",
            "https://example.org",
        ] {
            assert!(found(path, Language::SOURCE).is_err(), "{path}");
        }
    }

    #[test]
    fn endings_stand_in_their_order() {
        assert!(SHOWN.is_sorted());
    }
}
