//! Reads a suite from its file: its own keys, then its tasks.

use super::fault::fault;
use super::files::{self, Files};
use super::reading::Reading;
use super::template::Templates;
use super::{Options, Suite, built_in, cases, providers, table, unsupported};
use crate::limits::{CASES_MAX, FILE_BYTES_MAX, FILES_MAX, PARALLEL_MAX, REPEAT_MAX, TURN_SECONDS_MAX};
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_yaml::{Data, Node, Place};
use std::path::{Path, PathBuf};

/// Keys of a suite.
const KEYS: [&str; 12] = [
    "$schema",
    "description",
    "tags",
    "metadata",
    "prompts",
    "providers",
    "tests",
    "defaultTest",
    "scenarios",
    "evaluateOptions",
    "assertionTemplates",
    "sharing",
];

/// Reads a suite from its text, which names no files: what they hold stands in it.
///
/// # Errors
/// As [`load`].
pub fn read(name: &str, text: &str, language: Language) -> Result<Suite, UserError> {
    of_text(name, text, Files::of(language, None))
}

fn of_text(name: &str, text: &str, files: Files) -> Result<Suite, UserError> {
    let root = files.parsed(&name.into(), text)?;
    let mut reading = Reading {
        files,
        templates: Templates::new(),
        root: root.clone(),
    };
    whole(&mut reading, &root, name.to_owned())
}

/// Reads every suite that lies directly in a folder, as one. Each of their tasks has a name of its own.
fn of_folder(folder: &Path, name: String, language: Language) -> Result<Suite, UserError> {
    let place = Place {
        file: name.as_str().into(),
        line: 1,
        column: 1,
    };
    let say = language.evaluation();
    let unread =
        |cause: std::io::Error| fault(&place, say.file_unread(cause, folder.display()), say.check_file());
    let entries = std::fs::read_dir(folder).map_err(unread)?;
    let is_suite = |path: &PathBuf| {
        path.extension()
            .is_some_and(|ending| ending == "yaml" || ending == "yml")
    };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(is_suite)
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(fault(
            &place,
            say.folder_without_suites(folder.display()),
            say.name_a_suite(),
        ));
    }
    let mut suites = Vec::new();
    for path in paths.iter().take(FILES_MAX) {
        suites.push(load(path, language)?);
    }
    let mut all = cases::joined_cases(suites.iter_mut().map(|suite| std::mem::take(&mut suite.cases)));
    all.truncate(CASES_MAX);
    Ok(Suite {
        name,
        description: String::new(),
        sides: Vec::new(),
        cases: all,
        options: Options::default(),
    })
}

/// Reads the suite at `path`, all of a folder, or the one of that name that comes with the program.
///
/// # Errors
/// What is wrong or unsupported in it, with its file, line and column.
pub fn load(path: &Path, language: Language) -> Result<Suite, UserError> {
    let name = path.display().to_string();
    if path.is_dir() {
        return of_folder(path, name, language);
    }
    let start = Place {
        file: name.as_str().into(),
        line: 1,
        column: 1,
    };
    let (text, folder) = match built_in::text(path) {
        Some(text) if !path.is_file() => (text.to_owned(), None),
        Some(_) | None => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            (
                read_file(path, &start, language)?,
                Some(folder.unwrap_or(Path::new(".")).to_owned()),
            )
        }
    };
    let files = Files::of(language, folder);
    let is_table = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let root = match is_table {
        true => table::suite(&text, &start, language)?,
        false => files.parsed(&start.file, &text)?,
    };
    let mut reading = Reading {
        files,
        templates: Templates::new(),
        root: root.clone(),
    };
    whole(&mut reading, &root, name)
}

