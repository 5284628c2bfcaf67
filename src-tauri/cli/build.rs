//! Embeds the sample pages, which the build of the windows leaves in `ui/dist-samples`.
//!
//! The command line is built without Node: where nobody has built the pages, it says so instead of serving them.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const BUILT: &str = "../../ui/dist-samples/graphql";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={BUILT}");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(BUILT);
    let mut files: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    let mut list = String::new();
    for file in files {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let place = format!("/{BUILT}/{name}");
        // Not the whole path: a checkout that was moved finds its own pages.
        writeln!(
            list,
            "    ({name:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {place:?}))),"
        )?;
    }
    let text = format!("const FILES: &[(&str, &[u8])] = &[\n{list}];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("samples.rs"), text)?;
    Ok(())
}
