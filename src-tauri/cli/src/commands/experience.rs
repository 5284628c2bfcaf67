//! `shidi experience`: what runs taught: reviewing, mending, writing by hand, voting, previewing, taking elsewhere.

use crate::client::{ask, exported};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::request::experience;
use shidi_protocol::{
    Experience, ExperienceCount, ExperienceDraft, ExperienceState, MemoryScope, TypedRequest, reply,
};
use std::path::{Path, PathBuf};

mod show;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(long, value_name = "STATE", value_parser = state)]
        state: Vec<ExperienceState>,
        #[arg(long, value_name = "TEXT", default_value = "")]
        text: String,
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    Show(One),
    Approve(One),
    Reject(One),
    Edit(Edited),
    Add(Added),
    Take {
        #[arg(value_name = "RUN")]
        run: String,
    },
    Vote(One),
    Preview(One),
    Expire(One),
    Delete(One),
    Export {
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
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
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    #[arg(long, value_name = "TEXT")]
    lesson: Option<String>,
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,
    #[arg(long, value_name = "SCOPE")]
    scope: Option<MemoryScope>,
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    mistake: Option<bool>,
}

#[derive(Debug, clap::Args)]
struct Added {
    #[arg(long, value_name = "TEXT")]
    goal: String,
    #[arg(long, value_name = "TEXT")]
    lesson: String,
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    scope: MemoryScope,
    #[arg(long)]
    mistake: bool,
}

/// Carries out the action.
///
/// # Errors
/// No such experience, a bad line, no model for votes, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let show = Shown { options, console };
    match arguments.action {
        Action::List { state, text, limit } => {
            let request = experience::List {
                states: state,
                text,
                offset: 0,
                limit,
            };
            let reply::Experiences { experiences, counts } = ask(request, options).await?;
            show.each(&experiences, show::short)?;
            show.tally(&counts);
            Ok(Exit::Done)
        }
        Action::Show(One { experience }) => show.whole(experience::Show { experience }).await,
        Action::Approve(One { experience }) => show.short(experience::Approve { experience }).await,
        Action::Reject(One { experience }) => show.short(experience::Reject { experience }).await,
        Action::Edit(edited) => show.short(edited.request(console)?).await,
        Action::Add(added) => show.short(added.request(console)?).await,
        Action::Take { run } => show.short(experience::Take { run: run.into() }).await,
        Action::Vote(One { experience }) => show.whole(experience::Vote { experience }).await,
        Action::Preview(One { experience }) => {
            effects(&ask(experience::Preview { experience }, options).await?, console)
        }
        Action::Expire(One { experience }) => show.short(experience::Expire { experience }).await,
        Action::Delete(One { experience }) => show.short(experience::Delete { experience }).await,
        Action::Export { file: None } => exported(experience::ExportLines, options, console).await,
        Action::Export { file: Some(file) } => export_to(&file, options, console).await,
        Action::Import { file, reviewed } => import(&file, reviewed, options, console).await,
    }
}

/// Asks, and shows the experiences that come.
struct Shown<'a> {
    options: &'a Options,
    console: &'a Console,
}

impl Shown<'_> {
    async fn whole(&self, request: impl TypedRequest<Reply = reply::Experiences>) -> Result<Exit, Failure> {
        self.asked(request, show::whole).await
    }

    async fn short(&self, request: impl TypedRequest<Reply = reply::Experiences>) -> Result<Exit, Failure> {
        self.asked(request, show::short).await
    }

    async fn asked(
        &self,
        request: impl TypedRequest<Reply = reply::Experiences>,
        show: fn(&Experience, &Console) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let reply::Experiences { experiences, counts } = ask(request, self.options).await?;
        self.each(&experiences, show)?;
        if experiences.is_empty() {
            self.tally(&counts);
        }
        Ok(Exit::Done)
    }

    fn each(
        &self,
        experiences: &[Experience],
        show: fn(&Experience, &Console) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut experiences = experiences.iter();
        experiences.try_for_each(|experience| match self.console.is_json() {
            true => self.console.json(experience),
            false => show(experience, self.console),
        })
    }

    fn tally(&self, counts: &[ExperienceCount]) {
        if !self.console.is_json() {
            self.console.note(Look::Dim, &tally(counts, self.console));
        }
    }
}

fn effects(shown: &reply::ExperienceEffects, console: &Console) -> Result<Exit, Failure> {
    for run in &shown.runs {
        if console.is_json() {
            console.json(run)?;
        } else {
            show::effect(run, console)?;
        }
    }
    if !console.is_json() {
        let (effects, looked_at) = (shown.runs.len(), shown.looked_at);
        console.note(Look::Dim, &console.words.effects(looked_at, effects));
    }
    Ok(Exit::Done)
}

impl Edited {
    fn request(self, console: &Console) -> Result<experience::Edit, Failure> {
        Ok(experience::Edit {
            experience: self.experience,
            goal: self.goal,
            lesson: self.lesson,
            code: code(self.code, console)?,
            scope: self.scope,
            mistake: self.mistake,
        })
    }
}

impl Added {
    fn request(self, console: &Console) -> Result<experience::Add, Failure> {
        let draft = ExperienceDraft {
            goal: self.goal,
            lesson: self.lesson,
            code: code(self.code, console)?.unwrap_or_default(),
        };
        Ok(experience::Add {
            draft,
            scope: self.scope,
            tainted: false,
            mistake: self.mistake,
        })
    }
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
    let reply::MemoryFile { path, records, .. } = ask(experience::Export { path }, options).await?;
    if console.is_json() {
        console.json(&json!({"exported": records, "path": path}))?;
    } else {
        console.note(Look::Plain, &console.words.experiences_exported(records, path));
    }
    Ok(Exit::Done)
}

async fn import(file: &Path, reviewed: bool, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let file = input::readable(file, console.words)?;
    let path = file.path.clone();
    let reply::MemoryFile { records, own, .. } =
        ask(experience::ImportFile { path, reviewed }, options).await?;
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
