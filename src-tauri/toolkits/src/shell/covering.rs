//! Parts of the granted folders that no command may change: Shidi's own data, and files that version control runs.
//!
//! A covered folder can't be moved, but a folder above it can, which would uncover it for the next command. So
//! every folder on the way is mounted over itself: the system moves no mount point. Mounts go by name, so the
//! sandbox checks each folder's identity before the command begins.

use super::sandbox::SandboxSpec;
use crate::identity::{self, Identity};
use crate::limits::{REPOSITORIES_MAX, REPOSITORY_DEPTH_MAX, REPOSITORY_FOLDERS_MAX};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// The folder in which a repository keeps its data.
const REPOSITORY: &str = ".git";

/// Files that git runs, or that tell git which programs to run. Commits, branches and merges still work.
const RUN_BY_GIT: [&str; 2] = ["hooks", "config"];

/// Folders with many folders in which nobody works.
const PASSED_BY: [&str; 2] = ["node_modules", "target"];

/// The mounts over the granted folders, in this order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Covering {
    /// Folders that are mounted over themselves, outer ones first.
    pub(super) held: Vec<PathBuf>,
    /// Files and folders that can be read and not written.
    pub(super) read_only: Vec<PathBuf>,
    /// Folders that appear empty.
    pub(super) empty: Vec<PathBuf>,
    /// The identities that the folders mounted by name must have.
    pub(super) expected: Vec<(PathBuf, Identity)>,
}

impl Covering {
    /// The mounts for a command that works in `roots`, folders with all links followed.
    ///
    /// # Errors
    /// A folder above our data whose identity can't be told.
    pub(super) fn of(inside: &SandboxSpec, roots: &[PathBuf]) -> Result<Self, PathBuf> {
        let places = inside
            .hidden
            .iter()
            .flat_map(|hidden| roots.iter().filter_map(|root| named_within(hidden, root)));
        let empty: BTreeSet<(PathBuf, &PathBuf)> = places.collect();
        let is_empty = |path: &Path| empty.iter().any(|(hidden, _)| path.starts_with(hidden));
        let mut held: BTreeSet<PathBuf> = BTreeSet::new();
        for (hidden, root) in &empty {
            let above = hidden.ancestors().skip(1);
            let way = above.take_while(|folder| folder.starts_with(root) && folder != root);
            held.extend(way.filter(|folder| !is_empty(folder)).map(PathBuf::from));
        }
        let mut expected = Vec::new();
        for folder in roots.iter().chain(&held) {
            let known = without_links(folder).ok_or_else(|| folder.clone())?;
            expected.push((folder.clone(), known));
        }
        let mut read_only = Vec::new();
        for repository in repositories(inside, roots) {
            let Some(known) = without_links(&repository).filter(|_| !is_empty(&repository)) else {
                continue;
            };
            for place in RUN_BY_GIT.map(|name| repository.join(name)) {
                if let Some(known) = without_links(&place) {
                    expected.push((place.clone(), known));
                    read_only.push(place);
                }
            }
            expected.push((repository.clone(), known));
            held.insert(repository);
        }
        let outermost = empty
            .iter()
            .filter(|(hidden, _)| !hidden.ancestors().skip(1).any(&is_empty));
        Ok(Self {
            empty: outermost.map(|(hidden, _)| hidden.clone()).collect(),
            held: held.into_iter().collect(),
            read_only,
            expected,
        })
    }
}

/// The path of `hidden` within `root`, if it lies there: the folder may be granted under another name.
fn named_within<'a>(hidden: &Path, root: &'a PathBuf) -> Option<(PathBuf, &'a PathBuf)> {
    if hidden.starts_with(root) {
        return Some((hidden.to_owned(), root));
    }
    let known = identity::of(root)?;
    let above = hidden
        .ancestors()
        .find(|above| identity::of(above) == Some(known))?;
    let below = hidden.strip_prefix(above).ok()?;
    Some((root.join(below), root))
}

