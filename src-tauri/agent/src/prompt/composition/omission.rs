//! Leaves out what no line can stand for: lessons of earlier runs, and one of a small model's examples.
//!
//! No task can ask for what it does not see, so few uses alone prove nothing. One task in a few goes without such a part, and
//! is compared with the others. The number of its run says which one, so the same task is composed alike again. Pure.

use super::{composed, counted, has_texts, standing};
use crate::common_mistakes;
use crate::limits;
use crate::prompt::{modules, small};
use crate::run_context::RunContext;
use crate::state::LESSONS;
use shidi_protocol::{LeftOutPart, PartStanding, PromptPart, PromptPartKind, RunId, ShortenedPart, TaskKind};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What the task goes without, and why.
pub fn chosen(context: &RunContext, kind: TaskKind) -> Option<(String, ShortenedPart)> {
    let (what, part) = candidate(context)?;
    let counts = counted(context, kind, what, &part)?;
    let is_trial = match standing(counts) {
        PartStanding::LeftOut => false,
        PartStanding::Tried if is_turn(&context.run, &part) => true,
        PartStanding::Tried
        | PartStanding::Kept
        | PartStanding::Unmeasured
        | PartStanding::Used
        | PartStanding::AskedBack
        | PartStanding::FailedMore
        | PartStanding::Short => return None,
    };
    let why = ShortenedPart {
        used: counts.used,
        of: counts.whole,
        saved: counts.saved(),
        left_out: Some(LeftOutPart {
            is_trial,
            without: counts.short,
        }),
    };
    Some((part, why))
}

/// The part of the prompt that may be left out. What the user wrote in its place never is.
fn candidate(context: &RunContext) -> Option<(PromptPartKind, String)> {
    if let Some(example) = example(context) {
        return Some((PromptPartKind::Example, small::part_of(example)));
    }
    let mut lessons = context.lessons.iter();
    let has_lessons = lessons.any(|one| !common_mistakes::is_one(one));
    let may_go = has_texts(context) && has_lessons && !modules::is_own(context, LESSONS);
    may_go.then(|| (PromptPartKind::Module, LESSONS.to_owned()))
}

/// The example that a small model's prompt may do without. The other one is nearer to the question, and shows the form of
/// an answer. Beside a general model the prompts of one task differ, and are not compared.
pub fn example(context: &RunContext) -> Option<&'static str> {
    let is_open = small::is_meant(context)
        && !context.settings.has_general_model
        && !modules::is_own(context, small::EXAMPLES);
    is_open.then(|| small::examples(context)[0])
}

/// Whether that part is left out of the next prompt, and why.
pub fn left_out(context: &RunContext, part: &str) -> Option<ShortenedPart> {
    composed(context).left_out.get(part).copied()
}

/// A module that goes along, without its text where it is left out.
pub fn without(context: &RunContext, (text, part): (String, PromptPart)) -> (String, PromptPart) {
    let Some(why) = left_out(context, &part.name).filter(|_| part.tokens > 0) else {
        return (text, part);
    };
    let saved = part.tokens;
    let part = PromptPart {
        tokens: 0,
        left_out: 0,
        short: Some(ShortenedPart { saved, ..why }),
        ..part
    };
    (String::new(), part)
}

/// Whether it is that run's turn to go without a part. A later version may hash differently: then other runs do.
fn is_turn(run: &RunId, part: &str) -> bool {
    let mut hasher = DefaultHasher::new();
    (run.as_str(), part).hash(&mut hasher);
    hasher.finish().is_multiple_of(limits::TRIED_ONE_IN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_in_a_few_takes_its_turn_and_always_the_same_ones() {
        let turns = |part: &str| -> Vec<bool> {
            let runs = (0..1_000).map(|at| RunId::from(format!("01HZX{at:05}").as_str()));
            runs.map(|run| is_turn(&run, part)).collect()
        };
        let taken = turns(LESSONS).iter().filter(|is_taken| **is_taken).count();
        assert!((150..250).contains(&taken), "{taken} of 1,000");
        assert_eq!(turns(LESSONS), turns(LESSONS));
        assert_ne!(
            turns(LESSONS),
            turns("examples.talk"),
            "each part has turns of its own"
        );
    }
}
