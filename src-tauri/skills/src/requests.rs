//! The user's actions on skills: listing, looking, reviewing, keeping, switching, removing.

use crate::Skills;
use crate::bundle::{self, TEXT};
use crate::catalogue::{Catalogue, Skill, name_of};
use crate::limits::REVIEWED_MAX;
use crate::sentences;
use shidi_bundles::{Refused, Source, read_text, refused};
use shidi_protocol::request::skills as request;
use shidi_protocol::{
    ErrorCode, ListedSkill, Reply, ReviewFinding, SkillDetail, SkillFile, SkillRequest, SkillSource,
    SkillTrust, UserError, reply, reply_to,
};
use shidi_space::errors::{error, internal};
use shidi_space::limits::FINDINGS_MAX;
use shidi_space::names::is_name;
use shidi_space::review_table::{Entries, Entry};
use shidi_space::scan;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The file in which a review keeps where it came from.
const FROM: &str = ".from";

/// Answers a request.
///
/// # Errors
/// As [`Skills::answer`].
pub async fn answer(skills: &Arc<Skills>, request: SkillRequest) -> Result<Reply, UserError> {
    Ok(match request {
        SkillRequest::List { folders } => {
            let listed = aside(skills, move |skills| skills.listed(&paths(&folders))).await?;
            reply_to::<request::List>(listed)
        }
        SkillRequest::Show { name, folders } => {
            let shown = aside(skills, move |skills| skills.shown(&name, &paths(&folders))).await?;
            reply_to::<request::Show>(shown)
        }
        SkillRequest::Review { source } => reply_to::<request::Review>(review(skills, source).await?),
        SkillRequest::FromRun { .. } => {
            let language = skills.space.language();
            return Err(internal(language, "whoever keeps runs makes skills of them"));
        }
        SkillRequest::Install { review, names } => {
            let _one = skills.changing.lock().await;
            let kept = aside(skills, move |skills| skills.install(&review, &names)).await?;
            reply_to::<request::Install>(kept)
        }
        SkillRequest::Approve { name, digest } => {
            let _one = skills.changing.lock().await;
            let approved = aside(skills, move |skills| skills.approve(&name, &digest)).await?;
            reply_to::<request::Approve>(approved)
        }
        SkillRequest::Switch { name, on } => {
            let _one = skills.changing.lock().await;
            let switched = aside(skills, move |skills| skills.switch(&name, on)).await?;
            reply_to::<request::Switch>(switched)
        }
        SkillRequest::Remove { name } => {
            let _one = skills.changing.lock().await;
            let left = aside(skills, move |skills| skills.remove(&name)).await?;
            reply_to::<request::Remove>(left)
        }
    })
}

/// Works on files where it holds nobody up.
async fn aside<T: Send + 'static>(
    skills: &Arc<Skills>,
    work: impl FnOnce(&Skills) -> Result<T, UserError> + Send + 'static,
) -> Result<T, UserError> {
    let own = Arc::clone(skills);
    skills.space.aside(move |_| work(&own)).await
}

async fn review(skills: &Arc<Skills>, source: String) -> Result<reply::SkillReview, UserError> {
    let language = skills.space.language();
    let proxy = skills.space.config().reach.proxy.clone();
    let explained = |cause: Refused, source: &str| refused(&cause, source, language);
    let named = Source::named(&source).map_err(|cause| explained(cause, &source))?;
    let fetched = shidi_bundles::fetched(&named, &skills.reviews(), &proxy).await;
    let folder = fetched.map_err(|cause| explained(cause, &source))?;
    aside(skills, move |skills| {
        let reviewed = skills.reviewed(&folder);
        if reviewed.is_empty() {
            discard(&folder);
            return Err(sentences::no_skill(&source, language));
        }
        if let Err(cause) = std::fs::write(folder.join(FROM), source.trim()) {
            tracing::warn!(%cause, "where a skill came from is not kept");
        }
        Ok(review_of(&folder, reviewed))
    })
    .await
}

fn review_of(folder: &Path, skills: Vec<SkillDetail>) -> reply::SkillReview {
    reply::SkillReview {
        review: name_of(folder),
        skills,
    }
}

impl Skills {
    /// Writes a skill of one text, to be looked at.
    ///
    /// # Errors
    /// A disk that refuses.
    pub(crate) fn written(&self, name: &str, text: &str) -> std::io::Result<reply::SkillReview> {
        let folder = shidi_bundles::written(name, &[(TEXT, text)], &self.reviews())?;
        Ok(review_of(&folder, self.reviewed(&folder)))
    }