/// Repositories on the way to the command's folder, and repositories near the top of the granted folders. Empty
/// where a person decided on this very command.
fn repositories(inside: &SandboxSpec, roots: &[PathBuf]) -> Vec<PathBuf> {
    if inside.is_decided {
        return Vec::new();
    }
    let is_granted = |folder: &&Path| roots.iter().any(|root| folder.starts_with(root));
    let on_the_way = inside.at.ancestors().take_while(is_granted);
    let mut waiting: VecDeque<(PathBuf, usize)> = roots.iter().map(|root| (root.clone(), 0)).collect();
    let mut found: BTreeSet<PathBuf> = on_the_way
        .map(|folder| folder.join(REPOSITORY))
        .filter(|place| is_folder(place))
        .collect();
    for _ in 0..REPOSITORY_FOLDERS_MAX {
        let Some((folder, depth)) = waiting.pop_front() else {
            break;
        };
        let repository = folder.join(REPOSITORY);
        if is_folder(&repository) {
            found.insert(repository);
        }
        if found.len() >= REPOSITORIES_MAX {
            break;
        }
        if depth < REPOSITORY_DEPTH_MAX {
            waiting.extend(below(&folder).into_iter().map(|folder| (folder, depth + 1)));
        }
    }
    found.into_iter().collect()
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|facts| facts.is_dir())
}

/// Folders within a folder in which somebody works, in the order of their names.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let entries = entries.flatten().take(REPOSITORY_FOLDERS_MAX);
    let is_worked_in = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !name.starts_with('.')
            && !PASSED_BY.contains(&name.as_ref())
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let mut folders: Vec<PathBuf> = entries.filter(is_worked_in).map(|entry| entry.path()).collect();
    folders.sort_unstable();
    folders
}

#[cfg(target_os = "linux")]
fn without_links(path: &Path) -> Option<Identity> {
    identity::without_links(path)
}

#[cfg(not(target_os = "linux"))]
fn without_links(path: &Path) -> Option<Identity> {
    identity::of(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn inside(at: &Path, hidden: &[&Path]) -> SandboxSpec {
        SandboxSpec {
            folders: vec![at.to_owned()],
            hidden: hidden.iter().map(|folder| (*folder).to_owned()).collect(),
            at: at.to_owned(),
            is_decided: false,
        }
    }

    #[test]
    fn every_folder_above_what_is_hidden_is_held_and_none_within_it() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        let [data, config] = ["a/b/data", "a/config"].map(|name| top.join(name));
        fs::create_dir_all(data.join("within/it")).unwrap();
        fs::create_dir_all(&config).unwrap();
        let within = data.join("within");
        let covering = Covering::of(
            &inside(&top, &[&within, &data, &config]),
            std::slice::from_ref(&top),
        )
        .unwrap();
        assert_eq!(covering.held, [top.join("a"), top.join("a/b")]);
        assert_eq!(covering.empty, [data, config]);
        let named: Vec<&PathBuf> = covering.expected.iter().map(|(place, _)| place).collect();
        assert_eq!(named, [&top, &top.join("a"), &top.join("a/b")]);
    }

    #[test]
    fn what_is_hidden_is_found_in_a_folder_that_is_granted_under_another_name() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        let [data, alias, other] = ["me/share/data", "alias", "other"].map(|name| top.join(name));
        fs::create_dir_all(&data).unwrap();
        fs::create_dir(&other).unwrap();
        // The link stands for a folder that is mounted in two places.
        std::os::unix::fs::symlink(top.join("me"), &alias).unwrap();
        assert_eq!(
            named_within(&data, &alias),
            Some((alias.join("share/data"), &alias))
        );
        assert_eq!(named_within(&data, &other), None);
    }

    #[test]
    fn what_git_runs_is_read_only_until_a_person_decides_on_the_command() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        for folder in [
            ".git/hooks",
            "one/.git/hooks",
            "a/b/c/d/.git/hooks",
            "node_modules/x/.git/hooks",
        ] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        fs::write(top.join("one/.git/config"), "[core]\n").unwrap();
        std::os::unix::fs::symlink(top.join("one/.git"), top.join("a/.git")).unwrap();
        let mut order = inside(&top, &[]);
        let roots = [top.clone()];
        let covering = Covering::of(&order, &roots).unwrap();
        assert_eq!(covering.held, [top.join(".git"), top.join("one/.git")]);
        assert_eq!(
            covering.read_only,
            [".git/hooks", "one/.git/hooks", "one/.git/config"].map(|place| top.join(place))
        );
        order.at = top.join("a/b/c/d");
        let deep = Covering::of(&order, &roots).unwrap();
        assert!(deep.held.contains(&top.join("a/b/c/d/.git")));
        order.is_decided = true;
        assert_eq!(Covering::of(&order, &roots).unwrap().held, Vec::<PathBuf>::new());
    }
}
