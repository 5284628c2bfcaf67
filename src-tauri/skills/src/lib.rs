//! Skills (F8.4): guides for tasks in the format of Agent Skills, that a model loads when one fits.
//!
//! They ship with the program, lie in the user's data folder, or come with a project. A stranger's skill is shown and
//! looked through before it is kept, and counts as a stranger's words until then. A prompt holds its name alone, and a
//! run that loads it is marked. Nothing here allows a call; a script runs as any other command of a program.

mod bundle;
mod calls;
mod catalogue;
mod from_run;
mod front_matter;
mod limits;
mod requests;
mod sentences;
mod shipped;

use catalogue::{Catalogue, Skill};
use shidi_bundles::KeptPlugin;
use shidi_locales::Language;
use shidi_protocol::{
    Call, CallOutcome, ContextPiece, OfferedSkill, Reply, SkillRequest, SkillSource, UserError,
};
use shidi_space::Space;
use shidi_space::review_table::{self, Entries, Entry};
use shidi_toolkits::skills::NAME;
use std::path::PathBuf;
use std::sync::Arc;

/// The skills of a data folder.
pub struct Skills {
    space: Arc<Space>,
    catalogue: Catalogue,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
}

impl Skills {
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        Arc::new(Self {
            space,
            catalogue: Catalogue::default(),
            changing: tokio::sync::Mutex::default(),
        })
    }

    /// What a prompt says of the skills that a run in those folders may load, those nearest to it first.
    ///
    /// The names of the shipped skills say their use. A plain question is not to pay for more.
    #[must_use]
    pub fn offered(&self, folders: &[PathBuf], assistant: Option<&str>) -> Vec<OfferedSkill> {
        let skills = self.usable(folders, Language::SOURCE, assistant);
        let told = skills.into_iter().map(|skill| {
            let is_installed = matches!(skill.source, SkillSource::User | SkillSource::Plugin);
            let is_described = is_installed && skill.is_reviewed();
            let description = skill.text.map(|text| text.description).unwrap_or_default();
            OfferedSkill {
                name: skill.name,
                description: if is_described { description } else { String::new() },
            }
        });
        told.collect()
    }

    /// The skill that a question begins with, as `/name`, for the conversation.
    #[must_use]
    pub fn called(&self, question: &str, folders: &[PathBuf], language: Language) -> Option<ContextPiece> {
        let name = question.trim_start().strip_prefix('/')?;
        let name = name.split_whitespace().next()?;
        // Who calls one by its name is the user.
        let skills = self.usable(folders, language, None);
        skills
            .iter()
            .find(|skill| skill.name == name)
            .and_then(calls::piece)
    }

    /// Performs a call of the toolkit; `None` for any other.
    #[must_use]
    pub fn perform(
        &self,
        call: &Call,
        folders: &[PathBuf],
        assistant: Option<&str>,
        language: Language,
    ) -> Option<CallOutcome> {
        let is_ours = call.toolkit == NAME;
        is_ours.then(|| calls::perform(call, &self.usable(folders, language, assistant)))
    }

    /// Answers what a person asks of skills.
    ///
    /// # Errors
    /// No such skill or source, a skill that changed since it was shown, trouble with the disk.
    pub async fn answer(self: &Arc<Self>, request: SkillRequest) -> Result<Reply, UserError> {
        requests::answer(self, request).await
    }

    fn usable(&self, folders: &[PathBuf], language: Language, assistant: Option<&str>) -> Vec<Skill> {
        let bounds = self.space.bounds(assistant);
        let entries = self.entries().unwrap_or_else(|cause| {
            // Whatever stood there may have switched one off: only those that ship are known to be wanted.
            tracing::warn!(cause.message, "what is kept of skills can't be read");
            Entries::new()
        });
        let (own, plugins) = (self.own(), self.plugins());
        let all = self.catalogue.all((&own, &plugins), folders, &entries, language);
        all.into_iter()
            .filter(|skill| skill.is_offered() && bounds.permits_skill(&skill.name))
            .collect()
    }

    fn entries(&self) -> Result<Entries, UserError> {
        let language = self.space.language();
        review_table::read(&self.table(), language.skills().mend_table(), language)
    }

    /// The plugins that may bring some.
    fn plugins(&self) -> Vec<KeptPlugin> {
        shidi_bundles::kept(self.space.home.folder(), self.space.language())
    }

    /// Where the user's own lie.
    fn own(&self) -> PathBuf {
        self.space.home.folder().join("skills")
    }

    /// Writes what is kept of one.
    fn note(&self, name: &str, entry: &Entry) -> Result<(), UserError> {
        let language = self.space.language();
        let remedy = language.skills().mend_table();
        review_table::write(&self.table(), (name, entry), remedy, language)
    }

    fn table(&self) -> PathBuf {
        self.space.home.folder().join("skills.toml")
    }

    /// Where those lie that nobody decided on yet.
    fn reviews(&self) -> PathBuf {
        self.space.home.folder().join("skill-reviews")
    }
}
