//! Counts steps: models and tools beside one another, errors by class, the times of answers by day. Pure.

use super::count::times;
use super::period::{Period, Place};
use crate::limits::DASHBOARD_ROWS_MAX;
use crate::names;
use shidi_protocol::{ErrorFigures, ModelFigures, StepKind, ToolFigures};
use shidi_store::CountedStep;
use std::collections::HashMap;

/// What steps came to.
pub struct Steps {
    pub models: Vec<ModelFigures>,
    pub tools: Vec<ToolFigures>,
    pub errors: Vec<ErrorFigures>,
    /// The times of answers of models, by day.
    pub by_day: Vec<Vec<u64>>,
    pub left_out: u32,
}

#[derive(Default)]
struct Counts {
    models: HashMap<(String, String), Model>,
    tools: HashMap<String, Tool>,
    /// How often a class happened to each step, by its name.
    errors: HashMap<(StepKind, String), HashMap<String, u32>>,
}

#[derive(Default)]
struct Model {
    figures: ModelFigures,
    /// Of answers: their times, and the tokens that they had.
    times: Vec<u64>,
    tokens: u64,
}

#[derive(Default)]
struct Tool {
    figures: ToolFigures,
    times: Vec<u64>,
}

impl Steps {
    /// `steps` come newest first; those of other days are left out.
    pub fn of(period: &Period, days: usize, steps: Vec<CountedStep>) -> Self {
        let mut counts = Counts::default();
        let mut by_day = vec![Vec::new(); days];
        for step in steps.into_iter().filter(CountedStep::is_over) {
            let Some(Place::Day(day)) = period.place(step.run_started) else {
                continue;
            };
            match step.operation.as_str() {
                names::EXECUTE_TOOL => counts.tool(step),
                names::RUN_PROGRAM => counts.failure(StepKind::Program, &step),
                _ => {
                    if step.attributes.error.is_none() {
                        by_day[day].push(step.ms);
                    }
                    counts.model(step);
                }
            }
        }
        counts.figures(by_day)
    }
}

impl Counts {
    fn failure(&mut self, what: StepKind, step: &CountedStep) {
        let Some(class) = &step.attributes.error else {
            return;
        };
        let of_class = self.errors.entry((what, class.clone())).or_default();
        *of_class.entry(step.name.clone()).or_default() += 1;
    }

    fn model(&mut self, step: CountedStep) {
        self.failure(StepKind::Model, &step);
        let CountedStep {
            name, ms, attributes, ..
        } = step;
        let provider = attributes.provider.unwrap_or_default();
        let model = attributes.model.unwrap_or_else(|| name.clone());
        let one = self.models.entry((provider.clone(), model.clone())).or_default();
        let own = &mut one.figures;
        if own.calls == 0 {
            (own.provider, own.model, own.step) = (provider, model, name);
        }
        own.calls += 1;
        own.input += attributes.input.unwrap_or_default();
        own.cached += attributes.cached.unwrap_or_default();
        own.output += attributes.output.unwrap_or_default();
        if let Some(cost) = attributes.cost {
            own.cost = Some(own.cost.unwrap_or_default() + cost);
        }
        if attributes.error.is_some() {
            own.failed += 1;
            return;
        }
        one.times.push(ms);
        one.tokens += attributes.output.unwrap_or_default();
    }

    fn tool(&mut self, step: CountedStep) {
        let is_refused = step.attributes.refused == Some(true);
        if !is_refused {
            self.failure(StepKind::Tool, &step);
        }
        let CountedStep {
            name, ms, attributes, ..
        } = step;
        let one = self.tools.entry(name.clone()).or_default();
        let own = &mut one.figures;
        own.tool = name;
        own.calls += 1;
        if is_refused {
            own.refused += 1;
        } else if attributes.error.is_some() {
            own.failed += 1;
        } else {
            one.times
                .push(ms.saturating_sub(attributes.waited_ms.unwrap_or_default()));
        }
    }

    fn figures(self, by_day: Vec<Vec<u64>>) -> Steps {
        let mut left_out = 0;
        let models = self.models.into_values().map(Model::figures);
        let models = most(models, |one| (one.calls, one.model.clone()), &mut left_out);
        let tools = self.tools.into_values().map(Tool::figures);
        let tools = most(tools, |one| (one.calls, one.tool.clone()), &mut left_out);
        let errors = self
            .errors
            .into_iter()
            .map(|((what, class), steps)| error(what, class, steps));
        let errors = most(errors, |one| (one.count, one.class.clone()), &mut left_out);
        Steps {
            models,
            tools,
            errors,
            by_day,
            left_out,
        }
    }
}

impl Model {
    fn figures(self) -> ModelFigures {
        let ms: u64 = self.times.iter().sum();
        let has_speed = ms > 0 && self.tokens > 0;
        ModelFigures {
            tokens_per_second: has_speed.then(|| self.tokens as f64 * 1_000.0 / ms as f64),
            times: times(self.times),
            ..self.figures
        }
    }
}

impl Tool {
    fn figures(self) -> ToolFigures {
        ToolFigures {
            times: times(self.times),
            ..self.figures
        }
    }
}

fn error(what: StepKind, class: String, steps: HashMap<String, u32>) -> ErrorFigures {
    let count = steps.values().sum();
    let most = steps
        .into_iter()
        .max_by(|left, right| left.1.cmp(&right.1).then(right.0.cmp(&left.0)));
    ErrorFigures {
        what,
        class,
        count,
        step: most.map(|(step, _)| step).unwrap_or_default(),
    }
}

/// The rows with the greatest count first, equal ones by their names; as many as are shown.
fn most<Row>(
    rows: impl Iterator<Item = Row>,
    key: impl Fn(&Row) -> (u32, String),
    left_out: &mut u32,
) -> Vec<Row> {
    let mut rows: Vec<(u32, String, Row)> = rows
        .map(|row| {
            let (count, name) = key(&row);
            (count, name, row)
        })
        .collect();
    rows.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    *left_out += u32::try_from(rows.len().saturating_sub(DASHBOARD_ROWS_MAX)).unwrap_or(u32::MAX);
    rows.truncate(DASHBOARD_ROWS_MAX);
    rows.into_iter().map(|(_, _, row)| row).collect()
}
