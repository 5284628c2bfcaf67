//! Puts the companion where browsers find it: its files go into the data folder. For each browser a note names the
//! program that the browser starts to speak to us.
//!
//! The files are compiled in, so that companion and program are always of one version.

use base64::Engine as _;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shidi_locales::Language;
use shidi_mcp_client::companion::{FIREFOX_ID, HOST};
use shidi_protocol::{ErrorCode, UserError, reply};
use shidi_space::errors::error;
use shidi_space::space::{self, Space};
use std::path::{Path, PathBuf};

/// The companion's files by their paths in its folder.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../ui/companion/", $name)))),*]
    };
}

const MANIFEST: &str = "manifest.json";

const FILES: &[(&str, &[u8])] = files![
    "manifest.json",
    "background.js",
    "bounds.js",
    "browser.js",
    "calls.js",
    "content.js",
    "forms.js",
    "front.js",
    "hands/caret.js",
    "hands/find.js",
    "hands/hands.js",
    "hands/names.js",
    "hands/overlay.js",
    "hands/refs.js",
    "hands/texts.js",
    "hands/values.js",
    "icons/128.png",
    "icons/16.png",
    "icons/48.png",
    "learning.js",
    "line.js",
    "memory.js",
    "messages.js",
    "own.js",
    "page.js",
    "pairing.js",
    "pdf.js",
    "popup.css",
    "popup.html",
    "popup.js",
    "reader/boxes.js",
    "reader/buttons.js",
    "reader/changes.js",
    "reader/choices.js",
    "reader/code.js",
    "reader/dom.js",
    "reader/fields.js",
    "reader/frames.js",
    "reader/furniture.js",
    "reader/grids.js",
    "reader/inline.js",
    "reader/kind.js",
    "reader/labels.js",
    "reader/language.js",
    "reader/limits.js",
    "reader/links.js",
    "reader/markdown.js",
    "reader/measure.js",
    "reader/meta.js",
    "reader/parts.js",
    "reader/problems.js",
    "reader/read.js",
    "reader/region.js",
    "reader/secrets.js",
    "reader/sections.js",
    "reader/selection.js",
    "reader/sight.js",
    "reader/tables.js",
    "reader/words.js",
    "reading.js",
    "results.js",
    "sentences.js",
    "signal.js",
    "view.js",
    "viewers.js",
    "words.js",
];

/// The name of the program in the companion's folder that browsers start.
const PROGRAM: &str = "host";

/// A browser, and where below the user's configuration it keeps notes of programs that it may start.
struct BrowserSpec {
    name: &'static str,
    linux: &'static str,
    macos: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Chromium,
    Firefox,
}

const fn chromium(name: &'static str, linux: &'static str, macos: &'static str) -> BrowserSpec {
    let kind = Kind::Chromium;
    BrowserSpec {
        name,
        linux,
        macos,
        kind,
    }
}

/// Browsers that are looked for, with their folders in `~/.config` and `~/Library/Application Support`.
const BROWSERS: &[BrowserSpec] = &[
    chromium("chromium", "chromium", "Chromium"),
    chromium("chrome", "google-chrome", "Google/Chrome"),
    chromium("edge", "microsoft-edge", "Microsoft Edge"),
    chromium(
        "brave",
        "BraveSoftware/Brave-Browser",
        "BraveSoftware/Brave-Browser",
    ),
    chromium("vivaldi", "vivaldi", "Vivaldi"),
    BrowserSpec {
        name: "firefox",
        linux: "../.mozilla",
        macos: "Mozilla",
        kind: Kind::Firefox,
    },
];

