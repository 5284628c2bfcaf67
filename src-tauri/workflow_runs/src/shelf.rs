//! The workflows that there are: files of the data folder, and those that come with the program.
//!
//! A file's name is the workflow's. A file of the same name that ends in `.py` beside it holds functions for its steps of type
//! `custom` and `plugin`. Those of a plugin lie in its folder, are called `PLUGIN:NAME`, and change with it alone.

use crate::limits::{NAME_LETTERS_MAX, WORKFLOWS_MAX};
use shidi_bundles::{KeptPlugin, Part};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::errors::error;
use shidi_workflow::{FILE_BYTES_MAX, FUNCTIONS, Fault, Workflow, read, samples};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const ENDING: &str = "yaml";
const FUNCTIONS_ENDING: &str = "py";

/// The folder of the user's own, and who reads of its troubles.
pub struct Shelf {
    pub folder: PathBuf,
    pub language: Language,
    /// Plugins that may bring some.
    pub plugins: Vec<KeptPlugin>,
}

/// A workflow's file.
#[derive(Debug, Clone)]
pub struct Shelved {
    pub name: String,
    /// How faults name it.
    pub shown_as: String,
    pub text: String,
    /// Functions of its own, in Python.
    pub functions: Option<String>,
    pub built_in: bool,
    /// The plugin that brought it.
    pub plugin: Option<String>,
}

/// What became of a file that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    New,
    /// The very same was there.
    Same,
}

impl Shelved {
    /// A text under a name, of which nothing is kept.
    pub fn loose(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            shown_as: name.to_owned(),
            text: text.to_owned(),
            functions: None,
            built_in: false,
            plugin: None,
        }
    }

    /// The workflow, or everything that is wrong in the file.
    pub fn read(&self) -> Result<Workflow, Vec<Fault>> {
        read(&self.shown_as.as_str().into(), self.text.as_bytes())
    }
}

impl Shelf {
    /// All by their names; an own one hides one of that name that comes along.
    pub fn all(&self) -> Result<Vec<Shelved>, UserError> {
        let mut all = Vec::new();
        for path in self.files(&self.folder)? {
            all.push(self.of_file(&path)?);
        }
        for plugin in self.plugins.iter().filter(|plugin| plugin.is_reviewed) {
            for path in self.files(&plugin.part(Part::Workflows))? {
                let shelved = self.of_file(&path)?;
                all.push(Shelved {
                    name: plugin.called(&shelved.name),
                    plugin: Some(plugin.name.clone()),
                    ..shelved
                });
            }
        }
        for (name, text) in samples(self.language) {
            if !all.iter().any(|shelved| shelved.name == name) {
                all.push(sample(name, text));
            }
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    pub fn named(&self, name: &str) -> Result<Shelved, UserError> {
        let all = self.all()?;
        let names: Vec<&str> = all.iter().map(|shelved| shelved.name.as_str()).collect();
        let say = self.language.workflow();
        let hint = say.there_are(names.join(", "));
        let found = all.iter().find(|shelved| shelved.name == name).cloned();
        found.ok_or_else(|| error(ErrorCode::NotFound, say.no_such_workflow(name), hint))
    }

    /// Keeps a text under a name.
    pub fn keep(&self, name: &str, text: &str, replace: bool) -> Result<SaveOutcome, UserError> {
        let path = self.path(name);
        let say = self.language.workflow();
        match fs::read_to_string(&path) {
            Ok(there) if there == text => return Ok(SaveOutcome::Same),
            Ok(_) if !replace => {
                return Err(error(ErrorCode::Input, say.there_differs(name), say.replace_it()));
            }
            Ok(_) => {}
            // One that comes along is covered as any other is replaced: when that is said.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                let covers = samples(self.language)
                    .iter()
                    .any(|(known, there)| *known == name && *there != text);
                if covers && !replace {
                    return Err(error(ErrorCode::Input, say.there_differs(name), say.replace_it()));
                }
            }
            Err(cause) => return Err(self.trouble(&cause, &path)),
        }
        let written =
            fs::create_dir_all(&self.folder).and_then(|()| shidi_atomic_write::write(&path, text.as_bytes()));
        written.map_err(|cause| self.trouble(&cause, &path))?;
        Ok(SaveOutcome::New)
    }

    /// Removes one of the user's own; one that comes along is there again.
    pub fn remove(&self, name: &str) -> Result<(), UserError> {
        let shelved = self.named(name)?;
        if shelved.built_in {
            let say = self.language.workflow_runs();
            return Err(error(ErrorCode::Input, say.comes_along(name), say.only_own_go()));
        }
        if let Some(plugin) = &shelved.plugin {
            let say = self.language.workflow_runs();
            return Err(error(
                ErrorCode::Input,
                say.of_a_plugin(name, plugin),
                say.remove_the_plugin(plugin),
            ));
        }
        let path = self.path(name);
        fs::remove_file(&path).map_err(|cause| self.trouble(&cause, &path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{ENDING}"))
    }

    fn files(&self, folder: &Path) -> Result<Vec<PathBuf>, UserError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(self.trouble(&cause, folder)),
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_ours =
            |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING) && path.is_file();
        let mut files: Vec<PathBuf> = paths.filter(is_ours).collect();
        files.sort();
        files.truncate(WORKFLOWS_MAX);
        Ok(files)
    }

    fn of_file(&self, path: &Path) -> Result<Shelved, UserError> {
        let bytes = bounded(path).map_err(|cause| self.trouble(&cause, path))?;
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let beside = path.with_extension(FUNCTIONS_ENDING);
        let functions = match bounded(&beside) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            // A copy of one that comes along calls the functions that came with it.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => functions_of(&name),
            Err(cause) => return Err(self.trouble(&cause, &beside)),
        };
        Ok(Shelved {
            name,
            shown_as: path.display().to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            functions,
            built_in: false,
            plugin: None,
        })
    }

