//! `shidi assistant`: configurations of the one engine; those of others are shown before they are kept.

mod editing;

use super::review::{self, decided, whole_source};
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::limits::IMPORT_BYTES_MAX;
use crate::options::Options;
use crate::words::Words;
use clap::Subcommand;
use serde_json::{Value, json};
use shidi_protocol::request::assistants;
use shidi_protocol::{
    AssistantDetail, AssistantFault, AssistantForm, AssistantSource, AssistantTrust, ErrorCode,
    ListedAssistant, UserError, reply, visible,
};
use shidi_runtime::Connection;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Characters of a description in a list: the rest of a line in a terminal of usual width.
const DESCRIPTION_CHARACTERS: usize = 60;

/// Keys that a line names of what differs; a look at the file before it is kept shows all.
const KEYS_SHOWN: usize = 8;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    // The edit waits for a person, and for that long nobody else waits for the data folder.
    Edit {
        name: String,
    },
    #[command(flatten)]
    Connected(Connected),
}

// What is done within one connection. Clap takes a doc comment for the help.
#[derive(Debug, Subcommand)]
enum Connected {
    List,
    Show {
        name: String,
    },
    New {
        name: String,
        #[arg(long)]
        save: bool,
    },
    #[command(visible_alias = "validate")]
    Check {
        #[arg(value_name = "FILE|-")]
        file: PathBuf,
    },
    #[command(visible_alias = "install")]
    Import {
        file: String,
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
        #[arg(long)]
        yes: bool,
    },
    Approve {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Export {
        name: String,
        #[arg(long)]
        markdown: bool,
    },
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such assistant or file, one that is refused, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        Action::Edit { name } => editing::edit(name, options, console).await,
        Action::Connected(action) => {
            with_connection(options, async |connection| {
                perform(action, connection, console).await
            })
            .await
        }
    }
}

async fn perform(action: Connected, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    match action {
        Connected::List => list(&connection.ask(assistants::List).await?.assistants, console)?,
        Connected::Show { name } => {
            let reply::Assistant { assistant } = connection.ask(assistants::Show { name }).await?;
            show(&assistant, console)?;
        }
        Connected::New { name, save } => return editing::new(name, save, connection, console).await,
        Connected::Check { file } => return check(&file, connection, console).await,
        Connected::Import { file, only, yes } => return import(file, only, yes, connection, console).await,
        Connected::Approve { name, yes } => approve(name, yes, connection, console).await?,
        Connected::Export { name, markdown } => export(name, markdown, connection, console).await?,
        Connected::Remove { name, yes } => remove(name, yes, connection, console).await?,
    }
    Ok(Exit::Done)
}

/// An assistant as a file of ours; for programs as the same document in JSON.
async fn export(
    name: String,
    markdown: bool,
    connection: &Connection,
    console: &Console,
) -> Result<(), Failure> {
    let form = match (markdown, console.is_json()) {
        (true, _) => AssistantForm::Markdown,
        (false, true) => AssistantForm::Json,
        (false, false) => AssistantForm::Yaml,
    };
    let request = assistants::Export {
        name: name.clone(),
        form,
        path: None,
    };
    let reply::AssistantText { text } = connection.ask(request).await?;
    match form {
        AssistantForm::Json => {
            let document: Value = serde_json::from_str(&text).map_err(io::Error::other)?;
            console.json(&document)
        }
        AssistantForm::Markdown if console.is_json() => {
            console.json(&json!({"name": name, "form": form, "text": text}))
        }
        AssistantForm::Markdown | AssistantForm::Yaml => console.write(&text),
    }
}

/// Removes one that is there and the user's own; anything else is refused before anybody is asked.
async fn remove(name: String, yes: bool, connection: &Connection, console: &Console) -> Result<(), Failure> {
    let shown = assistants::Show { name: name.clone() };
    let reply::Assistant { assistant } = connection.ask(shown).await?;
    let is_own = assistant.assistant.source == AssistantSource::User;
    if !is_own || decided(yes, console.words.remove_assistant(clean(&name)), console)? {
        let kept = connection.ask(assistants::Remove { name }).await?;
        list(&kept.assistants, console)?;
    }
    Ok(())
}

