//! `code.digest`: a repository at a glance: its languages, where it begins, and its rooms with their main names.

use super::{Answer, counted};
use crate::index::{Seen, View};
use crate::limits::{DIGEST_BYTES_MAX, ROOM_NAMES, ROOMS_MAX};
use shidi_reader::language::Language;
use shidi_reader::outline::{Kind, Mention, Symbol};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Entry points that are named.
const BEGINNINGS_MAX: usize = 10;

/// The number of files of a language from which on common names are the library's. Such a name is used by more than one
/// file in `COMMON_PART`.
const COMMON_FROM_FILES: u32 = 100;
const COMMON_PART: u32 = 8;

/// Files whose description is that of their folder.
const HEADS: [&str; 8] = [
    "lib",
    "mod",
    "main",
    "__init__",
    "index",
    "doc",
    "package-info",
    "__main__",
];

/// A folder, or what lies in it by itself.
struct Room<'a> {
    path: String,
    files: Vec<&'a Seen>,
    is_whole: bool,
}

pub(super) fn digest(view: &View, within: &str) -> Answer {
    let files: Vec<&Seen> = view.files.iter().filter(|file| !file.is_test).collect();
    let tests: Vec<&Seen> = view.files.iter().filter(|file| file.is_test).collect();
    if view.files.is_empty() {
        return Answer {
            text: "no source code in a language that is indexed\n".to_owned(),
            summary: "no code".to_owned(),
        };
    }
    let mut head = languages(view);
    let beginnings = beginnings(&files);
    if !beginnings.is_empty() {
        head.push_str(&format!("begins: {}\n", beginnings.join(", ")));
    }
    let mut tail = String::new();
    if !tests.is_empty() {
        let folders: BTreeSet<&str> = tests.iter().map(|file| top_of(&file.path, within)).collect();
        let shown: Vec<&str> = folders.iter().copied().take(5).collect();
        tail = format!(
            "tests: {} in {}\n",
            counted(tests.len(), "file", "files"),
            shown.join(", ")
        );
    }
    let main = Main::of(view);
    let rooms = rooms(if files.is_empty() { &tests } else { &files }, within);
    let budget = DIGEST_BYTES_MAX.saturating_sub(head.len() + tail.len());
    let mut body = String::new();
    for (names, is_told) in [(ROOM_NAMES, true), (ROOM_NAMES, false), (4, false), (1, false)] {
        body = rooms.iter().map(|room| main.line(room, names, is_told)).collect();
        if body.len() <= budget {
            break;
        }
    }
    body.truncate(body.floor_char_boundary(budget));
    Answer {
        text: format!("{head}{body}{tail}"),
        summary: counted(view.files.len(), "file", "files"),
    }
}

fn languages(view: &View) -> String {
    let mut of: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in &view.files {
        let known = of.entry(file.known.language.title()).or_default();
        known.0 += 1;
        known.1 += file.outline().map_or(0, |outline| outline.lines as usize);
    }
    let mut of: Vec<(&str, (usize, usize))> = of.into_iter().collect();
    of.sort_by_key(|(_, (files, lines))| Reverse((*lines, *files)));
    let told: Vec<String> = of
        .iter()
        .map(|(title, (files, lines))| {
            format!(
                "{title} {} {} lines",
                counted(*files, "file", "files"),
                short(*lines)
            )
        })
        .collect();
    format!("{}\n", told.join(", "))
}

/// Where programs begin.
fn beginnings(files: &[&Seen]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let stem = stem_of(&file.path);
        let main = file.outline().and_then(|outline| {
            let mut mains = outline.symbols.iter();
            mains.find(|symbol| {
                let is_main = symbol.name == "main" || symbol.name == "Main";
                is_main && symbol.kind.is_called() && symbol.depth <= 1
            })
        });
        let depth = file.path.matches('/').count();
        match main {
            Some(main) => found.push((depth, format!("{}:{}", file.path, main.line))),
            None if ["__main__", "manage", "server", "cli", "app"].contains(&stem) => {
                found.push((depth + 2, file.path.clone()));
            }
            None => {}
        }
    }
    found.sort();
    found.truncate(BEGINNINGS_MAX);
    found.into_iter().map(|(_, told)| told).collect()
}

