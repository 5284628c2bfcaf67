//! `shidi experience`: what runs taught: reviewing, mending, writing by hand, voting, previewing, taking elsewhere.

use crate::client::{answered, exported, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{
    ExperienceCount, ExperienceDraft, ExperienceRequest, ExperienceState, MemoryScope, Reply, Request,
};
use std::path::{Path, PathBuf};

mod show;

/// Review what runs taught: list, show, approve, reject, edit, add, vote, preview, expire, delete, export, import
#[derive(Debug, clap::Args)]
#[command(after_help = help::EXPERIENCE)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// What waits for your review first, then newest first
    List {
        /// candidate, approved, rejected or expired (repeatable)
        #[arg(long, value_name = "STATE", value_parser = state)]
        state: Vec<ExperienceState>,
        /// Only those that contain this
        #[arg(long, value_name = "TEXT", default_value = "")]
        text: String,
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    /// One of them whole, with the runs that taught and used it
    Show(One),
    /// From now on it goes into prompts where it fits
    Approve(One),
    /// It is never used
    Reject(One),
    /// Changes what it says
    Edit(Edited),
    /// Writes one by hand; it is approved by that
    Add(Added),
    /// Makes a candidate of a finished run
    Take {
        #[arg(value_name = "RUN")]
        run: String,
    },
    /// Asks models for their votes
    Vote(One),
    /// Past runs that would have had it in their prompt
    Preview(One),
    /// It is not used any more
    Expire(One),
    /// Erases it
    Delete(One),
    /// All as JSON Lines, to standard output or to a new file
    Export {
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Experiences from a file of JSON Lines: a whole export of your own as it was, any other as candidates
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Believe a file that is no export of your own: what it calls approved goes into prompts unread and steers what
        /// models write and run. Only for what you wrote, or read to its end
        #[arg(long)]
        reviewed: bool,
    },
}

#[derive(Debug, clap::Args)]
struct One {
    #[arg(value_name = "ID")]
    experience: String,
}

#[derive(Debug, clap::Args)]
struct Edited {
    #[arg(value_name = "ID")]
    experience: String,
    /// The task in which it helps
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// What to do or to avoid
    #[arg(long, value_name = "TEXT")]
    lesson: Option<String>,
    /// File with the program; - reads standard input
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,
    /// user, site:URL or session:ID
    #[arg(long, value_name = "SCOPE")]
    scope: Option<MemoryScope>,
}

#[derive(Debug, clap::Args)]
struct Added {
    /// The task in which it helps
    #[arg(long, value_name = "TEXT")]
    goal: String,
    /// What to do or to avoid
    #[arg(long, value_name = "TEXT")]
    lesson: String,
    /// File with the program; - reads standard input
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,
    /// user, site:URL or session:ID
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    scope: MemoryScope,
}

/// Carries out the action.
///
/// # Errors
/// No such experience, a bad line, no model for votes, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let is_list = matches!(arguments.action, Action::List { .. });
    let is_whole = matches!(arguments.action, Action::Show(_) | Action::Vote(_));
    let action = match arguments.action {
        Action::Export { file: None } => {
            let action = ExperienceRequest::ExportLines;
            return exported(Request::Experience { action }, options, console).await;
        }
        Action::Export { file: Some(file) } => return export_to(&file, options, console).await,
        Action::Import { file, reviewed } => return import(&file, reviewed, options, console).await,
        action => asked(action, console)?,
    };
    let request = Request::Experience { action };
    let reply = with_connection(options, async |connection| answered(connection, request).await).await?;
    match reply {
        Reply::Experiences { experiences, counts } => {
            for experience in &experiences {
                match (console.is_json(), is_whole) {
                    (true, _) => console.json(experience)?,
                    (false, true) => show::whole(experience, console)?,
                    (false, false) => show::short(experience, console)?,
                }
            }
            if !console.is_json() && (is_list || experiences.is_empty()) {
                console.note(Look::Dim, &tally(&counts, console));
            }
        }
        Reply::ExperienceEffects { runs, looked_at } => {
            for run in &runs {
                if console.is_json() {
                    console.json(run)?;
                } else {
                    show::effect(run, console)?;
                }
            }
            if !console.is_json() {
                console.note(Look::Dim, &console.words.effects(runs.len(), looked_at));
            }
        }
        _ => return Err(Failure::Unanswered),
    }
    Ok(Exit::Done)
}