    pub(crate) fn all(&self, folders: &[PathBuf]) -> Result<Vec<Skill>, UserError> {
        let entries = self.entries()?;
        let (own, plugins) = (self.own(), self.plugins());
        Ok(self
            .catalogue
            .all((&own, &plugins), folders, &entries, self.space.language()))
    }

    fn listed(&self, folders: &[PathBuf]) -> Result<reply::Skills, UserError> {
        let all = self.all(folders)?;
        Ok(reply::Skills {
            skills: all.iter().map(|skill| self.told(skill)).collect(),
        })
    }

    fn shown(&self, name: &str, folders: &[PathBuf]) -> Result<reply::Skill, UserError> {
        let all = self.all(folders)?;
        let skill = self.named(&all, name)?;
        Ok(reply::Skill {
            skill: self.detail(skill, false),
        })
    }

    /// The skills below a folder that was fetched.
    fn reviewed(&self, folder: &Path) -> Vec<SkillDetail> {
        let there = self.all(&[]).unwrap_or_default();
        let is_there = |name: &str| {
            let mut own = there.iter().filter(|skill| skill.source == SkillSource::User);
            own.any(|skill| skill.name == name)
        };
        let found = Catalogue::default().of_source(folder);
        found
            .iter()
            .take(REVIEWED_MAX)
            .map(|skill| {
                let mut detail = self.detail(skill, is_there(&skill.name));
                // The copy that is reviewed is nobody's to look for.
                detail.skill.path = None;
                detail
            })
            .collect()
    }

    fn install(&self, review: &str, names: &[String]) -> Result<reply::Skills, UserError> {
        let language = self.space.language();
        let words = language.skills();
        let is_plain = matches!(
            Path::new(review).components().collect::<Vec<_>>()[..],
            [Component::Normal(_)]
        );
        let folder = self.reviews().join(review);
        if !is_plain || !folder.is_dir() {
            return Err(error(
                ErrorCode::NotFound,
                words.no_such_review(),
                words.review_again(),
            ));
        }
        let from = std::fs::read_to_string(folder.join(FROM)).ok();
        let found = Catalogue::default().of_source(&folder);
        let is_wanted =
            |skill: &&Skill| skill.text.is_ok() && (names.is_empty() || names.contains(&skill.name));
        let wanted: Vec<&Skill> = found.iter().take(REVIEWED_MAX).filter(is_wanted).collect();
        if let Some(missing) = names
            .iter()
            .find(|name| !wanted.iter().any(|skill| skill.name == **name))
        {
            return Err(error(
                ErrorCode::NotFound,
                words.no_such_skill(missing),
                words.review_again(),
            ));
        }
        if wanted.is_empty() {
            return Err(sentences::no_skill(from.as_deref().unwrap_or_default(), language));
        }
        for skill in wanted {
            self.keep(skill, from.clone())?;
        }
        discard(&folder);
        self.changed();
        self.listed(&[])
    }

    fn keep(&self, skill: &Skill, from: Option<String>) -> Result<(), UserError> {
        let language = self.space.language();
        let Some(folder) = &skill.folder else {
            return Ok(());
        };
        let there = self.all(&[])?;
        let mut own = there.iter().filter(|known| known.source == SkillSource::User);
        let known = own
            .find(|known| known.name == skill.name)
            .and_then(|known| known.folder.clone());
        let place = known.unwrap_or_else(|| self.own().join(&skill.name));
        let kept = shidi_bundles::put(folder, &place);
        kept.map_err(|cause| refused(&cause, &skill.name, language))?;
        let entry = Entry {
            off: false,
            digest: Some(skill.digest.clone()),
            from,
        };
        self.note(&skill.name, &entry)
    }

    fn approve(&self, name: &str, digest: &str) -> Result<reply::Skills, UserError> {
        let words = self.space.language().skills();
        let all = self.all(&[])?;
        let skill = self.own_named(&all, name)?;
        if skill.digest != digest || skill.text.is_err() {
            return Err(error(
                ErrorCode::Input,
                words.changed_meanwhile(name),
                words.look_again(name),
            ));
        }
        let entry = Entry {
            digest: Some(digest.to_owned()),
            ..skill.entry.clone()
        };
        self.note(name, &entry)?;
        self.changed();
        self.listed(&[])
    }

