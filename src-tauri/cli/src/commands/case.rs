//! `shidi case`: answers that were not good are kept, and what would make them better is proposed, tried, accepted, taken
//! back.

use super::review::decided;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::bad_cases;
use shidi_protocol::{
    BadCase, CaseChange, CaseMeasured, CaseProposal, CaseVerdict, ErrorCode, Reply, RunId, UserError, reply,
};
use shidi_runtime::Connection;
use std::path::PathBuf;

/// Characters of a question in a list.
const QUESTION_CHARACTERS: usize = 60;

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
        run: String,
        #[arg(long, value_name = "WORDS", default_value = "")]
        wrong: String,
        #[arg(long, value_name = "WORDS")]
        wanted: Vec<String>,
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[arg(long)]
        yes: bool,
    },
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Propose {
        name: String,
    },
    Try {
        name: String,
        #[arg(long, value_name = "FILE.json")]
        change: Option<PathBuf>,
        #[arg(long, value_name = "SUITE")]
        suite: Vec<String>,
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
        repeat: u32,
    },
    Accept {
        name: String,
        #[arg(long, value_name = "FILE.json")]
        change: Option<PathBuf>,
        #[arg(long)]
        yes: bool,
    },
    Undo {
        name: String,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such task or case, a task at work. Also a model that can't be reached, and a change that can't be made.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        perform(arguments.action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    match action {
        Action::List => list(&all(connection).await?, console)?,
        Action::Show { name } => show(name, connection, console).await?,
        Action::Add {
            run,
            wrong,
            wanted,
            name,
            yes,
        } => {
            let run = RunId::from(run);
            let draft = connection.ask(bad_cases::Draft { run, wrong, wanted }).await?;
            return add(draft, name, yes, connection, console).await;
        }
        Action::Remove { name, yes } => {
            let say = console.words.language().bad_cases();
            if decided(yes, say.really_remove(clean(&name)), console)? {
                let left = connection.ask(bad_cases::Remove { name }).await?;
                list(&left.cases, console)?;
            }
        }
        Action::Propose { name } => {
            let reply::BadCaseProposal { proposal } = connection.ask(bad_cases::Propose { name }).await?;
            proposed(&proposal, console)?;
        }
        Action::Try {
            name,
            change,
            suite,
            repeat,
        } => {
            let change = chosen(&name, change, connection, console).await?;
            let suites = suite.into_iter().map(super::review::whole_source).collect();
            let measure = bad_cases::Measure {
                name,
                change,
                suites,
                repeat,
            };
            return measured(measure, connection, console).await;
        }
        Action::Accept { name, change, yes } => {
            let change = chosen(&name, change, connection, console).await?;
            if !console.is_json() {
                change_told(&change, console)?;
            }
            let say = console.words.language().bad_cases();
            if decided(yes, say.really_accept().to_owned(), console)? {
                let all = connection
                    .ask(bad_cases::Accept {
                        name: name.clone(),
                        change,
                    })
                    .await?;
                list(&of_name(all.cases, &name), console)?;
            }
        }
        Action::Undo { name } => {
            let all = connection.ask(bad_cases::TakeBack { name: name.clone() }).await?;
            list(&of_name(all.cases, &name), console)?;
        }
    }
    Ok(Exit::Done)
}

async fn show(name: String, connection: &Connection, console: &Console) -> Result<(), Failure> {
    let reply::BadCaseText { text } = connection.ask(bad_cases::Show { name: name.clone() }).await?;
    match console.is_json() {
        true => console.json(&serde_json::json!({"name": name, "text": text}))?,
        false => told(&text, console)?,
    }
    Ok(())
}

fn proposed(proposal: &CaseProposal, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        console.json(proposal)?;
        return Ok(());
    }
    told(&proposal.why, console)?;
    console.line("")?;
    change_told(&proposal.change, console)
}

/// Shows a draft, and keeps it when its user agrees.
async fn add(
    draft: reply::BadCaseDraft,
    name: Option<String>,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let say = console.words.language().bad_cases();
    let name = name.unwrap_or(draft.name);
    if !console.is_json() {
        told(&draft.text, console)?;
        if draft.redacted > 0 {
            console.note(Look::Plain, &say.redacted(draft.redacted));
        }
        if !draft.left_out.is_empty() {
            console.note(Look::Plain, &say.without(clean(&draft.left_out.join(", "))));
        }
    }
    if !decided(yes, say.really_keep(clean(&name)), console)? {
        return Ok(Exit::Done);
    }
    let keep = bad_cases::Keep {
        name: name.clone(),
        text: draft.text,
        replace: false,
    };
    let kept = connection.ask(keep).await?;
    list(&of_name(kept.cases, &name), console)?;
    Ok(Exit::Done)
}

