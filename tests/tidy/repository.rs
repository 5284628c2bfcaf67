//! What the repository holds.

use std::path::PathBuf;
use std::process::Command;

/// The top of the checkout.
pub fn root() -> PathBuf {
    shidi_tests::folder().parent().unwrap().to_path_buf()
}

/// Names of all files that are tracked or would be.
pub fn files() -> Vec<String> {
    let listed = run("git", &["ls-files", "--cached", "--others", "--exclude-standard"]);
    let files: Vec<String> = listed
        .lines()
        .filter(|name| root().join(name).is_file())
        .map(str::to_owned)
        .collect();
    assert!(files.len() > 50, "git lists only {} files", files.len());
    files
}

/// The text of a file; `None` for what is no text.
pub fn text(name: &str) -> Option<String> {
    let bytes = std::fs::read(root().join(name)).unwrap();
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// What a program prints when run at the top of the checkout.
pub fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// The cargo that runs this test.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Fails with one line for each finding.
pub fn expect_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n  {}\n", findings.join("\n  "));
}
