//! The user's actions on prompts: listing, filling, keeping, removing, bringing in and taking out.

use crate::limits::PROMPTS_MAX;
use crate::shelf::stem;
use crate::{SavedPrompts, file, foreign, template};
use shidi_protocol::request::saved_prompts as request;
use shidi_protocol::{
    ErrorCode, PromptField, Reply, SavedPromptDraft, SavedPromptRequest, UnfitValue, UserError, fit_values,
    is_unseen, reply, reply_to, visible,
};
use shidi_space::errors::{error, internal};
use shidi_space::names::{callable, is_name, uncalled};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Answers a request.
///
/// # Errors
/// As [`SavedPrompts::answer`].
pub async fn answer(prompts: &Arc<SavedPrompts>, request: SavedPromptRequest) -> Result<Reply, UserError> {
    let changes = !matches!(
        request,
        SavedPromptRequest::List | SavedPromptRequest::Fill { .. } | SavedPromptRequest::Export { .. }
    );
    let _one = match changes {
        true => Some(prompts.changing.lock().await),
        false => None,
    };
    let own = Arc::clone(prompts);
    prompts.space.aside(move |_| own.answered(request)).await
}

impl SavedPrompts {
    fn answered(&self, request: SavedPromptRequest) -> Result<Reply, UserError> {
        Ok(match request {
            SavedPromptRequest::List => reply_to::<request::List>(self.all()?),
            SavedPromptRequest::Fill { name, values } => {
                reply_to::<request::Fill>(self.filled(&name, values)?)
            }
            SavedPromptRequest::Keep { draft, replaces } => {
                reply_to::<request::Keep>(self.keep(&draft, replaces.as_deref())?)
            }
            SavedPromptRequest::Remove { name } => {
                self.delete(&name)?;
                reply_to::<request::Remove>(self.changed()?)
            }
            SavedPromptRequest::Import { paths } => reply_to::<request::Import>(self.import(&paths)?),
            SavedPromptRequest::Export { names, folder } => {
                reply_to::<request::Export>(self.export(&names, Path::new(&folder))?)
            }
        })
    }

    fn all(&self) -> Result<reply::SavedPrompts, UserError> {
        Ok(reply::SavedPrompts {
            prompts: self.listed()?,
        })
    }

    fn changed(&self) -> Result<reply::SavedPrompts, UserError> {
        self.space.tell(&Reply::SavedPromptsChanged);
        self.all()
    }

    fn filled(
        &self,
        name: &str,
        mut values: BTreeMap<String, String>,
    ) -> Result<reply::FilledPrompt, UserError> {
        let prompt = self.named(name)?;
        fit_values(&prompt.fields, &values).map_err(|unfit| match unfit {
            UnfitValue::Unknown(unknown) => self.without_such(name, unknown, &prompt.fields),
            UnfitValue::Missing(field) => self.unfilled(name, &field.name),
        })?;
        for field in &prompt.fields {
            let left_out = field.optional.then(String::new);
            if let Some(value) = field.default.clone().or(left_out) {
                values.entry(field.name.clone()).or_insert(value);
            }
        }
        let text = template::filled(&prompt.text, &values);
        let text = text.map_err(|missing| self.unfilled(name, &missing))?;
        // What the eye can't see is sent by nobody's wish.
        Ok(reply::FilledPrompt {
            text: uncalled(text.chars().filter(|sign| !is_unseen(*sign)).collect()),
        })
    }

    /// A value for a field that the prompt does not have.
    fn without_such(&self, name: &str, unknown: &str, fields: &[PromptField]) -> UserError {
        let say = self.space.language().prompts();
        let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let hint = match known.is_empty() {
            true => say.has_no_fields().to_owned(),
            false => say.fields_there_are(known.join(", ")),
        };
        let message = say.no_such_field(visible(unknown), name);
        error(ErrorCode::Input, message, hint)
    }

    /// A field for which there is no value.
    fn unfilled(&self, name: &str, missing: &str) -> UserError {
        let say = self.space.language().prompts();
        let example = format!("--set {missing}=…");
        let message = say.needs_field(missing, name);
        error(ErrorCode::Input, message, say.give_the_field(example))
    }

    fn keep(
        &self,
        draft: &SavedPromptDraft,
        replaces: Option<&str>,
    ) -> Result<reply::SavedPrompts, UserError> {
        replaces.map_or(Ok(()), |name| self.own(name))?;
        // What can't be read is not written over: its words would be lost.
        let earlier = replaces.map(|name| self.named(name)).transpose()?;
        let head = earlier.map(|prompt| prompt.head).unwrap_or_default();
        let is_new = replaces != Some(draft.name.as_str());
        if is_new && self.place(&draft.name)?.exists() {
            return Err(self.taken(&draft.name));
        }
        if is_new {
            self.room()?;
        }
        let text = file::written(&draft.description, &draft.text, &draft.fields, &head);
        self.write(&draft.name, &text.map_err(|why| self.broken_off(&why))?)?;
        if let Some(before) = replaces.filter(|before| *before != draft.name) {
            self.delete(before)?;
        }
        self.changed()
    }

