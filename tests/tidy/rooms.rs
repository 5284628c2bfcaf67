//! Rooms of a crate: who imports whom at the top level, and where a newcomer's search lands.

use crate::repository::{expect_none, files, text};
use std::collections::{BTreeMap, BTreeSet};

/// Rooms that import one another, directly or by others, for each crate. The numbers only ever get smaller. The three of
/// the worker are right: who watches a program ends it at its border, and both memory and border set the watch.
const IN_CIRCLES: [(&str, usize); 51] = [
    ("acp", 0),
    ("agent", 0),
    ("assistants", 0),
    ("atomic_write", 0),
    ("attachments", 0),
    ("bad_cases", 0),
    ("browser", 0),
    ("bundles", 0),
    ("capture", 0),
    ("changes", 0),
    ("cli", 0),
    ("code_index", 0),
    ("egress", 0),
    ("embedding", 0),
    ("evaluation", 0),
    ("executor", 0),
    ("executor/proto", 0),
    ("executor/worker", 3),
    ("folders", 0),
    ("installation", 0),
    ("jobs", 0),
    ("knowledge", 0),
    ("local_model", 0),
    ("locales", 0),
    ("mcp", 0),
    ("mcp_client", 0),
    ("mcp_server", 0),
    ("memory", 0),
    ("models", 0),
    ("pdf", 0),
    ("plugins", 0),
    ("protocol", 0),
    ("providers", 0),
    ("reader", 0),
    ("runtime", 0),
    ("saved_prompts", 0),
    ("schedule", 0),
    ("scheduler", 0),
    ("senses", 0),
    ("service", 0),
    ("shell", 0),
    ("skills", 0),
    ("space", 0),
    ("store", 0),
    ("toolkits", 0),
    ("trace", 0),
    ("trials", 0),
    ("web", 0),
    ("workflow", 0),
    ("workflow_runs", 0),
    ("yaml", 0),
];

/// Most files of one name that a search may find, one for each crate that has a part in it.
const FOUND_MAX: usize = 5;

/// What a newcomer looks for, and the file that must be found by it.
const NOUNS: [(&str, &str); 11] = [
    ("embedding", "src-tauri/models/src/embedding.rs"),
    ("capture", "src-tauri/capture/src/lib.rs"),
    ("sandbox", "src-tauri/toolkits/src/shell/sandbox.rs"),
    ("permission rule", "src-tauri/space/src/permission_rules.rs"),
    ("compaction", "src-tauri/agent/src/areas/compaction.rs"),
    ("atomic write", "src-tauri/atomic_write/src/lib.rs"),
    ("resume", "src-tauri/runtime/src/run/resume.rs"),
    ("reconcile", "src-tauri/memory/src/reconcile.rs"),
    ("version", "src-tauri/runtime/src/versions.rs"),
    ("workflow", "src-tauri/workflow/src/lib.rs"),
    ("schedule", "src-tauri/schedule/src/lib.rs"),
];

/// Words that told what had been done with a thing and not what it is; some 50 types were called so.
const PARTICIPLES: [&str; 4] = ["Asked", "Kept", "Known", "Told"];

/// Most lines of production code that `runtime` may have: it joins features, and each feature is a crate of its own.
const RUNTIME_LINES_MAX: usize = 9_000;

#[test]
fn the_runtime_stays_small_enough_to_join_features_alone() {
    let lines = production_lines("runtime");
    let too_many = (lines > RUNTIME_LINES_MAX).then(|| format!("{lines} of {RUNTIME_LINES_MAX}"));
    expect_none("a feature is a crate, not a room of runtime", too_many.as_slice());
}

#[test]
fn no_type_is_named_by_what_was_done_with_it() {
    let mut wrong = Vec::new();
    for file in files().iter().filter(|file| file.starts_with("src-tauri/")) {
        let text = text(file).unwrap_or_default();
        for line in text.lines() {
            let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            let names_a_type = words.any(|word| matches!(word, "struct" | "enum" | "type"));
            if names_a_type && words.next().is_some_and(|name| PARTICIPLES.contains(&name)) {
                wrong.push(format!("{file}: {line}"));
            }
        }
    }
    expect_none("a type has the noun of its field", &wrong);
}

/// Lines of a crate without its tests, which stand in files of that name or at a file's end.
fn production_lines(name: &str) -> usize {
    sources(name)
        .iter()
        .filter_map(|file| text(file))
        .map(|text| {
            text.split("#[cfg(test)]\nmod")
                .next()
                .unwrap_or_default()
                .lines()
                .count()
        })
        .sum()
}

/// A newcomer lists files by a noun and greps opening lines for it. What both find is a handful, one file of a crate, and the
/// right one is among them.
#[test]
fn a_newcomers_search_lands_in_the_file_of_that_name() {
    let sources: Vec<String> = files()
        .into_iter()
        .filter(|file| file.starts_with("src-tauri/") && file.contains("/src/"))
        .filter(|file| file.ends_with(".rs") && !file.contains("tests"))
        .collect();
    let openings: Vec<(&str, String)> = sources
        .iter()
        .filter_map(|file| Some((file.as_str(), text(file)?.lines().next()?.to_lowercase())))
        .collect();
    let lost = NOUNS.iter().filter_map(|(noun, right)| {
        let found: Vec<&str> = openings
            .iter()
            .filter(|(file, opening)| is_named(file, noun) && opening.contains(noun))
            .map(|(file, _)| *file)
            .collect();
        let crates: BTreeSet<&str> = found
            .iter()
            .filter_map(|file| file.split("/src/").next())
            .collect();
        let is_handful = found.len() <= FOUND_MAX && crates.len() == found.len();
        (!is_handful || !found.contains(right))
            .then(|| format!("{noun}: {right} is looked for, found {found:?}"))
    });
    expect_none("a newcomer finds it by its noun", &lost.collect::<Vec<_>>());
}

