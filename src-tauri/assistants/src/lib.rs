//! Assistants (F9.1): configurations of the one engine, a YAML file each.
//!
//! They ship with the program or lie in the user's data folder. A file decides on words, models, tools and permissions: what
//! somebody else wrote is shown and looked through before it is kept, and one that nobody has reviewed, or that has changed
//! since, can't be asked. The usual assistant has no file of the user's: it is what the settings say.

mod catalogue;
mod chosen;
mod difference;
mod hotkeys;
mod import;
mod limits;
mod markdown;
mod problem;
mod reading;
mod requests;
mod reviews;
mod sentences;
mod shipped;
mod told;
mod try_out;
mod words;
mod writing;

use catalogue::{Catalogue, Found};
use parking_lot::Mutex;
use shidi_agent::permissions::Grants;
use shidi_models::RoleSampling;
use shidi_protocol::{Ask, AssistantRequest, AssistantSpec, AssistantTrust, Reply, UserError};
use shidi_space::Space;
use shidi_space::assistant_bounds::{AssistantFiles, Bounds};
use shidi_space::assistants::USUAL;
use shidi_space::config::Config;
use shidi_space::registry::Registry;
use shidi_space::review_table::{self, Entries, Entry};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The assistants of a data folder.
pub struct Assistants {
    space: Arc<Space>,
    registry: Arc<Registry>,
    catalogue: Catalogue,
    /// What each was when it could last be used; `None` of a name without a file.
    used: Mutex<HashMap<String, Option<Used>>>,
    /// The draft that a try-out asks, in place of every file.
    draft: Mutex<Option<Used>>,
    reviews: reviews::Reviews,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
}

/// An assistant as runs take it.
#[derive(Debug, Clone)]
struct Used {
    spec: Arc<AssistantSpec>,
    bounds: Arc<Bounds>,
}

impl Used {
    fn of(spec: &AssistantSpec) -> Self {
        let bounds = Bounds {
            toolkits: spec.toolkits.clone(),
            skills: spec.skills.clone(),
            workflows: spec.workflows.clone(),
            bases: spec.knowledge.clone(),
            memory: spec.memory,
            ..Bounds::default()
        };
        Self {
            spec: Arc::new(spec.clone()),
            bounds: Arc::new(bounds),
        }
    }

    /// What is left of one that can't be used.
    fn nothing() -> Self {
        Self {
            spec: Arc::default(),
            bounds: Arc::new(Bounds::nothing()),
        }
    }
}

impl Assistants {
    /// Whoever asks what an assistant's file leaves learns it from here on.
    #[must_use]
    pub fn new(space: Arc<Space>, registry: Arc<Registry>) -> Arc<Self> {
        let own = Arc::new(Self {
            space: Arc::clone(&space),
            registry: Arc::clone(&registry),
            catalogue: Catalogue::default(),
            used: Mutex::default(),
            draft: Mutex::default(),
            reviews: reviews::Reviews::default(),
            changing: tokio::sync::Mutex::default(),
        });
        space
            .assistants
            .are(Arc::downgrade(&own) as std::sync::Weak<dyn AssistantFiles>);
        registry.assistants.get_or_init(|| Arc::clone(&space.assistants));
        own
    }

    /// The settings of a run, with its assistant's models, as its file is now.
    ///
    /// # Errors
    /// An assistant that can't be asked, or a setting that can't be.
    pub fn config(&self, ask: &Ask) -> Result<Config, UserError> {
        let spec = self.spec(ask.assistant.as_deref())?;
        let overrides = match &spec {
            Some(spec) => &chosen::overrides(spec, &ask.overrides),
            None => &ask.overrides,
        };
        self.space.config().overridden(overrides)
    }

    /// How freely the models of a run choose their words.
    #[must_use]
    pub fn sampling(&self, ask: &Ask) -> RoleSampling {
        let used = self.last(ask.assistant.as_deref());
        used.map(|used| chosen::sampling(&used.spec)).unwrap_or_default()
    }

    /// What the user grants to a run, narrowed as its assistant's file says.
    #[must_use]
    pub fn narrowed(&self, ask: &Ask, grants: Grants) -> Grants {
        match self.last(ask.assistant.as_deref()) {
            Some(used) => chosen::narrowed(&used.spec.permissions, grants),
            None => grants,
        }
    }

