//! Judges what other agents left of the tasks of a suite; none of the tasks is tried.

use crate::referee::Referee;
use crate::{configuration, explained, told};
use shidi_evaluation::{ForeignAttempt, Outcome, Side, Suite};
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_space::home::Home;
use std::path::PathBuf;

/// Judges attempts, each with the place of its task, and gives every outcome to `each` as it comes. Each agent is a side.
/// A check that wants a judge asks the configured model.
///
/// # Errors
/// A data folder that can't be used.
pub async fn judge(
    data_dir: Option<PathBuf>,
    language: Language,
    suite: &Suite,
    attempts: Vec<(usize, ForeignAttempt)>,
    mut each: impl FnMut(&Outcome),
) -> Result<Vec<Outcome>, UserError> {
    let home = Home::open(data_dir, language)?;
    let referee = Referee::new(configuration(&home)?, language);
    let mut outcomes = Vec::new();
    for (place, attempt) in attempts {
        let Some(case) = suite.cases.get(place) else {
            continue;
        };
        let ForeignAttempt {
            agent: name,
            attempt,
            trial,
            ..
        } = attempt;
        let side = Side {
            name,
            ..Side::default()
        };
        let checks = match trial.broken {
            Some(_) => Vec::new(),
            None => referee.checks(case, &trial).await,
        };
        let outcome = told(case, &side, attempt, true, &trial, checks);
        let outcome = explained(outcome, &trial, language);
        each(&outcome);
        outcomes.push(outcome);
    }
    referee.close().await;
    Ok(outcomes)
}
