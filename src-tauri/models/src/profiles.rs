//! A model's abilities, by the family of its name: from `profiles.toml` and the user's own rows before it.
//!
//! An ability that no row names stays unknown: the model is then tried, not denied.

use crate::completions::FimWay;
use crate::sampling::Temperature;
use serde::Deserialize;

/// The format in which a model writes programs best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BestFormat {
    Fenced,
    Tool,
    Json,
    Relay,
    Fim,
}

impl BestFormat {
    /// The format's name in the setting `format`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fenced => "fenced",
            Self::Tool => "tool",
            Self::Json => "json",
            Self::Relay => "relay",
            Self::Fim => "fim",
        }
    }
}

/// The known facts of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Profile {
    pub vision: Option<bool>,
    pub tools: Option<bool>,
    /// In tokens.
    pub window: Option<u32>,
    pub format: Option<BestFormat>,
    /// The way in which the model fills a hole in a text, when it was trained to.
    pub fim: Option<FimWay>,
    /// The model's temperature, or that the model takes none.
    pub temperature: Option<Temperature>,
    /// Whether the model has so few parameters that a short prompt serves it better.
    pub small: Option<bool>,
}

/// Billions of parameters up to which a model counts as small. One of 1.5 was measured (`docs/decisions/evaluation.md`).
const SMALL_BILLIONS_MAX: f64 = 4.0;

/// Rows in the order in which they are asked.
#[derive(Debug, Clone, Default)]
pub struct Profiles {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    vision: Option<bool>,
    tools: Option<bool>,
    window: Option<u32>,
    format: Option<BestFormat>,
    fim: Option<FimWay>,
    temperature: Option<Temperature>,
    small: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Table {
    model: Vec<Row>,
}

impl Profiles {
    /// The built-in rows.
    #[must_use]
    pub fn built_in() -> Self {
        let rows = read(include_str!("profiles.toml")).unwrap_or_else(|(_, problem)| {
            tracing::error!("the table of models is broken: {problem}");
            Vec::new()
        });
        Self { rows }
    }

    /// The built-in rows with the user's before them.
    ///
    /// # Errors
    /// The line and its fault.
    pub fn with(text: &str) -> Result<Self, (usize, String)> {
        let mut rows = read(text)?;
        rows.extend(Self::built_in().rows);
        Ok(Self { rows })
    }

    /// The facts known of a provider's model.
    #[must_use]
    pub fn profile(&self, provider: &str, model: &str) -> Profile {
        let model = model.to_lowercase();
        let bare = model.rsplit('/').next().unwrap_or(&model);
        let full = format!("{provider}:{bare}");
        let mut profile = Profile::default();
        for row in &self.rows {
            if fits(&row.name, bare) || fits(&row.name, &full) {
                profile.vision = profile.vision.or(row.vision);
                profile.tools = profile.tools.or(row.tools);
                profile.window = profile.window.or(row.window);
                profile.format = profile.format.or(row.format);
                profile.fim = profile.fim.or(row.fim);
                profile.temperature = profile.temperature.or(row.temperature);
                profile.small = profile.small.or(row.small);
            }
        }
        let is_small = || billions(bare).map(|size| size <= SMALL_BILLIONS_MAX);
        profile.small = profile.small.or_else(is_small);
        profile
    }
}

/// The billions of parameters that a model's name tells: 1.5 of `qwen2.5-coder-1.5b-instruct`. Of several (`30b-a3b`) the
/// largest: the others are parts that work at a time.
fn billions(name: &str) -> Option<f64> {
    let words = name.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.'));
    words
        .filter_map(|word| word.strip_suffix('b')?.parse().ok())
        .reduce(f64::max)
}

fn read(text: &str) -> Result<Vec<Row>, (usize, String)> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        (
            text[..start].matches('\n').count() + 1,
            error.message().replace('\n', " "),
        )
    })?;
    let lower = |row: Row| Row {
        name: row.name.to_lowercase(),
        ..row
    };
    Ok(table.model.into_iter().map(lower).collect())
}

