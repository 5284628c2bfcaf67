//! The skills that there are: of projects, of the user, of the program. A name that comes first hides later ones of that name.
//!
//! Nothing watches: every look reads which files there are, and reads again only those that changed.

use crate::bundle;
use crate::front_matter::{self, SkillText, Skipped};
use crate::limits::{DEPTH_MAX, FOLDERS_MAX, SKILLS_MAX};
use crate::shipped;
use parking_lot::Mutex;
use shidi_bundles::{BundledFile, KeptPlugin, Part, Unfit};
use shidi_locales::Language;
use shidi_protocol::{SkillSource, SkillTrust};
use shidi_space::review_table::{Entries, Entry};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};

/// Where projects keep skills, below their folder.
const OF_PROJECTS: [&str; 2] = [".agents", "skills"];
/// Folders that hold a project's parts and no skills.
const NOT_LOOKED_INTO: [&str; 4] = ["node_modules", "target", "__pycache__", ".git"];

/// A skill as it is found.
#[derive(Debug, Clone)]
pub struct Skill {
    /// The name by which it is called; that of the folder where its text can't be read.
    pub name: String,
    pub source: SkillSource,
    /// `None` of one that ships.
    pub folder: Option<PathBuf>,
    pub text: Result<SkillText, Skipped>,
    pub files: Vec<BundledFile>,
    /// The fingerprint of its folder; empty of one that ships.
    pub digest: String,
    pub trust: SkillTrust,
    pub entry: Entry,
    /// Where the one lies that hides it.
    pub hidden_by: Option<String>,
}

impl Skill {
    /// Whether a model may be offered it.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.text.is_ok() && !self.entry.off && self.hidden_by.is_none()
    }

    #[must_use]
    pub fn is_reviewed(&self) -> bool {
        self.trust == SkillTrust::Reviewed
    }

    /// Where it lies, for people.
    #[must_use]
    pub fn place(&self) -> String {
        self.folder
            .as_ref()
            .map(|folder| folder.display().to_string())
            .unwrap_or_default()
    }
}

/// What was read of a folder, as long as nothing in it changes.
#[derive(Debug, Clone)]
struct Read {
    stamp: u64,
    text: Result<SkillText, Skipped>,
    files: Vec<BundledFile>,
    digest: String,
}

/// What was read before.
#[derive(Debug, Default)]
pub struct Catalogue {
    read: Mutex<HashMap<PathBuf, Read>>,
}

impl Catalogue {
    /// All skills, in the order in which they are chosen.
    #[must_use]
    pub fn all(
        &self,
        (own, plugins): (&Path, &[KeptPlugin]),
        projects: &[PathBuf],
        entries: &Entries,
        language: Language,
    ) -> Vec<Skill> {
        let mut skills = Vec::new();
        for project in projects {
            let root = OF_PROJECTS
                .iter()
                .fold(project.clone(), |root, part| root.join(part));
            skills.extend(self.below(&root, SkillSource::Project, entries));
        }
        skills.extend(self.below(own, SkillSource::User, entries));
        skills.extend(plugins.iter().flat_map(|plugin| self.of_plugin(plugin, entries)));
        skills.extend(shipped::all().filter_map(|one| {
            let text = one.text(language)?.clone();
            Some(Skill {
                name: one.name.to_owned(),
                source: SkillSource::BuiltIn,
                folder: None,
                text: Ok(text),
                files: Vec::new(),
                digest: String::new(),
                trust: SkillTrust::Reviewed,
                entry: entries.get(one.name).cloned().unwrap_or_default(),
                hidden_by: None,
            })
        }));
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        for skill in &mut skills {
            if skill.text.is_err() {
                continue;
            }
            skill.hidden_by = first.get(&skill.name).cloned();
            first.entry(skill.name.clone()).or_insert_with(|| skill.place());
        }
        skills
    }