/// Writes the companion's files, and the notes for the browsers that are named or found, or for one profile.
///
/// # Errors
/// A browser that nobody knows, none found, a disk that refuses, a system that isn't supported yet.
pub fn install(
    space: &Space,
    browsers: &[String],
    profile: Option<&Path>,
) -> Result<reply::CompanionInstalled, UserError> {
    let language = space.language();
    let mut notes = match profile {
        Some(profile) => vec![(
            "profile".to_owned(),
            profile.join("NativeMessagingHosts"),
            Kind::Chromium,
        )],
        None => Vec::new(),
    };
    if profile.is_none() || !browsers.is_empty() {
        notes.extend(wanted(browsers, language)?);
    }
    let folder = space.home.folder().join("companion");
    let written = || -> std::io::Result<()> {
        for (name, content) in FILES {
            write(&folder.join(name), content)?;
        }
        if !notes.iter().any(|(_, _, kind)| *kind == Kind::Firefox) && !is_in_firefox() {
            write(&folder.join(MANIFEST), for_chromium_alone().as_bytes())?;
        }
        let program = folder.join(PROGRAM);
        write(&program, script(space).as_bytes())?;
        make_runnable(&program)?;
        for (_, place, kind) in &notes {
            write(
                &place.join(format!("{HOST}.json")),
                note(*kind, &program).as_bytes(),
            )?;
        }
        Ok(())
    };
    written().map_err(|cause| unwritten(&cause, language))?;
    Ok(reply::CompanionInstalled {
        folder: folder.display().to_string(),
        browsers: notes.into_iter().map(|(name, _, _)| name).collect(),
    })
}

fn wanted(browsers: &[String], language: Language) -> Result<Vec<(String, PathBuf, Kind)>, UserError> {
    let base = directories::BaseDirs::new().map(|dirs| dirs.config_dir().to_owned());
    let base = base.filter(|_| cfg!(unix)).ok_or_else(|| not_here(language))?;
    let place = |known: &BrowserSpec| place_of(known, &base);
    if let Some(unknown) = browsers
        .iter()
        .find(|name| BROWSERS.iter().all(|known| known.name != name.as_str()))
    {
        return Err(no_such_browser(unknown, language));
    }
    let is_wanted = |known: &&BrowserSpec| match browsers.is_empty() {
        true => place(known).is_dir(),
        false => browsers.iter().any(|name| name == known.name),
    };
    let found: Vec<_> = BROWSERS
        .iter()
        .filter(is_wanted)
        .map(|known| (known.name.to_owned(), notes_of(known, &place(known)), known.kind))
        .collect();
    if found.is_empty() {
        Err(no_browser(language))
    } else {
        Ok(found)
    }
}

/// Whether Firefox was told of the companion before, and may have loaded this very folder.
fn is_in_firefox() -> bool {
    let base = directories::BaseDirs::new().map(|dirs| dirs.config_dir().to_owned());
    let firefox = BROWSERS.iter().find(|known| known.kind == Kind::Firefox);
    base.zip(firefox).is_some_and(|(base, firefox)| {
        let place = notes_of(firefox, &place_of(firefox, &base));
        place.join(format!("{HOST}.json")).is_file()
    })
}

fn place_of(known: &BrowserSpec, base: &Path) -> PathBuf {
    base.join(if cfg!(target_os = "macos") {
        known.macos
    } else {
        known.linux
    })
}

fn notes_of(known: &BrowserSpec, place: &Path) -> PathBuf {
    match known.kind {
        Kind::Firefox if !cfg!(target_os = "macos") => place.join("native-messaging-hosts"),
        Kind::Firefox | Kind::Chromium => place.join("NativeMessagingHosts"),
    }
}

/// The note that lets a browser start the program, for our extension alone.
fn note(kind: Kind, program: &Path) -> String {
    let mut note = json!({
        "name": HOST,
        "description": "Shidi",
        "path": program.display().to_string(),
        "type": "stdio",
    });
    match kind {
        Kind::Chromium => note["allowed_origins"] = json!([format!("chrome-extension://{}/", chromium_id())]),
        Kind::Firefox => note["allowed_extensions"] = json!([FIREFOX_ID]),
    }
    note.to_string()
}

