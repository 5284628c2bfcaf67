//! `shidi eval`: a suite of tasks is tried with one model or several, judged, and reported.

mod results;
mod show;

use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use crate::words::Words;
use shidi_evaluation::{
    ForeignAttempts, Outcome, PARALLEL_DEFAULT, PARALLEL_MAX, REPEAT_MAX, Side, Suite, Summary, TURN_SECONDS,
    TURN_SECONDS_MAX, Verdict, compare, foreign_attempts, groups, load, sides_of_models, summarise,
};
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_runtime::{Home, setting};
use shidi_trials::{EvaluationPlan, evaluate, judge};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name by which the user's own bad cases are tried.
const BAD_CASES: &str = "bad-cases";

/// Names of tasks that an error lists.
const NAMES_SHOWN: usize = 8;

/// Characters of a task's name that a file of another agent tells.
const TASK_CHARACTERS: usize = 80;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    #[arg(long, value_name = "URL")]
    model_url: Option<String>,
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    #[arg(long, value_parser = ["fenced", "fim", "tool", "json", "relay"])]
    format: Option<String>,
    #[arg(long, visible_alias = "compare", value_name = "FILE.json")]
    against: Option<PathBuf>,
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["model", "model_url", "provider", "format", "repeat", "jobs", "timeout", "max_rounds", "fresh"])]
    attempts: Option<PathBuf>,
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(REPEAT_MAX)))]
    repeat: Option<u32>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(PARALLEL_MAX)))]
    jobs: Option<u32>,
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=i64::from(TURN_SECONDS_MAX)))]
    timeout: Option<u32>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_rounds: Option<u32>,
    #[arg(long)]
    fresh: bool,
    #[arg(long)]
    check: bool,
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
}

/// The user's own bad cases by their name, unless something here is called so; else the path as it is.
fn place(suite: &Path, options: &Options) -> Result<PathBuf, Failure> {
    if suite != Path::new(BAD_CASES) || suite.exists() {
        return Ok(suite.to_owned());
    }
    let home = Home::open(options.data_dir(), options.language())?;
    Ok(home.folder().join(BAD_CASES))
}

/// Keeps the tasks whose names hold one of the texts; all where there is none.
fn choose(suite: &mut Suite, only: &[String], language: Language) -> Result<(), Failure> {
    let names = suite.cases.iter().take(NAMES_SHOWN).map(|case| case.name.clone());
    let names: Vec<String> = names.collect();
    suite
        .cases
        .retain(|case| only.is_empty() || only.iter().any(|part| case.name.contains(part)));
    if suite.cases.is_empty() {
        let say = language.evaluation();
        return Err(Failure::input(
            say.no_task_left(),
            say.there_are(names.join(", ")),
        ));
    }
    Ok(())
}

/// Evaluates, shows the table, and writes the reports.
///
/// # Errors
/// A suite or earlier results that can't be read, a data folder that can't be used. Also a report that can't be
/// written.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let language = options.language();
    let reports = results::reports(
        &arguments.report,
        arguments.html.as_deref(),
        arguments.junit.as_deref(),
        console,
    )?;
    let against = match &arguments.against {
        Some(path) => Some(results::earlier(path, console)?),
        None => None,
    };
    let mut suite = load(&place(&arguments.suite, options)?, language)?;
    let tasks: Vec<String> = suite.cases.iter().map(|case| case.name.clone()).collect();
    choose(&mut suite, &arguments.only, language)?;
    if arguments.check {
        show::checked(&suite, console)?;
        return Ok(Exit::Done);
    }
    let suite = Arc::new(suite);
    let evaluated = match &arguments.attempts {
        Some(folder) => judged(folder, &suite, &tasks, options, console).await?,
        None => tried(arguments.plan(&suite), &suite, options, console).await?,
    };
    let Some((mut names, mut outcomes)) = evaluated else {
        return Ok(Exit::Cancelled);
    };
    let own = outcomes.len();
    if let Some(against) = against {
        let earlier = against.taken_in(&mut outcomes, &names);
        names = earlier.into_iter().chain(names).collect();
    }
    let summary = summed_up(&suite, &names, &outcomes, arguments.seed);
    show::summary(&summary, console)?;
    results::write(&reports, &summary, &outcomes, console)?;
    let all_right = outcomes[..own]
        .iter()
        .all(|outcome| outcome.verdict == Verdict::Right);
    Ok(if all_right { Exit::Done } else { Exit::TaskFailed })
}

/// The names of sides and the outcomes of their attempts; `None` where the user has had enough.
type Evaluated = Option<(Vec<String>, Vec<Outcome>)>;

/// Tries every task.
async fn tried(
    plan: EvaluationPlan,
    suite: &Arc<Suite>,
    options: &Options,
    console: &Console,
) -> Result<Evaluated, Failure> {
    let names: Vec<String> = plan.sides.iter().map(|side| side.name.clone()).collect();
    let total = suite.cases.len() * plan.sides.len() * plan.repeat as usize;
    let mut progress = Progress::of(total, console);
    let (data, language) = (options.data_dir(), options.language());
    let each = |outcome: &Outcome| progress.show(outcome);
    let evaluated = evaluate(data, language, Arc::clone(suite), plan, each);
    let outcomes = uninterrupted(evaluated, console).await?;
    progress.over()?;
    Ok(outcomes.map(|outcomes| (names, outcomes)))
}

