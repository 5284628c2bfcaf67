//! Who may know whom.

use crate::repository::{cargo, expect_none, root, run};
use serde_json::Value;

/// Each crate of ours with all that it may depend on; what is not drawn is forbidden.
const ARROWS: &[(&str, &[&str])] = &[
    ("shidi-locales", &[]),
    ("shidi-protocol", &["shidi-locales"]),
    ("shidi-atomic-write", &[]),
    ("shidi-installation", &[]),
    ("shidi-egress", &[]),
    ("shidi-agent", &["shidi-locales", "shidi-protocol"]),
    (
        "shidi-models",
        &["shidi-locales", "shidi-protocol", "shidi-atomic-write"],
    ),
    ("shidi-store", &["shidi-locales", "shidi-protocol"]),
    ("shidi-pdf", &[]),
    (
        "shidi-toolkits",
        &["shidi-atomic-write", "shidi-pdf", "shidi-protocol"],
    ),
    ("shidi-reader", &["shidi-toolkits"]),
    ("shidi-mcp-client", &["shidi-locales", "shidi-protocol"]),
    ("shidi-senses", &["shidi-protocol"]),
    (
        "shidi-executor",
        &[
            "shidi-installation",
            "shidi-locales",
            "shidi-protocol",
            "shidi-executor-proto",
        ],
    ),
    ("shidi-executor-proto", &[]),
    ("shidi-executor-worker", &["shidi-executor-proto"]),
    (
        "shidi-space",
        &[
            "shidi-installation",
            "shidi-locales",
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-models",
            "shidi-protocol",
            "shidi-senses",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-trace",
        &[
            "shidi-agent",
            "shidi-egress",
            "shidi-protocol",
            "shidi-senses",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-embedding",
        &[
            "shidi-locales",
            "shidi-agent",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-store",
        ],
    ),
    (
        "shidi-memory",
        &[
            "shidi-locales",
            "shidi-agent",
            "shidi-embedding",
            "shidi-models",
            "shidi-protocol",
            "shidi-senses",
            "shidi-space",
            "shidi-store",
        ],
    ),
    (
        "shidi-knowledge",
        &[
            "shidi-agent",
            "shidi-embedding",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-browser",
        &[
            "shidi-locales",
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-mcp-client",
            "shidi-protocol",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-mcp",
        &[
            "shidi-locales",
            "shidi-atomic-write",
            "shidi-mcp-client",
            "shidi-protocol",
            "shidi-senses",
            "shidi-space",
            "shidi-toolkits",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-capture",
        &[
            "shidi-locales",
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-models",
            "shidi-protocol",
            "shidi-senses",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-web",
        &[
            "shidi-egress",
            "shidi-locales",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-jobs",
        &[
            "shidi-egress",
            "shidi-locales",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-attachments",
        &[
            "shidi-locales",
            "shidi-agent",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-code-index",
        &[
            "shidi-atomic-write",
            "shidi-embedding",
            "shidi-protocol",
            "shidi-reader",
            "shidi-space",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-folders",
        &["shidi-locales", "shidi-protocol", "shidi-space", "shidi-store"],
    ),
    (
        "shidi-changes",
        &[
            "shidi-locales",
            "shidi-protocol",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-assistants",
        &[
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-locales",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-bad-cases",
        &[
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-evaluation",
            "shidi-locales",
            "shidi-protocol",
            "shidi-senses",
            "shidi-space",
            "shidi-store",
        ],
    ),
    (
        "shidi-saved-prompts",
        &[
            "shidi-atomic-write",
            "shidi-bundles",
            "shidi-protocol",
            "shidi-space",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-bundles",
        &["shidi-locales", "shidi-models", "shidi-protocol", "shidi-space"],
    ),
    (
        "shidi-plugins",
        &[
            "shidi-agent",
            "shidi-bundles",
            "shidi-locales",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
            "shidi-workflow",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-skills",
        &[
            "shidi-bundles",
            "shidi-locales",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-local-model",
        &[
            "shidi-atomic-write",
            "shidi-bundles",
            "shidi-locales",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-providers",
        &["shidi-agent", "shidi-models", "shidi-protocol", "shidi-space"],
    ),
    (
        "shidi-runtime",
        &[
            "shidi-egress",
            "shidi-locales",
            "shidi-agent",
            "shidi-models",
            "shidi-store",
            "shidi-executor",
            "shidi-toolkits",
            "shidi-senses",
            "shidi-space",
            "shidi-trace",
            "shidi-embedding",
            "shidi-memory",
            "shidi-knowledge",
            "shidi-browser",
            "shidi-mcp",
            "shidi-capture",
            "shidi-web",
            "shidi-jobs",
            "shidi-attachments",
            "shidi-code-index",
            "shidi-folders",
            "shidi-changes",
            "shidi-assistants",
            "shidi-saved-prompts",
            "shidi-bad-cases",
            "shidi-plugins",
            "shidi-skills",
            "shidi-local-model",
            "shidi-providers",
            "shidi-scheduler",
            "shidi-workflow-runs",
            "shidi-protocol",
        ],
    ),
    (
        "shidi-trials",
        &[
            "shidi-bad-cases",
            "shidi-runtime",
            "shidi-evaluation",
            "shidi-space",
            "shidi-locales",
            "shidi-protocol",
        ],
    ),
    ("shidi-service", &["shidi-runtime", "shidi-protocol"]),
    (
        "shidi-acp",
        &[
            "shidi-service",
            "shidi-runtime",
            "shidi-locales",
            "shidi-protocol",
        ],
    ),
    (
        "shidi-mcp-server",
        &[
            "shidi-service",
            "shidi-runtime",
            "shidi-locales",
            "shidi-protocol",
        ],
    ),
    ("shidi-yaml", &[]),
    (
        "shidi-schedule",
        &["shidi-locales", "shidi-protocol", "shidi-yaml"],
    ),
    (
        "shidi-scheduler",
        &[
            "shidi-locales",
            // Its tests open a data space.
            "shidi-models",
            "shidi-protocol",
            "shidi-schedule",
            "shidi-space",
            "shidi-store",
            "shidi-toolkits",
        ],
    ),
    (
        "shidi-workflow",
        &["shidi-agent", "shidi-locales", "shidi-protocol", "shidi-yaml"],
    ),
    (
        "shidi-workflow-runs",
        &[
            "shidi-agent",
            "shidi-atomic-write",
            "shidi-bundles",
            "shidi-executor",
            "shidi-locales",
            "shidi-models",
            "shidi-protocol",
            "shidi-space",
            "shidi-store",
            "shidi-workflow",
        ],
    ),
    (
        "shidi-evaluation",
        &[
            "shidi-atomic-write",
            "shidi-locales",
            "shidi-protocol",
            "shidi-yaml",
        ],
    ),
    (
        "shidi-cli",
        &[
            "shidi-installation",
            "shidi-runtime",
            "shidi-trials",
            "shidi-acp",
            "shidi-mcp-server",
            "shidi-atomic-write",
            "shidi-evaluation",
            "shidi-workflow",
            "shidi-locales",
            "shidi-protocol",
        ],
    ),
    (
        "shidi-desktop",
        &[
            "shidi-runtime",
            "shidi-trials",
            "shidi-locales",
            "shidi-protocol",
            "shidi-atomic-write",
        ],
    ),
];

/// Features: none names another, and what joins two stands in `runtime`.
const FEATURES: &[&str] = &[
    "shidi-assistants",
    "shidi-attachments",
    "shidi-bad-cases",
    "shidi-browser",
    "shidi-capture",
    "shidi-changes",
    "shidi-code-index",
    "shidi-folders",
    "shidi-jobs",
    "shidi-knowledge",
    "shidi-local-model",
    "shidi-mcp",
    "shidi-memory",
    "shidi-plugins",
    "shidi-providers",
    "shidi-saved-prompts",
    "shidi-scheduler",
    "shidi-skills",
    "shidi-trace",
    "shidi-web",
    "shidi-workflow-runs",
];

/// Packages that look at the others from outside.
const ONLOOKERS: &[&str] = &["shidi-tests", "shidi-test-windows"];

/// What a pure mind and synchronous toolkits must do without.
const PURE: &[&str] = &[
    "shidi-agent",
    "shidi-toolkits",
    "shidi-protocol",
    "shidi-schedule",
    "shidi-workflow",
];
const IMPURE: &[&str] = &["tokio", "reqwest", "rusqlite", "async-std"];

/// Roots of window systems: the command line starts in milliseconds because it links none of them. `x11rb` is none: it
/// speaks to the display over its socket and links no library.
const WINDOW_SYSTEMS: &[&str] = &[
    "gtk",
    "gdk",
    "webkit2gtk",
    "wry",
    "tauri",
    "tao",
    "xcap",
    "xcb",
    "x11-dl",
    "winit",
];

#[test]
fn every_arrow_between_crates_is_drawn() {
    let mut findings = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        if ONLOOKERS.contains(&name) {
            continue;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            findings.push(format!("{name} is not drawn: add it here and in ARCHITECTURE.md"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap() {
            let on = dependency["name"].as_str().unwrap();
            let is_ours = !dependency["path"].is_null();
            if is_ours && !allowed.contains(&on) {
                findings.push(format!("{name} -> {on}"));
            }
        }
    }
    expect_none("Arrows that are not drawn", &findings);
}

#[test]
fn no_feature_names_another() {
    let features = ARROWS.iter().filter(|(name, _)| FEATURES.contains(name));
    let known = features.clone().count();
    assert_eq!(known, FEATURES.len(), "a feature is not drawn");
    let findings: Vec<String> = features
        .flat_map(|(name, allowed)| allowed.iter().map(move |on| (name, on)))
        .filter(|(_, on)| FEATURES.contains(on) || **on == "shidi-runtime")
        .map(|(name, on)| format!("{name} -> {on}"))
        .collect();
    expect_none("Features that name one another", &findings);
}

#[test]
fn the_mind_and_the_toolkits_need_no_runtime_and_no_network() {
    let mut findings = Vec::new();
    for name in PURE {
        let tree = tree(name);
        findings.extend(
            IMPURE
                .iter()
                .filter(|crate_| tree.contains(&(**crate_).to_owned()))
                .map(|crate_| format!("{name} -> … -> {crate_}")),
        );
    }
    expect_none("Pure crates that are no longer pure", &findings);
}

#[test]
fn the_command_line_links_no_window_system() {
    let tree = tree("shidi-cli");
    let findings: Vec<String> = WINDOW_SYSTEMS
        .iter()
        .filter(|crate_| tree.contains(&(**crate_).to_owned()))
        .map(|crate_| (*crate_).to_owned())
        .collect();
    expect_none("Window systems within the command line", &findings);
}

#[test]
fn every_member_of_the_workspace_says_what_it_is_for() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest
        .split_once("\nmembers = [")
        .unwrap()
        .1
        .split_once("\n]")
        .unwrap()
        .0;
    let bare = members
        .lines()
        .filter(|line| line.contains('"') && !line.contains("# "));
    expect_none(
        "Members without their purpose",
        &bare.map(str::to_owned).collect::<Vec<_>>(),
    );
}

/// A profile inherits what another one says of single packages, whatever its own level is.
#[test]
fn what_is_packed_and_measured_is_optimised_throughout() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let says = |profile: &str| {
        let heading = format!("[profile.{profile}.package.\"*\"]\nopt-level = \"s\"\n");
        manifest.contains(&heading)
    };
    let silent = ["dist", "bench"].iter().filter(|profile| !says(profile));
    let silent: Vec<String> = silent.map(|profile| (*profile).to_owned()).collect();
    expect_none(
        "Profiles whose libraries have the level of a quick build",
        &silent,
    );
}

/// All packages of ours, the worker with its own workspace included.
fn packages() -> Vec<Value> {
    let mut all = Vec::new();
    for manifest in ["Cargo.toml", "src-tauri/executor/worker/Cargo.toml"] {
        let arguments = [
            "metadata",
            "--format-version=1",
            "--no-deps",
            "--manifest-path",
            manifest,
        ];
        let metadata: Value = serde_json::from_str(&run(&cargo(), &arguments)).unwrap();
        all.extend(metadata["packages"].as_array().unwrap().iter().cloned());
    }
    assert!(
        all.len() >= ARROWS.len(),
        "only {} packages were found",
        all.len()
    );
    all
}

/// Names of everything that is linked into a package on this system.
fn tree(package: &str) -> Vec<String> {
    let arguments = [
        "tree",
        "--package",
        package,
        "--edges=normal",
        "--prefix=none",
        "--format={p}",
    ];
    let tree = run(&cargo(), &arguments);
    tree.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}
