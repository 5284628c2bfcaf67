//! Reads the catalogue. Each language has a folder, each area a file in that folder, and each sentence a key in that
//! file.
//!
//! The format is i18next JSON v4. `{{name}}` is a gap, and `_one`, `_other` … end the keys of the forms of one counted
//! sentence. English says which sentences there are; every other language has the same ones with the same gaps.

use crate::plural::{self, FORMS};
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// The language that says which sentences there are.
pub const SOURCE: &str = "en";
/// Areas whose texts belong to something that has a name already, such as a command. The texts are found by that name,
/// and have no gaps.
pub const TABLES: [&str; 4] = ["doctor", "help", "remedies", "settings"];
/// Beginnings of areas that the windows and the browser's companion read by themselves. Such areas are held to the same
/// rules, and become no functions.
pub const READ_ELSEWHERE: [&str; 2] = ["windows_", "companion"];
/// The gap whose number decides the form.
pub const COUNT: &str = "count";
/// What a key or gap can't be called, since a function or parameter is called so.
const RESERVED: [&str; 32] = [
    "as", "async", "await", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum",
    "extern", "final", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "of", "ref",
    "return", "self", "type", "use", "where", "while",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Gap(String),
}

/// One sentence, in every language and form.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    pub gaps: BTreeSet<String>,
    pub is_counted: bool,
    /// By language and form; the form of an uncounted sentence is empty.
    pub texts: BTreeMap<(String, String), Vec<Part>>,
}

/// Every language with every sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Catalogue {
    pub languages: Vec<String>,
    /// By area and key.
    pub areas: BTreeMap<String, BTreeMap<String, Sentence>>,
}

/// The texts of one file, by their keys, each with its place.
struct File {
    /// `zh/cli.json`.
    name: String,
    language: String,
    area: String,
    texts: BTreeMap<String, Vec<Part>>,
}

/// # Errors
/// One sentence for each fault, with its file and key.
pub fn read(root: &Path) -> Result<Catalogue, Vec<String>> {
    let mut findings = Vec::new();
    let languages = names(root, &mut findings);
    let mut files = Vec::new();
    for language in &languages {
        if plural::rule(language).is_none() {
            findings.push(format!(
                "Of language '{language}' it is not known how it counts: add it to build/plural.rs"
            ));
        }
        for file in names(&root.join(language), &mut findings) {
            files.extend(read_file(root, language, &file, &mut findings));
        }
    }
    if !languages.iter().any(|language| language == SOURCE) {
        findings.push(format!(
            "There is no language '{SOURCE}', which says which sentences there are"
        ));
    }
    let areas = joined(&languages, &files, &mut findings);
    match findings.is_empty() {
        true => Ok(Catalogue { languages, areas }),
        false => Err(findings),
    }
}

/// The names within a folder, in their order.
fn names(folder: &Path, findings: &mut Vec<String>) -> Vec<String> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = entries.unwrap_or_else(|error| {
        findings.push(format!("{} can't be read: {error}", folder.display()));
        Vec::new()
    });
    let names = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let names: BTreeSet<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.into_iter().collect()
}

fn read_file(root: &Path, language: &str, file: &str, findings: &mut Vec<String>) -> Option<File> {
    let name = format!("{language}/{file}");
    let Some(area) = file.strip_suffix(".json").filter(|area| is_name(area)) else {
        findings.push(format!(
            "{name} is not called as an area: lower-case letters, digits and _, then .json"
        ));
        return None;
    };
    let text = std::fs::read_to_string(root.join(&name));
    let entries = text
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str::<Entries>(&text).map_err(|error| error.to_string()));
    let entries = match entries {
        Ok(Entries(entries)) => entries,
        Err(error) => {
            findings.push(format!("{name} is no catalogue: {error}"));
            return None;
        }
    };
    let mut texts = BTreeMap::new();
    for (key, text) in entries {
        match parts(&text) {
            Ok(parts) => {
                texts.insert(key, parts);
            }
            Err(why) => findings.push(format!("{name}: '{key}' {why}")),
        }
    }
    Some(File {
        name,
        language: language.to_owned(),
        area: area.to_owned(),
        texts,
    })
}

/// The entries of a file in their order. A key that stands there twice is a fault, which a map would hide.
struct Entries(Vec<(String, String)>);

