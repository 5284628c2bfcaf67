//! Names for a path that does not exist: a model writes `todo.txt` for the `待办.txt` that it was told of.
//!
//! Only what a listing would show the same program is named. No more than some entries are looked at.

use crate::denied_paths::DeniedPaths;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{NEAR_ENTRIES_MAX, NEAR_NAME_CHARACTERS_MAX, NEAR_NAMES_MAX};
use crate::safe_path::ResolvedPath;
use crate::walk::is_passed_by;
use shidi_protocol::{Call, is_unseen};
use similar::TextDiff;
use std::collections::VecDeque;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// How alike a name of the same folder must be to end the search, from 0 to 1.
const ALIKE: f32 = 0.75;

/// How alike a name must be to be named, where a folder has more than a few. An ending in common is not enough.
const LIKELY: f32 = 0.6;

/// The share that endings have. It is lost where only the ending differs, and is all there is where only that agrees.
const ENDING: f32 = 0.3;

/// The error with names of what is there, where the path that the call itself names does not exist.
pub(super) fn told(error: ToolError, call: &Call, environment: &Environment) -> ToolError {
    let ToolError::Missing(path) = error else {
        return error;
    };
    let names = names(&path, call, environment);
    if names.is_empty() {
        return ToolError::Missing(path);
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    ToolError::MissingBeside {
        path,
        near: quoted.join(", "),
    }
}

fn names(path: &str, call: &Call, environment: &Environment) -> Vec<String> {
    let Some(unnamed) = &environment.unnamed else {
        return Vec::new();
    };
    let written = call.text("path");
    let Ok(place) = ResolvedPath::resolve(written, environment) else {
        return Vec::new();
    };
    // What vanished below the path in the middle of a call is another matter.
    if place.shown.display().to_string() != path {
        return Vec::new();
    }
    let (Some(root), Some(folder), Some(name)) = (
        root_of(&place.leads_to, environment),
        place.leads_to.parent(),
        place.leads_to.file_name(),
    ) else {
        return Vec::new();
    };
    let mut search = Search {
        unnamed,
        method: &call.method,
        name: name.to_string_lossy().to_lowercase(),
        left: NEAR_ENTRIES_MAX,
    };
    let entries = search.entries(folder);
    let mut beside = search.likest(&entries);
    // What was cut off may be more like it than what was seen.
    let are_few = beside.len() <= NEAR_NAMES_MAX && search.left > 0;
    beside.retain(|(likeness, _)| are_few || *likeness >= LIKELY);
    let is_alike = beside.first().is_some_and(|(likeness, _)| *likeness >= ALIKE);
    let mut found = match is_alike {
        true => Vec::new(),
        false => search.elsewhere(&root, (folder, entries)),
    };
    found.extend(beside.into_iter().map(|(_, path)| path));
    let nearest = found.iter().take(NEAR_NAMES_MAX);
    nearest.map(|path| shown(path, &place, environment)).collect()
}

/// The granted or attached folder that a place lies in, all links followed.
fn root_of(place: &Path, environment: &Environment) -> Option<PathBuf> {
    let roots = environment.folders.iter().chain(&environment.attached);
    let mut roots = roots.filter_map(|root| root.canonicalize().ok());
    roots.find(|root| place != root && place.starts_with(root))
}

/// The name under which a program finds a path: relative where it wrote a relative one.
fn shown(path: &Path, place: &ResolvedPath, environment: &Environment) -> String {
    let first = environment.folders.first();
    let first = first.and_then(|first| first.canonicalize().ok());
    let below = first
        .filter(|_| place.shown.is_relative())
        .and_then(|first| path.strip_prefix(first).ok());
    below.unwrap_or(path).display().to_string()
}

/// Looks for what a call may have meant, as long as it has entries left to look at.
struct Search<'a> {
    unnamed: &'a DeniedPaths,
    method: &'a str,
    /// The name that nothing has, in small letters.
    name: String,
    left: usize,
}

/// A file or folder that may be named.
struct Entry {
    name: String,
    path: PathBuf,
    is_folder: bool,
}