/// Tries a change, tells how far it is, and what came of it.
async fn measured(
    measure: bad_cases::Measure,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let along = |reply: Reply| {
        if let Reply::Progress { done, total, what } = reply {
            console.progress(&clean(&what), done, total);
        }
        Ok::<(), Failure>(())
    };
    let reply::BadCaseMeasured { measured } = connection.ask_along(measure, along).await?;
    console.progress_over();
    show_measured(&measured, console)?;
    Ok(match measured.verdict {
        CaseVerdict::Better => Exit::Done,
        CaseVerdict::NotBetter | CaseVerdict::Worse | CaseVerdict::Unmeasured => Exit::TaskFailed,
    })
}

fn show_measured(measured: &CaseMeasured, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        console.json(measured)?;
        return Ok(());
    }
    let say = console.words.language().bad_cases();
    for measure in &measured.measures {
        let line = say.measured(
            measure.attempts,
            measure.right_now,
            clean(&measure.suite),
            measure.right_then,
        );
        console.line(&line)?;
        for (sign, tasks) in [("-", &measure.only_now), ("+", &measure.only_then)] {
            for task in tasks.iter().filter(|task| **task != measure.suite) {
                console.line(&console.painted(Look::Dim, &format!("    {sign} {}", clean(task))))?;
            }
        }
        if let Some(reason) = &measure.reason {
            console.line(&console.painted(Look::Bad, &format!("    {}", clean(reason))))?;
        }
    }
    let (look, told) = match measured.verdict {
        CaseVerdict::Better => (Look::Good, say.verdict_better()),
        CaseVerdict::NotBetter => (Look::Plain, say.verdict_not_better()),
        CaseVerdict::Worse => (Look::Bad, say.verdict_worse()),
        CaseVerdict::Unmeasured => (Look::Bad, say.verdict_unmeasured()),
    };
    console.line(&console.painted(look, told))?;
    Ok(())
}

/// The change of a file, or what was proposed last.
async fn chosen(
    name: &str,
    file: Option<PathBuf>,
    connection: &Connection,
    console: &Console,
) -> Result<CaseChange, Failure> {
    let say = console.words.language().bad_cases();
    if let Some(path) = file {
        let shown = clean(&path.display().to_string());
        let unread = |why: String| Failure::input(say.change_unreadable(&shown, why), say.change_example());
        let text = std::fs::read_to_string(&path).map_err(|cause| unread(cause.to_string()))?;
        return serde_json::from_str(&text).map_err(|cause| unread(cause.to_string()));
    }
    let Some(case) = of_name(all(connection).await?, name).pop() else {
        let message = say.no_such_case(clean(name));
        return Err(UserError::new(ErrorCode::NotFound, message)
            .hint(say.see_cases())
            .into());
    };
    let proposed = case.proposed.map(|proposal| proposal.change);
    proposed.ok_or_else(|| Failure::input(say.nothing_proposed(clean(name)), say.propose_first(clean(name))))
}

async fn all(connection: &Connection) -> Result<Vec<BadCase>, Failure> {
    Ok(connection.ask(bad_cases::List).await?.cases)
}

fn of_name(cases: Vec<BadCase>, name: &str) -> Vec<BadCase> {
    cases.into_iter().filter(|case| case.name == name).collect()
}

fn list(cases: &[BadCase], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(cases);
    for case in cases {
        if console.is_json() {
            console.json(case)?;
            continue;
        }
        let question: String = case.question.chars().take(QUESTION_CHARACTERS).collect();
        let mark = match case.accepted {
            Some(_) => format!("  [{}]", console.words.language().bad_cases().accepted_mark()),
            None => String::new(),
        };
        let told = format!("{}{mark}", clean(&question).replace('\n', " "));
        console.line(&format!(
            "{:<32} {}",
            clean(&case.name),
            console.painted(Look::Dim, &told)
        ))?;
        if let Some(problem) = &case.problem {
            console.line(&console.painted(Look::Bad, &format!("    {}", clean(problem))))?;
        }
    }
    Ok(())
}

fn change_told(change: &CaseChange, console: &Console) -> Result<(), Failure> {
    let say = console.words.language().bad_cases();
    let (kind, texts) = match change {
        CaseChange::Experience { goal, lesson, code } => (say.change_experience(), vec![goal, lesson, code]),
        CaseChange::Knowledge { text } => (say.change_knowledge(), vec![text]),
        CaseChange::Prompt { module, text, .. } => (say.change_prompt(), vec![module, text]),
        CaseChange::Skill {
            name,
            description,
            text,
        } => (say.change_skill(), vec![name, description, text]),
    };
    console.line(kind)?;
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        for line in text.lines() {
            console.line(&format!("    {}", clean(line)))?;
        }
    }
    Ok(())
}

fn told(text: &str, console: &Console) -> Result<(), Failure> {
    for line in text.lines() {
        console.line(&clean(line))?;
    }
    Ok(())
}
