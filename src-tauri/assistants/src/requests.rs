//! What the user does with assistants: lists, looks, reviews, keeps, changes, takes out, removes.

use crate::Assistants;
use crate::catalogue::{self, ENDING, Found, digest};
use crate::import::{self, Imported};
use crate::limits::IMPORT_BYTES_MAX;
use crate::markdown;
use crate::problem::{Fault, Problem};
use crate::reading;
use crate::reviews::{Review, Reviewed};
use crate::sentences;
use crate::told::file_of;
use crate::words;
use crate::writing;
use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::request::assistants as request;
use shidi_protocol::{
    AssistantForm, AssistantRequest, AssistantSource, AssistantSpec, Reply, UserError, reply, reply_to,
};
use shidi_space::prompt_parts;
use shidi_space::review_table::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an entry says of one that its user removed: its sessions must not go on without its bounds.
const REMOVED: &str = "removed";

/// Answers a request.
///
/// # Errors
/// As [`Assistants::answer`].
pub async fn answer(assistants: &Arc<Assistants>, request: AssistantRequest) -> Result<Reply, UserError> {
    let _one = match &request {
        AssistantRequest::Install { .. }
        | AssistantRequest::Approve { .. }
        | AssistantRequest::Save { .. }
        | AssistantRequest::Remove { .. } => Some(assistants.changing.lock().await),
        AssistantRequest::List
        | AssistantRequest::Show { .. }
        | AssistantRequest::Check { .. }
        | AssistantRequest::Review { .. }
        | AssistantRequest::Write { .. }
        | AssistantRequest::Try { .. }
        | AssistantRequest::Export { .. } => None,
    };
    let own = Arc::clone(assistants);
    assistants.space.aside(move |_| own.answered(request)).await
}

impl Assistants {
    fn answered(&self, request: AssistantRequest) -> Result<Reply, UserError> {
        Ok(match request {
            AssistantRequest::List => reply_to::<request::List>(self.list()?),
            AssistantRequest::Show { name } => reply_to::<request::Show>(self.show(&name)?),
            AssistantRequest::Check { file, text } => reply_to::<request::Check>(self.check(&file, &text)?),
            AssistantRequest::Review { path } => reply_to::<request::Review>(self.review(&path)?),
            AssistantRequest::Install { review, names } => {
                reply_to::<request::Install>(self.install(&review, &names)?)
            }
            AssistantRequest::Approve { name, digest } => {
                reply_to::<request::Approve>(self.approve(&name, &digest)?)
            }
            AssistantRequest::Write { spec, text } => reply_to::<request::Write>(self.written(&spec, &text)?),
            AssistantRequest::Save { text, earlier } => {
                reply_to::<request::Save>(self.save(&text, earlier.as_deref())?)
            }
            AssistantRequest::Try {
                session: _,
                text,
                earlier,
            } => reply_to::<request::Try>(self.take_draft(&text, earlier.as_deref())?),
            AssistantRequest::Export { name, form, path } => {
                reply_to::<request::Export>(self.export(&name, form, path.as_deref())?)
            }
            AssistantRequest::Remove { name } => reply_to::<request::Remove>(self.remove(&name)?),
        })
    }

    fn list(&self) -> Result<reply::Assistants, UserError> {
        let all = self.all(&self.entries()?);
        let hotkeys = self.hotkeys(&all);
        let mut listed: Vec<_> = all.iter().map(|found| self.listed(found, &hotkeys)).collect();
        // The usual one first, then as they are chosen.
        listed.sort_by_key(|one| one.name != shidi_space::assistants::USUAL);
        Ok(reply::Assistants { assistants: listed })
    }

    fn show(&self, name: &str) -> Result<reply::Assistant, UserError> {
        let all = self.all(&self.entries()?);
        let found =
            own_of(&all, name).ok_or_else(|| sentences::none_of_that_name(name, self.space.language()))?;
        Ok(reply::Assistant {
            assistant: self.detail(found, &self.hotkeys(&all)),
        })
    }

    fn check(&self, file: &str, text: &str) -> Result<reply::AssistantCheck, UserError> {
        let import = import::import(&file.into(), text.as_bytes());
        let all = self.all(&self.entries()?);
        let hotkeys = self.hotkeys(&all);
        let details = import.assistants.iter().map(|imported| {
            let there = own_of(&all, &imported.spec.name);
            let shown = (&imported.spec, imported.text.as_str(), &imported.document);
            self.proposed(shown, &imported.left_out, there, &hotkeys)
        });
        Ok(reply::AssistantCheck {
            assistants: details.collect(),
            faults: words::told(&import.refused, self.space.language()),
        })
    }