/// Splits the largest folders until there are enough rooms. A folder may have more parts than there is place for. Then
/// the largest parts become rooms, and the others stay together.
fn rooms<'a>(files: &[&'a Seen], within: &str) -> Vec<Room<'a>> {
    let mut rooms = vec![Room {
        path: within.trim_end_matches('/').to_owned(),
        files: files.to_vec(),
        is_whole: false,
    }];
    loop {
        let largest = rooms
            .iter_mut()
            .filter(|room| !room.is_whole)
            .max_by_key(|room| lines_of(&room.files));
        let Some(largest) = largest else { break };
        let mut parts = parts_of(largest);
        let is_split = parts.len() > 1 || parts.first().is_some_and(|part| part.path != largest.path);
        largest.is_whole = true;
        let path = largest.path.clone();
        let place = ROOMS_MAX - (rooms.len() - 1);
        if is_split && place > 1 {
            keep_together(&mut parts, place, &path);
            rooms.retain(|room| room.path != path || !room.is_whole);
            rooms.extend(parts);
        }
    }
    rooms.sort_by(|one, other| one.path.cmp(&other.path));
    rooms
}

/// Leaves `place` parts: the largest ones, and one at `path` that holds what lies there and all the others.
fn keep_together(parts: &mut Vec<Room<'_>>, place: usize, path: &str) {
    if parts.len() <= place {
        return;
    }
    parts.sort_by_key(|part| (part.path == path, Reverse(lines_of(&part.files))));
    let others = parts.split_off(place - 1);
    parts.push(Room {
        path: path.to_owned(),
        files: others.into_iter().flat_map(|part| part.files).collect(),
        is_whole: true,
    });
}

/// What lies in a room by itself, and in each of its folders.
fn parts_of<'a>(room: &Room<'a>) -> Vec<Room<'a>> {
    let mut parts: BTreeMap<String, Vec<&'a Seen>> = BTreeMap::new();
    for file in &room.files {
        let below = file
            .path
            .strip_prefix(room.path.as_str())
            .unwrap_or(&file.path)
            .trim_start_matches('/');
        let path = match below.split_once('/') {
            Some((folder, _)) if room.path.is_empty() => folder.to_owned(),
            Some((folder, _)) => format!("{}/{folder}", room.path),
            None => room.path.clone(),
        };
        parts.entry(path).or_default().push(file);
    }
    let parts = parts.into_iter().map(|(path, files)| Room {
        is_whole: path == room.path,
        path,
        files,
    });
    parts.collect()
}

/// What tells which names matter: how many files of a language use each, and how many definitions share it.
struct Main<'a> {
    used: HashMap<(Language, &'a str), u32>,
    defined: HashMap<&'a str, u32>,
    files: HashMap<Language, u32>,
}

impl<'a> Main<'a> {
    fn of(view: &'a View) -> Self {
        let (mut used, mut defined, mut files) = (HashMap::new(), HashMap::new(), HashMap::new());
        for file in view.files.iter().filter(|file| !file.is_test) {
            let Some(outline) = file.outline() else { continue };
            let language = file.known.language.family();
            *files.entry(language).or_default() += 1;
            // A variable may have any name.
            let told = outline
                .references
                .iter()
                .filter(|reference| reference.mention != Mention::Use);
            let names: BTreeSet<&str> = told.map(|reference| outline.name(reference.name)).collect();
            for name in names {
                *used.entry((language, name)).or_default() += 1;
            }
            for symbol in &outline.symbols {
                *defined.entry(symbol.name.as_str()).or_default() += 1;
            }
        }
        Self { used, defined, files }
    }

