//! A SKILL.md as the specification of Agent Skills has it: six fields between two lines of dashes, then a body.
//!
//! Pure. Reading is lenient, as the specification asks of hosts. A field that breaks a rule is noted. Only a skill
//! that nobody could choose is skipped. No bytes make it panic.

use crate::limits::{
    BODY_LINES_ADVISED, COMPATIBILITY_CHARACTERS_MAX, DESCRIPTION_CHARACTERS_MAX, MATTER_DEPTH_MAX,
    MATTER_NODES_MAX, SKILL_BYTES_MAX,
};
use serde_json::{Map, Value};
use shidi_space::names::{callable, is_name};
use shidi_yaml::front_matter;
use unicode_normalization::UnicodeNormalization;

/// The fields of the specification.
const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// What a SKILL.md says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillText {
    /// The name by which it is called.
    pub name: String,
    pub description: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    pub allowed_tools: Option<String>,
    pub body: String,
    pub notes: Vec<Note>,
}

/// Why a SKILL.md is no skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Skipped {
    NotText,
    TooLarge,
    NoFrontMatter,
    Unreadable {
        line: u64,
        why: String,
    },
    NoDescription,
    /// Neither the field nor the folder has a letter to call it by.
    NoName,
    /// A link, or a name that is no text, lies in its folder.
    Link {
        path: String,
    },
    /// The file or its folder can't be read.
    Disk {
        why: String,
    },
}

/// A rule of the specification that a skill breaks and that keeps nobody from using it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The name has other signs than the rule lets it, or none, and is called by another.
    BadName {
        name: String,
    },
    NotItsFolder {
        folder: String,
    },
    LongDescription,
    LongCompatibility,
    UnknownField {
        field: String,
    },
    /// The value of the field is of another kind.
    BadField {
        field: String,
    },
    /// A colon in a value stood outside quotation marks.
    Repaired,
    LongBody,
}

/// Reads a SKILL.md that lies in a folder of that name.
///
/// # Errors
/// See [`Skipped`].
pub fn parse(bytes: &[u8], folder: &str) -> Result<SkillText, Skipped> {
    if bytes.len() as u64 > SKILL_BYTES_MAX {
        return Err(Skipped::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Skipped::NotText)?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (matter, body) = front_matter(&text).ok_or(Skipped::NoFrontMatter)?;
    let mut notes = Vec::new();
    let fields = match fields(matter) {
        Ok(fields) => fields,
        Err(first) => {
            let mended = mended(matter).ok_or_else(|| first.clone())?;
            notes.push(Note::Repaired);
            self::fields(&mended).map_err(|_| first)?
        }
    };
    let unknown = fields.keys().filter(|field| !FIELDS.contains(&field.as_str()));
    notes.extend(unknown.map(|field| Note::UnknownField { field: field.clone() }));
    if fields.get("metadata").is_some_and(|data| !is_flat(data)) {
        notes.push(bad("metadata"));
    }
    let description = text_of(&fields, "description", &mut notes).unwrap_or_default();
    if description.is_empty() {
        return Err(Skipped::NoDescription);
    }
    let description = cut(
        description,
        DESCRIPTION_CHARACTERS_MAX,
        Note::LongDescription,
        &mut notes,
    );
    let written = text_of(&fields, "name", &mut notes).unwrap_or_default();
    let name = named(&written, folder, &mut notes).ok_or(Skipped::NoName)?;
    let compatibility = text_of(&fields, "compatibility", &mut notes);
    let compatibility = compatibility.map(|text| {
        cut(
            text,
            COMPATIBILITY_CHARACTERS_MAX,
            Note::LongCompatibility,
            &mut notes,
        )
    });
    if body.lines().count() > BODY_LINES_ADVISED {
        notes.push(Note::LongBody);
    }
    Ok(SkillText {
        name,
        description,
        license: text_of(&fields, "license", &mut notes),
        compatibility,
        allowed_tools: tools_of(&fields, &mut notes),
        body: body.trim().to_owned(),
        notes,
    })
}

/// The name by which a skill is called: its own, or what of it a rule-abiding name can hold.
fn named(written: &str, folder: &str, notes: &mut Vec<Note>) -> Option<String> {
    let written: String = written.nfkc().collect();
    if is_name(&written) {
        if written != folder {
            notes.push(Note::NotItsFolder {
                folder: folder.to_owned(),
            });
        }
        return Some(written);
    }
    let name = [written.as_str(), folder]
        .into_iter()
        .map(callable)
        .find(|name| is_name(name))?;
    notes.push(Note::BadName { name: written });
    Some(name)
}

fn fields(matter: &str) -> Result<Map<String, Value>, Skipped> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MATTER_DEPTH_MAX,
            max_nodes: MATTER_NODES_MAX,
            max_documents: 1,
        },
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    let read: Result<Option<Map<String, Value>>, _> = serde_saphyr::from_str_with_options(matter, options);
    match read {
        Ok(fields) => Ok(fields.unwrap_or_default()),
        Err(error) => {
            // The fence is the first line of the file.
            let line = error.location().map_or(1, |place| place.line()) + 1;
            let whole = error.without_snippet().to_string();
            let why = whole.lines().next().unwrap_or_default();
            let why = why.rfind(" at line ").map_or(why, |mark| &why[..mark]);
            Err(Skipped::Unreadable {
                line,
                why: why.trim().to_owned(),
            })
        }
    }
}

