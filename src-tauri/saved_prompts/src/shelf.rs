//! The files of prompts: listed, read, written whole, removed.

use crate::SavedPrompts;
use crate::file::{self, PromptText, Unfit};
use crate::limits::{FIELDS_MAX, FILE_BYTES_MAX, PROMPTS_MAX};
use shidi_bundles::{KeptPlugin, Part};
use shidi_protocol::{ErrorCode, SavedPrompt, UserError, visible};
use shidi_space::errors::error;
use shidi_space::folder_files;
use shidi_space::names::{callable, is_name};
use std::io;
use std::path::{Path, PathBuf};

/// How a file's name ends.
const ENDING: &str = "md";

impl SavedPrompts {
    /// All of them by name; those that can't be used say why.
    pub fn listed(&self) -> Result<Vec<SavedPrompt>, UserError> {
        let own = folder_files::listed(&self.folder(), ENDING, PROMPTS_MAX)
            .map_err(|cause| self.unread(&self.folder(), &cause))?;
        let mut listed: Vec<SavedPrompt> = own.iter().map(|path| self.shown(path)).collect();
        for plugin in self.plugins() {
            let of_plugin = folder_files::listed(&plugin.part(Part::Prompts), ENDING, PROMPTS_MAX);
            let of_plugin = of_plugin.unwrap_or_default();
            listed.extend(of_plugin.iter().map(|path| {
                let shown = self.shown(path);
                let name = plugin.called(&shown.name);
                SavedPrompt { name, ..shown }
            }));
        }
        Ok(listed)
    }

    /// The plugins that may bring some.
    fn plugins(&self) -> impl Iterator<Item = KeptPlugin> {
        let plugins = shidi_bundles::kept(self.space.home.folder(), self.space.language());
        plugins.into_iter().filter(|plugin| plugin.is_reviewed)
    }

    /// Where a prompt of a plugin lies; `None` of any other name.
    pub fn of_plugin(&self, name: &str) -> Option<PathBuf> {
        let name = name.strip_prefix('/').unwrap_or(name);
        self.plugins().find_map(|plugin| {
            let files = folder_files::listed(&plugin.part(Part::Prompts), ENDING, PROMPTS_MAX).ok()?;
            let mut named = files.into_iter();
            named.find(|path| plugin.called(&stem(path)) == name)
        })
    }

    /// Refuses to change what a plugin brought.
    pub fn own(&self, name: &str) -> Result<(), UserError> {
        if self.of_plugin(name).is_none() {
            return Ok(());
        }
        let say = self.space.language().prompts();
        Err(error(
            ErrorCode::Input,
            say.of_a_plugin(visible(name)),
            say.keep_your_own(),
        ))
    }

