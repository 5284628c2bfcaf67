//! Prompt modules in place of the built-in ones (F4.2). The user's own are `prompts/zh/NAME.xml` and
//! `prompts/en/NAME.xml` in the data folder. Over them go the modules of one assistant,
//! `prompts/assistants/ASSISTANT/zh/NAME.xml`.
//!
//! A file takes the place of the module of its name; an empty one switches it off. Read with every question, so that a
//! change holds from the next one on. A broken file is named, and nothing is guessed in its place.

use crate::errors::error;
use shidi_agent::OwnModules;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Largest module that is read, in bytes: some ten times the longest of ours.
const MODULE_BYTES_MAX: u64 = 64 << 10;

/// Files that are looked at in one folder.
const FILES_MAX: usize = 64;

/// The modules in the data folder, as a session with that assistant has them.
///
/// # Errors
/// A file that can't be read, that is none of the modules, or whose template is broken.
pub fn read(data: &Path, assistant: Option<&str>, language: Language) -> Result<OwnModules, UserError> {
    let everyones = data.join("prompts");
    let its = assistant.and_then(|name| folder_of(&everyones, name));
    let mut modules = OwnModules::default();
    for folder in [Some(everyones), its].into_iter().flatten() {
        for of in Language::ALL {
            read_folder(&folder.join(of.code()), of.code(), language, &mut modules)?;
        }
    }
    Ok(modules)
}

/// Whether there is a folder of modules for that assistant.
#[must_use]
pub fn has_own(data: &Path, assistant: &str) -> bool {
    folder_of(&data.join("prompts"), assistant).is_some_and(|folder| folder.is_dir())
}

/// Where the modules of an assistant are. None for a name that would lead out of that folder.
fn folder_of(prompts: &Path, assistant: &str) -> Option<PathBuf> {
    let mut parts = Path::new(assistant).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => Some(prompts.join("assistants").join(name)),
        _ => None,
    }
}

fn read_folder(
    folder: &Path,
    of: &str,
    language: Language,
    modules: &mut OwnModules,
) -> Result<(), UserError> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for file in files.flatten().take(FILES_MAX) {
        let path = file.path();
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        if !OwnModules::is_known(of, name) {
            let known = OwnModules::names().collect::<Vec<_>>().join(", ");
            let hint = language.space().modules_there_are(known);
            return Err(broken(&path, language.space().no_such_module(), &hint));
        }
        let text = text(&path).map_err(|cause| {
            let hint = language.space().check_encoding();
            broken(&path, &cause.to_string(), hint)
        })?;
        modules.put(of, name, text).map_err(|problem| {
            let hint = language.space().mend_or_move();
            broken(&path, &problem, hint)
        })?;
    }
    Ok(())
}

fn text(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?
        .take(MODULE_BYTES_MAX)
        .read_to_string(&mut text)?;
    Ok(text)
}

fn broken(path: &Path, problem: &str, hint: &str) -> UserError {
    error(
        ErrorCode::Input,
        format!("{}: {problem}", path.display()),
        hint.to_owned(),
    )
}
