//! Builds the worker, an excluded package with its own lock, and tells the crate where the worker lies.
//!
//! The interpreter declares a newer compiler than the product asks for, although this compiler builds it; only
//! a separate build can ignore that. Nothing of the outer build may steer the inner one: `cargo clippy` would
//! lint it, and a shared target folder would make both wait for one lock for ever. `SHIDI_WORKER` names a
//! worker that was built elsewhere, `SHIDI_WORKER_TARGET_DIR` another target folder.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const WORKER: &str = "shidi-executor-worker";
/// Sources of the worker, relative to this package. Each must exist, or every build would run this script again.
const SOURCES: [&str; 7] = [
    "build.rs",
    "worker/Cargo.toml",
    "worker/Cargo.lock",
    "worker/build.rs",
    "worker/src",
    "proto/Cargo.toml",
    "proto/src",
];
/// Variables of the outer build that the inner one may see: the sources of crates, and the linker.
const KEPT: [&str; 4] = [
    "CARGO_HOME",
    "CARGO_NET_OFFLINE",
    "CARGO_TERM_COLOR",
    "CARGO_HTTP_PROXY",
];
const KEPT_PREFIXES: [&str; 4] = [
    "CARGO_REGISTRIES_",
    "CARGO_REGISTRY_",
    "CARGO_HTTP_",
    "CARGO_SOURCE_",
];
const STEERING_PREFIXES: [&str; 6] = ["CARGO", "__CARGO", "RUSTC", "RUSTDOC", "CLIPPY", "DEP_"];
const STEERING: [&str; 8] = [
    "RUSTFLAGS",
    "TARGET",
    "HOST",
    "OPT_LEVEL",
    "PROFILE",
    "DEBUG",
    "OUT_DIR",
    "NUM_JOBS",
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=SHIDI_WORKER");
    println!("cargo::rerun-if-env-changed=SHIDI_WORKER_TARGET_DIR");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    match worker() {
        Ok(path) => {
            println!("cargo::rustc-env=SHIDI_WORKER_PATH={}", path.display());
            println!("cargo::metadata=path={}", path.display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn worker() -> Result<PathBuf, String> {
    if let Some(prebuilt) = env::var_os("SHIDI_WORKER").filter(|path| !path.is_empty()) {
        let path = PathBuf::from(prebuilt);
        println!("cargo::rerun-if-changed={}", path.display());
        return if path.is_file() {
            Ok(path)
        } else {
            Err(format!("SHIDI_WORKER names no file: {}", path.display()))
        };
    }
    build()
}

fn build() -> Result<PathBuf, String> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("worker");
    let triple = variable("TARGET")?;
    let target = env::var_os("SHIDI_WORKER_TARGET_DIR")
        .filter(|path| !path.is_empty())
        .map_or_else(|| package.join("target"), PathBuf::from);
    let status = command(&package, &target, &triple)?
        .status()
        .map_err(|error| format!("cargo could not be started for the worker: {error}"))?;
    if !status.success() {
        return Err(format!(
            "the worker did not build; see above, or run cargo in {} with --release --ignore-rust-version",
            package.display()
        ));
    }
    let suffix = if triple.contains("windows") { ".exe" } else { "" };
    Ok(target
        .join(triple)
        .join("release")
        .join(format!("{WORKER}{suffix}")))
}

fn command(package: &Path, target: &Path, triple: &str) -> Result<Command, String> {
    let mut command = Command::new(variable("CARGO")?);
    command
        .current_dir(package)
        .args([
            "build",
            "--release",
            "--locked",
            "--ignore-rust-version",
            "--target",
            triple,
            "--target-dir",
        ])
        .arg(target);
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(steers) {
            command.env_remove(&name);
        }
    }
    command.env("RUSTC", variable("RUSTC")?);
    Ok(command)
}

fn steers(name: &str) -> bool {
    let linker = name.starts_with("CARGO_TARGET_") && name.ends_with("_LINKER");
    if linker || KEPT.contains(&name) || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return false;
    }
    STEERING.contains(&name) || STEERING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}
