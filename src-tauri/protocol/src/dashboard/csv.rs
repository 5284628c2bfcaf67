//! The figures as comma-separated values: one table with one head, whose first column says what a row is about. A cell
//! that does not apply is empty.

use super::{
    Dashboard, DashboardDay, ErrorFigures, ModelFigures, RecallFigures, RunFigures, Times, ToolFigures,
};
use crate::{PromptPartFigures, PromptPartKind, Recalled, StepKind};

/// The columns, in their order.
const HEAD: [&str; 21] = [
    "what",
    "name",
    "runs",
    "completed",
    "gave_up",
    "failed_runs",
    "cancelled",
    "unfinished",
    "recalled",
    "calls",
    "failures",
    "refused",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost_usd",
    "median_ms",
    "p95_ms",
    "model_median_ms",
    "model_p95_ms",
    "tokens_per_second",
];

/// A row: its cells by the names of their columns.
struct Row(Vec<(&'static str, String)>);

impl Dashboard {
    /// The lines of the table, its head first.
    #[must_use]
    pub fn csv(&self) -> Vec<String> {
        let days = self.days.iter().map(of_day);
        let models = self.models.iter().map(of_model);
        let tools = self.tools.iter().map(of_tool);
        let errors = self.errors.iter().map(of_error);
        let recall = self.recall.iter().map(of_recall);
        let parts = self.parts.iter().map(of_part);
        let rows = days.chain(models).chain(tools).chain(errors);
        let rows = rows.chain(recall).chain(parts);
        let head = HEAD.join(",");
        std::iter::once(head).chain(rows.map(|row| row.line())).collect()
    }
}

impl Row {
    fn new(what: &str, name: &str) -> Self {
        Self(vec![("what", what.to_owned()), ("name", name.to_owned())])
    }

    fn with(mut self, column: &'static str, value: impl ToString) -> Self {
        self.0.push((column, value.to_string()));
        self
    }

    fn maybe(self, column: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(column, value),
            None => self,
        }
    }

    fn times(self, median: &'static str, p95: &'static str, times: Option<Times>) -> Self {
        self.maybe(median, times.map(|times| times.median_ms))
            .maybe(p95, times.map(|times| times.p95_ms))
    }

    fn line(&self) -> String {
        let value = |column: &str| self.0.iter().find(|(name, _)| *name == column);
        let cells = HEAD.map(|column| value(column).map(|(_, value)| cell(value)).unwrap_or_default());
        cells.join(",")
    }
}

/// A cell, quoted where it must be. What a spreadsheet would calculate begins with an apostrophe.
fn cell(value: &str) -> String {
    let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let safe = if is_formula {
        format!("'{value}")
    } else {
        value.to_owned()
    };
    if safe.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

fn of_day(day: &DashboardDay) -> Row {
    let RunFigures {
        completed,
        gave_up,
        failed,
        cancelled,
        unfinished,
        model_calls,
        input,
        cached,
        output,
        cost,
        times,
    } = &day.runs;
    Row::new("day", &day.day)
        .with("runs", day.runs.runs())
        .with("completed", completed)
        .with("gave_up", gave_up)
        .with("failed_runs", failed)
        .with("cancelled", cancelled)
        .with("unfinished", unfinished)
        .with("calls", model_calls)
        .with("input_tokens", input)
        .with("cached_tokens", cached)
        .with("output_tokens", output)
        .maybe("cost_usd", cost.map(dollars))
        .times("median_ms", "p95_ms", *times)
        .times("model_median_ms", "model_p95_ms", day.model_times)
}

fn of_model(one: &ModelFigures) -> Row {
    Row::new("model", &format!("{}:{}", one.provider, one.model))
        .with("calls", one.calls)
        .with("failures", one.failed)
        .with("input_tokens", one.input)
        .with("cached_tokens", one.cached)
        .with("output_tokens", one.output)
        .maybe("cost_usd", one.cost.map(dollars))
        .times("median_ms", "p95_ms", one.times)
        .maybe(
            "tokens_per_second",
            one.tokens_per_second.map(|speed| format!("{speed:.1}")),
        )
}

fn of_tool(one: &ToolFigures) -> Row {
    Row::new("tool", &one.tool)
        .with("calls", one.calls)
        .with("failures", one.failed)
        .with("refused", one.refused)
        .times("median_ms", "p95_ms", one.times)
}

fn of_error(one: &ErrorFigures) -> Row {
    let what = match one.what {
        StepKind::Model => "model_error",
        StepKind::Program => "program_error",
        StepKind::Tool => "tool_error",
    };
    Row::new(what, &one.class).with("failures", one.count)
}

fn of_recall(one: &RecallFigures) -> Row {
    let what = match one.of {
        Recalled::Experience => "with_experience",
        Recalled::Memory => "with_memory",
        Recalled::Nothing => "without_either",
    };
    Row::new(what, "")
        .with("runs", one.completed + one.not_done)
        .with("completed", one.completed)
        .with("failed_runs", one.not_done)
        .with("recalled", one.pieces)
}

/// The tasks in whose prompt it was, whole, as a line, or left out.
fn of_part(one: &PromptPartFigures) -> Row {
    let counts = &one.counts;
    let what = match counts.what {
        PromptPartKind::Toolkit => "prompt_toolkit",
        PromptPartKind::Module => "prompt_module",
        PromptPartKind::Example => "prompt_example",
    };
    let (runs, done) = (counts.whole + counts.short, counts.done + counts.short_done);
    let name = format!("{}:{}:{}", counts.assistant, counts.kind.name(), counts.part);
    let row = Row::new(what, &name)
        .with("runs", runs)
        .with("completed", done)
        .with("failed_runs", runs.saturating_sub(done))
        .with("input_tokens", counts.tokens);
    match counts.what {
        PromptPartKind::Toolkit => row.with("calls", counts.used + counts.asked),
        PromptPartKind::Module | PromptPartKind::Example => row,
    }
}

/// To a hundredth of a cent.
fn dollars(cost: f64) -> String {
    format!("{cost:.6}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_columns_of_the_head_and_nothing_a_spreadsheet_would_run() {
        let times = Some(Times {
            median_ms: 40,
            p95_ms: 900,
        });
        let dashboard = Dashboard {
            days: vec![DashboardDay {
                day: "2026-11-29".to_owned(),
                runs: RunFigures {
                    completed: 2,
                    failed: 1,
                    input: 1_200,
                    cost: Some(0.0034),
                    ..RunFigures::default()
                },
                model_times: times,
            }],
            models: vec![ModelFigures {
                provider: "=cmd|' /C calc'!A0".to_owned(),
                model: "a,\"b\"".to_owned(),
                tokens_per_second: Some(41.26),
                ..ModelFigures::default()
            }],
            tools: ["+1", "-1", "@sum", "\tx", "files.read"].map(tool).into(),
            errors: vec![ErrorFigures {
                what: StepKind::Model,
                class: "timeout".to_owned(),
                count: 3,
                step: "m".to_owned(),
            }],
            recall: vec![RecallFigures {
                of: Recalled::Memory,
                pieces: 4,
                completed: 2,
                not_done: 0,
            }],
            ..Dashboard::default()
        };
        let lines = dashboard.csv();
        assert_eq!(lines[0].split(',').count(), HEAD.len());
        assert_eq!(
            lines[1],
            "day,2026-11-29,3,2,0,1,0,0,,0,,,1200,0,0,0.003400,,,40,900,"
        );
        assert_eq!(
            lines[2],
            "model,\"'=cmd|' /C calc'!A0:a,\"\"b\"\"\",,,,,,,,0,0,,0,0,0,,,,,,41.3"
        );
        for (line, name) in lines[3..8]
            .iter()
            .zip(["'+1", "'-1", "'@sum", "'\tx", "files.read"])
        {
            assert_eq!(line.split(',').nth(1), Some(name));
            assert_eq!(line.split(',').count(), HEAD.len());
        }
        assert_eq!(lines[8], "model_error,timeout,,,,,,,,,3,,,,,,,,,,");
        assert_eq!(lines[9], "with_memory,,2,2,,0,,,4,,,,,,,,,,,,");
    }

    fn tool(name: &str) -> ToolFigures {
        ToolFigures {
            tool: name.to_owned(),
            ..ToolFigures::default()
        }
    }
}
