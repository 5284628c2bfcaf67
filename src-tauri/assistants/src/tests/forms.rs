//! A file of each form that an import reads, with fields that are not ours, for the tests that hold for all of them.

use crate::import::Format;
use serde_json::{Value, json};

/// A file of one form.
pub struct Form {
    pub format: Format,
    /// What the file is called.
    pub file: &'static str,
    pub text: &'static str,
    /// Fields that nothing here stands for, as they are kept; of our own form keys that it has no meaning for.
    pub others: Value,
}

/// One file of each.
pub fn all() -> [Form; 7] {
    let form = |format, (file, text), others| Form {
        format,
        file,
        text,
        others,
    };
    [
        form(
            Format::Cherry,
            ("agents.json", CHERRY),
            json!({"group": ["Art"], "contextCount": 5}),
        ),
        form(
            Format::OpenWebui,
            ("models.json", OPEN_WEBUI),
            json!({"base_model_id": "gpt-x", "num_ctx": 4096, "capabilities": {"vision": true}}),
        ),
        form(
            Format::AgentMarkdown,
            ("code-helper.md", AGENT_MARKDOWN),
            json!({"model": "sonnet", "color": "red"}),
        ),
        form(
            Format::OpencodeAgent,
            ("code-review.md", OPENCODE_AGENT),
            json!({"mode": "subagent", "steps": 5, "tools": {"write": false, "mymcp_*": false}}),
        ),
        form(
            Format::CharacterCard,
            ("ada.json", CHARACTER_CARD),
            json!({"spec": "chara_card_v3", "tags": ["math"], "extensions": {"depth": 4}, "character_book": {"entries": [1]}}),
        ),
        form(
            Format::Goose,
            ("recipe.yaml", GOOSE),
            json!({"goose_model": "m", "extensions": [{"name": "x"}]}),
        ),
        form(
            Format::Shidi,
            ("cook.yaml", SHIDI),
            json!({"x-mine": {"deep": [1, 2]}}),
        ),
    ]
}

const CHERRY: &str = r#"[
  {
    "id": "7",
    "name": "Poet",
    "emoji": "🖋",
    "group": ["Art"],
    "description": "Writes odes",
    "prompt": "Write in {{language}}.",
    "settings": {"temperature": 0.4, "enableTemperature": true, "contextCount": 5},
    "regularPhrases": [{"title": "Ode", "content": "An ode to spring"}]
  }
]
"#;
const OPEN_WEBUI: &str = r#"[
  {
    "id": "legal",
    "name": "Legal help",
    "base_model_id": "gpt-x",
    "params": {"system": "You know the law.", "temperature": 0.2, "seed": 4, "num_ctx": 4096},
    "meta": {
      "description": "Law",
      "suggestion_prompts": [{"content": "May I?"}],
      "capabilities": {"vision": true}
    }
  }
]
"#;
const AGENT_MARKDOWN: &str = "---
name: code-helper
description: Helps with code
tools: Read, Grep
temperature: 0.3
model: sonnet
color: red
---

You help with code.
";
const OPENCODE_AGENT: &str = "---
description: Reviews code
mode: subagent
temperature: 0.1
tools:
  write: false
  mymcp_*: false
steps: 5
---

Only look.
";
const CHARACTER_CARD: &str = r#"{
  "spec": "chara_card_v3",
  "spec_version": "3.0",
  "data": {
    "name": "Ada",
    "description": "{{char}} counts.",
    "personality": "precise",
    "first_mes": "Hello, {{user}}!",
    "alternate_greetings": ["Good day."],
    "character_book": {"entries": [1]},
    "extensions": {"depth": 4},
    "tags": ["math"]
  }
}
"#;
const GOOSE: &str = "version: 1.0.0
title: Weekly report
description: Tells of the week
instructions: Write it.
prompt: For this week
settings:
  goose_model: m
  temperature: 0.5
extensions:
  - name: x
";
const SHIDI: &str = "version: '1'
name: cook
title: {en: Cook, zh: 厨师}
suggestions:
  - What is for dinner?
prompt: |-
  You only speak of soup.
  Be brief.
models: {fast: m}
sampling:
  temperature: 0.9
  fast:
    seed: 7
knowledge: []
toolkits: [memory.search]
memory: alone
permissions:
  mode: ask
  deny: [shell.*]
x-mine: {deep: [1, 2]}
";
