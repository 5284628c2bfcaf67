//! Workflows of random shape, of which each is valid.

use super::mutations::Draw;
use super::world::step_output;
use crate::{Workflow, read};
use serde_json::{Map, Value, json};

/// Steps of a generated workflow, at most about.
const STEPS: usize = 14;

/// A workflow from a number.
pub fn workflow(seed: u64) -> Workflow {
    let mut generator = Generator {
        draw: Draw(seed),
        count: 0,
    };
    let mut names = Vec::new();
    let steps = generator.block(0, &mut names);
    let document = json!({"version": "1.0", "name": "generated", "steps": steps});
    let text = document.to_string();
    read(&"g.yaml".into(), text.as_bytes())
        .unwrap_or_else(|faults| unreachable!("{}\n{text}", super::told(&faults)))
}

struct Generator {
    draw: Draw,
    count: usize,
}

impl Generator {
    fn block(&mut self, depth: usize, names: &mut Vec<String>) -> Vec<Value> {
        let mut steps: Vec<Value> = Vec::new();
        let mut made = Vec::new();
        for _ in 0..=self.draw.next(4) {
            let mut known = names.clone();
            known.extend(made.iter().cloned());
            let (mut step, outputs) = self.step(depth, &known);
            let earlier: Vec<Value> = steps.iter().map(|step| step["id"].clone()).collect();
            if !earlier.is_empty() && self.draw.next(3) == 0 {
                let needs: Vec<Value> = earlier.into_iter().filter(|_| self.draw.next(2) == 0).collect();
                step.insert("needs".to_owned(), Value::Array(needs));
            }
            made.extend(outputs);
            steps.push(Value::Object(step));
        }
        names.extend(made);
        steps
    }

    /// A step and the names that it leaves.
    fn step(&mut self, depth: usize, names: &[String]) -> (Map<String, Value>, Vec<String>) {
        let id = format!("s{}", self.count);
        self.count += 1;
        let is_full = self.count >= STEPS || depth >= 3;
        let inner = |generator: &mut Self, names: &[String]| {
            let mut names = names.to_vec();
            generator.block(depth + 1, &mut names)
        };
        let (step, outputs) = match self.draw.next(if is_full { 7 } else { 11 }) {
            7 => {
                let condition = self.condition(names);
                (
                    json!({"type": "branch", "if": condition, "then": inner(self, names), "else": inner(self, names)}),
                    vec![],
                )
            }
            8 => {
                let each: Vec<usize> = (0..=self.draw.next(3)).collect();
                (
                    json!({"type": "loop", "each": each, "as": format!("{id}_item"), "steps": inner(self, names)}),
                    vec![],
                )
            }
            9 => (
                json!({"type": "loop", "times": 1 + self.draw.next(3), "steps": inner(self, names)}),
                vec![],
            ),
            10 => {
                let branches: Vec<Vec<Value>> = (0..=self.draw.next(3)).map(|_| inner(self, names)).collect();
                (json!({"type": "parallel", "branches": branches}), vec![])
            }
            5 => (json!({"type": "wait", "for": self.draw.next(9)}), vec![]),
            6 => (json!({"type": "approval", "message": "go on?"}), vec![]),
            kind => (self.call(&id, kind, names), vec![step_output(&id)]),
        };
        let Value::Object(mut step) = step else {
            unreachable!("a step is a map")
        };
        step.insert("id".to_owned(), json!(id));
        if step["type"] != "branch" && self.draw.next(5) == 0 {
            step.insert("if".to_owned(), json!(self.condition(names)));
        }
        (step, outputs)
    }

    fn call(&mut self, id: &str, kind: usize, names: &[String]) -> Value {
        let output = json!({"name": step_output(id), "type": "str", "default": "none"});
        let used = self.used(names);
        let mut step = match kind {
            0 => json!({"type": "tool", "tool": "some.tool"}),
            1 => json!({"type": "plugin", "plugin": "some"}),
            2 => json!({"type": "custom", "function": "some"}),
            3 => json!({"type": "code", "code": "x = 1"}),
            _ => json!({"type": "llm", "prompt": format!("about {used}")}),
        };
        step["inputs"] = json!({"value": used});
        step["output"] = output;
        step["retry"] = json!({"times": 3, "wait": 1, "factor": 1});
        if self.draw.next(4) == 0 {
            step["on_error"] = json!("continue");
        }
        step
    }

    fn used(&mut self, names: &[String]) -> String {
        match names.is_empty() {
            true => "nothing".to_owned(),
            false => format!("{{{}}}", names[self.draw.next(names.len())]),
        }
    }

    fn condition(&mut self, names: &[String]) -> String {
        let used = self.used(names);
        match (used.starts_with('{'), self.draw.next(2)) {
            (true, 0) => format!("{used} != 'none'"),
            (true, _) => format!("{used} == 'none'"),
            (false, _) => "{dialogue} == ''".to_owned(),
        }
    }
}
