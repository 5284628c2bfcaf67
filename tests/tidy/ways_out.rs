//! The list of ways out that tests try: each test is where the list says, and no way of the tables is missing.

use crate::repository::{expect_none, files, text};
use std::collections::BTreeSet;

const LIST: &str = "docs/ways-out.md";

/// Tables of ways, each of which the list names.
const OF_COMMANDS: &str = "src-tauri/toolkits/src/tests/commanding/ways_out.txt";
const OF_THE_PROXY: &str = "src-tauri/egress/src/tests/ways_out.rs";

/// The one way of the first table that is open, so that the others were tried.
const OPEN: &str = "what is open: ";

/// Ways that are tried at least.
const WAYS_MIN: usize = 60;

/// A row of the list.
struct Row {
    number: usize,
    way: String,
    file: String,
    test: String,
}

impl Row {
    /// `None` for a line that is no row of a way.
    fn of(line: &str) -> Option<Self> {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let cells: Vec<&str> = cells.split(" | ").collect();
        let [number, way, file, test] = cells.as_slice() else {
            return None;
        };
        Some(Self {
            number: number.parse().ok()?,
            way: (*way).to_owned(),
            file: file.trim_matches('`').to_owned(),
            test: test.trim_matches('`').to_owned(),
        })
    }
}

fn rows() -> Vec<Row> {
    let list = text(LIST).unwrap_or_default();
    list.lines().filter_map(Row::of).collect()
}

#[test]
fn every_way_of_the_list_is_tried_by_the_test_that_it_names() {
    let (rows, files) = (rows(), files());
    assert!(rows.len() >= WAYS_MIN, "{} ways", rows.len());
    let mut findings = Vec::new();
    let mut known = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        if row.number != index + 1 {
            findings.push(format!("{} follows {index}", row.number));
        }
        let is_there = files.contains(&row.file)
            && text(&row.file).is_some_and(|text| text.contains(&format!("fn {}(", row.test)));
        if !is_there {
            findings.push(format!("{}: no {} in {}", row.number, row.test, row.file));
        }
        if !known.insert((&row.way, &row.file)) {
            findings.push(format!("{}: {} stands there twice", row.number, row.way));
        }
    }
    expect_none("Ways of docs/ways-out.md", &findings);
}

#[test]
fn no_way_of_a_table_is_missing_in_the_list() {
    let of_commands = text(OF_COMMANDS).unwrap_or_default();
    let of_commands: Vec<String> = of_commands
        .lines()
        .filter_map(|line| line.strip_prefix("=== "))
        .filter(|name| !name.starts_with(OPEN))
        .map(str::to_owned)
        .collect();
    let of_the_proxy = names_of_tuples(&text(OF_THE_PROXY).unwrap_or_default());
    assert!(of_commands.len() > 20 && of_the_proxy.len() > 20);
    let listed: BTreeSet<String> = rows().into_iter().map(|row| row.way).collect();
    let missing: Vec<String> = of_commands
        .into_iter()
        .chain(of_the_proxy)
        .filter(|name| !listed.contains(name))
        .collect();
    expect_none("Ways that docs/ways-out.md does not name", &missing);
}

/// The first text of each tuple in a table of Rust, where it is a sentence and no name of a host.
fn names_of_tuples(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let begins = lines.windows(2).filter_map(|two| match two[0].strip_prefix('(') {
        Some("") => two[1].strip_prefix('"'),
        Some(rest) => rest.strip_prefix('"'),
        None => None,
    });
    begins
        .filter_map(|rest| rest.split('"').next())
        .filter(|name| name.contains(' '))
        .map(str::to_owned)
        .collect()
}
