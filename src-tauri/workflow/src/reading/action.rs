//! What a step does: the keys that only its type has.

use super::Reading;
use super::keys::ARM;
use crate::definition::{Action, Arm, BlockId, Call, Over, Role, Wait};
use crate::limits::{ROUNDS_DEFAULT, ROUNDS_MAX};
use crate::problem::{Example, Problem, Wanted};
use crate::template::Template;
use shidi_yaml::{Data, Node};

impl Reading {
    /// `None` where something that the type cannot be without is missing.
    pub(super) fn action(&mut self, node: &Node, kind: &'static str) -> Option<Action> {
        let named = |reading: &mut Self, key| reading.required_text(node, key, Example::Action);
        Some(match kind {
            "input" => self.asked(node),
            "plugin" => Action::Call(Call::Plugin {
                plugin: named(self, "plugin")?,
            }),
            "custom" => Action::Call(Call::Custom {
                function: named(self, "function")?,
            }),
            "tool" => Action::Call(Call::Tool {
                tool: named(self, "tool")?,
            }),
            "code" => Action::Call(Call::Code {
                program: named(self, "code")?,
            }),
            "llm" => Action::Call(Call::Llm {
                prompt: self.required_template(node, "prompt")?,
                system: self.text_template(node, "system"),
                role: self.role(node),
            }),
            "branch" => self.branch(node),
            "loop" => self.rounds(node)?,
            "parallel" => self.parallel(node)?,
            "approval" => Action::Approval {
                message: self.required_template(node, "message")?,
            },
            "wait" => Action::Wait {
                wait: self.wait(node)?,
            },
            _ => Action::Output,
        })
    }

    fn required_template(&mut self, node: &Node, key: &'static str) -> Option<Template> {
        self.required_text(node, key, Example::Action)?;
        self.text_template(node, key)
    }

    fn role(&mut self, node: &Node) -> Role {
        let Some(written) = self.optional_text(node, "model") else {
            return Role::General;
        };
        match written.as_str() {
            "general" => Role::General,
            "fast" => Role::Fast,
            "coder" => Role::Coder,
            _ => {
                let known = ["general", "fast", "coder"].map(str::to_owned).to_vec();
                let place = node.get("model").map_or(&node.place, |node| &node.place);
                self.fault(place, Problem::UnknownRole { written, known });
                Role::General
            }
        }
    }

    /// `if`, `then` and `else`, or `cases` and `else`.
    fn branch(&mut self, node: &Node) -> Action {
        let mut arms = Vec::new();
        if let Some(cases) = node.get("cases") {
            if let Some(other) = node.get("then") {
                self.fault(
                    &other.place,
                    Problem::BothForms {
                        one: "cases",
                        other: "then",
                    },
                );
            }
            for case in self.list(cases) {
                self.known(case, &ARM, |_| None);
                arms.extend(self.arm(case, "steps"));
            }
        } else {
            arms.extend(self.arm(node, "then"));
        }
        if arms.is_empty() && node.get("cases").is_some() {
            self.fault(
                &node.place,
                Problem::Missing {
                    key: "cases",
                    example: Example::Arms,
                },
            );
        }
        let otherwise = node.get("else").map(|steps| self.block(steps));
        Action::Branch { arms, otherwise }
    }

    fn arm(&mut self, node: &Node, key: &'static str) -> Option<Arm> {
        let missing = |key| Problem::Missing {
            key,
            example: Example::Arms,
        };
        let Some(condition) = node.get("if") else {
            self.fault(&node.place, missing("if"));
            return None;
        };
        let condition = self.condition(condition);
        let Some(steps) = node.get(key) else {
            self.fault(&node.place, missing(key));
            return None;
        };
        let steps = self.block(steps);
        Some(Arm {
            condition: condition?,
            steps,
        })
    }

    fn rounds(&mut self, node: &Node) -> Option<Action> {
        let over = match (node.get("each"), node.get("times")) {
            (Some(each), None) => Over::Each(self.template(each)?),
            (None, Some(times)) => Over::Times(self.number(times, "times", 0, ROUNDS_MAX)?),
            (None, None) => Over::Open,
            (Some(_), Some(times)) => {
                self.fault(
                    &times.place,
                    Problem::BothForms {
                        one: "each",
                        other: "times",
                    },
                );
                return None;
            }
        };
        let until = node.get("until").map(|node| self.condition(node));
        if over == Over::Open && until.is_none() {
            self.fault(
                &node.place,
                Problem::Missing {
                    key: "each",
                    example: Example::Loop,
                },
            );
            return None;
        }
        let max_rounds = match node.get("max_rounds") {
            Some(most) => self.number(most, "max_rounds", 1, ROUNDS_MAX)?,
            None if over == Over::Open => ROUNDS_DEFAULT,
            None => ROUNDS_MAX,
        };
        let item = self.item_name(node);
        let steps = self.inner(node, "steps", Example::Loop)?;
        let until = match until {
            Some(condition) => Some(condition?),
            None => None,
        };
        Some(Action::Loop {
            over,
            item,
            until,
            max_rounds,
            steps,
        })
    }

    fn inner(&mut self, node: &Node, key: &'static str, example: Example) -> Option<BlockId> {
        match node.get(key) {
            Some(steps) => Some(self.block(steps)),
            None => {
                self.fault(&node.place, Problem::Missing { key, example });
                None
            }
        }
    }

    fn parallel(&mut self, node: &Node) -> Option<Action> {
        let Some(branches) = node.get("branches") else {
            self.fault(
                &node.place,
                Problem::Missing {
                    key: "branches",
                    example: Example::Arms,
                },
            );
            return None;
        };
        let mut blocks = Vec::new();
        for branch in self.list(branches) {
            match &branch.data {
                Data::List(_) => blocks.push(self.block(branch)),
                Data::Map(_) => {
                    self.known(branch, &["steps"], |_| None);
                    blocks.extend(self.inner(branch, "steps", Example::Arms));
                }
                Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => {
                    self.fault(&branch.place, Problem::Wants(Wanted::Steps));
                }
            }
        }
        if blocks.is_empty() {
            self.fault(
                &branches.place,
                Problem::Missing {
                    key: "branches",
                    example: Example::Arms,
                },
            );
        }
        Some(Action::Parallel { branches: blocks })
    }

    fn wait(&mut self, node: &Node) -> Option<Wait> {
        match (node.get("for"), node.get("until")) {
            (Some(time), None) => Some(Wait::For(self.duration(time)?)),
            (None, Some(until)) => Some(Wait::Until(self.template(until)?)),
            (Some(_), Some(until)) => {
                self.fault(
                    &until.place,
                    Problem::BothForms {
                        one: "for",
                        other: "until",
                    },
                );
                None
            }
            (None, None) => {
                self.fault(
                    &node.place,
                    Problem::Missing {
                        key: "for",
                        example: Example::Wait,
                    },
                );
                None
            }
        }
    }
}
