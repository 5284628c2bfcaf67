//! Lists the built-in modules of the prompt: a folder of `assets/prompts` for each language, a file for each module.
//!
//! A language may have no folder. A folder has every module, else the build fails with a sentence for each lack.

#![expect(
    clippy::disallowed_methods,
    reason = "the mind does no IO, its build reads which files there are"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXTENSION: &str = ".xml";

/// The names of the modules by language.
type Folders = BTreeMap<String, BTreeSet<String>>;

fn main() -> ExitCode {
    // Asked when it runs: a checkout that was moved is built from where it lies now.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.join("../../assets/prompts");
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    match read(&root).and_then(|folders| write(&root, &folders)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(findings) => {
            for finding in findings {
                println!("cargo::error={finding}");
            }
            ExitCode::FAILURE
        }
    }
}

fn read(root: &Path) -> Result<Folders, Vec<String>> {
    let mut folders = Folders::new();
    for language in names(root)? {
        let files = names(&root.join(&language))?;
        let modules = files
            .iter()
            .filter_map(|file| file.strip_suffix(EXTENSION))
            .map(str::to_owned);
        folders.insert(language, modules.collect());
    }
    let all: BTreeSet<&String> = folders.values().flatten().collect();
    let lacks = folders.iter().flat_map(|(language, modules)| {
        all.iter()
            .filter(|name| !modules.contains(**name))
            .map(move |name| format!("{language}/{name}{EXTENSION} is missing: another language has it"))
    });
    match lacks.collect::<Vec<_>>() {
        none if none.is_empty() => Ok(folders),
        lacks => Err(lacks),
    }
}

/// The names within a folder, in their order.
fn names(folder: &Path) -> Result<BTreeSet<String>, Vec<String>> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| vec![format!("{} can't be read: {error}", folder.display())])?;
    let names = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| !name.starts_with('.')).collect())
}

fn write(root: &Path, folders: &Folders) -> Result<(), Vec<String>> {
    let mut source =
        "/// Every language that has modules, with their names and texts.\nconst FOLDERS: &[(&str, Texts)] = &[\n"
            .to_owned();
    for (language, modules) in folders {
        let texts: String = modules
            .iter()
            .map(|name| {
                let path = root.join(language).join(format!("{name}{EXTENSION}"));
                format!(
                    "        ({name:?}, include_str!({:?})),\n",
                    path.to_string_lossy()
                )
            })
            .collect();
        writeln!(source, "    ({language:?}, &[\n{texts}    ]),").unwrap_or_default();
    }
    source.push_str("];\n");
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let file = folder.join("prompts.rs");
    std::fs::write(&file, source)
        .map_err(|error| vec![format!("{} can't be written: {error}", file.display())])
}
