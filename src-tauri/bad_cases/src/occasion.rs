//! The situation in which an answer was given, as far as it is on record. The situation holds the words before the
//! answer, the pieces that went along, and the records from memory. Files that were read and the user's answers on
//! the way belong to it, too.

use crate::limits::{
    ANSWER_CHARACTERS_MAX, FILE_BYTES_MAX, FILES_BYTES_MAX, HISTORY_MAX, PAGE_CHARACTERS_MAX,
    STEP_CHARACTERS_MAX, STEPS_MAX,
};
use serde_json::Value;
use shidi_protocol::{
    Body, CallRecord, CallState, ContextPiece, MemoryId, Moment, RunId, Segment, SegmentKind, UserError,
};
use shidi_space::{Space, folder_files, storage};
use shidi_store::{RunState, StoreError};
use std::collections::BTreeMap;
use std::path::Path;

/// Endings of files that are attached as the text that they are; others were read out of their format.
const TEXT_ENDINGS: [&str; 20] = [
    "txt", "md", "csv", "tsv", "json", "yaml", "yml", "toml", "xml", "html", "log", "py", "rs", "js", "ts",
    "c", "cpp", "java", "sh", "sql",
];

/// What `user` asks of a person, and the answer is theirs.
const ASKING: [&str; 3] = ["ask", "choose", "confirm"];

#[derive(Debug, Default, PartialEq)]
pub struct Occasion {
    pub run: String,
    /// Whether somebody else's words were read in it.
    pub tainted: bool,
    pub question: String,
    /// What was answered, or why nothing was.
    pub answer: String,
    /// Questions and answers before it, oldest first.
    pub history: Vec<Said>,
    /// By their names in the work folder.
    pub files: BTreeMap<String, String>,
    /// Names of those that went along with the question.
    pub attached: Vec<String>,
    pub memory: Vec<String>,
    pub page: Option<SeenPage>,
    /// What the user answered to questions.
    pub answers: Vec<String>,
    /// Its programs, each with its output.
    pub steps: Vec<String>,
    /// Titles of what is not in the case: pictures, what is too large, what is not there any more.
    pub left_out: Vec<String>,
}

/// A question, its answer, and whether somebody else's words were read by then.
#[derive(Debug, Default, PartialEq)]
pub struct Said {
    pub question: String,
    pub answer: String,
    pub tainted: bool,
}

#[derive(Debug, Default, PartialEq)]
pub struct SeenPage {
    pub url: String,
    pub title: String,
    pub text: String,
}

/// Reads the occasion of a run that is over.
///
/// # Errors
/// Storage trouble.
pub fn occasion(space: &Space, row: &RunState) -> Result<Occasion, UserError> {
    read(space, row).map_err(|cause| storage::explain(&cause, space.language()))
}

