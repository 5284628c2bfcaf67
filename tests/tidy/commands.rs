//! The commands that windows call: one that is not allowed to any window, or allowed by a name that nothing has, fails in
//! silence for whoever clicks.

use crate::repository::{expect_none, text};
use std::collections::BTreeSet;

#[test]
fn every_command_is_allowed_to_a_window_by_its_own_name() {
    let allowed = text("src-tauri/capabilities/commands.toml").unwrap();
    let allowed: BTreeSet<&str> = allowed
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .collect();
    let main = text("src-tauri/shell/src/main.rs").unwrap();
    let there: BTreeSet<&str> = main
        .lines()
        .filter_map(|line| line.trim().strip_prefix("commands::")?.strip_suffix(','))
        .collect();
    assert!(there.len() > 10, "only {} commands were found", there.len());
    let nowhere = allowed.difference(&there);
    let nobody = there.difference(&allowed);
    let findings: Vec<String> = nowhere
        .map(|name| format!("{name} is allowed, and is no command"))
        .chain(nobody.map(|name| format!("{name} may be called by no window")))
        .collect();
    expect_none("Commands in src-tauri/capabilities/commands.toml", &findings);
}
