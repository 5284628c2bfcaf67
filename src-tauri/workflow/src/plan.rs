//! What a dry run tells, in words: the same for a terminal and a window.

use crate::event::{Record, What, Work};
use shidi_locales::{Language, Workflow as Sentences};
use shidi_protocol::JsonMap;

impl Record {
    /// A dry run's record as a line, with values of at most so many letters; `None` for what is no deed.
    #[must_use]
    pub fn planned(&self, language: Language, letters: usize) -> Option<String> {
        let say = language.workflow();
        let step = &self.step;
        Some(match &self.what {
            What::Planned { work } => say.would_do(step, work.planned(language, letters)),
            What::WouldAsk { message } => say.would_ask(message, step),
            What::Repeats { over, times, most } => rounds(say, step, (over.as_deref(), *times, *most)),
            What::Skipped => say.step_skipped(step),
            What::Failed { failure } => say.step_failed(failure.sentence(language), step),
            What::Done { .. }
            | What::Asked { .. }
            | What::Begun { .. }
            | What::Retrying { .. }
            | What::Uncertain { .. } => return None,
        })
    }
}

impl Work {
    fn planned(&self, language: Language, letters: usize) -> String {
        let values = |values| in_a_line(values, letters);
        match self {
            Self::Tool { tool, arguments } => format!("{tool}({})", values(arguments)),
            Self::Plugin { plugin, arguments } => format!("{plugin}({})", values(arguments)),
            Self::Custom { function, arguments } => format!("{function}({})", values(arguments)),
            Self::Llm { prompt, .. } => language.workflow().ask_model(short(prompt, letters)),
            Self::Code { program, .. } => language.workflow().run_program(short(program, letters)),
        }
    }
}

/// How often a loop would repeat, and over what.
fn rounds(say: Sentences, step: &str, (over, times, most): (Option<&str>, Option<u64>, u64)) -> String {
    match (over, times) {
        (_, Some(0)) => say.repeats_never(step),
        (Some(over), Some(times)) => say.repeats_over(times, over, step),
        (Some(over), None) => say.repeats_each(over, step),
        (None, Some(times)) => say.repeats(times, step),
        (None, None) => say.repeats_until(most, step),
    }
}

/// Values by their names in one line, each of at most so many letters.
#[must_use]
pub fn in_a_line(values: &JsonMap, letters: usize) -> String {
    let pairs = values
        .iter()
        .map(|(name, value)| format!("{name}={}", short(&value.to_string(), letters)));
    pairs.collect::<Vec<_>>().join(", ")
}

fn short(text: &str, letters: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > letters {
        true => line.chars().take(letters).chain(['…']).collect(),
        false => line,
    }
}
