//! What a ranking is worth: share of the evidence among the first, place of the first evidence, corrections and
//! deletions that went wrong; and whether one ranking is ahead of another by more than chance.

use super::corpus::Question;

/// What one question gave.
#[derive(Clone, Default)]
pub struct Mark {
    pub kind: String,
    pub language: String,
    pub recall_5: f64,
    pub recall_10: f64,
    pub reciprocal: f64,
    /// Whether there is evidence to be found.
    pub counts: bool,
    /// For a corrected fact: whether an older version came before the first evidence.
    pub stale: Option<bool>,
    /// Whether something came back that must not.
    pub forbidden: Option<bool>,
}

pub fn mark(question: &Question, ids: &[String]) -> Mark {
    let place = |wanted: &[String]| ids.iter().position(|id| wanted.contains(id));
    let recall = |most: usize| {
        let found = question
            .evidence
            .iter()
            .filter(|group| place(group).is_some_and(|place| place < most));
        found.count() as f64 / question.evidence.len().max(1) as f64
    };
    let first = question.evidence.iter().filter_map(|group| place(group)).min();
    Mark {
        kind: question.kind.clone(),
        language: question.language.clone(),
        recall_5: recall(5),
        recall_10: recall(10),
        reciprocal: first.map_or(0.0, |first| 1.0 / (first + 1) as f64),
        counts: !question.evidence.is_empty(),
        stale: (!question.stale.is_empty())
            .then(|| place(&question.stale).is_some_and(|stale| first.is_none_or(|first| stale < first))),
        forbidden: (!question.forbidden.is_empty()).then(|| place(&question.forbidden).is_some()),
    }
}

/// Means over the questions that have evidence.
pub struct Score {
    pub questions: usize,
    pub recall_5: f64,
    pub recall_10: f64,
    pub reciprocal: f64,
    pub stale: (usize, usize),
    pub forbidden: (usize, usize),
}

pub fn score<'a>(marks: impl Iterator<Item = &'a Mark> + Clone) -> Score {
    let counted = marks.clone().filter(|mark| mark.counts);
    let questions = counted.clone().count();
    let mean = |part: fn(&Mark) -> f64| counted.clone().map(part).sum::<f64>() / questions.max(1) as f64;
    let share = |part: fn(&Mark) -> Option<bool>| {
        let all: Vec<bool> = marks.clone().filter_map(part).collect();
        (all.iter().filter(|wrong| **wrong).count(), all.len())
    };
    Score {
        questions,
        recall_5: mean(|mark| mark.recall_5),
        recall_10: mean(|mark| mark.recall_10),
        reciprocal: mean(|mark| mark.reciprocal),
        stale: share(|mark| mark.stale),
        forbidden: share(|mark| mark.forbidden),
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "R@5 {:.3}  R@10 {:.3}  MRR {:.3}  stale first {:>2}/{}  forbidden {}/{}  ({} questions)",
            self.recall_5,
            self.recall_10,
            self.reciprocal,
            self.stale.0,
            self.stale.1,
            self.forbidden.0,
            self.forbidden.1,
            self.questions
        )
    }
}

/// Draws of the bootstrap.
const DRAWS: usize = 10_000;

/// Mean difference of R@5 between two rankings of the same questions, its 95 % interval, and the share of draws in which
/// the first is not ahead.
pub fn bootstrap(ours: &[Mark], theirs: &[Mark]) -> (f64, f64, f64, f64) {
    let differences: Vec<f64> = ours
        .iter()
        .zip(theirs)
        .filter(|(mark, _)| mark.counts)
        .map(|(ours, theirs)| ours.recall_5 - theirs.recall_5)
        .collect();
    let count = differences.len().max(1);
    let mean = differences.iter().sum::<f64>() / count as f64;
    let mut random = Random(0x5EED_5EED_5EED);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let sum: f64 = (0..count).map(|_| differences[random.below(count)]).sum();
            sum / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let behind = means.iter().filter(|mean| **mean <= 0.0).count() as f64 / DRAWS as f64;
    (mean, means[DRAWS / 40], means[DRAWS - DRAWS / 40 - 1], behind)
}

/// The same numbers in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most.max(1) as u64).unwrap_or_default()
    }
}
