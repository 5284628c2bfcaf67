//! Makes typed functions of `assets/locales`, or fails with one sentence for each fault of the catalogue.
//!
//! `SHIDI_LOCALES` names another folder of languages: `make pseudo` builds the program with one language more.

mod catalogue;
mod generate;
mod plural;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Asked when it runs: a checkout that was moved is built from where it lies now.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let ours = package.join("../../assets/locales");
    let root = std::env::var_os("SHIDI_LOCALES").map_or(ours, PathBuf::from);
    println!("cargo::rerun-if-env-changed=SHIDI_LOCALES");
    // A folder is watched as a whole: a file that is added or goes makes a new catalogue.
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build");
    match write(&root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(findings) => {
            for finding in findings {
                println!("cargo::error={finding}");
            }
            ExitCode::FAILURE
        }
    }
}

fn write(root: &Path) -> Result<(), Vec<String>> {
    let catalogue = catalogue::read(root)?;
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let file = folder.join("catalogue.rs");
    std::fs::write(&file, generate::source(&catalogue))
        .map_err(|error| vec![format!("{} can't be written: {error}", file.display())])
}
