//! Lists the skills that ship. Each is a folder of `skills` with its text in English, and beside that one for each
//! other language.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    // Asked when it runs: a checkout that was moved is built from where it lies now.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.join("../../skills");
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut source = "static SHIPPED: &[Shipped] = &[\n".to_owned();
    for name in names(&root)? {
        let folder = root.join(&name);
        if !folder.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", folder.display());
        let others: String = names(&folder)?
            .iter()
            .filter_map(|file| {
                let code = file.strip_prefix("SKILL.")?.strip_suffix(".md")?;
                Some(format!("({code:?}, include_str!({:?})), ", folder.join(file)))
            })
            .collect();
        writeln!(
            source,
            "    Shipped {{ name: {name:?}, text: include_str!({:?}), others: &[{others}] }},",
            folder.join("SKILL.md")
        )
        .map_err(io::Error::other)?;
    }
    source.push_str("];\n");
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    std::fs::write(folder.join("shipped.rs"), source)
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
