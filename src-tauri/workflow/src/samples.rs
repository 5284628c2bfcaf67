//! What comes with the program: the published schema, and workflows to begin with, in each language.

use shidi_locales::Language;

/// The schema of workflow files, for editors and other programs.
pub const SCHEMA: &str = include_str!("../../../assets/workflows/schema.json");

/// A workflow's file: its name, and its text.
pub type Sample = (&'static str, &'static str);

/// Workflows by their file's name.
pub const SAMPLES: [Sample; 4] = [
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

/// The same steps in the words of another language, by its code.
pub const TRANSLATED: [(&str, [Sample; 4]); 1] = [(
    "zh",
    [
        (
            "menu-recommendation",
            include_str!("../../../assets/workflows/zh/menu-recommendation.yaml"),
        ),
        (
            "customer-marketing",
            include_str!("../../../assets/workflows/zh/customer-marketing.yaml"),
        ),
        (
            "variable-extraction",
            include_str!("../../../assets/workflows/zh/variable-extraction.yaml"),
        ),
        (
            "refund-approval",
            include_str!("../../../assets/workflows/zh/refund-approval.yaml"),
        ),
    ],
)];

/// Functions of these workflows, in Python, by the workflow's name.
pub const FUNCTIONS: [(&str, &str); 1] = [(
    "menu-recommendation",
    include_str!("../../../assets/workflows/menu-recommendation.py"),
)];

/// The article's own name for a question to a knowledge base, which is a tool of the program itself.
pub const KNOWLEDGE_QUERY: &str = "plugin_ai_knowledge_base_query";

/// Plugins that come along, with the tools that workflows name of them without the plugin's own name.
const TOOLS_OF_PLUGINS: [(&str, [&str; 3]); 1] = [(
    "customer-care",
    [
        "plugin_user_info_by_tag_get",
        "plugin_marketing_article_generate",
        "plugin_sms_send",
    ],
)];

/// The plugin that comes along and has a tool of that name once its user installs it.
#[must_use]
pub fn plugin_with(tool: &str) -> Option<&'static str> {
    let mut plugins = TOOLS_OF_PLUGINS.iter();
    let found = plugins.find(|(_, tools)| tools.contains(&tool));
    found.map(|(plugin, _)| *plugin)
}

/// The workflows in a person's language, or as they were written first.
#[must_use]
pub fn samples(language: Language) -> [Sample; 4] {
    let translated = TRANSLATED.iter().find(|(code, _)| *code == language.code());
    translated.map_or(SAMPLES, |(_, samples)| *samples)
}
