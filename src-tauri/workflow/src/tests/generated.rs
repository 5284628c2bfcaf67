//! Workflows of random shape, of which each is valid: steps of every type, values from one to the next, and failures that are
//! passed over or handled.

use super::mutations::Draw;
use super::world::{CALLED, number_of, step_output};
use crate::{Workflow, read};
use serde_json::{Map, Value, json};

/// Steps of a generated workflow, at most about.
const STEPS: usize = 14;
/// The same of one that it calls, whose numbers begin far behind its own.
const STEPS_CALLED: usize = 4;
const FIRST_CALLED: usize = 500;
/// Blocks that stand within one another.
const DEPTH_MAX: usize = 3;
/// Of so many calls one fails for good.
const FAILS_EVERY: u64 = 5;

/// Kinds of steps: calls, then others without steps of their own, then those with.
const CALLS: usize = 5;
const LEAVES: usize = 7;
const KINDS: usize = 13;

/// A workflow from a number.
pub fn workflow(seed: u64) -> Workflow {
    generated(Generator {
        draw: Draw(seed),
        count: 0,
        last: STEPS,
        may_call: true,
    })
}

/// One that the workflow of that number calls.
pub fn called(seed: u64) -> Workflow {
    generated(Generator {
        draw: Draw(seed.rotate_left(17)),
        count: FIRST_CALLED,
        last: FIRST_CALLED + STEPS_CALLED,
        may_call: false,
    })
}

/// Whether a generated step may fail however often it is tried: that is passed over or handled.
pub fn may_fail_for_good(step: &str) -> bool {
    number_of(step) % FAILS_EVERY == 2
}

fn generated(mut generator: Generator) -> Workflow {
    let Block { mut steps, made } = generator.block(0, &[]);
    let mut told = Map::from_iter([("words".to_owned(), json!("{dialogue}"))]);
    told.extend(made.iter().map(|name| (name.clone(), json!(reference(name)))));
    steps.push(json!({"id": "told", "type": "output", "inputs": told}));
    let document = json!({"version": "1.0", "name": "generated", "steps": steps});
    let text = document.to_string();
    read(&"g.yaml".into(), text.as_bytes())
        .unwrap_or_else(|faults| unreachable!("{}\n{text}", super::told(&faults)))
}

fn reference(name: &str) -> String {
    format!("{{{name}}}")
}

/// Steps, and the names that they leave.
struct Block {
    steps: Vec<Value>,
    made: Vec<String>,
}

struct Generator {
    draw: Draw,
    count: usize,
    /// The number of steps after which no blocks begin.
    last: usize,
    may_call: bool,
}

impl Generator {
    fn block(&mut self, depth: usize, names: &[String]) -> Block {
        let mut block = Block {
            steps: Vec::new(),
            made: Vec::new(),
        };
        for _ in 0..=self.draw.next(4) {
            let mut known = names.to_vec();
            known.extend(block.made.iter().cloned());
            let (mut step, made) = self.step(depth, &known);
            let earlier: Vec<Value> = block.steps.iter().map(|step| step["id"].clone()).collect();
            if !earlier.is_empty() && self.draw.next(3) == 0 {
                let needs: Vec<Value> = earlier.into_iter().filter(|_| self.draw.next(2) == 0).collect();
                step["needs"] = Value::Array(needs);
            }
            block.made.extend(made);
            block.steps.push(step);
        }
        block
    }

    /// The steps of an inner block.
    fn within(&mut self, depth: usize, names: &[String]) -> Vec<Value> {
        self.block(depth + 1, names).steps
    }

    /// A step and the names that it leaves.
    fn step(&mut self, depth: usize, names: &[String]) -> (Value, Vec<String>) {
        let id = format!("s{}", self.count);
        self.count += 1;
        let is_full = self.count >= self.last || depth >= DEPTH_MAX;
        let kind = self.draw.next(if is_full { LEAVES } else { KINDS });
        let (mut step, made) = match kind {
            0..CALLS => (self.call(&id, kind, depth, names), vec![step_output(&id)]),
            5 => (json!({"type": "wait", "for": self.draw.next(9)}), vec![]),
            6 => self.approval(&id),
            _ => self.container(&id, kind, depth, names),
        };
        step["id"] = json!(id);
        if step["type"] != "branch" && self.draw.next(5) == 0 {
            step["if"] = json!(self.condition(names));
        }
        (step, made)
    }

