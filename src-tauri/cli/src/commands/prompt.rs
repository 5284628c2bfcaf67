//! `shidi prompt`: prompts of one's own, texts with fields that are used again and again.

use super::review::{decided, whole_source};
use super::workflow::texts;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::input;
use crate::options::Options;
use clap::Subcommand;
use shidi_locales::Language;
use shidi_protocol::request::saved_prompts;
use shidi_protocol::{PromptField, PromptFieldKind, SavedPrompt, SavedPromptDraft, UserError, reply};
use shidi_runtime::Connection;
use std::path::PathBuf;

/// Characters of a description in a list: the rest of a line in a terminal of usual width.
const DESCRIPTION_CHARACTERS: usize = 70;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List,
    Show {
        name: String,
    },
    Add {
        name: String,
        #[arg(value_name = "TEXT", allow_hyphen_values = true)]
        text: String,
        #[arg(long, value_name = "WORDS")]
        description: Option<String>,
        #[arg(long)]
        replace: bool,
    },
    Fill {
        name: String,
        #[arg(long, value_name = "FIELD=VALUE")]
        set: Vec<String>,
    },
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Import {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
    },
    Export {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such prompt or file, a field that is not filled, a name that is taken, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        perform(arguments.action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let say = console.words.language().prompts();
    match action {
        Action::List => list(&all(connection).await?, console)?,
        Action::Show { name } => show(&named(connection, &name, console).await?, console)?,
        Action::Add {
            name,
            text,
            description,
            replace,
        } => {
            let text = match text.as_str() {
                "-" => input::stdin(console.words)?,
                _ => text,
            };
            let earlier = match replace {
                true => all(connection)
                    .await?
                    .into_iter()
                    .find(|known| known.name == name),
                false => None,
            };
            let replaces = earlier.as_ref().map(|known| known.name.clone());
            let (said, fields) = earlier
                .map(|known| (known.description, known.fields))
                .unwrap_or_default();
            let draft = SavedPromptDraft {
                name: name.clone(),
                description: description.unwrap_or(said),
                text,
                fields,
            };
            connection.ask(saved_prompts::Keep { draft, replaces }).await?;
            show(&named(connection, &name, console).await?, console)?;
        }
        Action::Fill { name, set } => {
            let values = texts(&set, console.words.language())?;
            let reply::FilledPrompt { text } = connection.ask(saved_prompts::Fill { name, values }).await?;
            match console.is_json() {
                true => console.json(&serde_json::json!({"text": text}))?,
                false => console.line(&text)?,
            }
        }
        Action::Remove { name, yes } => {
            if !decided(yes, say.really_remove(clean(&name)), console)? {
                return Ok(Exit::Done);
            }
            let left = connection.ask(saved_prompts::Remove { name }).await?;
            list(&left.prompts, console)?;
        }
        Action::Import { paths } => return import(paths, connection, console).await,
        Action::Export { folder, names } => {
            let folder = whole_source(folder.display().to_string());
            let folder = std::path::absolute(&folder).map_or(folder, |path| path.display().to_string());
            let reply::ExportedPrompts { paths } =
                connection.ask(saved_prompts::Export { names, folder }).await?;
            for path in paths {
                match console.is_json() {
                    true => console.json(&serde_json::json!({"path": path}))?,
                    false => console.line(&clean(&path))?,
                }
            }
        }
    }
    Ok(Exit::Done)
}

/// The prompts that came, and the reasons why the others did not.
async fn import(paths: Vec<String>, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let paths = paths.into_iter().map(whole_source).collect();
    let reply::ImportedPrompts {
        prompts,
        imported,
        refused,
    } = connection.ask(saved_prompts::Import { paths }).await?;
    let has_come = |prompt: &SavedPrompt| imported.contains(&prompt.name);
    list(&prompts.into_iter().filter(has_come).collect::<Vec<_>>(), console)?;
    for error in &refused {
        console.note(Look::Bad, &clean(&error.message));
    }
    Ok(Exit::Done)
}

async fn all(connection: &Connection) -> Result<Vec<SavedPrompt>, Failure> {
    Ok(connection.ask(saved_prompts::List).await?.prompts)
}

async fn named(connection: &Connection, name: &str, console: &Console) -> Result<SavedPrompt, Failure> {
    let found = all(connection)
        .await?
        .into_iter()
        .find(|known| known.name == called(name));
    found.ok_or_else(|| {
        let say = console.words.language().prompts();
        let message = say.no_such_prompt(clean(name));
        UserError::new(shidi_protocol::ErrorCode::NotFound, message)
            .hint(say.see_prompts())
            .into()
    })
}

/// The name without the sign by which it is called.
fn called(name: &str) -> &str {
    name.strip_prefix('/').unwrap_or(name)
}

/// What goes along with a question, as a prompt names it.
pub struct Beside<'a> {
    pub has_selection: bool,
    pub has_page: bool,
    pub files: &'a [String],
}

