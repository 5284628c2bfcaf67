//! The folders and files of a repository that nobody wrote: what its `.gitignore` files name, and what builds left.
//!
//! `files` passes by less, because a person may ask for any file. An index of code is of what people write.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The file by which a repository says what is not its own.
const FILE: &str = ".gitignore";

/// The file by which a program says that a folder can be made again.
const CACHE: &str = "CACHEDIR.TAG";

/// Folders of other people's code, and of what builds leave.
const GENERATED: [&str; 6] = [
    "vendor",
    "third_party",
    "site-packages",
    "bower_components",
    "dist",
    ".next",
];

/// Bytes of a file of rules, and files of rules in one tree.
const BYTES_MAX: u64 = 128 << 10;
const FILES_MAX: usize = 500;

/// The rules that were met on the way down a tree.
pub(super) struct Ignored {
    root: PathBuf,
    rules: BTreeMap<PathBuf, Gitignore>,
}

impl Ignored {
    pub(super) fn of(root: &Path) -> Self {
        let mut ignored = Self {
            root: root.to_owned(),
            rules: BTreeMap::new(),
        };
        ignored.read(Path::new(""));
        ignored
    }

    /// Whether an entry is left out. A folder that is not brings its own rules.
    pub(super) fn skips(&mut self, relative: &Path, is_folder: bool) -> bool {
        if self.is_named(relative, is_folder) {
            return true;
        }
        if !is_folder {
            return false;
        }
        let name = relative
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let tag = self.root.join(relative).join(CACHE);
        if GENERATED.contains(&name) || tag.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
            return true;
        }
        self.read(relative);
        false
    }

    /// Whether the nearest rules that say something of an entry ignore it.
    fn is_named(&self, relative: &Path, is_folder: bool) -> bool {
        let around = relative
            .ancestors()
            .skip(1)
            .filter_map(|folder| self.rules.get(folder));
        for rules in around {
            let said = rules.matched(self.root.join(relative), is_folder);
            if said.is_ignore() {
                return true;
            }
            if said.is_whitelist() {
                return false;
            }
        }
        false
    }

    fn read(&mut self, folder: &Path) {
        if self.rules.len() >= FILES_MAX {
            return;
        }
        let at = self.root.join(folder);
        let file = at.join(FILE);
        let is_small = |facts: fs::Metadata| facts.is_file() && facts.len() <= BYTES_MAX;
        // A link may lead anywhere.
        if !file.symlink_metadata().is_ok_and(is_small) {
            return;
        }
        let Ok(text) = fs::read_to_string(&file) else {
            return;
        };
        let mut builder = GitignoreBuilder::new(&at);
        for line in text.lines() {
            // A line that is no pattern says nothing.
            builder.add_line(None, line).ok();
        }
        if let Ok(rules) = builder.build() {
            self.rules.insert(folder.to_owned(), rules);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_repository_ignores_is_left_out_and_the_nearest_rule_decides() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("a/target")).expect("folders");
        fs::write(root.join(".gitignore"), "*.log\n/built\n[\n").expect("rules");
        fs::write(root.join("a/.gitignore"), "!kept.log\n").expect("rules");
        fs::write(root.join("a/target/CACHEDIR.TAG"), "Signature").expect("a tag");
        let mut ignored = Ignored::of(root);
        assert!(!ignored.skips(Path::new("a"), true));
        assert!(ignored.skips(Path::new("a/target"), true));
        assert!(ignored.skips(Path::new("built"), true));
        assert!(!ignored.skips(Path::new("a/built"), true));
        assert!(ignored.skips(Path::new("b.log"), false));
        assert!(ignored.skips(Path::new("a/b.log"), false));
        assert!(!ignored.skips(Path::new("a/kept.log"), false));
        assert!(ignored.skips(Path::new("a/vendor"), true));
    }
}
