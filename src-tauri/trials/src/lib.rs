//! Tries the tasks of a suite: each attempt is a real run in a data folder of its own, and is kept as soon as it is over.
//!
//! A task sees the user's configuration and nothing else of theirs. Its checks that are programs run in the sandbox, in a
//! data folder of their own, and so do questions to the judging model.

mod attempt;
mod changed;
mod history;
mod judging;
mod measured;
mod referee;
mod stage;

pub use judging::judge;
pub use measured::OwnTrials;

use attempt::{Attempt, Bounds};
use referee::Referee;
use serde_json::json;
use shidi_evaluation::{AttemptStore, Case, CheckOutcome, Outcome, Side, Suite, Trial, key, score, verdict};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::home::Home;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How a suite is evaluated.
#[derive(Debug, Clone)]
pub struct EvaluationPlan {
    pub sides: Vec<Side>,
    pub repeat: u32,
    /// Attempts at work at the same time.
    pub parallel: u32,
    /// Seconds for each turn of a task.
    pub timeout_s: u32,
    pub max_rounds: Option<u32>,
    /// The seed of the first attempt; each further one has the next number.
    pub seed: u64,
    /// Asks anew where an attempt is kept.
    pub fresh: bool,
}

/// What all attempts share.
struct Evaluator {
    suite: Arc<Suite>,
    plan: EvaluationPlan,
    language: Language,
    /// The user's configuration as it is written.
    configuration: String,
    kept: AttemptStore,
    referee: Referee,
}

/// Tries every task of the suite, and gives every outcome to `each` as it comes. Whoever drops this ends what is at work;
/// what was finished is kept.
///
/// # Errors
/// A data folder that can't be used.
pub async fn evaluate(
    data_dir: Option<PathBuf>,
    language: Language,
    suite: Arc<Suite>,
    plan: EvaluationPlan,
    mut each: impl FnMut(&Outcome),
) -> Result<Vec<Outcome>, UserError> {
    let home = Home::open(data_dir, language)?;
    let configuration = configuration(&home)?;
    let kept = AttemptStore::open(home.folder().join("evaluations")).map_err(stage::unwritten)?;
    let places = plan.parallel.max(1) as usize;
    let evaluator = Arc::new(Evaluator {
        suite,
        plan,
        language,
        referee: Referee::new(configuration.clone(), language),
        configuration,
        kept,
    });
    let mut waiting = evaluator.attempts().into_iter().enumerate();
    let mut attempts = JoinSet::new();
    let mut outcomes = Vec::new();
    loop {
        while attempts.len() < places
            && let Some((order, (case, side, attempt))) = waiting.next()
        {
            let evaluator = Arc::clone(&evaluator);
            attempts.spawn(async move { (order, evaluator.outcome(case, side, attempt).await) });
        }
        let Some(joined) = attempts.join_next().await else {
            break;
        };
        let (order, outcome) =
            joined.map_err(|cause| UserError::new(ErrorCode::Internal, cause.to_string()))?;
        each(&outcome);
        outcomes.push((order, outcome));
    }
    evaluator.referee.close().await;
    outcomes.sort_by_key(|(order, _)| *order);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// The user's configuration as it is written; empty where there is none.
fn configuration(home: &Home) -> Result<String, UserError> {
    match std::fs::read_to_string(home.config()) {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(stage::unwritten),
    }
}

impl Evaluator {
    /// All attempts by the places of their task and side: each task on all sides before the next one.
    fn attempts(&self) -> Vec<(usize, usize, u32)> {
        let mut attempts = Vec::new();
        for attempt in 1..=self.plan.repeat {
            for case in 0..self.suite.cases.len() {
                attempts.extend((0..self.plan.sides.len()).map(|side| (case, side, attempt)));
            }
        }
        attempts
    }

    async fn outcome(&self, case: usize, side: usize, attempt: u32) -> Outcome {
        let (case, side) = (&self.suite.cases[case], &self.plan.sides[side]);
        let seed = self.plan.seed.wrapping_add(u64::from(attempt - 1));
        let bounds = Bounds {
            timeout_s: self.plan.timeout_s,
            max_rounds: self.plan.max_rounds,
        };
        let mut conditions = vec![
            json!(self.configuration),
            json!(side.overrides),
            json!(bounds.timeout_s),
            json!(bounds.max_rounds),
            json!(seed),
        ];
        conditions.extend(side.change.as_ref().map(|change| json!(change)));
        let conditions = json!(conditions);
        let key = key(case, attempt, &conditions);
        let found = match self.plan.fresh {
            true => None,
            false => self.kept.trial(&key),
        };
        let reused = found.is_some();
        let trial = match found {
            Some(trial) => trial,
            None => self.tried(case, side, bounds, &key).await,
        };
        let checks = match trial.broken {
            Some(_) => Vec::new(),
            None => self.referee.checks(case, &trial).await,
        };
        let outcome = told(case, side, attempt, reused, &trial, checks);
        explained(outcome, &trial, self.language)
    }

    async fn tried(&self, case: &Case, side: &Side, bounds: Bounds, key: &str) -> Trial {
        let attempt = Attempt {
            case,
            side,
            bounds,
            language: self.language,
            configuration: &self.configuration,
            referee: &self.referee,
        };
        let trial = match attempt.tried().await {
            Ok(trial) => trial,
            Err(error) => Trial::broken(error.message),
        };
        // What could not be tried is tried again next time.
        if trial.broken.is_none()
            && let Err(cause) = self.kept.keep(key, &trial)
        {
            tracing::warn!(%cause, "an attempt is not kept");
        }
        trial
    }
}

fn told(
    case: &Case,
    side: &Side,
    attempt: u32,
    reused: bool,
    trial: &Trial,
    checks: Vec<CheckOutcome>,
) -> Outcome {
    Outcome {
        side: side.name.clone(),
        task: case.name.clone(),
        attempt,
        verdict: verdict(trial, &checks, case.threshold),
        score: if trial.broken.is_some() || trial.left_nothing() {
            0.0
        } else {
            score(&checks)
        },
        checks,
        said: case.turns.clone(),
        answers: trial.answers.clone(),
        programs: trial.programs.len(),
        repeated: trial.repeated(),
        calls: trial.calls.len(),
        reason: trial.broken.clone().or_else(|| trial.reason.clone()),
        usage: trial.usage,
        ms: trial.ms,
        reused,
        metadata: case.metadata.clone(),
    }
}

/// The outcome with the reason why an attempt that left nothing is not right; its checks may all hold.
fn explained(mut outcome: Outcome, trial: &Trial, language: Language) -> Outcome {
    if trial.left_nothing() && outcome.reason.is_none() {
        outcome.reason = Some(language.evaluation().attempt_left_nothing().to_owned());
    }
    outcome
}