/// The front matter with quotation marks round values in which a colon stands bare; `None` where there is none.
fn mended(matter: &str) -> Option<String> {
    let mut is_other = false;
    let lines = matter.lines().map(|line| {
        let Some((key, value)) = line.split_once(':') else {
            return line.to_owned();
        };
        let value = value.trim();
        let is_field =
            FIELDS.contains(&key) && !value.starts_with(['"', '\'', '|', '>', '[', '{', '&', '*', '!']);
        let is_bare = value.contains(": ") || value.ends_with(':') || value.contains(" #");
        if !(is_field && is_bare) {
            return line.to_owned();
        }
        is_other = true;
        format!("{key}: {}", Value::from(value))
    });
    let mended: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
    is_other.then_some(mended)
}

/// A field as text. Numbers and truths were meant as text too.
fn text_of(fields: &Map<String, Value>, name: &str, notes: &mut Vec<Note>) -> Option<String> {
    match fields.get(name)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => None,
        Value::Array(_) | Value::Object(_) => {
            notes.push(bad(name));
            None
        }
    }
}

/// The tools that an author asks for: one text, or the list that other hosts write.
fn tools_of(fields: &Map<String, Value>, notes: &mut Vec<Note>) -> Option<String> {
    let name = "allowed-tools";
    let Some(Value::Array(tools)) = fields.get(name) else {
        return text_of(fields, name, notes);
    };
    notes.push(bad(name));
    let tools: Vec<&str> = tools.iter().filter_map(Value::as_str).collect();
    Some(tools.join(" ")).filter(|tools| !tools.is_empty())
}

fn bad(field: &str) -> Note {
    Note::BadField {
        field: field.to_owned(),
    }
}

