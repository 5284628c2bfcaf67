//! The command line's words about the parts of prompts.

use super::Words;
use serde_json::Value;
use shidi_protocol::{PartStanding, PromptPartCounts, PromptPartKind, ShortenedPart, Span, TaskKind};

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
        }
    }

    /// What a part takes, how often it was used, and how tasks came out with and without it.
    #[must_use]
    pub fn part_facts(self, counts: &PromptPartCounts) -> Vec<String> {
        let (without, without_done) = counts.without();
        let of_prompt = share(counts.tokens, counts.prompt_tokens);
        let mut facts = vec![self.said.part_tokens(of_prompt, counts.tokens)];
        if counts.what == PromptPartKind::Toolkit {
            facts.push(self.said.part_used_in(counts.whole, counts.used));
        }
        let (with, without) = (share(counts.done, counts.whole), share(without_done, without));
        facts.push(self.said.part_done(with, without));
        if counts.short > 0 {
            facts.push(self.said.part_line(counts.asked, counts.short));
        }
        if counts.what == PromptPartKind::Toolkit {
            facts.push(self.said.part_saves(counts.saved()));
        }
        facts
    }

    /// The parts that stood as a line in the prompt of a step, and why.
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
            Some(self.said.part_shortened(name, why.of, why.used))
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
    }
}
