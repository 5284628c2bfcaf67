//! Lists the plugins that come along, with every file in them. `plugins` has a folder for each language, and in that a
//! folder for each plugin.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    // Asked when it runs: a checkout that was moved is built from where it lies now.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.join("../../plugins");
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut source = "const SHIPPED: &[(&str, &str, Files)] = &[\n".to_owned();
    for code in names(&root)? {
        for name in names(&root.join(&code))? {
            let folder = root.join(&code).join(&name);
            let mut files = Vec::new();
            walk(&folder, "", &mut files)?;
            let listed: String = files
                .iter()
                .map(|path| format!("        ({path:?}, include_str!({:?})),\n", folder.join(path)))
                .collect();
            writeln!(source, "    ({code:?}, {name:?}, &[\n{listed}    ]),").map_err(io::Error::other)?;
        }
    }
    source.push_str("];\n");
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    std::fs::write(folder.join("shipped.rs"), source)
}

fn walk(folder: &Path, below: &str, files: &mut Vec<String>) -> io::Result<()> {
    for name in names(folder)? {
        let path = if below.is_empty() {
            name.clone()
        } else {
            format!("{below}/{name}")
        };
        match folder.join(&name).is_dir() {
            true => walk(&folder.join(&name), &path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// The names within a folder, in their order.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let names = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    Ok(names)
}