    fn review(&self, path: &str) -> Result<reply::AssistantReview, UserError> {
        let language = self.space.language();
        let source = Path::new(path.trim());
        let bytes = catalogue::bytes(source, IMPORT_BYTES_MAX);
        let bytes = bytes.map_err(|cause| sentences::unread(path, &cause, language))?;
        let import = import::import(&catalogue::shown(source).into(), &bytes);
        let all = self.all(&self.entries()?);
        let hotkeys = self.hotkeys(&all);
        let mut names: Vec<String> = Vec::new();
        let (mut reviewed, mut details) = (Vec::new(), Vec::new());
        for mut imported in import.assistants {
            let there = self.place_for(&all, &mut imported, &names)?;
            names.push(imported.spec.name.clone());
            let Imported {
                spec,
                text,
                document,
                left_out,
                origin: _,
            } = imported;
            details.push(self.proposed((&spec, &text, &document), &left_out, there, &hotkeys));
            reviewed.push(Reviewed { spec, text });
        }
        let review = Review {
            id: digest(&bytes),
            from: path.trim().to_owned(),
            assistants: reviewed,
        };
        let id = review.id.clone();
        self.reviews.keep(review);
        Ok(reply::AssistantReview {
            review: id,
            assistants: details,
            refused: words::told(&import.refused, language),
        })
    }

