//! Writes the catalogue with a pseudo-language beside its languages into a folder: `make pseudo` builds the program with it.

#[path = "../tests/generator/pseudo.rs"]
mod pseudo;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("Usage: pseudo FOLDER");
        return ExitCode::FAILURE;
    };
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/locales");
    match pseudo::write(&ours, Path::new(&folder)) {
        Ok(()) => {
            println!("{}", pseudo::CODE);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("The catalogue could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}