    /// The skills of a plugin, each by its name behind the plugin's. They are reviewed as long as the plugin is.
    fn of_plugin(&self, plugin: &KeptPlugin, entries: &Entries) -> Vec<Skill> {
        if !plugin.is_reviewed {
            return Vec::new();
        }
        let skills = self.below(&plugin.part(Part::Skills), SkillSource::Plugin, entries);
        let named = skills.into_iter().map(|skill| {
            let name = plugin.called(&skill.name);
            Skill {
                trust: SkillTrust::Reviewed,
                entry: entries.get(&name).cloned().unwrap_or_default(),
                name,
                ..skill
            }
        });
        named.collect()
    }

    pub(crate) fn below(&self, root: &Path, source: SkillSource, entries: &Entries) -> Vec<Skill> {
        let skills = folders_below(root).into_iter().filter_map(|folder| {
            let read = self.read(&folder)?;
            let name = match &read.text {
                Ok(text) => text.name.clone(),
                Err(_) => name_of(&folder),
            };
            let entry = entries.get(&name).cloned().unwrap_or_default();
            let trust = match (source, &entry.digest) {
                (SkillSource::User, Some(digest)) if *digest == read.digest => SkillTrust::Reviewed,
                (SkillSource::User, Some(_)) => SkillTrust::Changed,
                (
                    SkillSource::User | SkillSource::Project | SkillSource::BuiltIn | SkillSource::Plugin,
                    _,
                ) => SkillTrust::New,
            };
            Some(Skill {
                name,
                source,
                folder: Some(folder),
                text: read.text,
                files: read.files,
                digest: read.digest,
                trust,
                entry,
                hidden_by: None,
            })
        });
        skills.collect()
    }

    /// What stands in a folder; `None` where its skill has gone meanwhile.
    fn read(&self, folder: &Path) -> Option<Read> {
        let bundle = match bundle::list(folder) {
            Ok(bundle) => bundle,
            Err(unfit) => return Some(Read::unfit(&unfit)),
        };
        if let Some(read) = self
            .read
            .lock()
            .get(folder)
            .filter(|read| read.stamp == bundle.stamp)
        {
            return Some(read.clone());
        }
        let path = bundle::text_in(folder)?;
        let text = match bundle::read_text(&path) {
            Ok(bytes) => front_matter::parse(&bytes, &name_of(folder)),
            Err(cause) => Err(Skipped::Disk {
                why: cause.to_string(),
            }),
        };
        let digest = match shidi_bundles::digest(folder) {
            Ok(digest) => digest,
            Err(unfit) => return Some(Read::unfit(&unfit)),
        };
        let read = Read {
            stamp: bundle.stamp,
            text,
            files: bundle.files,
            digest,
        };
        let mut known = self.read.lock();
        // Folders that have gone are not kept for ever.
        if known.len() >= SKILLS_MAX * 4 {
            known.clear();
        }
        known.insert(folder.to_owned(), read.clone());
        Some(read)
    }
}

impl Read {
    fn unfit(unfit: &Unfit) -> Self {
        let text = match unfit {
            Unfit::TooMany | Unfit::TooLarge => Skipped::TooLarge,
            Unfit::Link(path) => Skipped::Link { path: path.clone() },
            Unfit::Disk(cause) => Skipped::Disk {
                why: cause.to_string(),
            },
        };
        Self {
            stamp: 0,
            text: Err(text),
            files: Vec::new(),
            digest: String::new(),
        }
    }
}

/// The folders below a root that have a skill's text, nearest first, within the bounds. Links are not followed.
#[must_use]
pub fn folders_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = VecDeque::from([(root.to_owned(), 0)]);
    let mut seen = 0;
    while let Some((folder, depth)) = next.pop_front() {
        seen += 1;
        if seen > FOLDERS_MAX || found.len() >= SKILLS_MAX {
            tracing::warn!(root = %root.display(), "not all folders of skills are looked at");
            break;
        }
        if !folder.symlink_metadata().is_ok_and(|facts| facts.is_dir()) {
            continue;
        }
        if bundle::text_in(&folder).is_some() {
            found.push(folder);
            continue;
        }
        if depth >= DEPTH_MAX {
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut inner: Vec<PathBuf> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.path())
            .filter(|path| !is_passed_over(&name_of(path)))
            .take(FOLDERS_MAX)
            .collect();
        inner.sort();
        next.extend(inner.into_iter().map(|path| (path, depth + 1)));
    }
    found
}

fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || NOT_LOOKED_INTO.contains(&name)
}

/// The name of a folder as text.
#[must_use]
pub fn name_of(folder: &Path) -> String {
    folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn put(root: &Path, name: &str, description: &str) -> PathBuf {
        let folder = root.join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let text = format!(
            "---\nname: {}\ndescription: {description}\n---\nDo it.",
            name_of(&folder)
        );
        fs::write(folder.join(bundle::TEXT), text).expect("a file");
        folder
    }

    struct Place {
        _kept: tempfile::TempDir,
        own: PathBuf,
        project: PathBuf,
        catalogue: Catalogue,
    }

    impl Place {
        fn new() -> Self {
            let kept = tempfile::tempdir().expect("a folder");
            let (own, project) = (kept.path().join("skills"), kept.path().join("project"));
            fs::create_dir_all(project.join(".agents/skills")).expect("a folder");
            Self {
                _kept: kept,
                own,
                project,
                catalogue: Catalogue::default(),
            }
        }

        fn all(&self, entries: &Entries) -> Vec<Skill> {
            let projects = [self.project.clone()];
            self.catalogue
                .all((&self.own, &[]), &projects, entries, Language::SOURCE)
        }
    }

    #[test]
    fn a_projects_skill_hides_the_users_and_the_users_hides_the_one_that_ships() {
        let place = Place::new();
        let name = shipped::all().next().expect("a skill that ships").name;
        let projects = put(&place.project.join(".agents/skills"), name, "the project's");
        put(&place.own, &format!("deep/er/{name}"), "the user's");
        let all = place.all(&Entries::new());
        let named: Vec<&Skill> = all.iter().filter(|skill| skill.name == name).collect();
        let sources: Vec<SkillSource> = named.iter().map(|skill| skill.source).collect();
        assert_eq!(
            sources,
            [SkillSource::Project, SkillSource::User, SkillSource::BuiltIn]
        );
        assert!(named[0].is_offered() && !named[0].is_reviewed());
        for hidden in &named[1..] {
            assert_eq!(
                hidden.hidden_by.as_deref(),
                Some(projects.to_str().expect("text"))
            );
        }
    }

    #[test]
    fn what_is_written_is_seen_at_the_next_look_and_reviewed_until_it_changes() {
        let place = Place::new();
        let folder = put(&place.own, "mine", "first");
        let first = place.all(&Entries::new());
        let digest = first[0].digest.clone();
        assert_eq!(first[0].trust, SkillTrust::New);
        let entry = Entry {
            digest: Some(digest),
            ..Entry::default()
        };
        let entries = Entries::from([("mine".to_owned(), entry)]);
        assert_eq!(place.all(&entries)[0].trust, SkillTrust::Reviewed);
        fs::write(folder.join("run.sh"), "rm -r /").expect("a file");
        let changed = &place.all(&entries)[0];
        assert_eq!(changed.trust, SkillTrust::Changed);
        assert_eq!(changed.files.len(), 1);
    }

    #[test]
    fn a_broken_skill_is_listed_with_its_reason_and_hides_nothing() {
        let place = Place::new();
        let broken = put(&place.own, "broken", "");
        put(&place.project.join(".agents/skills"), "fine", "fine");
        let all = place.all(&Entries::new());
        let found = all
            .iter()
            .find(|skill| skill.folder.as_ref() == Some(&broken))
            .expect("listed");
        assert_eq!(found.text, Err(Skipped::NoDescription));
        assert!(!found.is_offered());
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_no_skill() {
        let place = Place::new();
        let elsewhere = tempfile::tempdir().expect("a folder");
        put(elsewhere.path(), "far", "far");
        fs::create_dir_all(&place.own).expect("a folder");
        std::os::unix::fs::symlink(elsewhere.path().join("far"), place.own.join("far")).expect("a link");
        assert!(
            place
                .all(&Entries::new())
                .iter()
                .all(|skill| skill.source == SkillSource::BuiltIn)
        );
    }
}
