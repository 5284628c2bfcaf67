//! Quotes from attached files: lines that hold the question's words. Each has the file's name and the place (a
//! line, a page, a row of a sheet).
//!
//! Lines that hold more of the words rank higher, and rare words count more. A page's lines end where its paper
//! ends, so the next line is shown too. The meaning of the lines is not judged.

use super::keywords::{keywords, pattern};
use super::text::python_string;
use super::{Plan, notes, words};
use shidi_locales::Language;
use shidi_protocol::Attachment;

/// Lines that are shown.
const LINES_SHOWN: usize = 6;
/// Most attached files that are looked through.
const FILES_MAX: usize = 20;
/// Lines of a file's beginning that are shown when the question has no searchable words.
const HEAD_LINES: usize = 8;

/// The plan for a question with attached files. `cased` is half-width.
pub(super) fn plan(cased: &str, attachments: &[Attachment], language: Language) -> Option<Plan> {
    if attachments.is_empty() {
        return None;
    }
    let readable: Vec<&Attachment> = attachments
        .iter()
        .filter(|file| matches!(file.kind.as_str(), "text" | "document" | "folder"))
        .take(FILES_MAX)
        .collect();
    let lower = cased.to_lowercase();
    if readable.is_empty() {
        return Some(Plan::Say(words::no_readable_file(
            language,
            attachments.iter().any(|file| file.kind == "image"),
        )));
    }
    let words = keywords(cased);
    if notes::needs_understanding(&lower) && !lower.contains("find") {
        return Some(Plan::Say(words::cannot_interpret(language)));
    }
    let thought = language.planner().thought_files().to_owned();
    let program = if words.is_empty() {
        heads(&readable, language)
    } else {
        matches(&readable, &words, language)
    };
    Some(Plan::Run { thought, program })
}

fn matches(files: &[&Attachment], words: &[String], language: Language) -> String {
    let patterns: Vec<String> = words.iter().map(|word| pattern(word)).collect();
    let list = patterns
        .iter()
        .map(|pattern| python_string(pattern))
        .collect::<Vec<_>>()
        .join(", ");
    let names = files
        .iter()
        .map(|file| file.name.as_str())
        .collect::<Vec<_>>()
        .join(language.planner().listed_with());
    format!(
        "import re\n\
         words = [{list}]\n\
         hits = []\n\
         for path, name in [{files}]:\n\
         \x20   for hit in (await files.grep(pattern={pattern}, path=path, ignore_case=True)).data:\n\
         \x20       if hit[\"line\"] > 0:\n\
         \x20           text = hit[\"text\"].strip()\n\
         \x20           place = hit[\"path\"].replace(path, name, 1)\n\
         \x20           if hit[\"place\"].startswith(\"line \"):\n\
         \x20               place = \"`\" + place + \":\" + str(hit[\"line\"]) + \"`\"\n\
         \x20               source = None\n\
         \x20           else:\n\
         \x20               place = \"[\" + place + \" \" + hit[\"place\"] + \"]\"\n\
         \x20               source = hit if \"!\" not in hit[\"place\"] else None\n\
         \x20           present = [word for word in words if re.search(word, text.lower())]\n\
         \x20           hits.append((place, text, present, source))\n\
         counts = {{word: sum([1 for hit in hits if word in hit[2]]) for word in words}}\n\
         ranked = sorted(hits, key=lambda hit: -sum([1 / (1 + counts[word]) + 1 for word in hit[2]]))\n\
         lines = []\n\
         for place, text, present, source in ranked[:{LINES_SHOWN}]:\n\
         \x20   if source:\n\
         \x20       both = (await files.read(path=source[\"path\"], offset_line=source[\"line\"], limit_lines=2)).data\n\
         \x20       text = both.split(\"\\n[\")[0].strip().replace(\"\\n\", \" \")\n\
         \x20   lines.append(\"- \" + place + \"  \" + text[:300])\n\
         if lines:\n\
         \x20   await user.say(text={found} + \"\\n\\n\" + \"\\n\".join(lines))\n\
         else:\n\
         \x20   await user.say(text={missing})",
        files = pairs(files),
        pattern = python_string(&patterns.join("|")),
        found = python_string(words::found_in_files(language)),
        missing = python_string(&words::nothing_in_files(language, &names, words)),
    )
}

fn heads(files: &[&Attachment], language: Language) -> String {
    let texts: Vec<&Attachment> = files
        .iter()
        .copied()
        .filter(|file| file.kind != "folder")
        .collect();
    format!(
        "blocks = []\n\
         for path, name in [{files}]:\n\
         \x20   lines = (await files.read(path=path, limit_lines={HEAD_LINES})).data.split(\"\\n\")\n\
         \x20   blocks.append(\"**\" + name + \"**\\n\" + \"\\n\".join([\"> \" + line[:300] for line in lines[:{HEAD_LINES}]]))\n\
         await user.say(text={lead} + \"\\n\\n\" + \"\\n\\n\".join(blocks))",
        files = pairs(&texts),
        lead = python_string(words::beginnings_of_files(language)),
    )
}

fn pairs(files: &[&Attachment]) -> String {
    let pairs = files
        .iter()
        .map(|file| format!("({}, {})", python_string(&file.path), python_string(&file.name)));
    pairs.collect::<Vec<_>>().join(", ")
}
