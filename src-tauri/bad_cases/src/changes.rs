//! A change is made as a person would make it, by the requests of the features that keep such things. The change is
//! taken back in the same way.

use crate::BadCases;
use crate::beside::{Accepted, Made};
use shidi_agent::OwnModules;
use shidi_protocol::request::{experience, memory, skills};
use shidi_protocol::{
    CaseChange, ErrorCode, ExperienceDraft, MemoryKind, MemoryScope, TypedRequest, UserError, reply, visible,
};
use shidi_space::clock;
use shidi_space::errors::{error, internal};
use shidi_space::names::is_name;
use std::io;
use std::path::PathBuf;

impl BadCases {
    /// Makes a change for a case.
    ///
    /// # Errors
    /// No such case, one for which something was accepted already, or whatever keeps the change from being made.
    pub async fn accept(&self, name: &str, change: CaseChange) -> Result<(), UserError> {
        let say = self.space.language().bad_cases();
        let case = self.named(name)?;
        self.check(&change)?;
        if self.beside(name)?.accepted.is_some() {
            return Err(error(
                ErrorCode::Input,
                say.is_accepted(name),
                say.take_it_back_first(),
            ));
        }
        let tainted = self.is_tainted(&case);
        let made = match change.clone() {
            CaseChange::Experience { goal, lesson, code } => {
                let draft = ExperienceDraft { goal, lesson, code };
                let scope = MemoryScope::User;
                let reply::Experiences { experiences, .. } = self
                    .ask(experience::Add {
                        draft,
                        scope,
                        tainted,
                        mistake: false,
                    })
                    .await?;
                let kept = experiences.first().map(|kept| kept.id.to_string());
                kept.map(|id| Made::Experience { id })
            }
            CaseChange::Knowledge { text } => {
                let add = memory::Add {
                    text,
                    kind: MemoryKind::Knowledge,
                    scope: MemoryScope::User,
                    tags: Vec::new(),
                    until: None,
                    tainted,
                };
                let begun = clock::now();
                let reply::MemoryRecords { records, .. } = self.ask(add).await?;
                // The same words that were known already stay when this is taken back.
                records.first().map(|kept| match kept.time < begun {
                    true => Made::Nothing,
                    false => Made::Knowledge {
                        id: kept.id.to_string(),
                    },
                })
            }
            CaseChange::Skill {
                name,
                description,
                text,
            } => Some(self.keep_skill(name, &description, &text).await?),
            CaseChange::Prompt {
                language,
                module,
                text,
            } => {
                // What was there before is on record before anything takes its place.
                let before = self.own_module(&language, &module)?;
                let made = Made::Prompt { before };
                let accepted = Accepted { change, made };
                self.note(name, |beside| beside.accepted = Some(accepted))?;
                let put = self.put_module(&language, &module, &text);
                if put.is_err() {
                    self.note(name, |beside| beside.accepted = None)?;
                }
                return put;
            }
        };
        let made = made.ok_or_else(|| internal(self.space.language(), "nothing says what was kept"))?;
        let accepted = Accepted { change, made };
        self.note(name, |beside| beside.accepted = Some(accepted))
    }

    /// Takes back what was accepted for a case. What its user removed since is gone already.
    ///
    /// # Errors
    /// No such case, one for which nothing was accepted, or a prompt module that was changed since.
    pub async fn take_back(&self, name: &str) -> Result<(), UserError> {
        let say = self.space.language().bad_cases();
        self.named(name)?;
        let Some(Accepted { change, made }) = self.beside(name)?.accepted else {
            return Err(error(
                ErrorCode::Input,
                say.nothing_accepted(name),
                say.see_cases(),
            ));
        };
        match made {
            Made::Experience { id } => gone(self.ask(experience::Delete { experience: id }).await)?,
            Made::Knowledge { id } => gone(self.ask(memory::Delete { memory: id }).await)?,
            Made::Skill { name } => gone(self.ask(skills::Remove { name }).await)?,
            Made::Prompt { before } => self.put_back(&change, before)?,
            Made::Nothing => {}
        }
        self.note(name, |beside| beside.accepted = None)
    }

    /// Refuses a change whose names lead elsewhere; such a file may come from anybody.
    ///
    /// # Errors
    /// A module that is none, or a name that no skill may have.
    pub fn check(&self, change: &CaseChange) -> Result<(), UserError> {
        let say = self.space.language().bad_cases();
        match change {
            CaseChange::Prompt { language, module, .. } if !OwnModules::is_known(language, module) => {
                Err(error(
                    ErrorCode::Input,
                    say.no_such_module(visible(module)),
                    say.change_example(),
                ))
            }
            CaseChange::Skill { name, .. } if !is_name(name) => {
                Err(error(ErrorCode::Input, say.no_name(visible(name)), say.name_it()))
            }
            _ => Ok(()),
        }
    }

