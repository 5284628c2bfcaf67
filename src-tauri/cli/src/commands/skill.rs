//! `shidi skill`: guides for tasks that a model loads when one fits; those of others are shown before they are kept.

use super::review::{self, decided, whole_source};
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::skills;
use shidi_protocol::{ListedSkill, SkillDetail, SkillSource, SkillTrust, TypedRequest, reply, visible};
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
    List {
        #[arg(long, value_name = "DIR")]
        folder: Vec<PathBuf>,
    },
    Show {
        name: String,
        #[arg(long, value_name = "DIR")]
        folder: Vec<PathBuf>,
    },
    #[command(visible_alias = "validate")]
    Check {
        source: String,
    },
    Install {
        source: String,
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
        #[arg(long)]
        yes: bool,
    },
    #[command(visible_alias = "from-run")]
    From {
        run: String,
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[arg(long)]
        yes: bool,
    },
    Approve {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    On {
        name: String,
    },
    Off {
        name: String,
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
/// No such skill or source, one that is refused, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        perform(arguments.action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    match action {
        Action::List { folder } => {
            let folders = whole(&folder);
            list(&listed(connection, skills::List { folders }).await?, console)?;
        }
        Action::Show { name, folder } => {
            let folders = whole(&folder);
            let reply::Skill { skill } = connection.ask(skills::Show { name, folders }).await?;
            show(&skill, console)?;
        }
        Action::Check { source } => return check(source, connection, console).await,
        Action::Install { source, only, yes } => {
            return install(source, only, yes, connection, console).await;
        }
        Action::From { run, name, yes } => {
            let run = run.into();
            let made = connection.ask(skills::FromRun { run, name }).await?;
            // Whoever keeps it unasked still sees what was found in it, and what it replaces.
            let is_told = |skill: &&SkillDetail| yes && (skill.replaces || !skill.findings.is_empty());
            for skill in made.skills.iter().filter(is_told) {
                show(skill, console)?;
            }
            return keep(made, Vec::new(), yes, connection, console).await;
        }
        Action::Approve { name, yes } => return approve(name, yes, connection, console).await,
        Action::On { name } => switch(name, true, connection, console).await?,
        Action::Off { name } => switch(name, false, connection, console).await?,
        Action::Remove { name, yes } => {
            if !decided(yes, words.remove_skill(clean(&name)), console)? {
                return Ok(Exit::Done);
            }
            list(&listed(connection, skills::Remove { name }).await?, console)?;
        }
    }
    Ok(Exit::Done)
}

/// Shows a skill as it is now, and keeps that its user has reviewed it.
async fn approve(
    name: String,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let shown = skills::Show {
        name: name.clone(),
        folders: Vec::new(),
    };
    let reply::Skill { skill } = connection.ask(shown).await?;
    if !yes {
        show(&skill, console)?;
    }
    if !decided(yes, console.words.approve_skill(clean(&name)), console)? {
        return Ok(Exit::Done);
    }
    let approved = skills::Approve {
        name: name.clone(),
        digest: skill.digest,
    };
    one(&listed(connection, approved).await?, &name, console)?;
    Ok(Exit::Done)
}

async fn switch(name: String, on: bool, connection: &Connection, console: &Console) -> Result<(), Failure> {
    let switched = skills::Switch {
        name: name.clone(),
        on,
    };
    one(&listed(connection, switched).await?, &name, console)
}

async fn listed(
    connection: &Connection,
    request: impl TypedRequest<Reply = reply::Skills>,
) -> Result<Vec<ListedSkill>, Failure> {
    let reply::Skills { skills } = connection.ask(request).await?;
    Ok(skills)
}

async fn review(source: String, connection: &Connection) -> Result<reply::SkillReview, Failure> {
    Ok(connection
        .ask(skills::Review {
            source: whole_source(source),
        })
        .await?)
}

async fn check(source: String, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let reviewed = review(source, connection).await?;
    for skill in &reviewed.skills {
        show(skill, console)?;
    }
    let is_fit = reviewed.skills.iter().all(|skill| skill.skill.problem.is_none());
    Ok(if is_fit { Exit::Done } else { Exit::TaskFailed })
}