    fn trouble(&self, cause: &io::Error, path: &Path) -> UserError {
        let say = self.language.workflow();
        error(
            ErrorCode::Storage,
            say.file_unread(cause, path.display()),
            say.check_folder(),
        )
    }
}

fn sample(name: &str, text: &str) -> Shelved {
    Shelved {
        functions: functions_of(name),
        built_in: true,
        ..Shelved::loose(name, text)
    }
}

/// The functions of a workflow that comes with the program.
fn functions_of(name: &str) -> Option<String> {
    let functions = FUNCTIONS.iter().find(|(of, _)| *of == name);
    functions.map(|(_, text)| (*text).to_owned())
}

/// One byte more than may be read, so that the reader sees that it is too much.
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(FILE_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A workflow's name as that of a file: letters, digits and dashes.
#[must_use]
pub fn file_name(name: &str) -> String {
    let letters = name
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { '-' });
    let dashed: String = letters.take(NAME_LETTERS_MAX).collect();
    let parts: Vec<&str> = dashed.split('-').filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => "workflow".to_owned(),
        false => parts.join("-").to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_workflow::SAMPLES;

    #[test]
    fn a_name_leads_to_no_other_folder() {
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("菜单 推荐"), "菜单-推荐");
        assert_eq!(file_name("…"), "workflow");
    }

    #[test]
    fn an_own_file_hides_the_one_that_comes_along_and_brings_its_functions() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf {
            folder: folder.path().join("workflows"),
            language: Language::SOURCE,
            plugins: Vec::new(),
        };
        assert!(shelf.all().unwrap().iter().all(|shelved| shelved.built_in));
        let (name, text) = SAMPLES[0];
        assert_eq!(shelf.keep(name, text, false).unwrap(), SaveOutcome::New);
        assert_eq!(shelf.keep(name, text, false).unwrap(), SaveOutcome::Same);
        assert!(shelf.keep(name, "version: '1.0'", false).is_err());
        fs::write(shelf.folder.join(format!("{name}.py")), "def f(): ...").unwrap();
        let own = shelf.named(name).unwrap();
        assert_eq!(
            (own.built_in, own.functions.as_deref()),
            (false, Some("def f(): ..."))
        );
        shelf.remove(name).unwrap();
        assert!(shelf.named(name).unwrap().built_in);
        assert!(shelf.remove(name).is_err(), "it comes with the program");
    }

    #[test]
    fn one_of_a_plugin_is_called_by_both_names_covers_nothing_and_stays() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("plugins/care");
        fs::create_dir_all(folder.join("workflows")).unwrap();
        let (name, text) = SAMPLES[0];
        fs::write(folder.join(format!("workflows/{name}.yaml")), text).unwrap();
        let kept = |is_reviewed| KeptPlugin {
            name: "care".to_owned(),
            folder: folder.clone(),
            digest: String::new(),
            from: None,
            is_reviewed,
        };
        let shelf = |is_reviewed| Shelf {
            folder: data.path().join("workflows"),
            language: Language::SOURCE,
            plugins: vec![kept(is_reviewed)],
        };
        let called = format!("care:{name}");
        assert_eq!(
            shelf(true).named(&called).unwrap().plugin.as_deref(),
            Some("care")
        );
        assert!(
            shelf(true).named(name).unwrap().built_in,
            "the other one is still there"
        );
        assert!(shelf(true).remove(&called).is_err());
        assert!(shelf(false).named(&called).is_err(), "it was not reviewed");
    }
}
