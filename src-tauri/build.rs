//! Builds the pages in `ui/` and embeds them with the window library's configuration.
//!
//! Refuses to fetch anything but the locked packages; with `SHIDI_SKIP_UI_BUILD=1` it takes `ui/dist` as it is.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// What the pages are made from: a change of any rebuilds them.
const SOURCES: [&str; 9] = [
    "assets/locales",
    "assets/samples",
    "ui/src",
    "ui/panel.html",
    "ui/workbench.html",
    "ui/ball.html",
    "ui/package-lock.json",
    "ui/vite.config.ts",
    "ui/svelte.config.js",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-env-changed=SHIDI_SKIP_UI_BUILD");
    for source in SOURCES {
        if Path::new(source).exists() {
            println!("cargo:rerun-if-changed={source}");
        }
    }
    if std::env::var_os("SHIDI_SKIP_UI_BUILD").is_none() {
        build_pages()?;
    }
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/*.json")
        .app_manifest(
            tauri_build::AppManifest::new().permissions_path_pattern("src-tauri/capabilities/*.toml"),
        );
    tauri_build::try_build(attributes)?;
    Ok(())
}

fn build_pages() -> Result<(), Box<dyn Error>> {
    if !Path::new("ui/node_modules").exists() {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&["run", "build"])
}

fn npm(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program)
        .args(arguments)
        .current_dir("ui")
        .output()
        .map_err(|error| {
            format!("npm did not start ({error}); install Node.js or set SHIDI_SKIP_UI_BUILD=1")
        })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "npm {} failed in ui/:\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
    .into())
}
