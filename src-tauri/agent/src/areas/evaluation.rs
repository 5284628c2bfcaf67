//! Self-evaluation: judges by local rules whether an answer meets its question before it is final; where the user wishes
//! so, the fast model judges the answers of longer work as the second step (`enquiry.rs`).
//!
//! What failed though it can be done goes back to its source, at most [`limits::RETRIGGERS_MAX`] times.

use super::{cognition, enquiry, expression};
use crate::effect::Effect;
use crate::limits;
use crate::situation::Situation;
use shidi_protocol::SegmentKind;

/// Ends the run with `answer`, or sends the task back with what is missing.
pub fn finish(situation: &mut Situation, answer: String) -> Vec<Effect> {
    let lack = lack(situation, &answer);
    match lack {
        Some(lack) if situation.state.retriggers < limits::RETRIGGERS_MAX => {
            situation.state.retriggers += 1;
            let mut effects = vec![situation.add(SegmentKind::Reminder, lack, None)];
            effects.extend(cognition::think(situation));
            effects
        }
        Some(_) => expression::complete(situation, answer),
        None => match enquiry::check(situation, &answer) {
            Some(effects) => effects,
            None => expression::complete(situation, answer),
        },
    }
}

/// What an answer lacks, as a reminder for the model.
fn lack(situation: &Situation, answer: &str) -> Option<String> {
    let failed_last = situation
        .own_segments()
        .rev()
        .find(|segment| segment.kind == SegmentKind::Output)
        .is_some_and(|segment| segment.failed);
    let tells_of_it = [
        "fail",
        "error",
        "could not",
        "couldn't",
        "unable",
        "not ",
        "没",
        "失败",
        "错",
        "不能",
        "无法",
    ];
    let lowered = answer.to_lowercase();
    if failed_last && !tells_of_it.iter().any(|word| lowered.contains(word)) {
        let lack = "The last program failed, and the answer does not say so. Mend the program, or tell the user what failed.";
        return Some(lack.to_owned());
    }
    None
}