    /// Whose place an import takes: that of the one that came from the same before, whatever it is called now. Another one
    /// that only has its name keeps it. Of several from the same, the one of its name comes first, and each is taken once.
    fn place_for<'a>(
        &self,
        all: &'a [Found],
        imported: &mut Imported,
        taken: &[String],
    ) -> Result<Option<&'a Found>, UserError> {
        let origin_of = |found: &Found| Some(found.read.as_ref().ok()?.document.get("origin")?.clone());
        let is_foreign = imported.origin.is_some();
        let same = all.iter().filter(|found| {
            is_foreign
                && found.source == AssistantSource::User
                && !taken.contains(&found.name)
                && origin_of(found) == imported.origin
        });
        let same: Vec<&Found> = same.collect();
        let of_name = same.iter().find(|found| found.name == imported.spec.name);
        let known = of_name.or_else(|| same.first()).copied();
        let name = match known {
            Some(known) => known.name.clone(),
            None if is_foreign => free_name(&imported.spec.name, |name| {
                all.iter().any(|found| found.name == name) || taken.iter().any(|other| other == name)
            }),
            None => imported.spec.name.clone(),
        };
        if name != imported.spec.name {
            imported.spec.name = name;
            imported.text = self.written(&imported.spec, &imported.text)?.text;
        }
        Ok(own_of(all, &imported.spec.name))
    }

    fn install(&self, review: &str, names: &[String]) -> Result<reply::Assistants, UserError> {
        let language = self.space.language();
        let reviewed = self
            .reviews
            .named(review)
            .ok_or_else(|| sentences::no_such_review(language))?;
        let is_there = |name: &String| reviewed.assistants.iter().any(|one| one.spec.name == *name);
        if let Some(missing) = names.iter().find(|name| !is_there(name)) {
            return Err(sentences::none_of_that_name(missing, language));
        }
        let wanted = reviewed
            .assistants
            .iter()
            .filter(|one| names.is_empty() || names.contains(&one.spec.name));
        for one in wanted {
            self.keep(&one.spec, &one.text, Some(reviewed.from.clone()))?;
        }
        self.reviews.discard(review);
        self.changed();
        self.list()
    }

    /// Keeps a text as the user's own, as it was reviewed.
    fn keep(&self, spec: &AssistantSpec, text: &str, from: Option<String>) -> Result<(), UserError> {
        let language = self.space.language();
        let entries = self.entries()?;
        let all = self.all(&entries);
        let there = own_of(&all, &spec.name).and_then(|found| found.path.clone());
        let path = there.unwrap_or_else(|| self.file_for(&spec.name));
        std::fs::create_dir_all(self.own())
            .and_then(|()| shidi_atomic_write::write(&path, text.as_bytes()))
            .map_err(|cause| sentences::not_kept(&cause, language))?;
        let earlier = entries.get(&spec.name).and_then(|entry| entry.from.clone());
        let entry = Entry {
            off: false,
            digest: Some(digest(text.as_bytes())),
            from: from.or(earlier),
        };
        self.note(&spec.name, &entry)
    }

    fn file_for(&self, name: &str) -> PathBuf {
        self.own().join(format!("{name}.{ENDING}"))
    }

    fn approve(&self, name: &str, digest: &str) -> Result<reply::Assistants, UserError> {
        let found = self.own_named(name)?;
        if found.read.is_err() {
            return Err(self.unusable(&found));
        }
        if found.digest != digest {
            return Err(sentences::changed_meanwhile(name, self.space.language()));
        }
        let entry = Entry {
            digest: Some(digest.to_owned()),
            ..found.entry.clone()
        };
        self.note(name, &entry)?;
        self.changed();
        self.list()
    }

    fn written(&self, spec: &AssistantSpec, text: &str) -> Result<reply::AssistantText, UserError> {
        let earlier = reading::tree(&file_of(&spec.name), text.as_bytes(), IMPORT_BYTES_MAX);
        let earlier = earlier.map_or(Value::Null, |node| node.json());
        let text = writing::text(spec, &earlier).map_err(|why| {
            let place = shidi_yaml::Place {
                file: file_of(&spec.name),
                line: 1,
                column: 1,
            };
            let fault = Fault::new(&place, Problem::NotYaml(why));
            sentences::faulty(&[fault], self.space.language())
        })?;
        Ok(reply::AssistantText { text })
    }

    fn save(&self, text: &str, earlier: Option<&str>) -> Result<reply::Assistant, UserError> {
        let language = self.space.language();
        let read = own_of_text(text, language)?;
        let all = self.all(&self.entries()?);
        let there = own_of(&all, &read.spec.name).filter(|found| found.source == AssistantSource::User);
        let digests = (there.map(|found| found.digest.as_str()), earlier);
        if let Some(refusal) = sentences::not_replaced(&read.spec.name, digests, language) {
            return Err(refusal);
        }
        self.keep(&read.spec, text, None)?;
        self.changed();
        self.show(&read.spec.name)
    }

    fn export(
        &self,
        name: &str,
        form: AssistantForm,
        path: Option<&str>,
    ) -> Result<reply::AssistantText, UserError> {
        let found = self.named(name)?;
        let language = self.space.language();
        let read = |read: Result<reading::Read, Vec<Fault>>| {
            read.map_err(|faults| sentences::faulty(&faults, language))
        };
        let text = match form {
            AssistantForm::Yaml => found.text,
            AssistantForm::Json => read(found.read)?.document.to_string(),
            AssistantForm::Markdown => {
                let one = read(found.read)?;
                markdown::text((&one.spec, &one.document), language.code())
                    .map_err(|why| shidi_space::errors::internal(language, &why))?
            }
        };
        if let Some(path) = path {
            shidi_atomic_write::write(Path::new(path), text.as_bytes())
                .map_err(|cause| sentences::not_kept(&cause, language))?;
        }
        Ok(reply::AssistantText { text })
    }

    fn remove(&self, name: &str) -> Result<reply::Assistants, UserError> {
        let language = self.space.language();
        let found = self.named(name)?;
        if found.source == AssistantSource::BuiltIn {
            return Err(sentences::not_removable(name, language));
        }
        if let Some(path) = &found.path {
            std::fs::remove_file(path).map_err(|cause| sentences::not_kept(&cause, language))?;
        }
        let entry = Entry {
            digest: Some(REMOVED.to_owned()),
            ..Entry::default()
        };
        self.note(name, &entry)?;
        prompt_parts::forget_assistant(&self.space, name);
        self.changed();
        self.list()
    }

    fn changed(&self) {
        self.used.lock().clear();
        self.keep_hotkeys();
        self.space.tell(&Reply::AssistantsChanged);
    }

    fn named(&self, name: &str) -> Result<Found, UserError> {
        let all = self.all(&self.entries()?);
        let found = all.into_iter().find(|found| found.name == name);
        found.ok_or_else(|| sentences::none_of_that_name(name, self.space.language()))
    }

    /// An assistant of the user's own folder: no other is changed from here.
    fn own_named(&self, name: &str) -> Result<Found, UserError> {
        let found = self.named(name)?;
        match found.source {
            AssistantSource::User => Ok(found),
            AssistantSource::BuiltIn => Err(sentences::not_yours(name, self.space.language())),
        }
    }
}

/// What a text of the user's own is.
///
/// # Errors
/// The first of its faults.
pub fn own_of_text(text: &str, language: Language) -> Result<reading::Read, UserError> {
    let file: Arc<str> = file_of("assistant");
    let read =
        reading::read(&file, text.as_bytes()).map_err(|faults| sentences::faulty(&faults, language))?;
    match reading::reserved(&file, &read.spec) {
        Some(fault) => Err(sentences::faulty(&[fault], language)),
        None => Ok(read),
    }
}

/// The one of that name that is chosen.
fn own_of<'a>(all: &'a [Found], name: &str) -> Option<&'a Found> {
    all.iter().find(|found| found.name == name)
}

/// A name that nothing has yet: the wanted one, or one with a number behind it.
fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2_u32..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names
        .find(|name| !is_taken(name))
        .unwrap_or_else(|| wanted.to_owned())
}