/// Whether a file is called by the noun, one or several of them. The root of a crate is called as the crate is.
fn is_named(file: &str, noun: &str) -> bool {
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    let name = match name.trim_end_matches(".rs") {
        "lib" | "main" => folders
            .trim_end_matches("/src")
            .rsplit('/')
            .next()
            .unwrap_or_default(),
        name => name,
    };
    let name = name.replace('_', " ");
    name == noun || name.strip_suffix('s') == Some(noun)
}

#[test]
fn a_file_is_found_by_its_name_and_a_crate_by_its_own() {
    for named in [
        "src-tauri/space/src/permission_rules.rs",
        "src-tauri/permission_rule/src/lib.rs",
    ] {
        assert!(is_named(named, "permission rule"), "{named}");
    }
    for other in [
        "src-tauri/space/src/rules.rs",
        "src-tauri/permission_rules/src/reading.rs",
    ] {
        assert!(!is_named(other, "permission rule"), "{other}");
    }
}

#[test]
fn circles_among_the_rooms_of_a_crate_only_ever_get_smaller() {
    let wrong = IN_CIRCLES.iter().filter_map(|(name, most)| {
        let circles = in_circles(&imports(name));
        (circles.len() != *most)
            .then(|| format!("{name}: {most} are known, {} found: {circles:?}", circles.len()))
    });
    expect_none(
        "rooms in circles are as many as are known",
        &wrong.collect::<Vec<_>>(),
    );
}

#[test]
fn every_crate_is_looked_at_for_circles() {
    let crates: BTreeSet<String> = files()
        .iter()
        .filter_map(|file| file.strip_prefix("src-tauri/")?.split_once("/src/"))
        .map(|(name, _)| name.to_owned())
        .collect();
    let listed: BTreeSet<String> = IN_CIRCLES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let wrong: Vec<String> = crates.symmetric_difference(&listed).cloned().collect();
    expect_none("each crate is listed", &wrong);
}

/// Sources of a crate without the files that are tests.
fn sources(name: &str) -> Vec<String> {
    let root = format!("src-tauri/{name}/src/");
    files()
        .into_iter()
        .filter(|file| file.starts_with(&root) && file.ends_with(".rs") && !file.contains("tests"))
        .collect()
}

/// Top-level rooms of a crate, each with those that its files import. Tests may import whom they test.
fn imports(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = format!("src-tauri/{name}/src/");
    let sources = sources(name);
    let room = |file: &str| -> String {
        let inside = &file[root.len()..];
        let first = inside.split(['/', '.']).next().unwrap_or_default();
        first.to_owned()
    };
    let rooms: BTreeSet<String> = sources.iter().map(|file| room(file)).collect();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in &sources {
        let text = text(file).unwrap_or_default();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let from = room(file);
        for used in code.split("crate::").skip(1).flat_map(named) {
            if used != from && rooms.contains(&used) && from != "lib" && from != "main" {
                found.entry(from.clone()).or_default().insert(used);
            }
        }
    }
    found
}

/// The first names of a path behind `crate::`: one, or those in braces.
fn named(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|sign| sign.is_alphanumeric() || *sign == '_')
            .collect()
    };
    match path.strip_prefix('{') {
        None => vec![word(path)],
        Some(group) => group
            .split(';')
            .next()
            .unwrap_or_default()
            .split(',')
            .map(word)
            .collect(),
    }
}

/// Rooms from which one comes back to them.
fn in_circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let comes_back = |start: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(room) = next.pop() {
            for used in imports.get(room).into_iter().flatten() {
                if used == start {
                    return true;
                }
                if seen.insert(used) {
                    next.push(used);
                }
            }
        }
        false
    };
    imports.keys().filter(|room| comes_back(room)).cloned().collect()
}

#[test]
fn no_area_of_the_mind_names_another() {
    let root = "src-tauri/agent/src/areas/";
    let files: Vec<String> = files()
        .into_iter()
        .filter(|file| file.starts_with(root) && file.ends_with(".rs"))
        .collect();
    let area = |file: &str| file[root.len()..].split(['/', '.']).next().map(str::to_owned);
    let areas: BTreeSet<String> = files.iter().filter_map(|file| area(file)).collect();
    let mut wrong = Vec::new();
    for file in &files {
        let own = area(file).unwrap_or_default();
        let text = text(file).unwrap_or_default();
        let is_direct = !file[root.len()..].contains('/');
        let named_here = text
            .split("areas::")
            .skip(1)
            .chain(text.split("super::").skip(1).filter(|_| is_direct))
            .flat_map(named);
        let others = named_here.filter(|name| *name != own && areas.contains(name));
        wrong.extend(others.map(|other| format!("{file} names {other}")));
    }
    expect_none("areas are joined in mind/transitions.rs alone", &wrong);
}

#[test]
fn circles_are_found_however_long_they_are() {
    let of = |pairs: &[(&str, &str)]| {
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in pairs {
            imports
                .entry((*from).to_owned())
                .or_default()
                .insert((*to).to_owned());
        }
        in_circles(&imports).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(
        of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]),
        ["a", "b", "c"]
    );
    assert_eq!(of(&[("a", "b"), ("b", "c")]), Vec::<String>::new());
    assert_eq!(named("{limits, words::Words}; x"), ["limits", "words"]);
}