impl<'de> serde::Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of keys with their sentences")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut seen = BTreeSet::new();
                let mut entries = Vec::new();
                while let Some((key, text)) = map.next_entry::<String, String>()? {
                    if !seen.insert(key.clone()) {
                        return Err(serde::de::Error::custom(format!("'{key}' stands there twice")));
                    }
                    entries.push((key, text));
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// A text cut at its gaps.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (gap, after) = after.split_once("}}").ok_or("opens {{ and never closes it")?;
        if !is_name(gap) {
            return Err(format!(
                "has the gap '{{{{{gap}}}}}', which can't name a parameter"
            ));
        }
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        parts.push(Part::Gap(gap.to_owned()));
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

/// Whether others than Rust read the area.
pub fn is_read_elsewhere(area: &str) -> bool {
    READ_ELSEWHERE.iter().any(|start| area.starts_with(start))
}

/// Whether a function or parameter of Rust can be called so.
fn is_name(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next().is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
        && !RESERVED.contains(&text)
}

/// The files of all languages as one catalogue.
fn joined(
    languages: &[String],
    files: &[File],
    findings: &mut Vec<String>,
) -> BTreeMap<String, BTreeMap<String, Sentence>> {
    let mut areas = BTreeMap::new();
    for source in files.iter().filter(|file| file.language == SOURCE) {
        let mut sentences = sentences_of(source, findings);
        for language in languages {
            match files
                .iter()
                .find(|file| file.area == source.area && file.language == *language)
            {
                Some(file) => put(file, &mut sentences, findings),
                None => findings.push(format!(
                    "{language}/{}.json is missing: {} is there",
                    source.area, source.name
                )),
            }
        }
        areas.insert(source.area.clone(), sentences);
    }
    for file in files.iter().filter(|file| !areas.contains_key(&file.area)) {
        findings.push(format!(
            "{} has no {SOURCE}/{}.json beside it",
            file.name, file.area
        ));
    }
    areas
}

/// The sentences that there are, with the gaps they have.
fn sentences_of(source: &File, findings: &mut Vec<String>) -> BTreeMap<String, Sentence> {
    let is_table = TABLES.contains(&source.area.as_str());
    let mut sentences = BTreeMap::<String, Sentence>::new();
    for (key, parts) in &source.texts {
        let (key, form) = if is_table {
            (key.as_str(), "")
        } else {
            form_of(key)
        };
        if !is_table && !is_read_elsewhere(&source.area) && !is_name(key) {
            findings.push(format!(
                "{}: '{key}' can't name a function: use lower-case letters, digits and _",
                source.name
            ));
        }
        let sentence = sentences.entry(key.to_owned()).or_default();
        sentence.gaps.extend(gaps(parts));
        if is_table && !sentence.gaps.is_empty() {
            findings.push(format!(
                "{}: '{key}' has a gap, and texts of this area have none",
                source.name
            ));
        }
        sentence.is_counted |= !form.is_empty();
    }
    for (_, sentence) in sentences.iter_mut().filter(|(_, sentence)| sentence.is_counted) {
        sentence.gaps.insert(COUNT.to_owned());
    }
    sentences
}

/// A key without the suffix of its form, and the form.
fn form_of(key: &str) -> (&str, &str) {
    key.rsplit_once('_')
        .filter(|(base, form)| FORMS.contains(form) && !base.is_empty())
        .unwrap_or((key, ""))
}

fn gaps(parts: &[Part]) -> impl Iterator<Item = String> + '_ {
    parts.iter().filter_map(|part| match part {
        Part::Gap(name) => Some(name.clone()),
        Part::Text(_) => None,
    })
}

/// Adds the texts of one file to the known sentences, and finds texts that are missing, too much or different.
fn put(file: &File, sentences: &mut BTreeMap<String, Sentence>, findings: &mut Vec<String>) {
    let is_table = TABLES.contains(&file.area.as_str());
    let name = &file.name;
    for (written, parts) in &file.texts {
        let (key, form) = if is_table {
            (written.as_str(), "")
        } else {
            form_of(written)
        };
        let Some(sentence) = sentences.get_mut(key) else {
            findings.push(format!(
                "{name}: '{written}' is not in {SOURCE}/{}.json",
                file.area
            ));
            continue;
        };
        let there: BTreeSet<String> = gaps(parts).collect();
        // "1 line" needs no gap for its number; every other gap must be filled in every form.
        let missing = sentence
            .gaps
            .difference(&there)
            .filter(|gap| form.is_empty() || *gap != COUNT);
        findings.extend(missing.map(|gap| format!("{name}: '{written}' lacks {{{{{gap}}}}}")));
        let strange = there.difference(&sentence.gaps);
        findings.extend(
            strange.map(|gap| format!("{name}: '{written}' has {{{{{gap}}}}}, which {SOURCE} has not")),
        );
        sentence
            .texts
            .insert((file.language.clone(), form.to_owned()), parts.clone());
    }
    for (key, sentence) in sentences {
        let needed: Vec<&str> = match sentence.is_counted {
            true => plural::rule(&file.language)
                .into_iter()
                .flat_map(plural::Rule::needed)
                .collect(),
            false => vec![""],
        };
        let of_language = sentence
            .texts
            .keys()
            .filter(|(language, _)| *language == file.language);
        let there: BTreeSet<&str> = of_language.map(|(_, form)| form.as_str()).collect();
        for form in needed.iter().filter(|form| !there.contains(*form)) {
            findings.push(match *form {
                "" => format!("{name}: '{key}' is missing"),
                form => format!("{name}: '{key}_{form}' is missing"),
            });
        }
        for form in there.iter().filter(|form| !needed.contains(form)) {
            findings.push(match *form {
                "" => format!("{name}: '{key}' stands beside its own plural forms"),
                form => format!(
                    "{name}: '{key}_{form}' is a form that {} does not have",
                    file.language
                ),
            });
        }
    }
}
