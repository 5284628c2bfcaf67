//! The content of a plugin's folder: the manifest, its parts by their names, and all of their faults.
//!
//! Nothing of it runs. Workflows are read by their own reader; prompts and skills are listed, and read by whoever shows them.

use crate::limits::{FOLDERS_MAX, MANIFEST_BYTES_MAX, ROOT_DEPTH_MAX};
use crate::manifest::{FILE, Manifest};
use crate::problem::{Fault, Problem, in_order};
use crate::reading;
use crate::tools::functions;
use shidi_bundles::{Bundle, Part, list, read_text};
use shidi_locales::Language;
use shidi_space::names::is_name;
use shidi_workflow::Workflow;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A folder that was looked at.
#[derive(Debug)]
pub struct Contents {
    pub folder: PathBuf,
    pub manifest: Option<Manifest>,
    pub bundle: Bundle,
    pub workflows: BTreeMap<String, Workflow>,
    pub prompts: Vec<String>,
    pub skills: Vec<String>,
    /// The file of each tool's function.
    pub files_of_tools: BTreeMap<String, String>,
    pub others: Vec<String>,
    pub faults: Vec<Fault>,
}

/// The folder below a source that has a manifest, nearest first.
#[must_use]
pub fn root(source: &Path) -> Option<PathBuf> {
    let mut next = VecDeque::from([(source.to_owned(), 0)]);
    let mut seen = 0;
    while let Some((folder, depth)) = next.pop_front() {
        seen += 1;
        let is_manifest = |facts: fs::Metadata| facts.is_file();
        if folder.join(FILE).symlink_metadata().is_ok_and(is_manifest) {
            return Some(folder);
        }
        if depth >= ROOT_DEPTH_MAX || seen > FOLDERS_MAX {
            continue;
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut inner: Vec<PathBuf> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.path())
            .take(FOLDERS_MAX)
            .collect();
        inner.sort();
        next.extend(inner.into_iter().map(|path| (path, depth + 1)));
    }
    None
}

/// Looks at the folder of a plugin.
#[must_use]
pub fn look(folder: &Path, language: Language) -> Contents {
    let mut contents = Contents {
        folder: folder.to_owned(),
        manifest: None,
        bundle: Bundle {
            files: Vec::new(),
            stamp: 0,
        },
        workflows: BTreeMap::new(),
        prompts: Vec::new(),
        skills: Vec::new(),
        files_of_tools: BTreeMap::new(),
        others: Vec::new(),
        faults: Vec::new(),
    };
    match list(folder) {
        Ok(bundle) => contents.bundle = bundle,
        Err(unfit) => {
            contents.faults.push(Fault::unfit(&unfit, language));
            return contents;
        }
    }
    match manifest(folder) {
        Ok(manifest) => contents.manifest = Some(manifest),
        Err(faults) => contents.faults.extend(faults),
    }
    let paths: Vec<String> = contents
        .bundle
        .files
        .iter()
        .map(|file| file.path.clone())
        .collect();
    let mut of_functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in &paths {
        contents.file(path, &mut of_functions, language);
    }
    contents.skills.sort();
    contents.skills.dedup();
    contents.find_functions(&of_functions);
    contents.faults = in_order(contents.faults);
    contents
}

/// The manifest of a folder, or everything that is wrong in it.
///
/// # Errors
/// As [`reading::read`].
pub fn manifest(folder: &Path) -> Result<Manifest, Vec<Fault>> {
    let mut bytes = Vec::new();
    let opened = File::open(folder.join(FILE));
    let most = MANIFEST_BYTES_MAX as u64 + 1;
    let read = opened.and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|_| vec![Fault::of_file(FILE, Problem::NotText)])?;
    reading::read(&bytes)
}

impl Contents {
    /// Puts a file where it belongs.
    fn file(&mut self, path: &str, of_functions: &mut BTreeMap<String, Vec<String>>, language: Language) {
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            [FILE] => {}
            [folder, name] if folder == Part::Workflows.folder() => self.workflow(path, name, language),
            [folder, name] if folder == Part::Prompts.folder() => match name.strip_suffix(".md") {
                Some(stem) if is_name(stem) => self.prompts.push(stem.to_owned()),
                Some(_) => self.fault_of(path, Problem::BadFileName),
                None => self.others.push(path.to_owned()),
            },
            [folder, name, ..] if folder == Part::Skills.folder() => self.skill(path, name),
            [folder, name] if folder == Part::Tools.folder() && name.ends_with(".py") => {
                match read_text(&self.folder, path) {
                    Ok(text) => {
                        for function in functions(&text) {
                            let files = of_functions.entry(function.to_owned()).or_default();
                            files.push(path.to_owned());
                        }
                    }
                    Err(_) => self.fault_of(path, Problem::NotText),
                }
            }
            _ => self.others.push(path.to_owned()),
        }
    }

    fn workflow(&mut self, path: &str, name: &str, language: Language) {
        // Functions of its steps lie beside it.
        if name.ends_with(".py") {
            return;
        }
        let Some(stem) = name.strip_suffix(".yaml") else {
            return self.others.push(path.to_owned());
        };
        if !is_name(stem) {
            return self.fault_of(path, Problem::BadFileName);
        }
        let Ok(text) = read_text(&self.folder, path) else {
            return self.fault_of(path, Problem::NotText);
        };
        match shidi_workflow::read(&path.into(), text.as_bytes()) {
            Ok(workflow) => drop(self.workflows.insert(stem.to_owned(), workflow)),
            Err(faults) => self.faults.extend(faults.iter().map(|fault| Fault {
                place: fault.place.clone(),
                problem: Problem::OfFile(fault.told(language)),
            })),
        }
    }

    fn skill(&mut self, path: &str, name: &str) {
        if self.skills.iter().any(|known| known == name) {
            return;
        }
        let text = self
            .folder
            .join(Part::Skills.folder())
            .join(name)
            .join("SKILL.md");
        match (is_name(name), text.is_file()) {
            (true, true) => self.skills.push(name.to_owned()),
            (true, false) => self.fault_of(path, Problem::NoSkillText),
            (false, _) => self.fault_of(path, Problem::BadFileName),
        }
    }

    fn find_functions(&mut self, of_functions: &BTreeMap<String, Vec<String>>) {
        let tools = self.manifest.iter().flat_map(|manifest| &manifest.tools);
        let mut faults = Vec::new();
        for tool in tools {
            match of_functions.get(&tool.name).map(Vec::as_slice) {
                Some([file]) => drop(self.files_of_tools.insert(tool.name.clone(), file.clone())),
                Some([_, ..]) => faults.push((&tool.place, Problem::TwoFunctions(tool.name.clone()))),
                Some([]) | None => faults.push((&tool.place, Problem::NoFunction(tool.name.clone()))),
            }
        }
        let faults: Vec<Fault> = faults
            .into_iter()
            .map(|(place, problem)| Fault::new(place, problem))
            .collect();
        self.faults.extend(faults);
    }

    fn fault_of(&mut self, path: &str, problem: Problem) {
        self.faults.push(Fault::of_file(path, problem));
    }
}