    /// How many there are, those too that can't be used.
    pub fn count(&self) -> usize {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == ENDING))
            .count()
    }

    fn shown(&self, path: &Path) -> SavedPrompt {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let read = match is_name(&name) {
            true => self.read(path),
            false => Err(self.unnamed(&name)),
        };
        let (text, problem) = match read {
            Ok(text) => (Some(text), None),
            Err(error) => (None, Some(error.message)),
        };
        let (description, text, fields) = text
            .map(|text| (text.description, text.text, text.fields))
            .unwrap_or_default();
        SavedPrompt {
            name,
            description,
            text,
            fields,
            path: path.display().to_string(),
            problem,
        }
    }

    /// The prompt of a file, wherever that lies.
    pub fn read(&self, path: &Path) -> Result<PromptText, UserError> {
        // Looked at before it is opened: a pipe would wait for whoever writes.
        let unread = |cause: io::Error| self.unread(path, &cause);
        if !std::fs::metadata(path).map_err(unread)?.is_file() {
            return Err(self.unfit(path, &Unfit::NotAFile));
        }
        let bytes = folder_files::bytes(path, FILE_BYTES_MAX).map_err(unread)?;
        file::read(&stem(path), &bytes).map_err(|unfit| self.unfit(path, &unfit))
    }

    pub fn named(&self, name: &str) -> Result<PromptText, UserError> {
        self.read(&self.whole(name)?)
    }

    /// Where a prompt lies, one of the user's own or of a plugin.
    pub fn whole(&self, name: &str) -> Result<PathBuf, UserError> {
        match self.of_plugin(name) {
            Some(path) => Ok(path),
            None => self.there(name),
        }
    }

    /// Where the prompt of that name lies, whether it can be used or not.
    fn there(&self, name: &str) -> Result<PathBuf, UserError> {
        // A prompt is shown as it is called.
        let name = name.strip_prefix('/').unwrap_or(name);
        let path = self.folder().join(format!("{name}.{ENDING}"));
        // Any stem that was listed, and nothing that leads elsewhere.
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']) && path.symlink_metadata().is_ok();
        is_plain.then_some(path).ok_or_else(|| {
            let say = self.space.language().prompts();
            error(
                ErrorCode::NotFound,
                say.no_such_prompt(visible(name)),
                say.see_prompts(),
            )
        })
    }

    /// Where a prompt of that name lies, or would.
    pub fn place(&self, name: &str) -> Result<PathBuf, UserError> {
        match is_name(name) {
            true => Ok(self.folder().join(format!("{name}.{ENDING}"))),
            false => Err(self.unnamed(name)),
        }
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), UserError> {
        let path = self.place(name)?;
        file::read(name, text.as_bytes()).map_err(|unfit| self.unfit(&path, &unfit))?;
        let kept = std::fs::create_dir_all(self.folder())
            .and_then(|()| shidi_atomic_write::write(&path, text.as_bytes()));
        kept.map_err(|cause| self.unwritten(&path, &cause))
    }

    pub fn delete(&self, name: &str) -> Result<(), UserError> {
        self.own(name)?;
        let path = self.there(name)?;
        std::fs::remove_file(&path).map_err(|cause| self.unwritten(&path, &cause))
    }

    fn unnamed(&self, name: &str) -> UserError {
        let say = self.space.language().prompts();
        let hint = match callable(name) {
            other if other.is_empty() => say.name_it().to_owned(),
            other => say.name_it_so(other),
        };
        error(ErrorCode::Input, say.no_name(visible(name)), hint)
    }

    pub fn unfit(&self, path: &Path, unfit: &Unfit) -> UserError {
        let say = self.space.language().prompts();
        let path = path.display().to_string();
        let shown = visible(&path);
        let (message, hint) = match unfit {
            Unfit::NotAFile => (say.not_a_file(shown), say.move_it_away()),
            Unfit::NotText => (say.not_text(shown), say.save_as_utf8()),
            Unfit::TooLarge => (say.too_large(FILE_BYTES_MAX / 1024, shown), say.shorten_it()),
            Unfit::Head { line, why } => (
                say.head_unreadable(line, shown, visible(why)),
                say.mend_the_head(),
            ),
            Unfit::Empty => (say.is_empty(shown), say.write_something()),
            Unfit::TooManyFields => (say.too_many_fields(FIELDS_MAX, shown), say.shorten_it()),
        };
        error(ErrorCode::Input, message, hint)
    }

    pub fn unread(&self, path: &Path, cause: &io::Error) -> UserError {
        let say = self.space.language().space();
        error(
            ErrorCode::Input,
            say.unread(cause, path.display()),
            say.check_permissions_or_move(),
        )
    }

    pub fn unwritten(&self, path: &Path, cause: &io::Error) -> UserError {
        let say = self.space.language().prompts();
        error(
            ErrorCode::Storage,
            say.not_written(cause, path.display()),
            say.check_the_disk(),
        )
    }
}

/// The name of a file without what other programs put behind it: `polish` of `polish.prompt.md`.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_default();
    stem.strip_suffix(".prompt").map(str::to_owned).unwrap_or(stem)
}