    /// What a prompt says of the assistant; `None` where it has no file, or its file says nothing.
    #[must_use]
    pub fn persona(&self, ask: &Ask) -> Option<shidi_agent::Persona> {
        let Used { spec, .. } = self.last(ask.assistant.as_deref())?;
        Some(shidi_agent::Persona {
            title: match spec.title.is_empty() {
                true => [(String::new(), spec.name.clone())].into(),
                false => spec.title.clone(),
            },
            prompt: spec.prompt.clone(),
            languages: spec.languages.clone(),
        })
    }

    /// Answers what a person asks of assistants.
    ///
    /// # Errors
    /// No such assistant or file, one that changed since it was shown, trouble with the disk.
    pub async fn answer(self: &Arc<Self>, request: AssistantRequest) -> Result<Reply, UserError> {
        requests::answer(self, request).await
    }

    /// What a run's assistant is, as its file is now; `None` of the usual one, and of a name that no file describes.
    fn spec(&self, assistant: Option<&str>) -> Result<Option<Arc<AssistantSpec>>, UserError> {
        if self.space.is_try_out() {
            return self.drafted().map(|draft| Some(draft.spec));
        }
        let Some(name) = assistant else {
            return Ok(None);
        };
        let entries = self.entries()?;
        let used = match self.all(&entries).into_iter().find(|found| found.name == name) {
            Some(found) => Some(self.usable(&found)?),
            None if entries.contains_key(name) => return Err(self.gone(name)),
            None if let Some(meant) = self.meant(name, &entries) => return Err(self.misspelt(name, &meant)),
            None => None,
        };
        let spec = used.as_ref().map(|used| Arc::clone(&used.spec));
        self.used.lock().insert(name.to_owned(), used);
        Ok(spec)
    }

    /// Refuses to begin with a name of which there is nothing: it would be answered as by the usual assistant.
    fn check_known(&self, ask: &Ask) -> Result<(), UserError> {
        let Some(name) = ask.assistant.as_deref().filter(|name| *name != USUAL) else {
            return Ok(());
        };
        self.space.check_assistant(name)?;
        if let Some(session) = &ask.session
            && self.space.stored(self.space.store.session(session))?.is_some()
        {
            return Ok(());
        }
        let entries = self.entries()?;
        let all = self.all(&entries);
        let is_there = entries.contains_key(name) || all.iter().any(|found| found.name == name);
        if is_there || self.space.has_of_assistant(name)? {
            return Ok(());
        }
        Err(self.unknown(name, &all))
    }

    /// The assistant whose name that one nearly is: a slip of the pen must not be answered without its bounds.
    fn meant(&self, name: &str, entries: &Entries) -> Option<String> {
        let all = self.all(entries);
        let names = all.iter().map(|found| found.name.as_str());
        shidi_yaml::nearest(name, names).map(str::to_owned)
    }

    fn usable(&self, found: &Found) -> Result<Used, UserError> {
        match (&found.read, found.trust) {
            (Ok(read), AssistantTrust::Reviewed) => Ok(Used::of(&read.spec)),
            (Ok(_), AssistantTrust::New | AssistantTrust::Changed) | (Err(_), _) => Err(self.unusable(found)),
        }
    }

    /// The assistant as it was when it could last be used.
    fn last(&self, assistant: Option<&str>) -> Option<Used> {
        if self.space.is_try_out() {
            return Some(self.drafted().unwrap_or_else(|_| Used::nothing()));
        }
        let name = assistant?;
        let known = self.used.lock().get(name).cloned();
        known.unwrap_or_else(|| {
            if let Err(cause) = self.spec(assistant) {
                tracing::warn!(cause.message, "an assistant can't be used");
                return Some(Used::nothing());
            }
            self.used.lock().get(name).cloned().flatten()
        })
    }

    fn all(&self, entries: &Entries) -> Vec<Found> {
        self.catalogue.all(&self.own(), entries)
    }

    fn entries(&self) -> Result<Entries, UserError> {
        let language = self.space.language();
        review_table::read(&self.table(), language.assistants().mend_table(), language)
    }

    /// Writes what is kept of one.
    fn note(&self, name: &str, entry: &Entry) -> Result<(), UserError> {
        let language = self.space.language();
        let remedy = language.assistants().mend_table();
        review_table::write(&self.table(), (name, entry), remedy, language)
    }

    /// Where the user's own lie.
    fn own(&self) -> PathBuf {
        self.space.home.folder().join("assistants")
    }

    fn table(&self) -> PathBuf {
        self.space.home.folder().join("assistants.toml")
    }
}

impl AssistantFiles for Assistants {
    fn bounds(&self, assistant: &str) -> Option<Arc<Bounds>> {
        self.last(Some(assistant)).map(|used| used.bounds)
    }
}

#[cfg(test)]
mod tests;