    /// How many files use a definition, as far as its name tells. A definition that only its own file sees is used by
    /// no other. A name in a large part of the files belongs to the language's own library. The name happens to be
    /// defined here, too.
    fn uses(&self, language: Language, symbol: &Symbol) -> u32 {
        let used = self.used.get(&(language, symbol.name.as_str()));
        let used = used.copied().unwrap_or_default();
        let files = self.files.get(&language).copied().unwrap_or_default();
        let is_everywhere = files >= COMMON_FROM_FILES && used > files / COMMON_PART;
        match language.is_seen_elsewhere(&symbol.signature) {
            true if !is_everywhere => used,
            true | false => 0,
        }
    }

    fn weight(&self, language: Language, symbol: &Symbol) -> u32 {
        let defined = self
            .defined
            .get(symbol.name.as_str())
            .copied()
            .unwrap_or_default();
        let by_kind = match symbol.kind {
            _ if symbol.is_in_tests() => 0,
            Kind::Property | Kind::Variant | Kind::Module => 0,
            Kind::Constant | Kind::Method => 1,
            Kind::Function | Kind::Macro => 8,
            _ => 10,
        };
        (1 + self.uses(language, symbol)) * by_kind * 10 / defined.max(1).pow(2)
    }

    fn line(&self, room: &Room<'_>, names: usize, is_told: bool) -> String {
        let path = if room.path.is_empty() {
            "."
        } else {
            room.path.as_str()
        };
        let files = match room.files.len() {
            1 => String::new(),
            number => format!(" {number} files"),
        };
        let mut symbols: Vec<(u32, &str)> = room
            .files
            .iter()
            .filter_map(|file| Some((file.known.language.family(), file.outline()?)))
            .flat_map(|(language, outline)| outline.symbols.iter().map(move |symbol| (language, symbol)))
            .filter(|(_, symbol)| symbol.kind.is_findable() && symbol.name.chars().count() > 2)
            .map(|(language, symbol)| (self.weight(language, symbol), symbol.name.as_str()))
            .filter(|(weight, _)| *weight > 0)
            .collect();
        symbols.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let mut shown: Vec<&str> = Vec::new();
        for (_, name) in symbols {
            if shown.len() == names {
                break;
            }
            if !shown.contains(&name) {
                shown.push(name);
            }
        }
        let told = if is_told { said_of(room) } else { String::new() };
        format!(
            "{path}/{files} {} lines: {}{told}\n",
            short(lines_of(&room.files)),
            shown.join(", ")
        )
    }
}

/// What a folder's own file says of it.
fn said_of(room: &Room<'_>) -> String {
    let name = room.path.rsplit('/').next().unwrap_or_default();
    let is_head = |file: &&&Seen| {
        let depth = file
            .path
            .strip_prefix(room.path.as_str())
            .unwrap_or(&file.path)
            .trim_start_matches('/');
        let stem = stem_of(&file.path);
        depth.matches('/').count() <= usize::from(depth.starts_with("src/"))
            && (HEADS.contains(&stem) || stem == name)
    };
    let mut heads = room
        .files
        .iter()
        .filter(is_head)
        .filter_map(|file| file.outline());
    match heads.find(|outline| !outline.doc.is_empty()) {
        Some(outline) => {
            let doc: String = outline.doc.chars().take(90).collect();
            format!(" — {doc}")
        }
        None => String::new(),
    }
}

fn lines_of(files: &[&Seen]) -> usize {
    files
        .iter()
        .filter_map(|file| file.outline())
        .map(|outline| outline.lines as usize)
        .sum()
}

fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The first folder of a path below another one.
fn top_of<'a>(path: &'a str, within: &str) -> &'a str {
    let below = path.strip_prefix(within).unwrap_or(path).trim_start_matches('/');
    below.split_once('/').map_or(below, |(folder, _)| folder)
}

/// `840`, `12.3k`.
fn short(number: usize) -> String {
    match number {
        0..=999 => number.to_string(),
        _ => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
    }
}