/// A prompt's text with what is given, and words for what goes along.
pub async fn filled(
    connection: &Connection,
    name: &str,
    set: &[String],
    beside: &Beside<'_>,
    language: Language,
) -> Result<String, Failure> {
    let mut values = texts(set, language)?;
    let prompts = all(connection).await?;
    let fields = prompts
        .iter()
        .find(|known| known.name == called(name))
        .map(|known| known.fields.as_slice())
        .unwrap_or_default();
    for field in fields {
        if let Some(told) = told(field, beside, language) {
            values.entry(field.name.clone()).or_insert(told);
        }
    }
    let name = name.to_owned();
    let reply::FilledPrompt { text } = connection.ask(saved_prompts::Fill { name, values }).await?;
    Ok(text)
}

fn told(field: &PromptField, beside: &Beside<'_>, language: Language) -> Option<String> {
    let say = language.prompts();
    match field.kind {
        PromptFieldKind::Selection => beside.has_selection.then(|| say.the_selection().to_owned()),
        PromptFieldKind::Page => beside.has_page.then(|| say.the_page().to_owned()),
        PromptFieldKind::File => {
            let names: Vec<&str> = beside
                .files
                .iter()
                .map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path))
                .collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        PromptFieldKind::Free => None,
    }
}

fn list(prompts: &[SavedPrompt], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(prompts);
    for prompt in prompts {
        if console.is_json() {
            console.json(prompt)?;
            continue;
        }
        let told: String = prompt.description.chars().take(DESCRIPTION_CHARACTERS).collect();
        let told = console.painted(Look::Dim, &clean(&told));
        console.line(&format!("/{:<20} {told}", clean(&prompt.name)))?;
        if let Some(problem) = &prompt.problem {
            console.line(&console.painted(Look::Bad, &format!("    {}", clean(problem))))?;
        }
    }
    Ok(())
}

fn show(prompt: &SavedPrompt, console: &Console) -> Result<(), Failure> {
    list(std::slice::from_ref(prompt), console)?;
    if console.is_json() {
        return Ok(());
    }
    for field in prompt
        .fields
        .iter()
        .filter(|field| field.kind == PromptFieldKind::Free)
    {
        let default = field.default.as_ref().map(|default| format!(" = {default}"));
        let choices = match field.choices.is_empty() {
            true => String::new(),
            false => format!(" ({})", field.choices.join(" | ")),
        };
        let label = match field.label == field.name {
            true => String::new(),
            false => format!("  {}", field.label),
        };
        let told = format!(
            "    {{{}}}{}{choices}{label}",
            field.name,
            default.unwrap_or_default()
        );
        console.line(&console.painted(Look::Dim, &clean(&told)))?;
    }
    console.line("")?;
    for line in prompt.text.lines() {
        console.line(&clean(line))?;
    }
    console.line(&console.painted(Look::Dim, &format!("\n{}", clean(&prompt.path))))?;
    Ok(())
}