fn read(space: &Space, row: &RunState) -> Result<Occasion, StoreError> {
    space.store.flush()?;
    let segments = space.store.segments(&row.session)?;
    let of_run: Vec<&Segment> = segments.iter().filter(|segment| segment.run == row.run).collect();
    let mut occasion = Occasion {
        run: row.run.to_string(),
        tainted: is_tainted(&segments, row),
        question: row.question.clone(),
        answer: answer(&segments, row),
        history: history(space, row, &segments)?,
        steps: steps(&of_run),
        ..Occasion::default()
    };
    // Each file that went along has one piece, in their order.
    let attached = storage::read_state(row).map(|(_, ask)| ask.files);
    let mut attached = attached.unwrap_or_default().into_iter();
    for segment in &of_run {
        match &segment.body {
            Body::Context(piece) if piece.source == "file" => {
                let original = attached.next().and_then(|path| original(&path, row.started));
                occasion.attach(piece, original);
            }
            Body::Context(piece) => occasion.take(piece),
            Body::Recalled { marks } => {
                for mark in marks {
                    let record = space.store.memory(&MemoryId::from(mark.id.clone()))?;
                    match record {
                        // A tainted record would count as the user's own there.
                        Some(record) if record.tainted => {
                            occasion.left_out.push(shown(&record.title, "memory"))
                        }
                        Some(record) => occasion.memory.push(record.text),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }
    for record in space.store.calls(&row.run)? {
        occasion.note(&record);
    }
    Ok(occasion)
}

/// A text as it lies on the disk, where it is one and has not changed since.
fn original(path: &str, started: Moment) -> Option<String> {
    let path = Path::new(path);
    let facts = std::fs::metadata(path).ok()?;
    let changed = Moment::from(jiff::Timestamp::try_from(facts.modified().ok()?).ok()?);
    if !facts.is_file() || changed > started || facts.len() > FILE_BYTES_MAX as u64 {
        return None;
    }
    let bytes = folder_files::bytes(path, FILE_BYTES_MAX as u64).ok()?;
    String::from_utf8(bytes).ok()
}

/// What a model read of a file, without what stands around it; `None` where it did not read the whole.
fn words(piece: &ContextPiece) -> Option<&str> {
    let (before, words) = piece.text.split_once("\n---\n")?;
    // A text with such a line of its own may stand in a piece that shows the beginning alone.
    let is_head = before.lines().last()?.contains(". Cite places as ");
    (is_head && !before.contains("Too long to be shown whole")).then_some(words)
}

/// The programs with their outputs; the same with the same outcome counts once.
fn steps(segments: &[&Segment]) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut program = "";
    for segment in segments {
        match &segment.body {
            Body::Python { text } => program = text.trim_end(),
            Body::Output { text, .. } => {
                let output = text.trim_end().replace('\n', "\n# ");
                let step = format!("{program}\n# {output}");
                let step: String = step.chars().take(STEP_CHARACTERS_MAX).collect();
                if steps.len() < STEPS_MAX && !steps.contains(&step) {
                    steps.push(step);
                }
            }
            _ => {}
        }
    }
    steps
}

/// The exchanges on the way to the run, oldest first.
fn history(space: &Space, row: &RunState, segments: &[Segment]) -> Result<Vec<Said>, StoreError> {
    let mut history = Vec::new();
    let mut before: Option<RunId> = row.parent.clone();
    while let Some(run) = before
        && history.len() < HISTORY_MAX
    {
        let Some(row) = space.store.run(&run)? else { break };
        history.push(Said {
            question: row.question.clone(),
            answer: answer(segments, &row),
            tainted: is_tainted(segments, &row),
        });
        before = row.parent;
    }
    history.reverse();
    Ok(history)
}

fn is_tainted(segments: &[Segment], row: &RunState) -> bool {
    let mut of_run = segments.iter().filter(|segment| segment.run == row.run);
    of_run.any(|segment| segment.tainted)
}

/// The last thing that a run told its user.
fn answer(segments: &[Segment], row: &RunState) -> String {
    let told = segments
        .iter()
        .rev()
        .find(|segment| segment.run == row.run && segment.kind() == SegmentKind::Express);
    let told = told.map(|segment| segment.text().to_owned());
    let told = told.or_else(|| row.reason.clone()).unwrap_or_default();
    told.trim().chars().take(ANSWER_CHARACTERS_MAX).collect()
}

impl Occasion {
    /// Takes in a file that went along: as it lies on the disk, else what was read of it.
    fn attach(&mut self, piece: &ContextPiece, original: Option<String>) {
        let name = match &original {
            Some(_) => base_name(&piece.title),
            None => file_name(&piece.title),
        };
        match original.as_deref().or_else(|| words(piece)) {
            Some(text) => {
                let name = self.put(&name, text);
                self.attached.extend(name);
            }
            None => self.left_out.push(shown(&piece.title, &piece.source)),
        }
    }

    /// Takes in what went along with the question.
    fn take(&mut self, piece: &ContextPiece) {
        match piece.source.as_str() {
            "file" => self.attach(piece, None),
            "stdin" => {
                let name = self.put(&file_name(&piece.title), &piece.text);
                self.attached.extend(name);
            }
            "project" => match words(piece) {
                Some(words) => drop(self.put(&file_name(&piece.title), words)),
                None => self.left_out.push(shown(&piece.title, &piece.source)),
            },
            "page" | "selection" => {
                let page = self.page.get_or_insert_default();
                if page.title.is_empty() {
                    page.title.clone_from(&piece.title);
                }
                if let Some(url) = piece.url.as_ref().filter(|_| page.url.is_empty()) {
                    page.url.clone_from(url);
                }
                let room = PAGE_CHARACTERS_MAX.saturating_sub(page.text.chars().count());
                if !page.text.is_empty() && !piece.text.is_empty() {
                    page.text.push_str("\n\n");
                }
                page.text.extend(piece.text.chars().take(room));
            }
            "preferences" => self.memory.push(piece.text.clone()),
            _ => self.left_out.push(shown(&piece.title, &piece.source)),
        }
    }

    /// Takes in a file that was read, or an answer of the user.
    fn note(&mut self, record: &CallRecord) {
        if record.state != CallState::Done {
            return;
        }
        let Some(outcome) = record.outcome.as_ref().filter(|outcome| outcome.error.is_none()) else {
            return;
        };
        let (toolkit, method) = (record.call.toolkit.as_str(), record.call.method.as_str());
        match (toolkit, method, &outcome.data) {
            ("files", "read", Value::String(text)) => {
                let path = record
                    .call
                    .args
                    .get("path")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let name = file_name(path);
                if name.is_empty() || self.files.contains_key(&name) {
                    return;
                }
                let args = &record.call.args;
                let is_later = args
                    .get("offset_line")
                    .is_some_and(|first| !first.is_null() && first != 1);
                let is_whole =
                    !outcome.summary.ends_with("more follow") && !args.contains_key("part") && !is_later;
                match is_whole {
                    true => drop(self.put(&name, text)),
                    false => self.left_out.push(name),
                }
            }
            ("user", method, Value::String(text)) if ASKING.contains(&method) => {
                self.answers.push(text.clone())
            }
            _ => {}
        }
    }

    /// The name, with a number before it where a file is called so already.
    fn free(&self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{number}-{name}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !self.files.contains_key(name)).unwrap_or(name)
    }

    /// Puts a file in, and says under which name; one that is too large is left out.
    fn put(&mut self, name: &str, text: &str) -> Option<String> {
        let all: usize = self.files.values().map(String::len).sum();
        let name = match name {
            "" => format!("file-{}.txt", self.files.len() + 1),
            name => name.to_owned(),
        };
        if text.len() > FILE_BYTES_MAX || all + text.len() > FILES_BYTES_MAX {
            self.left_out.push(name);
            return None;
        }
        let name = self.free(name);
        self.files.insert(name.clone(), text.to_owned());
        Some(name)
    }
}

/// The last part of a path.
fn base_name(path: &str) -> String {
    let name = path.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|sign| !sign.is_control() && !matches!(sign, ':' | '{' | '}'))
        .collect();
    match name.as_str() {
        "." | ".." => String::new(),
        _ => name,
    }
}

/// The last part of a path, as the name of a text.
fn file_name(path: &str) -> String {
    let name = base_name(path);
    if name.is_empty() {
        return name;
    }
    let ending = Path::new(&name)
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    match ending {
        Some(ending) if TEXT_ENDINGS.contains(&ending.as_str()) => name,
        Some(_) | None => format!("{name}.txt"),
    }
}

fn shown(title: &str, source: &str) -> String {
    match title.trim() {
        "" => source.to_owned(),
        title => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{Call, CallId, CallOutcome, Class, ExecId};

    fn piece(source: &str, title: &str, text: &str) -> ContextPiece {
        ContextPiece {
            source: source.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            ..ContextPiece::default()
        }
    }

    #[test]
    fn what_went_along_becomes_files_a_page_and_memory_and_the_rest_is_named() {
        let mut occasion = Occasion::default();
        let read = "path: x\ncsv, 1 rows. Cite places as x.\n---\n";
        occasion.attach(
            &piece("file", "C:\\x\\sales.csv", "framed"),
            Some("a,b\n\n".to_owned()),
        );
        occasion.take(&piece("file", "report.pdf", &format!("{read}words")));
        occasion.take(&piece("file", "photo.png", "path: x\npng picture, 3 × 3 pixels"));
        let long = "path: x\nmd, 9 lines. Too long to be shown whole (about 9 tokens).\nCite places as x.\n--- its beginning\n";
        occasion.take(&piece(
            "file",
            "long.md",
            &format!("{long}title\n---\nbody\n… it goes on"),
        ));
        let cut = "path: x\nmd, 9 lines. Cite places as x.\nOnly its beginning could be read: it is too large.\n---\n";
        occasion.take(&piece("file", "cut.md", &format!("{cut}body")));
        occasion.take(&piece("page", "Orders", "text"));
        occasion.take(&piece("selection", "", "marked"));
        occasion.take(&piece("screen", "Editor", "picture"));
        occasion.take(&piece("preferences", "", "likes tables"));
        assert_eq!(occasion.attached, ["sales.csv", "report.pdf.txt"]);
        assert_eq!(occasion.files["sales.csv"], "a,b\n\n");
        assert_eq!(occasion.files["report.pdf.txt"], "words");
        let page = occasion.page.unwrap();
        assert_eq!(
            (page.title.as_str(), page.text.as_str()),
            ("Orders", "text\n\nmarked")
        );
        assert_eq!(occasion.left_out, ["photo.png", "long.md", "cut.md", "Editor"]);
        assert_eq!(occasion.memory, ["likes tables"]);
    }

    #[test]
    fn what_was_read_from_the_middle_is_no_whole_file() {
        let read = |args: Value, text: &str| CallRecord {
            run: RunId::from("r".to_owned()),
            call: Call {
                id: CallId(1),
                exec: ExecId(1),
                toolkit: "files".to_owned(),
                method: "read".to_owned(),
                args: args.as_object().cloned().unwrap_or_default(),
                line: 1,
                places: BTreeMap::new(),
            },
            class: Class::Read,
            state: CallState::Done,
            grounds: Vec::new(),
            outcome: Some(CallOutcome::success(json!(text), "x · 1 line")),
            answered: Some(1),
            started: Moment(0),
            ended: None,
        };
        let mut occasion = Occasion::default();
        occasion.note(&read(json!({"path": "a.txt", "offset_line": 5}), "tail"));
        occasion.note(&read(json!({"path": "b.txt", "offset_line": 1}), "whole"));
        assert_eq!(occasion.left_out, ["a.txt"]);
        assert_eq!(occasion.files["b.txt"], "whole");
    }

    #[test]
    fn files_over_their_bounds_are_left_out_and_named() {
        let mut occasion = Occasion::default();
        occasion.take(&piece("stdin", "big.txt", &"x".repeat(FILE_BYTES_MAX + 1)));
        for number in 0..=FILES_BYTES_MAX / FILE_BYTES_MAX {
            occasion.take(&piece(
                "stdin",
                &format!("{number}.txt"),
                &"x".repeat(FILE_BYTES_MAX),
            ));
        }
        assert_eq!(occasion.left_out, ["big.txt", "8.txt"]);
        assert_eq!(occasion.files.len(), 8);
    }

    #[test]
    fn names_lead_nowhere() {
        for (path, name) in [
            ("../../etc/passwd", "passwd.txt"),
            ("..", ""),
            ("/", ""),
            ("a\u{0}b.md", "ab.md"),
            ("notes", "notes.txt"),
        ] {
            assert_eq!(file_name(path), name, "{path:?}");
        }
    }
}
