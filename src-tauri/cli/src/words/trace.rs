//! The command line's words about traces.

use super::Words;
use serde_json::Value;
use shidi_protocol::{ChangedLines, Ground, Span, StepKind, TraceSummary, TraceVersion};

/// Whether a model was asked in the step.
fn is_chat(span: &Span) -> bool {
    matches!(span.operation.as_str(), "chat" | "text_completion")
}

/// Milliseconds that steps of an interrupted run must tell: what began last has no end in them.
const CERTAIN_MS_MIN: u64 = 1_000;

impl Words {
    /// `2 ms`, `1.2 s`.
    #[must_use]
    pub fn lasted(self, ms: u64) -> String {
        if ms < 1_000 {
            return self.said.milliseconds(ms);
        }
        let seconds = ms as f64 / 1_000.0;
        self.said.seconds(format_args!("{seconds:.1}"))
    }

    /// What a run took: tokens, cost, calls, time, and why it ended.
    #[must_use]
    pub fn spent(self, trace: &TraceSummary) -> String {
        let mut facts = Vec::new();
        if !trace.interrupted || trace.ms >= CERTAIN_MS_MIN {
            facts.push(self.used(&trace.usage, trace.ms));
        } else if trace.usage.model_calls > 0 {
            facts.push(self.used_untimed(&trace.usage));
        }
        if let Some(cost) = trace.usage.cost {
            facts.push(format!("${cost:.4}"));
        }
        if trace.tool_calls > 0 {
            let calls = trace.tool_calls;
            facts.push(self.said.calls(calls));
        }
        facts.extend(trace.reason.as_ref().map(|reason| reason.replace('\n', " ")));
        facts.join(" · ")
    }

    /// Of a run that its session does not show.
    #[must_use]
    pub fn aside(self, version: TraceVersion) -> String {
        let TraceVersion { at, of } = version;
        match of {
            0 | 1 => self.said.follows_another_version().to_owned(),
            of => self.said.version_short(at, of),
        }
    }

    #[must_use]
    pub fn name_of_step(self, span: &Span) -> String {
        let named = match (span.operation.as_str(), span.name.as_str()) {
            ("area", "perception") => self.said.area_perception(),
            ("area", "cognition") => self.said.area_cognition(),
            ("area", "motor") => self.said.area_motor(),
            ("area", "expression") => self.said.area_expression(),
            ("area", "evaluation") => self.said.area_evaluation(),
            ("act", "context") => self.said.act_context(),
            ("act", "compaction") => self.said.act_compaction(),
            (_, name) => name,
        };
        match is_chat(span) {
            true => format!("{} {named}", span.operation),
            false => named.to_owned(),
        }
    }

    /// What the step was about.
    #[must_use]
    pub fn detail_of_step(self, span: &Span) -> String {
        let text = |name: &str| {
            span.attributes
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let number = |name: &str| span.attributes.get(name).and_then(Value::as_u64);
        match (
            number("shidi.round"),
            number("shidi.rounds_max"),
            text("shidi.goal"),
        ) {
            (Some(round), Some(most), goal) => {
                let place = self.said.round_of(most, round);
                format!("{place} {goal}").trim_end().to_owned()
            }
            _ if span.operation == "run_program" => {
                let exec = number("shidi.exec").unwrap_or_default();
                let program = self.said.program_number(exec);
                let told = self.language().error_of_program(text("shidi.summary"));
                format!("{program} {told}").trim_end().to_owned()
            }
            // The record holds the sentence of whoever asked, in one language.
            _ if is_chat(span) && text("error.type") == "cancelled" => {
                self.said.status_cancelled().to_owned()
            }
            _ => match (number("shidi.sent_bytes"), number("shidi.received_bytes")) {
                (Some(sent), Some(received)) if !span.attributes.contains_key("error.type") => {
                    self.said.bytes_moved(received, sent)
                }
                _ => self.summary(text("shidi.summary")),
            },
        }
    }

    /// The summary beside a call, with what it changed in a file in this language.
    #[must_use]
    pub fn summary(self, summary: &str) -> String {
        match ChangedLines::at_end(summary) {
            Some((before, ChangedLines::New { lines })) => {
                format!("{before} · {}", self.said.lines_new(lines))
            }
            Some((before, ChangedLines::Changed { added, removed })) => {
                format!("{before} · {}", self.said.lines_changed(added, removed))
            }
            None => summary.to_owned(),
        }
    }

    /// Tokens, cost, and why a call was allowed.
    #[must_use]
    pub fn facts_of_step(self, span: &Span) -> Vec<String> {
        let attribute = |name: &str| span.attributes.get(name);
        let number = |name: &str| attribute(name).and_then(Value::as_u64);
        let mut facts = Vec::new();
        let tokens = (
            number("gen_ai.usage.input_tokens"),
            number("gen_ai.usage.output_tokens"),
        );
        if let (Some(input), Some(output)) = tokens
            && input + output > 0
        {
            facts.push(self.said.tokens_read_and_written(input, output));
        }
        if let Some(left_out) = number("shidi.left_out_tokens") {
            facts.push(self.said.tokens_left_out(left_out));
        }
        facts.extend(self.shortened_parts(span));
        if let Some(cost) = attribute("shidi.cost_usd").and_then(Value::as_f64) {
            facts.push(format!("${cost:.4}"));
        }
        let grounds = attribute("shidi.grounds").cloned().unwrap_or_default();
        let grounds: Vec<Ground> = serde_json::from_value(grounds).unwrap_or_default();
        facts.extend(grounds.last().map(|ground| ground.sentence(self.language())));
        if attribute("shidi.untrusted").is_some() {
            facts.push(self.said.untrusted().to_owned());
        }
        facts
    }

    #[must_use]
    pub fn step_kind(self, kind: StepKind) -> &'static str {
        match kind {
            StepKind::Model => self.said.step_models(),
            StepKind::Program => self.said.step_programs(),
            StepKind::Tool => self.said.step_tools(),
        }
    }

    /// What half of the steps took at most, and 95 in a hundred.
    #[must_use]
    pub fn usual_and_longest(self, median_ms: u64, p95_ms: u64) -> String {
        let (median, p95) = (self.lasted(median_ms), self.lasted(p95_ms));
        self.said.usual_and_longest(median, p95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_locales::Language;
    use shidi_protocol::Moment;

    #[test]
    fn a_model_call_that_was_cancelled_is_told_in_the_readers_language() {
        let attributes = json!({"error.type": "cancelled", "shidi.summary": "cancelled"});
        let span = Span {
            id: 1,
            parent: None,
            operation: "chat".to_owned(),
            name: "scripted".to_owned(),
            started: Moment(1),
            ms: 1,
            open: false,
            attributes: attributes.as_object().cloned().unwrap_or_default(),
        };
        for language in [Language::En, Language::Zh] {
            let told = Words::of(language).detail_of_step(&span);
            assert_eq!(told, language.cli().status_cancelled());
        }
    }
}
