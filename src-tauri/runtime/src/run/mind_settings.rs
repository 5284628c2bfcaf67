//! What the mind of a run is told beside its question: bounds, permissions, tools and surroundings. They come from the
//! settings, the question and its assistant.

use crate::assistants::USUAL;
use crate::clock;
use crate::config::Config;
use crate::config::settings::ActionFormat;
use crate::features::Features;
use crate::limits::WINDOW_TOKENS_DEFAULT;
use crate::permission_rules;
use crate::prompt_overrides;
use crate::rule_requests;
use crate::space::Space;
use shidi_agent::Settings;
use shidi_agent::formats::Format;
use shidi_agent::permissions::Grants;
use shidi_models::Model;
use shidi_protocol::{Ask, RunId, UserError};
use std::path::PathBuf;

/// The line of a prompt where no folder is granted.
const NO_FOLDER: &str = "none (writing files and shell commands need one that the user grants)";

/// The settings of a run.
///
/// # Errors
/// A pattern of the question that is none, a prompt of the user's that can't be read, storage trouble.
pub(super) fn settings(
    features: &Features,
    ask: &Ask,
    config: &Config,
    model: &dyn Model,
    folders: &[PathBuf],
) -> Result<Settings, UserError> {
    let rules = features.stored(permission_rules::rules(features, folders))?;
    let approved = ask.approve.iter().map(|text| {
        let pattern = rule_requests::pattern_of(features, text);
        pattern.map(|pattern| permission_rules::beforehand(pattern, folders))
    });
    let profile = model.profile();
    let format = match config.reach.format {
        _ if model.is_offline() => "fenced",
        ActionFormat::Auto => profile.format.map_or("fenced", shidi_models::BestFormat::name),
        named => named.name(),
    };
    let window_tokens = match config.task.context_window {
        0 => profile.window.unwrap_or(WINDOW_TOKENS_DEFAULT),
        tokens => tokens,
    };
    let grants = Grants {
        mode: ask.mode.unwrap_or(config.task.mode),
        rules,
        approved: approved.collect::<Result<_, _>>()?,
        own_list: ask.own_list,
    };
    Ok(Settings {
        format: Format::from_name(format).unwrap_or_default(),
        rounds_max: ask.max_rounds.unwrap_or(config.task.max_rounds),
        tokens_max: ask.max_tokens.or_else(|| bound(config.task.task_tokens)),
        usd_max: ask.max_usd.or(config.task.task_usd.0),
        time_max_ms: bound(config.task.task_minutes).map(|minutes| u64::from(minutes) * 60_000),
        window_tokens,
        is_small: profile.small.unwrap_or(false),
        grants: features.assistants.narrowed(ask, grants),
        persona: features.assistants.persona(ask),
        toolkits: features.toolkits_of(ask, folders),
        skills: features.skills.offered(folders, ask.assistant.as_deref()),
        assistant: ask.assistant.clone().unwrap_or_else(|| USUAL.to_owned()),
        under: works_for(ask),
        program: ask.program.as_ref().map(|given| given.source.clone()),
        is_replay: ask.replay.is_some(),
        models: match ask.program {
            Some(_) => Vec::new(),
            None => vec![model.name().to_owned()],
        },
        offline: model.is_offline(),
        has_fast_model: !config.role.fast.is_empty(),
        has_general_model: !config.role.general.is_empty(),
        checks_answers: config.task.check_answers,
        outlines_history: config.task.outline_history,
        measured: shidi_trace::counts_for(features, config, ask.assistant.as_deref().unwrap_or(USUAL)),
        own_modules: prompt_overrides::read(
            features.home.folder(),
            ask.assistant.as_deref(),
            features.language(),
        )?,
        environment: environment(features, folders),
    })
}

/// What the prompt tells of the surroundings.
fn environment(space: &Space, folders: &[PathBuf]) -> Vec<(String, String)> {
    let shown: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    let granted = match shown.is_empty() {
        true => NO_FOLDER.to_owned(),
        false => shown.join(", "),
    };
    [
        ("system".to_owned(), std::env::consts::OS.to_owned()),
        ("timezone".to_owned(), clock::timezone()),
        ("granted folders".to_owned(), granted),
    ]
    .into_iter()
    .chain(space.told_of_incognito())
    .collect()
}

/// The run whose sub-agent or step it is: its words are not the user's own.
fn works_for(ask: &Ask) -> Option<RunId> {
    let under = ask.under.as_ref().map(|under| &under.run);
    under.or(ask.task.as_ref().map(|task| &task.run)).cloned()
}

/// A bound of the configuration, where 0 sets none.
fn bound(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}
