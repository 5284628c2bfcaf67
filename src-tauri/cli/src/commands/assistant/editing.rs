//! `shidi assistant new` and `edit`: a file to begin with, and the user's own editor for one that is there.
//!
//! The editor has a draft. The kept assistant stays as it is until the draft is an assistant. A draft that is none is
//! not lost.

use super::super::review;
use crate::client::{ask, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::interrupt::Interrupts;
use crate::limits::IMPORT_BYTES_MAX;
use crate::options::Options;
use crate::words::Words;
use serde_json::json;
use shidi_protocol::request::assistants;
use shidi_protocol::{AssistantDetail, AssistantFault, AssistantSource, ErrorCode, UserError, reply};
use shidi_runtime::{Connection, callable};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use tempfile::TempDir;
use tokio::process::Command;

/// Variables that name an editor; the first one counts.
const EDITORS: [&str; 2] = ["VISUAL", "EDITOR"];

/// Times that a draft with faults is opened again before it is left to its user.
const EDITS_MAX: u32 = 20;

/// Prints a file to begin with, or keeps it where that is said.
pub async fn new(
    name: String,
    save: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let say = console.words.language().assistants();
    if name.is_empty() || callable(&name) != name {
        return Err(Failure::input(say.bad_name(clean(&name)), say.name_rules()));
    }
    let reply::Assistants { assistants: there } = connection.ask(assistants::List).await?;
    if there.iter().any(|known| known.name == name) {
        return Err(Failure::input(
            say.there_already(&name),
            say.choose_another_name(),
        ));
    }
    let text = say.template(&name);
    if save {
        let earlier = None;
        let kept = connection.ask(assistants::Save { text, earlier }).await?;
        super::line(&kept.assistant.assistant, console)?;
        console.note(Look::Dim, &say.edit_it(&name));
    } else if console.is_json() {
        console.json(&json!({"name": name, "text": text}))?;
    } else {
        console.write(&text)?;
        console.note(Look::Dim, say.keep_with_save());
    }
    Ok(Exit::Done)
}

/// What became of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edited {
    Kept,
    Unchanged,
    /// The draft is no assistant; the old one stays.
    Broken,
}

/// Opens an assistant's file in the user's editor, and keeps what comes back if it is one. Of one that comes along a copy is
/// edited, in the user's folder.
///
/// # Errors
/// No editor or one that fails, no such assistant, one that changed meanwhile, trouble with the disk.
pub async fn edit(name: String, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let editor = editor(console.words)?;
    let shown = assistants::Show { name: name.clone() };
    let original = ask(shown, options).await?.assistant;
    if is_shipped(&original) {
        // The usual assistant can't be anybody's file, whatever is written into it.
        let (file, text) = (format!("{name}.yaml"), original.text.clone());
        let checked = ask(assistants::Check { file, text }, options).await?;
        if let Some(fault) = checked.faults.into_iter().next() {
            return Err(Failure::input(fault.what, fault.remedy));
        }
        let say = console.words.language().assistants();
        console.note(Look::Dim, &say.copied_first(clean(&name)));
    }
    match edited(&editor, &original, options, console).await? {
        Edited::Kept | Edited::Unchanged => Ok(Exit::Done),
        Edited::Broken => Ok(Exit::Because(ErrorCode::Input)),
    }
}

/// An edit of such a one stands in the user's folder once it is kept. A copy before that would hide what comes along.
fn is_shipped(original: &AssistantDetail) -> bool {
    original.assistant.source == AssistantSource::BuiltIn
}

async fn edited(
    editor: &str,
    original: &AssistantDetail,
    options: &Options,
    console: &Console,
) -> Result<Edited, Failure> {
    let words = console.words;
    let draft = Draft::of(original, words)?;
    for _ in 0..EDITS_MAX {
        let read = match opened(editor, &draft.path, console).await {
            Ok(()) => draft.text(words),
            Err(failure) => Err(failure),
        };
        let text = match read {
            Ok(text) => text,
            Err(failure) => {
                draft.stays_if_changed(original, console);
                return Err(failure);
            }
        };
        if text == original.text {
            console.note(Look::Plain, words.declined());
            return Ok(Edited::Unchanged);
        }
        let faults = match kept(text, original, options, console).await {
            Ok(None) => return Ok(Edited::Kept),
            Ok(Some(faults)) => faults,
            Err(failure) => {
                draft.stays(console);
                return Err(failure);
            }
        };
        super::faults(&faults, Look::Bad, console)?;
        let question = words.language().assistants().edit_again();
        if !console.can_ask() || !console.confirms(question) {
            break;
        }
    }
    draft.stays(console);
    Ok(Edited::Broken)
}