fn asked(action: Action, console: &Console) -> Result<ExperienceRequest, Failure> {
    Ok(match action {
        Action::List { state, text, limit } => ExperienceRequest::List {
            states: state,
            text,
            offset: 0,
            limit,
        },
        Action::Show(One { experience }) => ExperienceRequest::Show { experience },
        Action::Approve(One { experience }) => ExperienceRequest::Approve { experience },
        Action::Reject(One { experience }) => ExperienceRequest::Reject { experience },
        Action::Edit(edited) => ExperienceRequest::Edit {
            experience: edited.experience,
            goal: edited.goal,
            lesson: edited.lesson,
            code: code(edited.code, console)?,
            scope: edited.scope,
        },
        Action::Add(added) => ExperienceRequest::Add {
            draft: ExperienceDraft {
                goal: added.goal,
                lesson: added.lesson,
                code: code(added.code, console)?.unwrap_or_default(),
            },
            scope: added.scope,
        },
        Action::Take { run } => ExperienceRequest::Take { run: run.into() },
        Action::Vote(One { experience }) => ExperienceRequest::Vote { experience },
        Action::Preview(One { experience }) => ExperienceRequest::Preview { experience },
        Action::Expire(One { experience }) => ExperienceRequest::Expire { experience },
        Action::Delete(One { experience }) => ExperienceRequest::Delete { experience },
        Action::Export { .. } | Action::Import { .. } => ExperienceRequest::ExportLines,
    })
}

fn code(file: Option<PathBuf>, console: &Console) -> Result<Option<String>, Failure> {
    match file {
        None => Ok(None),
        Some(file) if file == Path::new("-") => input::stdin(console.words).map(Some),
        Some(file) => input::text_file(&file, console.words).map(Some),
    }
}

/// All of them as a file, which is whole or not there.
async fn export_to(file: &Path, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let path = whole.to_string_lossy().into_owned();
    let request = Request::Experience {
        action: ExperienceRequest::Export { path },
    };
    let reply = with_connection(options, async |connection| answered(connection, request).await).await?;
    let Reply::MemoryFile { path, records, .. } = reply else {
        return Err(Failure::Unanswered);
    };
    if console.is_json() {
        console.json(&json!({"exported": records, "path": path}))?;
    } else {
        console.note(Look::Plain, &console.words.experiences_exported(records, &path));
    }
    Ok(Exit::Done)
}

async fn import(file: &Path, reviewed: bool, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let file = input::readable(file, console.words)?;
    let path = file.path.clone();
    let request = Request::Experience {
        action: ExperienceRequest::ImportFile { path, reviewed },
    };
    let reply = with_connection(options, async |connection| answered(connection, request).await).await?;
    let Reply::MemoryFile { records, own, .. } = reply else {
        return Err(Failure::Unanswered);
    };
    if console.is_json() {
        console.json(&json!({"imported": records, "own": own}))?;
    } else {
        console.note(
            Look::Plain,
            &console.words.experiences_imported(records, own || reviewed),
        );
    }
    Ok(Exit::Done)
}

fn tally(counts: &[ExperienceCount], console: &Console) -> String {
    if counts.is_empty() {
        return console.words.nothing_here().to_owned();
    }
    let each = counts.iter().map(|count| {
        let state = console.words.experience_state(count.state);
        format!("{} {state}", count.experiences)
    });
    each.collect::<Vec<_>>().join(" · ")
}

fn state(text: &str) -> Result<ExperienceState, String> {
    ExperienceState::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = ExperienceState::ALL.iter().map(|state| state.name()).collect();
        format!("\"{text}\" is none of {}", names.join(", "))
    })
}
