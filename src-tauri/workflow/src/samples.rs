//! What comes with the program: the published schema, and workflows to begin with.

/// The schema of workflow files, for editors and other programs.
pub const SCHEMA: &str = include_str!("../../../assets/workflows/schema.json");

/// Workflows by their file's name.
pub const SAMPLES: [(&str, &str); 4] = [
    (
        "menu-recommendation",
        include_str!("../../../assets/workflows/menu-recommendation.yaml"),
    ),
    (
        "customer-marketing",
        include_str!("../../../assets/workflows/customer-marketing.yaml"),
    ),
    (
        "variable-extraction",
        include_str!("../../../assets/workflows/variable-extraction.yaml"),
    ),
    (
        "refund-approval",
        include_str!("../../../assets/workflows/refund-approval.yaml"),
    ),
];

/// Functions of these workflows, in Python, by the workflow's name.
pub const FUNCTIONS: [(&str, &str); 1] = [(
    "menu-recommendation",
    include_str!("../../../assets/workflows/menu-recommendation.py"),
)];