/// Keeps a text in the place of the original, or tells what is wrong with it.
async fn kept(
    text: String,
    original: &AssistantDetail,
    options: &Options,
    console: &Console,
) -> Result<Option<Vec<AssistantFault>>, Failure> {
    let file = format!("{}.yaml", original.assistant.name);
    with_connection(options, async |connection| {
        let check = assistants::Check {
            file: file.clone(),
            text: text.clone(),
        };
        let reply::AssistantCheck {
            assistants,
            mut faults,
        } = connection.ask(check).await?;
        let renamed = assistants
            .iter()
            .find(|detail| detail.assistant.name != original.assistant.name);
        faults
            .extend(renamed.map(|detail| renamed_to(&detail.assistant.name, &text, original, console.words)));
        if !faults.is_empty() {
            return Ok(Some(faults));
        }
        let earlier = (!is_shipped(original)).then(|| original.digest.clone());
        let kept = connection
            .ask(assistants::Save { text, earlier })
            .await?
            .assistant;
        super::line(&kept.assistant, console)?;
        if !console.is_json() {
            review::findings(&kept.findings, console)?;
        }
        Ok(None)
    })
    .await
}

/// An edit keeps the name: under another one it would be another assistant.
fn renamed_to(name: &str, text: &str, original: &AssistantDetail, words: Words) -> AssistantFault {
    let say = words.language().assistants();
    let old = &original.assistant.name;
    let mut lines = (1..).zip(text.lines());
    let found = lines.find(|(_, line)| line.starts_with("name:"));
    AssistantFault {
        file: format!("{old}.yaml"),
        line: found.map_or(1, |(number, _)| number),
        column: 1,
        what: say.name_stays(old, clean(name)),
        remedy: say.write_name(old),
    }
}

/// The text while it is edited, in a folder that nobody else reads.
struct Draft {
    folder: TempDir,
    path: PathBuf,
}

impl Draft {
    fn of(original: &AssistantDetail, words: Words) -> Result<Self, Failure> {
        let name = format!("{}.yaml", original.assistant.name);
        let made = || -> io::Result<Self> {
            let mut builder = tempfile::Builder::new();
            builder.prefix("shidi-assistant-");
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let folder = builder.tempdir()?;
            let path = folder.path().join(&name);
            std::fs::write(&path, &original.text)?;
            Ok(Self { folder, path })
        };
        made().map_err(|cause| {
            let error = UserError::new(ErrorCode::Storage, words.not_written(cause, &name));
            error.hint(words.check_the_path()).into()
        })
    }

    fn text(&self, words: Words) -> Result<String, Failure> {
        let mut text = String::new();
        let read =
            File::open(&self.path).and_then(|file| file.take(IMPORT_BYTES_MAX + 1).read_to_string(&mut text));
        match read {
            Ok(_) => Ok(text),
            Err(cause) => Err(Failure::input(
                words.file_unread(cause, self.path.display()),
                words.check_the_path(),
            )),
        }
    }

    /// Leaves the draft where it is, if its user wrote something.
    fn stays_if_changed(self, original: &AssistantDetail, console: &Console) {
        let is_changed = std::fs::read(&self.path).is_ok_and(|bytes| bytes != original.text.as_bytes());
        if is_changed {
            self.stays(console);
        }
    }

    /// Leaves the draft where it is, and says where.
    fn stays(self, console: &Console) {
        let say = console.words.language().assistants();
        console.note(Look::Plain, &say.old_stays(self.path.display()));
        drop(self.folder.keep());
    }
}

/// The command by which the user edits texts.
fn editor(words: Words) -> Result<String, Failure> {
    let say = words.language().assistants();
    let mut named = EDITORS.iter().filter_map(|name| std::env::var(name).ok());
    named
        .find(|command| !command.trim().is_empty())
        .ok_or_else(|| Failure::input(say.no_editor(), say.name_an_editor()))
}

/// Waits until the editor has ended well.
async fn opened(editor: &str, path: &Path, console: &Console) -> Result<(), Failure> {
    let mut command = command(editor, path);
    if console.is_json() {
        command.stdout(Stdio::from(io::stderr()));
    }
    let ended = waited_for(&mut command).await;
    let why = match ended {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(cause) => cause.to_string(),
    };
    let say = console.words.language().assistants();
    Err(Failure::input(
        say.editor_failed(clean(editor), why),
        say.name_an_editor(),
    ))
}

/// The editor answers Ctrl-C itself.
async fn waited_for(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
    let mut interrupts = Interrupts::listen();
    loop {
        tokio::select! {
            status = child.wait() => return status,
            () = interrupts.pressed() => interrupts = Interrupts::listen(),
        }
    }
}

/// The variables hold a command with its options, as shells read it. The path is an argument of its own.
#[cfg(unix)]
fn command(editor: &str, path: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("sh")
        .arg(path);
    command
}

#[cfg(not(unix))]
fn command(editor: &str, path: &Path) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(path);
    command
}
