//! The command line's words about the parts of prompts.

use super::Words;
use serde_json::Value;
use shidi_protocol::{PartStanding, PromptPartCounts, ShortenedPart, Span, TaskKind};

/// What stands where nothing can be said.
const NOTHING: &str = "—";

impl Words {
    #[must_use]
    pub fn task_kind(self, kind: TaskKind) -> &'static str {
        match kind {
            TaskKind::Plain => self.said.task_kind_plain(),
            TaskKind::Attached => self.said.task_kind_attached(),
            TaskKind::Page => self.said.task_kind_page(),
            TaskKind::Folder => self.said.task_kind_folder(),
        }
    }

    #[must_use]
    pub fn part_standing(self, standing: PartStanding) -> &'static str {
        match standing {
            PartStanding::Kept => self.said.part_standing_kept(),
            PartStanding::Unmeasured => self.said.part_standing_unmeasured(),
            PartStanding::Used => self.said.part_standing_used(),
            PartStanding::AskedBack => self.said.part_standing_asked_back(),
            PartStanding::FailedMore => self.said.part_standing_failed_more(),
            PartStanding::Short => self.said.part_standing_short(),
            PartStanding::Tried => self.said.part_standing_tried(),
            PartStanding::LeftOut => self.said.part_standing_left_out(),
        }
    }

    /// What a part takes, how often it was used, and how tasks came out with and without it.
    #[must_use]
    pub fn part_facts(self, counts: &PromptPartCounts) -> Vec<String> {
        let (without, without_done) = counts.without();
        let of_prompt = share(counts.tokens, counts.prompt_tokens);
        let mut facts = vec![self.said.part_tokens(of_prompt, counts.tokens)];
        if counts.has_use() {
            facts.push(self.said.part_used_in(counts.whole, counts.used));
        }
        let (with, without) = (share(counts.done, counts.whole), share(without_done, without));
        facts.push(self.said.part_done(with, without));
        if counts.short > 0 {
            // What has a line leads to the rest by it, and can be asked for.
            facts.push(match counts.line_tokens {
                0 => self.said.part_missed(counts.asked, counts.short),
                _ => self.said.part_line(counts.asked, counts.short),
            });
        }
        if counts.has_use() {
            facts.push(self.said.part_saves(counts.saved()));
        }
        facts
    }

    /// The parts that stood as a line in the prompt of a step, or were left out, and why.
    #[must_use]
    pub fn shortened_parts(self, span: &Span) -> Vec<String> {
        let parts = span
            .attributes
            .get("shidi.prompt_parts")
            .and_then(Value::as_array);
        let parts = parts.into_iter().flatten();
        let told = parts.filter_map(|part| {
            let name = part.get("name").and_then(Value::as_str)?;
            let why = part.get("short")?.clone();
            let why: ShortenedPart = serde_json::from_value(why).ok()?;
            Some(match why.left_out {
                None => self.said.part_shortened(name, why.of, why.used),
                Some(left_out) if left_out.is_trial => self.said.part_tried(name, why.of, why.used),
                Some(left_out) => self.said.part_left_out(name, why.of, why.used, left_out.without),
            })
        });
        told.collect()
    }
}

/// `22 %`; a dash of nothing.
fn share(part: u32, whole: u32) -> String {
    if whole == 0 {
        return NOTHING.to_owned();
    }
    let share = f64::from(part) * 100.0 / f64::from(whole);
    format!("{share:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;
    use shidi_protocol::{Moment, PromptPartKind};

    #[test]
    fn a_toolkit_is_compared_with_its_line_alone_and_a_module_with_all_tasks_without_it() {
        let mut counts = PromptPartCounts {
            assistant: "shidi".to_owned(),
            kind: TaskKind::Plain,
            what: PromptPartKind::Toolkit,
            part: "files".to_owned(),
            tokens: 900,
            line_tokens: 20,
            whole: 50,
            used: 5,
            done: 40,
            short: 10,
            asked: 0,
            short_done: 9,
            tasks: 100,
            tasks_done: 60,
            prompt_tokens: 3_000,
        };
        let said = |counts: &PromptPartCounts| Words::of(Language::SOURCE).part_facts(counts).join(" · ");
        let toolkit = said(&counts);
        assert!(toolkit.starts_with("30 % of the prompt"), "{toolkit}");
        assert!(toolkit.contains("done 80 % with it, 90 % without"), "{toolkit}");
        (counts.short, counts.short_done) = (0, 0);
        let added = said(&counts);
        assert!(added.contains("done 80 % with it, — without"), "{added}");
        counts.what = PromptPartKind::Module;
        let module = said(&counts);
        assert!(module.contains("done 80 % with it, 40 % without"), "{module}");
        assert!(!module.contains("used in"), "nobody can tell its use: {module}");
        "experience".clone_into(&mut counts.part);
        (counts.line_tokens, counts.short, counts.short_done) = (0, 10, 9);
        let lessons = said(&counts);
        assert!(lessons.contains("done 80 % with it, 90 % without"), "{lessons}");
        assert!(
            lessons.contains("left out 10 times, and missed 0 times"),
            "{lessons}"
        );
    }

    #[test]
    fn a_step_says_of_each_part_that_it_went_without_whether_that_was_to_compare() {
        let why = |left_out: Value| {
            let mut why = serde_json::json!({ "used": 1, "of": 120, "saved": 90 });
            if left_out.is_object() {
                why["left_out"] = left_out;
            }
            why
        };
        let parts = serde_json::json!([
            { "name": "memory", "short": why(Value::Null) },
            { "name": "experience", "short": why(serde_json::json!({ "is_trial": true, "without": 4 })) },
            { "name": "examples.talk", "short": why(serde_json::json!({ "is_trial": false, "without": 40 })) },
            { "name": "principles" },
        ]);
        let span = Span {
            id: 1,
            parent: None,
            operation: "chat".to_owned(),
            name: "m".to_owned(),
            started: Moment(0),
            ms: 1,
            open: false,
            attributes: [("shidi.prompt_parts".to_owned(), parts)].into_iter().collect(),
        };
        assert_eq!(
            Words::of(Language::SOURCE).shortened_parts(&span),
            [
                "memory as one line: 1 of 120 tasks of this kind used it",
                "experience left out this time, to compare: 1 of 120 tasks of this kind used it",
                "examples.talk left out: 1 of 120 tasks of this kind used it, 40 without it came out no worse",
            ]
        );
    }
}
