//! The providers that Shidi knows by name: address, whether a key is needed, and the default model.
//!
//! A table, not a limit: any OpenAI-compatible address works without a preset.

/// The wire format of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireFormat {
    OpenAiChat,
    AnthropicMessages,
    GeminiGenerate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    Needed,
    /// A server on the user's own machine.
    NotNeeded,
    /// An address that the user typed: a kept key is used when there is one.
    IfKept,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name in `--provider` and `shidi key set`.
    pub name: &'static str,
    /// The name as its makers write it.
    pub title: &'static str,
    pub base_url: &'static str,
    pub key: KeyNeed,
    /// The page where the provider gives out keys.
    pub key_page: Option<&'static str>,
    /// The default model; `None` means the first that the server lists.
    pub default_model: Option<&'static str>,
    pub wire: WireFormat,
    /// The path that tests a key, where the list of models needs none, as at OpenRouter.
    pub test_path: Option<&'static str>,
}

const fn hosted(
    name: &'static str,
    title: &'static str,
    base_url: &'static str,
    key_page: &'static str,
    model: &'static str,
) -> Preset {
    Preset {
        name,
        title,
        base_url,
        key: KeyNeed::Needed,
        key_page: Some(key_page),
        default_model: Some(model),
        wire: WireFormat::OpenAiChat,
        test_path: None,
    }
}

const fn local(name: &'static str, title: &'static str, base_url: &'static str) -> Preset {
    Preset {
        name,
        title,
        base_url,
        key: KeyNeed::NotNeeded,
        key_page: None,
        default_model: None,
        wire: WireFormat::OpenAiChat,
        test_path: None,
    }
}

/// The provider of an address that has no preset.
pub(crate) const CUSTOM: Preset = Preset {
    key: KeyNeed::IfKept,
    ..local("custom", "OpenAI-compatible server", "")
};

const PRESETS: &[Preset] = &[
    hosted(
        "dashscope",
        "DashScope (Qwen)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "https://bailian.console.aliyun.com/?tab=model#/api-key",
        "qwen-plus",
    ),
    hosted(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com",
        "https://platform.deepseek.com/api_keys",
        "deepseek-flash",
    ),
    hosted(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "https://platform.openai.com/api-keys",
        "gpt-5.4-mini",
    ),
    Preset {
        wire: WireFormat::AnthropicMessages,
        ..hosted(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            "https://platform.claude.com/settings/keys",
            "claude-sonnet-5-5",
        )
    },
    Preset {
        wire: WireFormat::GeminiGenerate,
        ..hosted(
            "gemini",
            "Google Gemini",
            "https://generativelanguage.googleapis.com",
            "https://aistudio.google.com/apikey",
            "gemini-flash-latest",
        )
    },
    Preset {
        test_path: Some("/key"),
        ..hosted(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            "https://openrouter.ai/settings/keys",
            "openrouter/auto",
        )
    },
    hosted(
        "moonshot",
        "Moonshot (Kimi)",
        "https://api.moonshot.cn/v1",
        "https://platform.moonshot.cn/console/api-keys",
        "kimi-k2.6",
    ),
    hosted(
        "mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        "https://console.mistral.ai/api-keys",
        "mistral-medium-latest",
    ),
    hosted(
        "zhipu",
        "Zhipu (GLM)",
        "https://open.bigmodel.cn/api/paas/v4",
        "https://open.bigmodel.cn/usercenter/apikeys",
        "glm-5",
    ),
    hosted(
        "siliconflow",
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
        "https://cloud.siliconflow.cn/account/ak",
        "deepseek-ai/DeepSeek-V3.2",
    ),
    local("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    local("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    local("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
    local("llamacpp", "llama.cpp server", "http://127.0.0.1:8080/v1"),
    FILE,
];

/// A model file of the user's own, for which this program starts a server. Such a file has no address of
/// its own.
pub(crate) const FILE: Preset = local("file", "GGUF", "");

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
