//! The results of an earlier evaluation, which a new one is compared with. A report may have been changed by hand.

use crate::form::{self, Form};
use crate::outcome::Outcome;
use serde::Deserialize;
use shidi_locales::{Evaluation as Sentences, Language};

/// A number of an attempt, of steps or of tokens.
const COUNT: Form = Form::Whole {
    least: 0,
    most: u32::MAX as u64,
};

/// What of a report is read. Everything else in it follows from that.
const RESULTS: Form = Form::Open(&[
    (
        "summary",
        Form::Open(&[("sides", Form::List(&Form::Open(&[("side", Form::Text)])))]),
    ),
    ("outcomes", Form::List(&OUTCOME)),
]);

/// The form of [`Outcome`]. A later version may have written more.
const OUTCOME: Form = Form::Open(&[
    ("side", Form::Text),
    ("task", Form::Text),
    (
        "attempt",
        Form::Whole {
            least: 1,
            most: u32::MAX as u64,
        },
    ),
    ("verdict", Form::OneOf(&VERDICTS)),
    ("score", Form::Number),
    (
        "checks",
        Form::List(&Form::Open(&[
            ("check", Form::Text),
            ("holds", Form::Flag),
            ("score", Form::Number),
            ("weight", Form::Number),
            ("metric", Form::Maybe(&Form::Text)),
            ("reason", Form::Text),
        ])),
    ),
    ("said", Form::List(&Form::Text)),
    ("answers", Form::List(&Form::Text)),
    ("programs", COUNT),
    ("repeated", COUNT),
    ("calls", COUNT),
    ("reason", Form::Maybe(&Form::Text)),
    (
        "usage",
        Form::Open(&[
            ("input", COUNT),
            ("cached", COUNT),
            ("output", COUNT),
            ("cost", Form::Maybe(&Form::Number)),
            ("model_calls", COUNT),
            ("estimated", Form::Maybe(&Form::Flag)),
        ]),
    ),
    (
        "ms",
        Form::Whole {
            least: 0,
            most: u64::MAX,
        },
    ),
    ("reused", Form::Flag),
    ("metadata", Form::Map),
]);

/// The verdicts as a report writes them.
const VERDICTS: [&str; 5] = ["right", "wrong", "looped", "timed_out", "broken"];

/// A sign behind the name of a side whose name another one has.
const EARLIER: &str = " ←";

/// The sides of an earlier evaluation, and what came of their attempts.
#[derive(Debug, Deserialize)]
pub struct EarlierResults {
    summary: EarlierSummary,
    outcomes: Vec<Outcome>,
}

#[derive(Debug, Deserialize)]
struct EarlierSummary {
    sides: Vec<EarlierSide>,
}

#[derive(Debug, Deserialize)]
struct EarlierSide {
    side: String,
}

impl EarlierResults {
    /// Reads a report of results.
    ///
    /// # Errors
    /// A text that is none, in words that name the field at fault.
    pub fn read(bytes: &[u8], language: Language) -> Result<Self, String> {
        let say = language.evaluation();
        let whole = form::value(bytes, say)?;
        if let Some(fault) = form::fault(&whole, &RESULTS, say) {
            return Err(fault);
        }
        let results: Self = serde_json::from_value(whole).map_err(|cause| cause.to_string())?;
        results.strange_side(say).map_or(Ok(results), Err)
    }

    /// An outcome of a side that the summary does not name: it would be left out in silence.
    fn strange_side(&self, say: Sentences) -> Option<String> {
        let names: Vec<&str> = self.summary.sides.iter().map(|side| side.side.as_str()).collect();
        let is_strange = |outcome: &Outcome| !names.contains(&outcome.side.as_str());
        let place = self.outcomes.iter().position(is_strange)?;
        let field = format!("outcomes[{place}].side");
        Some(say.field_fault(say.there_are(names.join(", ")), field))
    }

