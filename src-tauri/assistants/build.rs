//! Lists the assistants that ship, each a file of `assets/assistants`, and the names of the plugins that come along.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

fn main() -> io::Result<()> {
    // Asked when it runs: a checkout that was moved is built from where it lies now.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = package.join("../../assets/assistants");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    let entries = std::fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml"));
    files.sort();
    let mut source = "static SHIPPED: &[(&str, &str)] = &[\n".to_owned();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(source, "    ({name:?}, include_str!({file:?})),").map_err(io::Error::other)?;
    }
    source.push_str("];\n");
    let plugins = package.join("../../plugins/en");
    println!("cargo::rerun-if-changed={}", plugins.display());
    let entries = std::fs::read_dir(&plugins)?.collect::<io::Result<Vec<_>>>()?;
    let folders = entries.iter().filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    writeln!(source, "static PLUGINS: &[&str] = &{names:?};").map_err(io::Error::other)?;
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    std::fs::write(out.join("shipped.rs"), source)
}
