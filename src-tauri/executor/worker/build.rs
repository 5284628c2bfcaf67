//! Gives the worker its build id, a hash of its lock and sources, so that a recorded run names the worker that
//! ran it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SOURCES: [&str; 4] = ["Cargo.lock", "Cargo.toml", "src", "../proto/src"];

fn main() -> ExitCode {
    let mut hash = Fnv::default();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        if let Err(error) = feed(Path::new(source), &mut hash) {
            println!("cargo::error={source}: {error}");
            return ExitCode::FAILURE;
        }
    }
    println!("cargo::rustc-env=SHIDI_WORKER_BUILD_ID={:016x}", hash.0);
    ExitCode::SUCCESS
}

/// Feeds a file into the hash, or a folder's files in the order of their names.
fn feed(path: &Path, hash: &mut Fnv) -> std::io::Result<()> {
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        inside.sort();
        return inside.iter().try_for_each(|path| feed(path, hash));
    }
    hash.feed(path.to_string_lossy().as_bytes());
    hash.feed(&fs::read(path)?);
    Ok(())
}

/// FNV-1a, 64 bits: stable over compilers, and enough to tell builds apart.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.0 = (self.0 ^ 0xff).wrapping_mul(0x0100_0000_01b3);
    }
}