/// What a file would become, with everything that is wrong in it; nothing is kept.
async fn check(file: &Path, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let is_stdin = file == Path::new("-");
    let read = match is_stdin {
        true => bounded(io::stdin().lock()),
        false => File::open(file).and_then(bounded),
    };
    let bytes = read.map_err(|cause| {
        let message = console.words.file_unread(cause, file.display());
        Failure::from(UserError::new(ErrorCode::NotFound, message).hint(console.words.check_the_path()))
    })?;
    let shown = file.display().to_string();
    let (assistants, faults) = match String::from_utf8(bytes) {
        // A file that is no text may be a picture with a card in it. The file is read as an import reads
        // it.
        Err(_) if !is_stdin => {
            let path = whole_source(shown);
            let review = connection.ask(assistants::Review { path }).await?;
            (review.assistants, review.refused)
        }
        text => {
            let text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            let checked = connection.ask(assistants::Check { file: shown, text }).await?;
            (checked.assistants, checked.faults)
        }
    };
    for detail in &assistants {
        show(detail, console)?;
    }
    self::faults(&faults, Look::Bad, console)?;
    match faults.is_empty() {
        true => Ok(Exit::Done),
        false => Ok(Exit::Because(ErrorCode::Input)),
    }
}

/// As much as an import may have, and one byte more.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(IMPORT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

async fn import(
    file: String,
    only: Vec<String>,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let path = whole_source(file);
    let reply::AssistantReview {
        review,
        assistants,
        refused,
    } = connection.ask(assistants::Review { path }).await?;
    faults(&refused, Look::Bad, console)?;
    let is_meant = |detail: &&AssistantDetail| only.is_empty() || only.contains(&detail.assistant.name);
    let meant: Vec<&AssistantDetail> = assistants.iter().filter(is_meant).collect();
    if meant.is_empty() && only.is_empty() {
        return Ok(Exit::Because(ErrorCode::Input));
    }
    if !yes {
        for detail in &meant {
            show(detail, console)?;
        }
    }
    let names: Vec<String> = meant.iter().map(|detail| clean(&detail.assistant.name)).collect();
    if !decided(yes, console.words.install_assistants(names.join(", ")), console)? {
        return Ok(Exit::Done);
    }
    let is_whole = refused.is_empty() || !only.is_empty();
    let request = assistants::Install { review, names: only };
    let reply::Assistants { assistants: kept } = connection.ask(request).await?;
    for detail in meant {
        let named = kept.iter().filter(|one| one.name == detail.assistant.name);
        for assistant in named {
            // Whoever was asked has seen all of it.
            match yes {
                true => line(&noted(assistant.clone(), detail, console.words), console)?,
                false => line(assistant, console)?,
            }
        }
    }
    Ok(if is_whole { Exit::Done } else { Exit::TaskFailed })
}

/// One that was taken in unseen, with what its file brought in vain, and what it took the place of.
fn noted(mut assistant: ListedAssistant, detail: &AssistantDetail, words: Words) -> ListedAssistant {
    for fault in &detail.left_out {
        let place = format!("{}:{}", fault.line, fault.column);
        // A file of ours says it again as it is read.
        let is_told = |note: &String| *note == format!("{place}: {} {}", fault.what, fault.remedy);
        if !assistant.notes.iter().any(is_told) {
            let note = format!("{}:{place}: {} ({})", fault.file, fault.what, fault.remedy);
            assistant.notes.push(note);
        }
    }
    let replaced = detail.differs.as_deref().map(|differences| match differences {
        [] => words.assistant_same().to_owned(),
        _ => {
            let keys = differences.iter().take(KEYS_SHOWN);
            let keys: Vec<&str> = keys.map(|difference| difference.key.as_str()).collect();
            words.assistant_replaced(keys.join(", "))
        }
    });
    assistant.notes.extend(replaced);
    assistant
}

