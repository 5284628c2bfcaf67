//! The providers that Shidi knows by name: address, whether a key is needed, which model when none is named.
//!
//! A table, not a limit: any OpenAI-compatible address works without a preset.

/// How a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireFormat {
    OpenAiChat,
    /// Known, but not built yet.
    Unsupported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    Needed,
    /// A server on the user's own machine.
    NotNeeded,
    /// An address that the user typed: its key is used when there is one.
    IfKept,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// As written in `--provider` and `shidi key set`.
    pub name: &'static str,
    /// As its makers write it.
    pub title: &'static str,
    pub base_url: &'static str,
    pub key: KeyNeed,
    /// `None`: the first model that the server lists.
    pub default_model: Option<&'static str>,
    pub wire: WireFormat,
    /// What is asked for to test a key; at OpenRouter the list of models needs none.
    pub test_path: &'static str,
}

const fn hosted(
    name: &'static str,
    title: &'static str,
    base_url: &'static str,
    model: &'static str,
) -> Preset {
    Preset {
        name,
        title,
        base_url,
        key: KeyNeed::Needed,
        default_model: Some(model),
        wire: WireFormat::OpenAiChat,
        test_path: "/models",
    }
}

const fn local(name: &'static str, title: &'static str, base_url: &'static str) -> Preset {
    Preset {
        name,
        title,
        base_url,
        key: KeyNeed::NotNeeded,
        default_model: None,
        wire: WireFormat::OpenAiChat,
        test_path: "/models",
    }
}

/// The provider of an address that has no preset.
pub(crate) const CUSTOM: Preset = Preset {
    key: KeyNeed::IfKept,
    ..local("custom", "OpenAI-compatible server", "")
};

const PRESETS: &[Preset] = &[
    hosted("openai", "OpenAI", "https://api.openai.com/v1", "gpt-5.4-mini"),
    hosted(
        "dashscope",
        "DashScope (Qwen)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "qwen-plus",
    ),
    hosted(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com",
        "deepseek-flash",
    ),
    Preset {
        test_path: "/key",
        ..hosted(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            "openrouter/auto",
        )
    },
    hosted(
        "moonshot",
        "Moonshot (Kimi)",
        "https://api.moonshot.cn/v1",
        "kimi-k2.6",
    ),
    hosted(
        "zhipu",
        "Zhipu (GLM)",
        "https://open.bigmodel.cn/api/paas/v4",
        "glm-5",
    ),
    hosted(
        "siliconflow",
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
        "deepseek-ai/DeepSeek-V3.2",
    ),
    local("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    local("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    local("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
    local("llamacpp", "llama.cpp server", "http://127.0.0.1:8080/v1"),
    Preset {
        wire: WireFormat::Unsupported,
        ..hosted("anthropic", "Anthropic", "https://api.anthropic.com", "")
    },
    Preset {
        wire: WireFormat::Unsupported,
        ..hosted(
            "gemini",
            "Google Gemini",
            "https://generativelanguage.googleapis.com",
            "",
        )
    },
];

/// All providers known by name, in the order in which they are offered.
#[must_use]
pub fn presets() -> &'static [Preset] {
    PRESETS
}

/// The provider of that name; names are compared without regard to case.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS
        .iter()
        .find(|preset| preset.name.eq_ignore_ascii_case(name))
}