    fn switch(&self, name: &str, on: bool) -> Result<reply::Skills, UserError> {
        let entries: Entries = self.entries()?;
        let all = self.all(&[])?;
        // A project's skill is known by its folder alone, and may be switched where its folder is not granted.
        if !entries.contains_key(name) && !is_name(name) {
            self.named(&all, name)?;
        }
        let entry = Entry {
            off: !on,
            ..entries.get(name).cloned().unwrap_or_default()
        };
        self.note(name, &entry)?;
        self.changed();
        self.listed(&[])
    }

    fn remove(&self, name: &str) -> Result<reply::Skills, UserError> {
        let language = self.space.language();
        let all = self.all(&[])?;
        let skill = self.own_named(&all, name)?;
        if let Some(folder) = &skill.folder {
            let removed = std::fs::remove_dir_all(folder).map_err(Refused::from);
            removed.map_err(|cause| refused(&cause, name, language))?;
        }
        self.note(name, &Entry::default())?;
        self.changed();
        self.listed(&[])
    }

    fn changed(&self) {
        self.space.tell(&Reply::SkillsChanged);
    }

    fn named<'a>(&self, all: &'a [Skill], name: &str) -> Result<&'a Skill, UserError> {
        let words = self.space.language().skills();
        let found = all.iter().find(|skill| skill.name == name);
        found.ok_or_else(|| error(ErrorCode::NotFound, words.no_such_skill(name), words.see_skills()))
    }

    /// A skill of the user's own folder: no other is changed from here.
    fn own_named<'a>(&self, all: &'a [Skill], name: &str) -> Result<&'a Skill, UserError> {
        let words = self.space.language().skills();
        let mut own = all.iter().filter(|skill| skill.source == SkillSource::User);
        if let Some(skill) = own.find(|skill| skill.name == name) {
            return Ok(skill);
        }
        self.named(all, name)?;
        Err(error(
            ErrorCode::Input,
            words.not_yours(name),
            words.switch_off(name),
        ))
    }

    fn told(&self, skill: &Skill) -> ListedSkill {
        let language = self.space.language();
        ListedSkill {
            name: skill.name.clone(),
            description: skill
                .text
                .as_ref()
                .map(|text| text.description.clone())
                .unwrap_or_default(),
            source: skill.source,
            trust: skill.trust,
            on: !skill.entry.off,
            path: skill.folder.as_ref().map(|folder| folder.display().to_string()),
            from: skill.entry.from.clone(),
            problem: skill
                .text
                .as_ref()
                .err()
                .map(|cause| sentences::skipped(cause, language)),
            notes: sentences::notes(skill, language),
        }
    }

    fn detail(&self, skill: &Skill, replaces: bool) -> SkillDetail {
        let text = skill.text.as_ref().ok();
        SkillDetail {
            skill: self.told(skill),
            text: text.map(|text| text.body.clone()).unwrap_or_default(),
            license: text.and_then(|text| text.license.clone()),
            compatibility: text.and_then(|text| text.compatibility.clone()),
            allowed_tools: text.and_then(|text| text.allowed_tools.clone()),
            files: skill
                .files
                .iter()
                .map(|file| SkillFile {
                    path: file.path.clone(),
                    bytes: file.bytes,
                    program: file.is_program,
                })
                .collect(),
            findings: self.findings(skill),
            digest: skill.digest.clone(),
            replaces,
        }
    }

    /// What was found in a skill's text and in the files beside it.
    fn findings(&self, skill: &Skill) -> Vec<ReviewFinding> {
        let language = self.space.language();
        let Some(folder) = &skill.folder else {
            return Vec::new();
        };
        let text = bundle::text_in(folder).and_then(|path| bundle::read_text(&path).ok());
        let text = text.map(|bytes| (TEXT.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
        let others = skill
            .files
            .iter()
            .filter_map(|file| Some((file.path.clone(), read_text(folder, &file.path).ok()?)));
        let found = text
            .into_iter()
            .chain(others)
            .flat_map(|(file, text)| scan::findings(&file, &text, language));
        found.take(FINDINGS_MAX).collect()
    }
}

impl Catalogue {
    /// The skills of a folder that is no place for skills yet.
    fn of_source(&self, folder: &Path) -> Vec<Skill> {
        let skills = self.below(folder, SkillSource::User, &Entries::new());
        skills
            .into_iter()
            .map(|skill| Skill {
                trust: SkillTrust::New,
                ..skill
            })
            .collect()
    }
}

fn paths(folders: &[String]) -> Vec<PathBuf> {
    folders.iter().map(PathBuf::from).collect()
}

/// Removes a review that is decided on, or that holds nothing.
fn discard(folder: &Path) {
    if let Err(cause) = std::fs::remove_dir_all(folder) {
        tracing::warn!(%cause, "a review is not removed");
    }
}
