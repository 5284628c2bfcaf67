//! The settings as the program reads them, each with its type. A setting that is not here does not exist: reading it
//! does not compile.
//!
//! A row of `known.rs` holds a setting's values, its built-in value and its words. A test holds the rows and the
//! settings to each other.

mod value;

use shidi_models::Proxy;
use shidi_protocol::Mode;
pub use value::{
    ActionFormat, Address, Amount, Ball, FirstRun, Freedom, Hours, Keys, Learn, List, Paths, SearchProvider,
    Seed, Sensing, Share, Spoken, Theme,
};
use value::{Value, settings};

settings! {
    /// How Shidi stands on the desktop.
    Desktop as desktop, named "";
    first_run: FirstRun;
    ball: Ball;
    language: Spoken;
    theme: Theme;
    hotkey: Keys;
    hotkey_screen: Keys;
    hotkey_pause: Keys;
    hotkey_assistants: Keys;
    hotkey_selection: Keys;
    autostart: bool;
    quiet_hours: Hours;
    selection_bar: bool;
    selection_bar_apps: List;
}

settings! {
    /// The model that thinks and writes code.
    Main as main, named "";
    provider: String;
    model: String;
    model_url: String;
}

settings! {
    /// The model file on this computer, and the program that serves it.
    LocalModel as local_model, named "local_model.";
    file: String;
    program: String;
    folder: String;
    mirror: String;
    idle_minutes: u32;
    context: u32;
    threads: u32;
}

settings! {
    /// Models for one role each.
    Role as role, named "role.";
    fast: String;
    coder: String;
    general: String;
    vision: String;
    embedding: String;
}

settings! {
    /// How models are reached and what they write.
    Reach as reach, named "";
    fallback: String;
    proxy: Proxy;
    format: ActionFormat;
}

settings! {
    /// What a task may do, and how much of it.
    Task as task, named "";
    mode: Mode;
    folders: Paths;
    max_rounds: u32;
    check_answers: bool;
    compose_prompts: bool;
    outline_history: bool;
    task_tokens: u32;
    task_usd: Amount;
    task_minutes: u32;
    context_window: u32;
}

settings! {
    /// What a day may take, how long a model is waited for, and how long traces are kept.
    Upkeep as upkeep, named "";
    budget_tokens: u32;
    budget_usd: Amount;
    idle_timeout_s: u32;
    trace_days: u32;
}

settings! {
    /// Who is asked to search the web.
    Search as search, named "search.";
    provider: SearchProvider;
    url: Address;
}

settings! {
    /// Where steps of traces are sent besides.
    Otlp as otlp, named "otlp.";
    endpoint: Address;
    content: bool;
}

settings! {
    /// What of the screen and of pages is looked at.
    Privacy as privacy, named "privacy.";
    sensing: Sensing;
    apps: List;
    titles: List;
    sites: List;
    window: bool;
    page: bool;
    selection: bool;
    accessibility: bool;
    ocr: bool;
    clipboard: bool;
    suggest: bool;
}

settings! {
    /// What other programs may use Shidi for.
    Mcp as mcp, named "mcp.";
    serve: bool;
}

settings! {
    /// What runs teach.
    Experience as experience, named "experience.";
    collect: bool;
    used "use": bool;
    votes: u32;
    votes_suffice: bool;
    stale_days: u32;
}

settings! {
    /// What goes along with questions, what is learned from tasks, and how much is kept.
    Memory as memory, named "memory.";
    recall: bool;
    learn: Learn;
    short_term_max: u32;
    long_term_max: u32;
    size_max_mb: u32;
}

settings! {
    /// What of knowledge bases goes along with questions.
    Knowledge as knowledge, named "knowledge.";
    recall: bool;
}

settings! {
    /// How freely models choose their words.
    Sampling as temperature, named "temperature.";
    coder: Freedom;
    general: Freedom;
    fast: Freedom;
}

settings! {
    /// The share of the likeliest words that models choose from.
    TopP as top_p, named "top_p.";
    coder: Share;
    general: Share;
    fast: Share;
}

settings! {
    /// The same seed asks for the same choice of words.
    Seeds as seed, named "seed.";
    coder: Seed;
    general: Seed;
    fast: Seed;
}

settings! {
    /// How much words lose that stand there already.
    Presence as presence_penalty, named "presence_penalty.";
    coder: Share;
    general: Share;
    fast: Share;
}

settings! {
    /// How much words lose each time they stand there.
    Frequency as frequency_penalty, named "frequency_penalty.";
    coder: Share;
    general: Share;
    fast: Share;
}

/// All settings with their values; where none is set, the built-in one.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub desktop: Desktop,
    pub main: Main,
    pub local_model: LocalModel,
    pub role: Role,
    pub reach: Reach,
    pub task: Task,
    pub upkeep: Upkeep,
    pub search: Search,
    pub otlp: Otlp,
    pub privacy: Privacy,
    pub mcp: Mcp,
    pub experience: Experience,
    pub memory: Memory,
    pub knowledge: Knowledge,
    pub temperature: Sampling,
    pub top_p: TopP,
    pub seed: Seeds,
    pub presence_penalty: Presence,
    pub frequency_penalty: Frequency,
}

impl Settings {
    /// Reads each value from the text of its key, which was checked before.
    pub(super) fn read<'a>(text: impl Fn(&str) -> &'a str) -> Self {
        Self {
            desktop: Desktop::read(&text),
            main: Main::read(&text),
            local_model: LocalModel::read(&text),
            role: Role::read(&text),
            reach: Reach::read(&text),
            task: Task::read(&text),
            upkeep: Upkeep::read(&text),
            search: Search::read(&text),
            otlp: Otlp::read(&text),
            privacy: Privacy::read(&text),
            mcp: Mcp::read(&text),
            experience: Experience::read(&text),
            memory: Memory::read(&text),
            knowledge: Knowledge::read(&text),
            temperature: Sampling::read(&text),
            top_p: TopP::read(&text),
            seed: Seeds::read(&text),
            presence_penalty: Presence::read(&text),
            frequency_penalty: Frequency::read(&text),
        }
    }
}

#[cfg(test)]
mod tests;