impl Search<'_> {
    /// What the method takes of the folder of the path, the likest names first.
    fn likest(&self, entries: &[Entry]) -> Vec<(f32, PathBuf)> {
        let wanted = entries.iter().filter(|entry| self.takes(entry));
        let mut likest: Vec<(f32, PathBuf)> = wanted
            .map(|entry| (self.likeness(&entry.name), entry.path.clone()))
            .collect();
        // Entries come in the order of their names, which equals keep.
        likest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        likest
    }

    /// What has the very name elsewhere below `root`, the upper ones first. The folder of the path was seen before.
    fn elsewhere(&mut self, root: &Path, (folder, entries): (&Path, Vec<Entry>)) -> Vec<PathBuf> {
        let (mut found, mut seen) = (Vec::new(), entries);
        let mut folders = VecDeque::from([root.to_owned()]);
        while let Some(next) = folders.pop_front()
            && self.left > 0
        {
            let is_seen = next == folder;
            let entries = match is_seen {
                true => std::mem::take(&mut seen),
                false => self.entries(&next),
            };
            for entry in entries {
                let is_same = entry.name.to_lowercase() == self.name;
                if is_same && !is_seen && self.takes(&entry) {
                    found.push(entry.path.clone());
                }
                if entry.is_folder && !is_hidden(&entry.name) && !is_passed_by(&entry.path) {
                    folders.push_back(entry.path);
                }
            }
        }
        found
    }

    /// The entries of a folder in the order of their names. A folder that is a link by now has none.
    fn entries(&mut self, folder: &Path) -> Vec<Entry> {
        let is_itself = folder.canonicalize().is_ok_and(|leads_to| leads_to == folder);
        let Some(listed) = folder.read_dir().ok().filter(|_| is_itself) else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for found in listed.take(self.left) {
            self.left -= 1;
            let entry = found.ok().and_then(|found| Entry::of(&found));
            entries.extend(entry.filter(|entry| !self.unnamed.covers(&entry.path)));
        }
        entries.sort_by(|one: &Entry, other| one.name.cmp(&other.name));
        entries
    }

    /// Whether the method takes such a thing; hidden ones are named where a hidden one was asked for.
    fn takes(&self, entry: &Entry) -> bool {
        let is_of_kind = match self.method {
            "list" | "glob" => entry.is_folder,
            "grep" | "find" | "info" | "move" | "copy" | "delete" | "zip" => true,
            _ => !entry.is_folder,
        };
        is_of_kind && (!is_hidden(&entry.name) || is_hidden(&self.name))
    }

    fn likeness(&self, name: &str) -> f32 {
        likeness(&self.name, &name.to_lowercase())
    }
}

/// How alike two names are, from 0 to 1. What stands before the ending decides, by the share of its letters. The longer
/// it is, by the more of them it may differ.
fn likeness(one: &str, other: &str) -> f32 {
    let alike = |one: &str, other: &str| TextDiff::from_chars(one, other).ratio();
    let ((stem, ending), (other_stem, other_ending)) = (parted(one), parted(other));
    // `db.test.ts` and `ui.test.ts` have two endings each.
    let stems = alike(stem, other_stem).min(alike(first(stem), first(other_stem)));
    let endings = ENDING * alike(ending, other_ending);
    (stems * (1.0 - ENDING + endings)).max(endings)
}

/// A name and its ending; a name that begins with a dot has that dot.
fn parted(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => (&name[..dot], &name[dot + 1..]),
        Some(_) | None => (name, ""),
    }
}

/// What stands before the first dot within a name.
fn first(stem: &str) -> &str {
    let within = stem.trim_start_matches('.');
    within.split('.').next().unwrap_or(within)
}

impl Entry {
    /// `None` for links and the like, and for names that nobody could write.
    fn of(found: &DirEntry) -> Option<Self> {
        let kind = found.file_type().ok()?;
        let name = found.file_name().into_string().ok()?;
        let is_plain = |character: char| !(character.is_control() || is_unseen(character));
        let is_readable = name.chars().count() <= NEAR_NAME_CHARACTERS_MAX && name.chars().all(is_plain);
        ((kind.is_file() || kind.is_dir()) && is_readable).then(|| Self {
            path: found.path(),
            name,
            is_folder: kind.is_dir(),
        })
    }
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}