async fn install(
    source: String,
    only: Vec<String>,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let reviewed = review(source, connection).await?;
    keep(reviewed, only, yes, connection, console).await
}

/// Shows what is reviewed, and keeps those of `only`, or all, when the user says so.
async fn keep(
    reviewed: reply::SkillReview,
    only: Vec<String>,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let is_meant = |skill: &&SkillDetail| only.is_empty() || only.contains(&skill.skill.name);
    let meant: Vec<&SkillDetail> = reviewed.skills.iter().filter(is_meant).collect();
    if !yes {
        for skill in &meant {
            show(skill, console)?;
        }
    }
    let names: Vec<String> = meant.iter().map(|skill| clean(&skill.skill.name)).collect();
    if !decided(yes, console.words.install_skills(names.join(", ")), console)? {
        return Ok(Exit::Done);
    }
    let request = skills::Install {
        review: reviewed.review,
        names: only,
    };
    let kept = listed(connection, request).await?;
    for skill in meant {
        one(&kept, &skill.skill.name, console)?;
    }
    Ok(Exit::Done)
}

fn list(skills: &[ListedSkill], console: &Console) -> Result<(), Failure> {
    for skill in skills {
        line(skill, console)?;
    }
    Ok(())
}

/// The skills of that name.
fn one(skills: &[ListedSkill], name: &str, console: &Console) -> Result<(), Failure> {
    let named: Vec<ListedSkill> = skills
        .iter()
        .filter(|skill| skill.name == name)
        .cloned()
        .collect();
    list(&named, console)
}

fn line(skill: &ListedSkill, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(skill);
    }
    let words = console.words;
    let (look, state) = match (skill.on, &skill.problem, skill.trust) {
        (_, Some(_), _) => (Look::Bad, words.skill_left_out()),
        (false, None, _) => (Look::Dim, words.tool_off()),
        (true, None, SkillTrust::Reviewed) => (Look::Good, words.tool_on()),
        (true, None, SkillTrust::New) => (Look::Strong, words.skill_new()),
        (true, None, SkillTrust::Changed) => (Look::Strong, words.skill_changed()),
    };
    let source = match skill.source {
        SkillSource::BuiltIn => words.tool_built_in(),
        SkillSource::User => words.skill_of_user(),
        SkillSource::Project => words.skill_of_project(),
        SkillSource::Plugin => words.tool_of_plugin(),
    };
    let told: String = skill.description.chars().take(DESCRIPTION_CHARACTERS).collect();
    console.line(&format!(
        "{}  {:<20} {}  {}",
        console.painted(look, state),
        clean(&skill.name),
        console.painted(Look::Dim, source),
        console.painted(Look::Dim, &clean(&told))
    ))?;
    for note in skill.problem.iter().chain(&skill.notes) {
        console.line(&format!("    {}", clean(note)))?;
    }
    Ok(())
}

/// What a skill holds and may do.
fn show(detail: &SkillDetail, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(detail);
    }
    let words = console.words;
    line(&detail.skill, console)?;
    if detail.replaces {
        console.line(&format!("    {}", words.skill_replaces()))?;
    }
    let places = [
        (words.skill_lies_in(), &detail.skill.path),
        (words.skill_came_from(), &detail.skill.from),
    ];
    let fields = [
        (words.skill_license(), &detail.license),
        (words.skill_needs(), &detail.compatibility),
        (words.skill_wants_tools(), &detail.allowed_tools),
    ];
    for (name, value) in places.into_iter().chain(fields) {
        if let Some(value) = value {
            console.line(&format!("    {name} {}", clean(value)))?;
        }
    }
    for file in &detail.files {
        let kind = if file.program { words.skill_program() } else { "" };
        console.line(&format!("    {}  {} B {kind}", clean(&file.path), file.bytes))?;
    }
    review::findings(&detail.findings, console)?;
    console.line(&format!("\n{}\n", visible(&detail.text)))
}

fn whole(folders: &[PathBuf]) -> Vec<String> {
    let whole = folders
        .iter()
        .map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()));
    whole.map(|folder| folder.display().to_string()).collect()
}