    /// A step with steps of its own.
    fn container(&mut self, id: &str, kind: usize, depth: usize, names: &[String]) -> (Value, Vec<String>) {
        let (mut step, made) = match kind {
            7 => {
                let condition = self.condition(names);
                let (then, otherwise) = (self.within(depth, names), self.within(depth, names));
                let branch = json!({"type": "branch", "if": condition, "then": then, "else": otherwise});
                (branch, vec![])
            }
            8 => {
                let cases: Vec<Value> = (0..2 + self.draw.next(2))
                    .map(|_| json!({"if": self.condition(names), "steps": self.within(depth, names)}))
                    .collect();
                let otherwise = self.within(depth, names);
                let branch = json!({"type": "branch", "cases": cases, "else": otherwise});
                (branch, vec![])
            }
            9 => {
                let each: Vec<usize> = (0..=self.draw.next(3)).collect();
                self.rounds(id, json!({"each": each}), depth, names)
            }
            10 => {
                let times = 1 + self.draw.next(3);
                self.rounds(id, json!({"times": times}), depth, names)
            }
            11 => {
                let until = format!("{} >= {}", reference(&item_of(id)), self.draw.next(3));
                self.rounds(id, json!({"until": until}), depth, names)
            }
            _ => {
                let branches: Vec<Vec<Value>> = (0..=1 + self.draw.next(2))
                    .map(|_| self.within(depth, names))
                    .collect();
                (json!({"type": "parallel", "branches": branches}), vec![])
            }
        };
        if self.draw.next(4) == 0 {
            step["on_error"] = json!("continue");
        }
        (step, made)
    }

    /// A loop, which keeps the last value of each round.
    fn rounds(&mut self, id: &str, mut step: Value, depth: usize, names: &[String]) -> (Value, Vec<String>) {
        let mut known = names.to_vec();
        known.push(item_of(id));
        let block = self.block(depth + 1, &known);
        step["type"] = json!("loop");
        step["as"] = json!(item_of(id));
        step["steps"] = json!(block.steps);
        let Some(value) = block.made.last() else {
            return (step, vec![]);
        };
        let name = step_output(id);
        step["outputs"] = json!([{"name": name, "type": "list", "default": [], "value": reference(value)}]);
        (step, vec![name])
    }

    /// A refusal is a value, or ends what stands around it.
    fn approval(&mut self, id: &str) -> (Value, Vec<String>) {
        let mut step = json!({"type": "approval", "message": "go on?"});
        if self.draw.next(2) == 0 {
            return (step, vec![]);
        }
        let name = step_output(id);
        step["output"] = json!({"name": name, "type": "bool", "default": false});
        (step, vec![name])
    }

    fn call(&mut self, id: &str, kind: usize, depth: usize, names: &[String]) -> Value {
        let used = self.used(names);
        let mut step = match kind {
            0 if self.may_call && self.draw.next(2) == 0 => json!({"type": "tool", "tool": CALLED}),
            0 => json!({"type": "tool", "tool": "some.tool"}),
            1 => json!({"type": "plugin", "plugin": "some"}),
            2 => json!({"type": "custom", "function": "some"}),
            3 => json!({"type": "code", "code": "x = 1"}),
            _ => json!({"type": "llm", "prompt": format!("about {used}")}),
        };
        step["inputs"] = json!({"value": used});
        step["output"] = json!({"name": step_output(id), "type": "str", "default": "none"});
        step["retry"] = json!({"times": 3, "wait": 1, "factor": 1});
        if may_fail_for_good(id) || self.draw.next(5) == 0 {
            step["on_error"] = match depth < DEPTH_MAX && self.draw.next(2) == 0 {
                true => json!([self.instead(depth + 1, names)]),
                false => json!("continue"),
            };
        }
        step
    }

    /// A step for an error, which it sees.
    fn instead(&mut self, depth: usize, names: &[String]) -> Value {
        let mut known = names.to_vec();
        known.push("error.step".to_owned());
        self.step(depth, &known).0
    }

    fn used(&mut self, names: &[String]) -> String {
        match names.is_empty() {
            true => "nothing".to_owned(),
            false => reference(&names[self.draw.next(names.len())]),
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

/// What a loop calls its item.
fn item_of(id: &str) -> String {
    format!("{id}_item")
}