/// Shows an assistant as it is now, and keeps that its user has reviewed it.
async fn approve(name: String, yes: bool, connection: &Connection, console: &Console) -> Result<(), Failure> {
    let shown = assistants::Show { name: name.clone() };
    let reply::Assistant { assistant } = connection.ask(shown).await?;
    if !yes {
        show(&assistant, console)?;
    }
    if decided(yes, console.words.approve_assistant(clean(&name)), console)? {
        let approved = assistants::Approve {
            name: name.clone(),
            digest: assistant.digest,
        };
        one(&connection.ask(approved).await?.assistants, &name, console)?;
    }
    Ok(())
}

fn list(assistants: &[ListedAssistant], console: &Console) -> Result<(), Failure> {
    for assistant in assistants {
        line(assistant, console)?;
    }
    Ok(())
}

/// The assistants of that name.
fn one(assistants: &[ListedAssistant], name: &str, console: &Console) -> Result<(), Failure> {
    let mut named = assistants.iter().filter(|assistant| assistant.name == name);
    named.try_for_each(|assistant| line(assistant, console))
}

fn line(assistant: &ListedAssistant, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(assistant);
    }
    let words = console.words;
    let (look, state) = match (&assistant.problem, assistant.trust) {
        (None, _) => (Look::Good, words.tool_on()),
        (Some(_), AssistantTrust::New) => (Look::Strong, words.skill_new()),
        (Some(_), AssistantTrust::Changed) => (Look::Strong, words.skill_changed()),
        (Some(_), AssistantTrust::Reviewed) => (Look::Bad, words.skill_left_out()),
    };
    let source = match assistant.source {
        AssistantSource::BuiltIn => words.tool_built_in(),
        AssistantSource::User => words.skill_of_user(),
    };
    let told: String = assistant
        .description
        .chars()
        .take(DESCRIPTION_CHARACTERS)
        .collect();
    console.line(&format!(
        "{}  {:<20} {}  {}  {}",
        console.painted(look, state),
        clean(&assistant.name),
        console.painted(Look::Dim, source),
        clean(&assistant.title),
        console.painted(Look::Dim, &clean(&told))
    ))?;
    for note in assistant.problem.iter().chain(&assistant.notes) {
        console.line(&format!("    {}", clean(note)))?;
    }
    Ok(())
}

/// What an assistant is and may do.
fn show(detail: &AssistantDetail, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(detail);
    }
    let words = console.words;
    line(&detail.assistant, console)?;
    for (name, value) in [
        (words.skill_lies_in(), &detail.assistant.path),
        (words.skill_came_from(), &detail.assistant.from),
    ] {
        if let Some(value) = value {
            console.line(&format!("    {name} {}", clean(value)))?;
        }
    }
    for may in &detail.may {
        console.line(&format!("    {}", clean(may)))?;
    }
    review::findings(&detail.findings, console)?;
    faults(&detail.faults, Look::Bad, console)?;
    faults(&detail.left_out, Look::Dim, console)?;
    match detail.differs.as_deref() {
        None => {}
        Some([]) => console.line(&format!("    {}", words.assistant_same()))?,
        Some(differences) => {
            console.line(&format!("    {}", words.assistant_replaces()))?;
            for difference in differences {
                let key = console.painted(Look::Strong, &clean(&difference.key));
                console.line(&format!("    {key}"))?;
                console.line(&console.painted(Look::Bad, &format!("    - {}", clean(&difference.before))))?;
                console.line(&console.painted(Look::Good, &format!("    + {}", clean(&difference.after))))?;
            }
        }
    }
    console.line(&format!("\n{}\n", visible(&detail.text)))
}

fn faults(faults: &[AssistantFault], look: Look, console: &Console) -> Result<(), Failure> {
    for fault in faults {
        if console.is_json() {
            console.json(fault)?;
            continue;
        }
        let place = format!("{}:{}:{}", clean(&fault.file), fault.line, fault.column);
        console.line(&console.painted(look, &format!("{place}: {}", fault.what)))?;
        console.line(&format!("  {}", console.painted(Look::Plain, &fault.remedy)))?;
    }
    Ok(())
}