    /// Adds the outcomes to others, their sides renamed where one is called the same; the names of the sides.
    pub fn taken_in(self, outcomes: &mut Vec<Outcome>, taken: &[String]) -> Vec<String> {
        let mut names: Vec<(String, String)> = Vec::new();
        for EarlierSide { side } in self.summary.sides {
            if names.iter().any(|(own, _)| *own == side) {
                continue;
            }
            let mut name = side.clone();
            while taken.contains(&name) || names.iter().any(|(_, other)| *other == name) {
                name.push_str(EARLIER);
            }
            names.push((side, name));
        }
        outcomes.extend(self.outcomes.into_iter().map(|mut outcome| {
            let renamed = names.iter().find(|(own, _)| *own == outcome.side);
            if let Some((_, name)) = renamed {
                outcome.side.clone_from(name);
            }
            outcome
        }));
        names.into_iter().map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Verdict;
    use serde_json::{Value, json};

    fn results() -> Value {
        let outcome = |side: &str| {
            json!({
                "side": side, "task": "sum", "attempt": 1, "verdict": "right", "score": 1.0,
                "checks": [{"check": "number", "holds": true, "score": 1.0, "weight": 1.0, "reason": ""}],
                "said": ["add"], "answers": ["42"], "programs": 0, "repeated": 0, "calls": 0,
                "usage": {"input": 1, "cached": 0, "output": 1, "model_calls": 1, "estimated": true},
                "ms": 5, "reused": false, "metadata": {}, "of_a_later_version": true,
            })
        };
        let sides = json!([{"side": "a", "tasks": 1}, {"side": "a ←", "tasks": 1}]);
        json!({"summary": {"suite": "s", "sides": sides}, "outcomes": [outcome("a"), outcome("a ←")]})
    }

    fn read(results: &Value, language: &str) -> Result<EarlierResults, String> {
        EarlierResults::read(results.to_string().as_bytes(), Language::of(Some(language)))
    }

    #[test]
    fn earlier_results_are_taken_in_under_names_that_nobody_else_has() {
        let mut outcomes = Vec::new();
        let earlier = read(&results(), "en").unwrap();
        let names = earlier.taken_in(&mut outcomes, &["a".to_owned()]);
        assert_eq!(names, ["a ←", "a ← ←"]);
        let sides: Vec<&str> = outcomes.iter().map(|outcome| outcome.side.as_str()).collect();
        assert_eq!(sides, ["a ←", "a ← ←"]);
    }

    #[test]
    fn a_broken_field_within_earlier_results_is_refused_by_its_name() {
        for (place, value, expected) in [
            (
                "/outcomes/0/verdict",
                json!("good"),
                "'outcomes[0].verdict': There are: right",
            ),
            ("/outcomes/1/score", json!(null), "'outcomes[1].score': A number"),
            (
                "/outcomes/0/attempt",
                json!(0),
                "'outcomes[0].attempt': A whole number from 1",
            ),
            (
                "/outcomes/0/checks/0",
                json!({}),
                "'outcomes[0].checks[0].check' is missing",
            ),
            (
                "/outcomes/0/usage/input",
                json!(-1),
                "'outcomes[0].usage.input': A whole",
            ),
            (
                "/outcomes/0/usage/estimated",
                json!("partly"),
                "'outcomes[0].usage.estimated': True or false",
            ),
            (
                "/outcomes/0/answers/0",
                json!(42),
                "'outcomes[0].answers[0]': A text",
            ),
            ("/outcomes", json!({}), "'outcomes': A list"),
            (
                "/summary/sides/0/side",
                json!(1),
                "'summary.sides[0].side': A text",
            ),
            (
                "/outcomes/0/side",
                json!("b"),
                "'outcomes[0].side': There are: a, a ←",
            ),
        ] {
            let mut broken = results();
            *broken.pointer_mut(place).unwrap() = value;
            let told = read(&broken, "en").unwrap_err();
            assert!(told.contains(expected), "{place}: {told}");
            let told = read(&broken, "zh").unwrap_err();
            assert!(told.contains('“'), "{place}: {told}");
        }
        assert!(EarlierResults::read(b"{", Language::of(Some("en"))).is_err());
    }

    #[test]
    fn every_verdict_that_is_written_is_read() {
        let written = Verdict::ALL.map(|verdict| json!(verdict));
        assert_eq!(written, VERDICTS.map(|name| json!(name)));
    }
}