    /// Whether one more may be kept.
    fn room(&self) -> Result<(), UserError> {
        let say = self.space.language().prompts();
        match self.count() < PROMPTS_MAX {
            true => Ok(()),
            false => Err(error(
                ErrorCode::Input,
                say.has_enough(PROMPTS_MAX),
                say.remove_some(),
            )),
        }
    }

    fn taken(&self, name: &str) -> UserError {
        let say = self.space.language().prompts();
        error(ErrorCode::Input, say.is_taken(name), say.name_another())
    }

    /// Brings in files, and what lies directly in folders. One that can't be is told of, and the others come.
    fn import(&self, paths: &[String]) -> Result<reply::ImportedPrompts, UserError> {
        let mut imported = Vec::new();
        let mut refused = Vec::new();
        for path in self.found(paths)? {
            match self.import_one(&path) {
                Ok(name) => imported.push(name),
                Err(error) => refused.push(error),
            }
        }
        if imported.is_empty()
            && let Some(first) = refused.first()
        {
            return Err(first.clone());
        }
        let prompts = self.changed()?.prompts;
        Ok(reply::ImportedPrompts {
            prompts,
            imported,
            refused,
        })
    }

    fn found(&self, paths: &[String]) -> Result<Vec<PathBuf>, UserError> {
        let mut found = Vec::new();
        for path in paths.iter().map(Path::new) {
            if !path.is_dir() {
                found.push(path.to_owned());
                continue;
            }
            let entries = std::fs::read_dir(path).map_err(|cause| self.unread(path, &cause))?;
            let is_prompt = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
            let mut inner: Vec<PathBuf> = entries
                .flatten()
                .map(|entry| entry.path())
                .filter(is_prompt)
                .collect();
            inner.sort();
            found.append(&mut inner);
        }
        match found.is_empty() {
            true => {
                let say = self.space.language().prompts();
                Err(error(ErrorCode::Input, say.nothing_there(), say.name_markdown()))
            }
            false => Ok(found),
        }
    }

    fn import_one(&self, path: &Path) -> Result<String, UserError> {
        let read = self.read(path)?;
        let (text, head) = foreign::adopted(&read.text, &read.head);
        let prompt = file::prompt(&text, head).map_err(|unfit| self.unfit(path, &unfit))?;
        let name = match stem(path) {
            name if is_name(&name) => name,
            name => callable(&name),
        };
        if self.place(&name)?.exists() {
            let say = self.space.language().prompts();
            let message = say.file_is_taken(&name, visible(&path.display().to_string()));
            return Err(error(ErrorCode::Input, message, say.rename_the_file()));
        }
        self.room()?;
        let text = file::written(&prompt.description, &prompt.text, &prompt.fields, &prompt.head);
        self.write(&name, &text.map_err(|why| self.broken_off(&why))?)?;
        Ok(name)
    }

    fn broken_off(&self, why: &str) -> UserError {
        internal(self.space.language(), why)
    }

    /// Copies files into a folder, those of `names` or all; none that is there is written over.
    fn export(&self, names: &[String], folder: &Path) -> Result<reply::ExportedPrompts, UserError> {
        let all = self.listed()?;
        let wanted: Vec<String> = match names {
            [] => all
                .into_iter()
                .filter(|one| one.problem.is_none())
                .map(|one| one.name)
                .collect(),
            names => names.to_vec(),
        };
        for name in &wanted {
            self.named(name)?;
        }
        std::fs::create_dir_all(folder).map_err(|cause| self.unwritten(folder, &cause))?;
        let mut paths = Vec::new();
        for name in wanted {
            let from = self.whole(&name)?;
            // The sign between a plugin's name and its prompt's is in no file's name everywhere.
            let to = folder.join(format!("{}.md", name.trim_start_matches('/').replace(':', "-")));
            if to.exists() {
                let say = self.space.language().prompts();
                let message = say.is_there(visible(&to.display().to_string()));
                return Err(error(ErrorCode::Input, message, say.name_another_folder()));
            }
            let bytes = std::fs::read(&from).map_err(|cause| self.unread(&from, &cause))?;
            shidi_atomic_write::write(&to, &bytes).map_err(|cause| self.unwritten(&to, &cause))?;
            paths.push(to.display().to_string());
        }
        Ok(reply::ExportedPrompts { paths })
    }
}