fn is_flat(data: &Value) -> bool {
    match data {
        Value::Null => true,
        Value::Object(fields) => fields
            .values()
            .all(|value| !value.is_array() && !value.is_object()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
    }
}

fn cut(text: String, most: usize, note: Note, notes: &mut Vec<Note>) -> String {
    if text.chars().count() <= most {
        return text;
    }
    notes.push(note);
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<SkillText, Skipped> {
        parse(text.as_bytes(), "clean-table")
    }

    #[test]
    fn a_skill_by_the_rules_is_read_without_a_note() {
        let text = "---\nname: clean-table\ndescription: Cleans a table.\nlicense: MIT\ncompatibility: Needs nothing\n\
                    metadata:\n  author: a\nallowed-tools: files.read\n---\n\n# Do\nthis\n";
        let read = read(text).expect("a skill");
        assert_eq!(read.name, "clean-table");
        assert_eq!(read.description, "Cleans a table.");
        assert_eq!(read.allowed_tools.as_deref(), Some("files.read"));
        assert_eq!(read.body, "# Do\nthis");
        assert_eq!(read.notes, []);
    }

    #[test]
    fn a_bare_colon_is_mended_and_told() {
        let read = read("---\nname: clean-table\ndescription: Use when: a table is dirty # really\n---\nx")
            .expect("mended");
        assert_eq!(read.description, "Use when: a table is dirty # really");
        assert_eq!(read.notes, [Note::Repaired]);
    }

    #[test]
    fn what_nobody_could_choose_is_skipped_with_the_reason() {
        assert_eq!(read("no dashes"), Err(Skipped::NoFrontMatter));
        assert_eq!(read("---\nname: a\n"), Err(Skipped::NoFrontMatter));
        assert_eq!(read("---\nname: a\n---\nbody"), Err(Skipped::NoDescription));
        assert_eq!(
            read("---\nname: a\ndescription: '  '\n---\n"),
            Err(Skipped::NoDescription)
        );
        let broken = read("---\nname: [a\ndescription: b\n---\n");
        assert!(
            matches!(broken, Err(Skipped::Unreadable { line: 2.., .. })),
            "{broken:?}"
        );
        assert_eq!(parse(&[0xff, 0xfe, 0], "a"), Err(Skipped::NotText));
        assert_eq!(
            parse(b"---\nname: '!'\ndescription: b\n---\n", "?"),
            Err(Skipped::NoName)
        );
    }

    #[test]
    fn a_bad_name_is_called_by_what_it_can_hold() {
        let read = |name: &str| read(&format!("---\nname: {name}\ndescription: d\n---\n")).expect("a skill");
        let named = read("Clean Table!");
        assert_eq!(named.name, "clean-table");
        assert!(matches!(named.notes.as_slice(), [Note::BadName { .. }]));
        assert_eq!(read(&"a".repeat(80)).name, "a".repeat(64));
        let other = read("other");
        assert_eq!(other.name, "other");
        assert!(matches!(other.notes.as_slice(), [Note::NotItsFolder { .. }]));
        assert_eq!(read("清理表格").name, "清理表格");
    }

    #[test]
    fn fields_that_break_a_rule_are_noted() {
        let long = "d".repeat(2_000);
        let text =
            format!("---\nname: clean-table\ndescription: {long}\nversion: 1\nallowed-tools: [a, b]\n---\n");
        let read = read(&text).expect("a skill");
        assert_eq!(read.description.len(), DESCRIPTION_CHARACTERS_MAX);
        assert_eq!(read.allowed_tools.as_deref(), Some("a b"));
        let field = "version".to_owned();
        assert!(read.notes.contains(&Note::UnknownField { field }));
        assert!(read.notes.contains(&Note::LongDescription));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), folder in ".{0,8}") {
            drop(parse(&bytes, &folder));
        }

        #[test]
        fn no_front_matter_makes_it_panic_and_every_name_abides_by_the_rule(
            matter in "(name|description|x): [^\u{0}]{0,60}(\n(description|license): .{0,40}){0,3}",
            folder in ".{0,12}",
        ) {
            if let Ok(read) = parse(format!("---\n{matter}\n---\nbody").as_bytes(), &folder) {
                prop_assert!(is_name(&read.name), "{:?}", read.name);
                prop_assert!(!read.description.is_empty());
            }
        }

        #[test]
        fn what_is_written_by_the_rules_is_read_again(
            name in "[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}",
            description in "[a-zA-Z一-龥][a-zA-Z,.一-龥 ]{0,60}[a-z]",
        ) {
            let text = format!("---\nname: \"{name}\"\ndescription: {}\n---\nbody", Value::from(description.as_str()));
            let read = parse(text.as_bytes(), &name).expect("a skill");
            prop_assert_eq!(&read.name, &name);
            prop_assert_eq!(&read.description, &description);
            prop_assert_eq!(read.notes, []);
        }
    }
}
