//! Where the programs of this installation lie: beside the one that runs, in `lib/shidi`, or where a build put them.
//!
//! An installed program never looks at places of a build: another user may have put a program there.

use std::path::{Path, PathBuf};

/// A program that lies at none of its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Where an installation has it.
    pub installed: PathBuf,
}

/// Our program of that name. `built` is its place in a build that does not put it beside the others.
///
/// # Errors
/// When it is at none of its places.
pub fn program(name: &str, built: Option<&Path>) -> Result<PathBuf, Missing> {
    lookup(&own(), name, built)
}

/// Our program of that name in the folder of this one.
#[must_use]
pub fn beside(name: &str) -> Option<PathBuf> {
    let path = folder_of(&own()).join(file_name(name));
    path.is_file().then_some(path)
}

/// The program that works as a child of this one. The child is the command line beside this program, which starts
/// fastest, else this program.
#[must_use]
pub fn child_program() -> PathBuf {
    beside("shidi").unwrap_or_else(own)
}

fn lookup(own: &Path, name: &str, built: Option<&Path>) -> Result<PathBuf, Missing> {
    let name = file_name(name);
    let folder = folder_of(own);
    let above = folder.parent().unwrap_or(folder);
    let installed = above.join("lib/shidi").join(&name);
    // Tests lie one folder below the programs that are built with them.
    let is_test = folder.file_name().is_some_and(|folder| folder == "deps");
    let tested = is_test.then(|| above.join(&name));
    // Cargo marks its target folders by this file.
    let is_build = own.ancestors().any(|above| above.join("CACHEDIR.TAG").is_file());
    let in_build = built.map(Path::to_owned).into_iter().chain(tested);
    let mut places = [folder.join(&name), installed.clone()]
        .into_iter()
        .chain(in_build.filter(|_| is_build));
    let found = places.find(|path| path.is_file());
    found.ok_or(Missing { installed })
}

/// The path of this program; an empty one where the system does not tell it.
fn own() -> PathBuf {
    std::env::current_exe().unwrap_or_default()
}

fn folder_of(own: &Path) -> &Path {
    own.parent().unwrap_or(Path::new("/"))
}

/// The name of a program's file on this system.
fn file_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const NAME: &str = "shidi-reader";

    /// A folder with these files; the programs among them are named as this system names them.
    fn folder(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        folder
    }

    fn reader(folder: &str) -> String {
        format!("{folder}/{}", file_name(NAME))
    }

    #[test]
    fn what_lies_beside_comes_before_what_is_installed() {
        let (beside, installed) = (reader("bin"), reader("lib/shidi"));
        let both = folder(&[&beside, &installed]);
        let own = both.path().join("bin/shidi");
        assert_eq!(lookup(&own, NAME, None), Ok(both.path().join(&beside)));
        std::fs::remove_file(both.path().join(&beside)).expect("a file");
        assert_eq!(lookup(&own, NAME, None), Ok(both.path().join(&installed)));
    }

    #[test]
    fn only_a_build_looks_at_places_of_builds() {
        for (mark, is_build) in [("CACHEDIR.TAG", true), ("README", false)] {
            let (debug, elsewhere) = (reader("target/debug"), reader("elsewhere"));
            let built = folder(&[&debug, &elsewhere, &format!("target/{mark}")]);
            let test = built.path().join("target/debug/deps/a-test");
            let of = |path: &str| built.path().join(path);
            let missing = Err(Missing {
                installed: of(&reader("target/debug/lib/shidi")),
            });
            let expected = if is_build { Ok(of(&debug)) } else { missing.clone() };
            assert_eq!(lookup(&test, NAME, None), expected, "{mark}");
            let expected = if is_build { Ok(of(&elsewhere)) } else { missing };
            assert_eq!(lookup(&test, NAME, Some(&of(&elsewhere))), expected, "{mark}");
        }
    }

    #[test]
    fn a_program_that_is_missing_is_told_with_its_place_in_an_installation() {
        let none = folder(&[]);
        let own = none.path().join("bin/shidi");
        let installed = none.path().join(reader("lib/shidi"));
        assert_eq!(lookup(&own, NAME, None), Err(Missing { installed }));
    }

    #[test]
    fn a_child_is_this_program_where_no_command_line_lies_beside_it() {
        // Tests lie in a folder of their own, where no program is.
        assert_eq!(beside("shidi"), None);
        assert_eq!(child_program(), own());
    }
}