/// Whether `name` has the form `pattern`, in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(head) else {
        return false;
    };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return name.ends_with(piece);
        }
        let Some(at) = name.find(piece) else { return false };
        name = &name[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_known_by_name_whoever_serves_them() {
        let profiles = Profiles::built_in();
        assert!(profiles.rows.len() > 20);
        let claude = profiles.profile("anthropic", "claude-opus-5-5");
        assert_eq!(
            (claude.vision, claude.window, claude.format),
            (Some(true), Some(1_000_000), Some(BestFormat::Tool))
        );
        assert_eq!(
            profiles.profile("anthropic", "claude-haiku-4-5-20251001").window,
            Some(200_000)
        );
        let deepseek = profiles.profile("siliconflow", "deepseek-ai/DeepSeek-V3.2");
        assert_eq!((deepseek.vision, deepseek.window), (Some(false), Some(131_072)));
        assert_eq!(
            profiles.profile("openrouter", "anthropic/claude-sonnet-5").vision,
            Some(true)
        );
        assert_eq!(profiles.profile("ollama", "qwen3:8b").window, Some(8_192));
        assert_eq!(profiles.profile("dashscope", "qwen3-vl-plus").vision, Some(true));
        assert_eq!(profiles.profile("custom", "scripted"), Profile::default());
    }

    #[test]
    fn small_models_for_code_have_a_smaller_window_than_large_ones() {
        let profiles = Profiles::built_in();
        for (name, window) in [
            ("Qwen/Qwen2.5-Coder-0.5B-Instruct", 32_768),
            ("qwen2.5-coder:1.5b", 32_768),
            ("qwen2.5-coder-3b-instruct", 32_768),
            ("qwen2.5-coder:3b-base", 32_768),
            ("qwen2.5-coder-7b-instruct", 131_072),
            ("Qwen2.5-Coder-32B-Instruct", 131_072),
            ("qwen2.5-coder:32b", 131_072),
            ("qwen3-coder-30b-a3b-instruct", 131_072),
        ] {
            let profile = profiles.profile("custom", name);
            assert_eq!(
                (profile.window, profile.tools),
                (Some(window), Some(true)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_model_is_small_whose_name_tells_few_parameters_unless_a_row_says_otherwise() {
        let profiles = Profiles::built_in();
        for (name, small) in [
            ("qwen2.5-coder:1.5b", Some(true)),
            ("Qwen/Qwen2.5-Coder-0.5B-Instruct", Some(true)),
            ("/models/qwen2.5-coder-1.5b-instruct-q4.gguf", Some(true)),
            ("llama-3.2-3b-instruct", Some(true)),
            ("qwen3:8b", Some(false)),
            ("qwen3-coder-30b-a3b-instruct", Some(false)),
            ("qwen2.5-coder:32b", Some(false)),
            ("claude-opus-5-5", None),
            ("b", None),
            ("gpt-4.1", None),
        ] {
            assert_eq!(profiles.profile("custom", name).small, small, "{name}");
        }
        let own = "[[model]]\nname = \"qwen3:*\"\nsmall = true\n";
        let own = Profiles::with(own).expect("the rows are sound");
        assert_eq!(own.profile("ollama", "qwen3:8b").small, Some(true));
    }

    #[test]
    fn the_users_rows_come_first_and_leave_the_rest_as_it_is() {
        let own = "[[model]]\nname = \"Ollama:Qwen3*\"\nwindow = 32768\n";
        let profile = Profiles::with(own)
            .expect("a table")
            .profile("ollama", "qwen3:8b");
        assert_eq!((profile.window, profile.tools), (Some(32_768), Some(true)));
        let (line, problem) =
            Profiles::with("[[model]]\nname = \"a\"\nformat = \"yaml\"\n").expect_err("a problem");
        assert_eq!(line, 3, "{problem}");
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name) in [
            ("a*", "a"),
            ("a*", "abc"),
            ("*", ""),
            ("a*c", "abc"),
            ("a*b*c", "a-b-c"),
            ("a", "a"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("a", "ab"),
            ("a*c", "ab"),
            ("a*b*c", "ac"),
            ("b*", "ab"),
            ("a*a", "a"),
        ] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
