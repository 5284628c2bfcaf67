//! The keys of files; the published schema has the same ones.

/// Keys of a workflow.
pub const HEAD: [&str; 7] = [
    "version",
    "name",
    "description",
    "inputs",
    "parameters",
    "permissions",
    "steps",
];

/// Keys of a parameter.
pub const PARAMETER: [&str; 5] = ["name", "type", "description", "default", "example"];

/// Keys of an output.
pub const OUTPUT: [&str; 6] = ["name", "type", "description", "default", "example", "value"];

/// Keys of what an `input` step asks for.
pub const ASKED: [&str; 2] = ["description", "example"];

/// Keys of every step.
pub const COMMON: [&str; 12] = [
    "id",
    "type",
    "description",
    "if",
    "needs",
    "input",
    "inputs",
    "output",
    "outputs",
    "retry",
    "timeout",
    "on_error",
];

/// Keys of the steps of each type.
pub const ACTION_KEYS: [(&str, &[&str]); 12] = [
    ("input", &[]),
    ("plugin", &["plugin"]),
    ("custom", &["function"]),
    ("llm", &["prompt", "system", "model"]),
    ("code", &["code"]),
    ("tool", &["tool"]),
    ("branch", &["then", "else", "cases"]),
    ("loop", &["each", "as", "times", "until", "max_rounds", "steps"]),
    ("parallel", &["branches"]),
    ("approval", &["message"]),
    ("wait", &["for", "until"]),
    ("output", &[]),
];

/// Keys of an arm of a branch.
pub const ARM: [&str; 2] = ["if", "steps"];

/// Keys of `retry`.
pub const RETRY: [&str; 3] = ["times", "wait", "factor"];