/// Judges what another agent left in a folder. The suite may be a part of itself, and `tasks` are all of it.
async fn judged(
    folder: &Path,
    suite: &Suite,
    tasks: &[String],
    options: &Options,
    console: &Console,
) -> Result<Evaluated, Failure> {
    let (data, language) = (options.data_dir(), options.language());
    let found = foreign_attempts(folder, suite, language)?;
    note_what_is_missing(&found, tasks, console);
    let names = found.agents();
    let mut progress = Progress::of(found.attempts.len(), console);
    let each = |outcome: &Outcome| progress.show(outcome);
    let evaluated = judge(data, language, suite, found.attempts, each);
    let outcomes = uninterrupted(evaluated, console).await?;
    progress.over()?;
    Ok(outcomes.map(|outcomes| (names, outcomes)))
}

/// Says which attempts are not judged, and which tasks have none.
fn note_what_is_missing(found: &ForeignAttempts, tasks: &[String], console: &Console) {
    let say = console.words.language().evaluation();
    // A task that `--only` leaves out is one of the suite all the same.
    let strange: Vec<String> = found
        .elsewhere
        .iter()
        .filter(|(_, task)| !tasks.contains(task))
        .map(|(file, task)| {
            let task: String = task.chars().take(TASK_CHARACTERS).collect();
            format!("{file} ({task})").replace('\n', " ")
        })
        .collect();
    if !strange.is_empty() {
        let told = say.strange_attempts(strange.len() as u64, listed(&strange, console.words));
        console.note(Look::Dim, &told);
    }
    if found.outdated > 0 {
        console.note(Look::Dim, &say.outdated_attempts(found.outdated));
    }
    if !found.untried.is_empty() {
        let told = say.untried_tasks(found.untried.len() as u64, listed(&found.untried, console.words));
        console.note(Look::Dim, &told);
    }
}

/// The first names, with a sign that there are more.
fn listed(names: &[String], words: Words) -> String {
    let between = words.listed_with();
    let mut listed = names[..names.len().min(NAMES_SHOWN)].join(between);
    if names.len() > NAMES_SHOWN {
        listed.push_str(between);
        listed.push('…');
    }
    listed
}

/// What was evaluated, or `None` once the user presses Ctrl-C. What was finished is kept, and the next call goes on.
async fn uninterrupted(
    evaluated: impl Future<Output = Result<Vec<Outcome>, UserError>>,
    console: &Console,
) -> Result<Option<Vec<Outcome>>, Failure> {
    let outcomes = tokio::select! {
        outcomes = evaluated => Some(outcomes?),
        pressed = tokio::signal::ctrl_c() => {
            pressed?;
            None
        }
    };
    console.progress_over();
    Ok(outcomes)
}

/// What is shown while attempts come to their end.
struct Progress<'a> {
    console: &'a Console,
    done: usize,
    total: usize,
    /// Why something could not be shown.
    failure: Option<Failure>,
}

impl<'a> Progress<'a> {
    fn of(total: usize, console: &'a Console) -> Self {
        Self {
            console,
            done: 0,
            total,
            failure: None,
        }
    }

    fn show(&mut self, outcome: &Outcome) {
        self.done += 1;
        let shown = show::outcome(outcome, self.done, self.total, self.console);
        self.failure = self.failure.take().or(shown.err());
    }

    fn over(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }
}

fn summed_up(suite: &Suite, sides: &[String], outcomes: &[Outcome], seed: u64) -> Summary {
    let others = sides.iter().skip(1);
    Summary {
        suite: suite.name.clone(),
        description: suite.description.clone(),
        sides: sides.iter().map(|side| summarise(side, outcomes)).collect(),
        comparisons: others
            .map(|side| compare(&sides[0], side, outcomes, seed))
            .collect(),
        groups: groups(sides, outcomes),
    }
}

impl Arguments {
    /// The user's own word, else the suite's, else the usual.
    fn plan(&self, suite: &Suite) -> EvaluationPlan {
        EvaluationPlan {
            sides: self.sides(suite),
            repeat: self.repeat.or(suite.options.repeat).unwrap_or(1),
            parallel: self.jobs.or(suite.options.parallel).unwrap_or(PARALLEL_DEFAULT),
            timeout_s: self.timeout.or(suite.options.timeout_s).unwrap_or(TURN_SECONDS),
            max_rounds: self.max_rounds,
            seed: self.seed,
            fresh: self.fresh || suite.options.fresh,
        }
    }

    fn sides(&self, suite: &Suite) -> Vec<Side> {
        let named = [
            (setting::main::model_url, &self.model_url),
            (setting::main::provider, &self.provider),
            (setting::reach::format, &self.format),
        ];
        let common: BTreeMap<String, String> = named
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)))
            .collect();
        if self.model.is_empty() && !suite.sides.is_empty() {
            let mut sides = suite.sides.clone();
            for side in &mut sides {
                side.overrides.extend(common.clone());
            }
            return sides;
        }
        let mut models = self.model.clone();
        models.dedup();
        sides_of_models(&models, &common)
    }
}