    /// Whether somebody else's words were read in the case. One that does not say so counts as such.
    fn is_tainted(&self, case: &str) -> bool {
        let suite = shidi_evaluation::read("case", case, self.space.language()).ok();
        let case = suite.as_ref().and_then(|suite| suite.cases.first());
        let told = case.and_then(|case| case.metadata.get("tainted"));
        told.and_then(serde_json::Value::as_bool).unwrap_or(true)
    }

    async fn ask<R: TypedRequest>(&self, request: R) -> Result<R::Reply, UserError> {
        let replies = self.answers.serve(request.into());
        let Some(mut replies) = replies else {
            return Err(internal(self.space.language(), "nobody answers any more"));
        };
        replies.end().await
    }

    /// Keeps a skill whose words its user has accepted.
    async fn keep_skill(&self, name: String, description: &str, text: &str) -> Result<Made, UserError> {
        let folder = self.folder().join(".skill").join(&name);
        let written = std::fs::create_dir_all(&folder).and_then(|()| {
            let text = skill_text(&name, description, text);
            shidi_atomic_write::write(&folder.join("SKILL.md"), text.as_bytes())
        });
        written.map_err(|cause| self.unwritten(&folder, &cause))?;
        let source = folder.display().to_string();
        let reviewed = self.ask(skills::Review { source }).await;
        let kept = match reviewed {
            Ok(reply::SkillReview { review, skills }) => {
                let say = self.space.language().bad_cases();
                let names = Vec::new();
                if skills.iter().any(|skill| skill.replaces) {
                    Err(error(
                        ErrorCode::Input,
                        say.skill_is_there(&name),
                        say.name_another(),
                    ))
                } else if skills.iter().any(|skill| !skill.findings.is_empty()) {
                    Err(error(
                        ErrorCode::Input,
                        say.skill_hides(&name),
                        say.propose_again(),
                    ))
                } else {
                    self.ask(skills::Install { review, names }).await.map(drop)
                }
            }
            Err(error) => Err(error),
        };
        if let Err(cause) = std::fs::remove_dir_all(self.folder().join(".skill")) {
            tracing::warn!(%cause, "a skill's text stays in the folder of bad cases");
        }
        kept.map(|()| Made::Skill { name })
    }

    /// Where the user's own module lies.
    fn module(&self, language: &str, module: &str) -> PathBuf {
        let prompts = self.space.home.folder().join("prompts");
        prompts.join(language).join(format!("{module}.xml"))
    }

    /// The module as it is in force: the user's own, or the built-in one.
    pub fn module_text(&self, language: &str, module: &str) -> String {
        let own = std::fs::read_to_string(self.module(language, module)).ok();
        let own = own.or_else(|| OwnModules::built_in(language, module).map(str::to_owned));
        own.unwrap_or_default()
    }

    /// The user's own module; `None` where there is none.
    fn own_module(&self, language: &str, module: &str) -> Result<Option<String>, UserError> {
        let path = self.module(language, module);
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            // What can't be read is not written over: its words would be lost.
            Err(cause) => Err(self.unread(&path, &cause)),
        }
    }

    fn put_module(&self, language: &str, module: &str, text: &str) -> Result<(), UserError> {
        let say = self.space.language().bad_cases();
        let fits = OwnModules::default().put(language, module, text.to_owned());
        fits.map_err(|why| error(ErrorCode::Input, say.module_broken(module, why), say.shorten_it()))?;
        let path = self.module(language, module);
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = folder.and_then(|()| shidi_atomic_write::write(&path, text.as_bytes()));
        written.map_err(|cause| self.unwritten(&path, &cause))
    }

    fn put_back(&self, change: &CaseChange, before: Option<String>) -> Result<(), UserError> {
        let CaseChange::Prompt {
            language,
            module,
            text,
        } = change
        else {
            return Ok(());
        };
        let path = self.module(language, module);
        let now = self.own_module(language, module)?;
        if now.as_ref().is_some_and(|now| now != text) {
            let say = self.space.language().bad_cases();
            let path = path.display();
            return Err(error(
                ErrorCode::Input,
                say.module_changed(path),
                say.change_it_there(),
            ));
        }
        let put_back = match (before, now) {
            (Some(before), _) => shidi_atomic_write::write(&path, before.as_bytes()),
            (None, Some(_)) => std::fs::remove_file(&path),
            (None, None) => Ok(()),
        };
        put_back.map_err(|cause| self.unwritten(&path, &cause))
    }
}

/// What is gone already need not be taken away.
fn gone<T>(removed: Result<T, UserError>) -> Result<(), UserError> {
    match removed {
        Err(error) if error.code != ErrorCode::NotFound => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The file of a skill.
#[must_use]
pub fn skill_text(name: &str, description: &str, text: &str) -> String {
    let description = serde_json::Value::from(description);
    format!(
        "---\nname: {name}\ndescription: {description}\n---\n\n{}\n",
        text.trim()
    )
}
