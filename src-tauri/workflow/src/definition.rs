//! A workflow as it was read and checked: blocks of steps, each step with what it does and what it leaves.
//!
//! Blocks lie in one list and name each other by number, so that a run's state is numbers alone.

use crate::condition::Condition;
use crate::template::{Reference, Template};
use crate::value_type::ValueType;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_yaml::Place;

/// The one version of the format.
pub const VERSION: &str = "1.0";

#[derive(Debug, Clone, PartialEq)]
pub struct Workflow {
    pub name: String,
    pub description: String,
    /// What a run is given, that of `input` steps included.
    pub parameters: Vec<Parameter>,
    /// Calls that the workflow makes without asking, in the grammar of permissions.
    pub permissions: Vec<String>,
    /// The first is the workflow itself.
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub place: Place,
    pub name: String,
    pub kind: ValueType,
    pub description: String,
    pub default: Option<Value>,
    pub example: Option<Value>,
    /// Whether an `input` step declares it.
    pub of_step: bool,
}

/// The number of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlockId(pub usize);

/// Steps that belong together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    pub steps: Vec<StepDefinition>,
    /// For each step those of the same block that come before it.
    pub before: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StepDefinition {
    pub place: Place,
    /// Where it says what is called: a tool's name, a program. Of any other step its own place.
    pub called: Place,
    pub id: String,
    pub description: String,
    pub action: Action,
    pub condition: Option<Condition>,
    /// Steps that it waits for; the one above it when nothing is said.
    pub needs: Option<Vec<Named>>,
    pub retry: Option<Retry>,
    pub timeout_ms: Option<u64>,
    pub on_error: OnError,
    pub inputs: Vec<Binding>,
    pub outputs: Vec<Output>,
}

/// A name with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    pub place: Place,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    pub place: Place,
    pub name: String,
    pub value: Template,
}

/// A value that a step leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub place: Place,
    /// Empty where an `output` step only describes what it tells.
    pub name: String,
    pub kind: ValueType,
    pub description: String,
    pub default: Option<Value>,
    pub example: Option<Value>,
    /// What of a round a loop keeps.
    pub value: Option<Template>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retry {
    /// Tries after the first one.
    pub times: u32,
    pub wait_ms: u64,
    /// By how much each wait is longer than the last one.
    pub factor: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    Stop,
    Continue,
    Steps(BlockId),
}

/// Which model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    General,
    Fast,
    Coder,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Input {
        example: Option<Value>,
        description: String,
    },
    Call(Call),
    Branch {
        arms: Vec<Arm>,
        otherwise: Option<BlockId>,
    },
    Loop {
        over: Over,
        /// What a round calls the item or, counted from 0, the round.
        item: Option<String>,
        until: Option<Condition>,
        max_rounds: u64,
        steps: BlockId,
    },
    Parallel {
        branches: Vec<BlockId>,
    },
    Approval {
        message: Template,
    },
    Wait {
        wait: Wait,
    },
    Output,
}

/// What somebody else does.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    Plugin {
        plugin: String,
    },
    Custom {
        function: String,
    },
    Llm {
        prompt: Template,
        system: Option<Template>,
        role: Role,
    },
    Code {
        program: String,
    },
    Tool {
        tool: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    pub condition: Condition,
    pub steps: BlockId,
}

/// What a loop goes over.
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    Each(Template),
    Times(u64),
    /// Until its condition holds.
    Open,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Wait {
    /// Milliseconds.
    For(u64),
    /// A time, as the performer's clock reads it.
    Until(Template),
}

/// The types of steps as files write them.
pub const STEP_TYPES: [&str; 12] = [
    "input", "plugin", "custom", "llm", "code", "tool", "branch", "loop", "parallel", "approval", "wait",
    "output",
];

impl Action {
    /// The type as files write it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Input { .. } => "input",
            Self::Call(Call::Plugin { .. }) => "plugin",
            Self::Call(Call::Custom { .. }) => "custom",
            Self::Call(Call::Llm { .. }) => "llm",
            Self::Call(Call::Code { .. }) => "code",
            Self::Call(Call::Tool { .. }) => "tool",
            Self::Branch { .. } => "branch",
            Self::Loop { .. } => "loop",
            Self::Parallel { .. } => "parallel",
            Self::Approval { .. } => "approval",
            Self::Wait { .. } => "wait",
            Self::Output => "output",
        }
    }

    /// The blocks that stand within it.
    #[must_use]
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Self::Branch { arms, otherwise } => arms.iter().map(|arm| arm.steps).chain(*otherwise).collect(),
            Self::Loop { steps, .. } => vec![*steps],
            Self::Parallel { branches } => branches.clone(),
            Self::Input { .. } | Self::Call(_) | Self::Approval { .. } | Self::Wait { .. } | Self::Output => {
                Vec::new()
            }
        }
    }
}

impl Workflow {
    /// The block of that number.
    #[must_use]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    #[must_use]
    pub fn root(&self) -> &Block {
        &self.blocks[0]
    }

    /// Every step, in the order of the file's blocks.
    pub fn steps(&self) -> impl Iterator<Item = &StepDefinition> {
        self.blocks.iter().flat_map(|block| &block.steps)
    }
}

impl StepDefinition {
    /// References of the step's own keys, without those of steps within it.
    #[must_use]
    pub fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        if let Some(condition) = &self.condition {
            found.extend(&condition.references);
        }
        self.inputs
            .iter()
            .for_each(|input| input.value.references(&mut found));
        match &self.action {
            Action::Call(Call::Llm {
                prompt,
                system,
                role: _,
            }) => {
                prompt.references(&mut found);
                system.iter().for_each(|system| system.references(&mut found));
            }
            Action::Branch { arms, .. } => {
                found.extend(arms.iter().flat_map(|arm| &arm.condition.references));
            }
            Action::Loop {
                over: Over::Each(each),
                ..
            } => each.references(&mut found),
            Action::Approval { message } => message.references(&mut found),
            Action::Wait {
                wait: Wait::Until(until),
            } => until.references(&mut found),
            Action::Input { .. }
            | Action::Call(
                Call::Plugin { .. } | Call::Custom { .. } | Call::Code { .. } | Call::Tool { .. },
            )
            | Action::Loop {
                over: Over::Times(_) | Over::Open,
                ..
            }
            | Action::Parallel { .. }
            | Action::Wait { wait: Wait::For(_) }
            | Action::Output => {}
        }
        found
    }

    /// Whether asking a second time does no harm: a model's answer changes nothing.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        matches!(self.action, Action::Call(Call::Llm { .. }))
    }
}