fn manifest() -> Value {
    let found = FILES.iter().find(|(name, _)| *name == MANIFEST);
    found
        .and_then(|(_, content)| serde_json::from_slice(content).ok())
        .unwrap_or_default()
}

/// The manifest without what only Firefox takes: Chromium would list it as an error.
fn for_chromium_alone() -> String {
    let mut manifest = manifest();
    if let Some(background) = manifest.get_mut("background").and_then(Value::as_object_mut) {
        background.remove("scripts");
    }
    manifest.to_string()
}

/// The id that Chromium derives from the key in the manifest: half of its hash, in the letters from `a`.
fn chromium_id() -> String {
    let manifest = manifest();
    let key = manifest.get("key").and_then(Value::as_str).unwrap_or_default();
    let key = base64::engine::general_purpose::STANDARD
        .decode(key)
        .unwrap_or_default();
    let letter = |nibble: u8| char::from(b'a' + nibble);
    let digest = Sha256::digest(key);
    let half = digest.iter().take(16);
    half.flat_map(|byte| [letter(byte >> 4), letter(byte & 15)])
        .collect()
}

/// The program that browsers start: ourselves, for this data folder.
fn script(space: &Space) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let (program, folder) = (space::child_program(), space.home.folder());
    format!(
        "#!/bin/sh\nexec {} --data-dir {} companion host\n",
        quoted(&program),
        quoted(folder)
    )
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    shidi_atomic_write::write(path, content)
}

#[cfg(unix)]
fn make_runnable(program: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_runnable(_program: &Path) -> std::io::Result<()> {
    Ok(())
}

fn unwritten(cause: &std::io::Error, language: Language) -> UserError {
    let said = language.browser().companion_unwritten();
    error(
        ErrorCode::Storage,
        format!("{said}: {cause}"),
        language.browser().check_disk(),
    )
}

fn no_such_browser(name: &str, language: Language) -> UserError {
    let known: Vec<&str> = BROWSERS.iter().map(|known| known.name).collect();
    error(
        ErrorCode::Input,
        language.browser().unknown_browser(name),
        language.browser().known_browsers(known.join(", ")),
    )
}

fn no_browser(language: Language) -> UserError {
    error(
        ErrorCode::NotFound,
        language.browser().no_browser_found(),
        language.browser().open_browser_once(),
    )
}

fn not_here(language: Language) -> UserError {
    error(
        ErrorCode::System,
        language.browser().browsers_unsupported(),
        language.browser().works_on_linux_and_macos(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_companion_is_installed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/companion");
        let mut found = BTreeSet::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(path.strip_prefix(&root).unwrap().display().to_string());
                }
            }
        }
        let installed: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(installed, found);
    }

    #[test]
    fn browsers_let_our_extension_alone_start_the_program() {
        let program = Path::new("/home/me/.local/share/shidi/companion/host");
        let chromium: Value = serde_json::from_str(&note(Kind::Chromium, program)).unwrap();
        let origin = chromium["allowed_origins"][0].as_str().unwrap();
        let id = origin
            .trim_start_matches("chrome-extension://")
            .trim_end_matches('/');
        assert!(
            id.len() == 32 && id.bytes().all(|letter| (b'a'..=b'p').contains(&letter)),
            "{id}"
        );
        let firefox: Value = serde_json::from_str(&note(Kind::Firefox, program)).unwrap();
        assert_eq!(firefox["allowed_extensions"], json!([FIREFOX_ID]));
    }

    #[test]
    fn where_there_is_no_firefox_the_manifest_holds_nothing_that_chromium_does_not_know() {
        let manifest: Value = serde_json::from_str(&for_chromium_alone()).unwrap();
        assert_eq!(manifest["background"]["scripts"], Value::Null);
        assert_eq!(manifest["background"]["service_worker"], "background.js");
    }

    #[test]
    fn the_extension_calls_itself_as_firefox_is_told() {
        let manifest = manifest();
        assert_eq!(manifest["browser_specific_settings"]["gecko"]["id"], FIREFOX_ID);
    }
}