fn read_file(path: &Path, place: &Place, language: Language) -> Result<String, UserError> {
    let say = language.evaluation();
    let hint = || say.check_suite(built_in::NAMES.join(", "));
    let unread = |why: &dyn std::fmt::Display| fault(place, say.file_unread(why, path.display()), hint());
    let bytes = files::bytes(path).map_err(|cause| unread(&cause))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(fault(
            place,
            say.file_too_large(FILE_BYTES_MAX >> 20, path.display()),
            say.split_file(),
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| unread(&say.not_utf8()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn whole(reading: &mut Reading, root: &Node, name: String) -> Result<Suite, UserError> {
    let say = reading.say();
    reading.map(root)?;
    for entry in root.entries() {
        if let Some(remedy) = unsupported::of_suite(&entry.key) {
            return Err(fault(&entry.place, say.unsupported(&entry.key), remedy(say)));
        }
    }
    reading.keys(root, &KEYS)?;
    let description = match root.get("description") {
        Some(node) => reading.plain(node)?,
        None => String::new(),
    };
    let prompts = prompts(reading, root)?;
    let sides = match root.get("providers") {
        Some(node) => providers::sides(reading, node)?,
        None => Vec::new(),
    };
    let options = match root.get("evaluateOptions") {
        Some(node) => options(reading, node)?,
        None => Options::default(),
    };
    let cases = cases::all(reading, root, &prompts)?;
    Ok(Suite {
        name,
        description,
        sides,
        cases,
        options,
    })
}

/// A prompt with the place where it stands.
pub struct Prompt {
    pub text: String,
    pub place: Place,
}

fn prompts(reading: &mut Reading, root: &Node) -> Result<Vec<Prompt>, UserError> {
    let Some(node) = root.get("prompts") else {
        return Ok(Vec::new());
    };
    let nodes: Vec<Node> = match &node.data {
        Data::List(items) => items.clone(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => vec![node.clone()],
    };
    let mut prompts = Vec::new();
    for node in &nodes {
        let node = match &node.data {
            Data::Map(_) => {
                reading.keys(node, &["raw", "id", "label"])?;
                let raw = node.get("raw").or_else(|| node.get("id"));
                raw.ok_or_else(|| {
                    fault(
                        &node.place,
                        reading.say().key_missing("raw"),
                        reading.say().map_example(),
                    )
                })?
            }
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => node,
        };
        let text = reading.text(node)?.to_owned();
        let text = match Files::named(&text) {
            Some(path) if ["txt", "md"].iter().any(|ending| path.ends_with(ending)) => {
                reading.files.text(&node.place, path)?.text
            }
            Some(path) => {
                let say = reading.say();
                return Err(fault(
                    &node.place,
                    say.unsupported(path),
                    say.instead_text_prompt(),
                ));
            }
            None => text,
        };
        // A list of messages is a prompt for a bare model; an assistant is told one thing after the other.
        if text.trim_start().starts_with("[{") {
            return Err(fault(
                &node.place,
                reading.say().unsupported("[{role, content}]"),
                reading.say().instead_turns(),
            ));
        }
        prompts.push(Prompt {
            text,
            place: node.place.clone(),
        });
    }
    Ok(prompts)
}

fn options(reading: &Reading, node: &Node) -> Result<Options, UserError> {
    let say = reading.say();
    reading.map(node)?;
    for entry in node.entries() {
        if let Some(remedy) = unsupported::of_options(&entry.key) {
            return Err(fault(&entry.place, say.unsupported(&entry.key), remedy(say)));
        }
    }
    reading.keys(
        node,
        &[
            "maxConcurrency",
            "repeat",
            "cache",
            "timeoutMs",
            "showProgressBar",
        ],
    )?;
    let whole = |key, most| node.get(key).map(|node| reading.whole(node, 1, most)).transpose();
    Ok(Options {
        parallel: whole("maxConcurrency", u32::MAX)?.map(|count| count.min(PARALLEL_MAX)),
        repeat: whole("repeat", REPEAT_MAX)?,
        timeout_s: whole("timeoutMs", TURN_SECONDS_MAX * 1_000)?.map(|ms| ms.div_ceil(1_000)),
        fresh: match node.get("cache") {
            Some(node) => !reading.flag(node)?,
            None => false,
        },
    })
}
