//! `shidi plugin`: folders of workflows, prompts, skills and tools; what one holds and may do is shown before it is kept.

use super::review::{self, decided, whole_source};
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::request::plugins;
use shidi_protocol::{
    ErrorCode, ListedPlugin, PluginChange, PluginDetail, PluginStanding, PluginTool, UserError, reply,
};
use shidi_runtime::Connection;

/// Characters of a description in a list: the rest of a line in a terminal of usual width.
const DESCRIPTION_CHARACTERS: usize = 70;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List,
    Show {
        name: String,
    },
    Install {
        source: String,
        #[arg(long)]
        yes: bool,
    },
    Update {
        name: String,
        #[arg(long)]
        yes: bool,
    },
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such plugin or source, one that is refused, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        perform(arguments.action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    match action {
        Action::List => {
            let reply::Plugins { plugins } = connection.ask(plugins::List).await?;
            list(&plugins, console)?;
        }
        Action::Show { name } => {
            shown(&looked_at(name, connection).await?, console)?;
        }
        Action::Install { source, yes } => {
            let source = whole_source(source);
            let reviewed = connection.ask(plugins::Review { source }).await?;
            return keep(reviewed, yes, connection, console).await;
        }
        Action::Update { name, yes } => {
            let reviewed = connection.ask(plugins::Update { name }).await?;
            return keep(reviewed, yes, connection, console).await;
        }
        Action::Remove { name, yes } => {
            if !decided(yes, console.words.remove_plugin(clean(&name)), console)? {
                return Ok(Exit::Done);
            }
            let reply::Plugins { plugins } = connection.ask(plugins::Remove { name }).await?;
            list(&plugins, console)?;
        }
    }
    Ok(Exit::Done)
}

/// A plugin that is kept; else what a source of that name would bring, of which nothing is kept.
async fn looked_at(name: String, connection: &Connection) -> Result<PluginDetail, Failure> {
    let reply::Plugins { plugins } = connection.ask(plugins::List).await?;
    let known = plugins.iter().find(|plugin| plugin.name == name);
    // A plugin that comes along is reviewed by its name, whatever lies in this folder.
    let source = match known {
        Some(known) => (known.standing == PluginStanding::Available).then(|| name.clone()),
        None => review::is_source(&name).then(|| whole_source(name.clone())),
    };
    if let Some(source) = source {
        let reviewed = connection.ask(plugins::Review { source }).await?;
        return Ok(reviewed.plugin);
    }
    let reply::Plugin { plugin } = connection.ask(plugins::Show { name }).await?;
    Ok(plugin)
}

/// Shows what is reviewed whatever was said beforehand, and keeps it when the user says so.
async fn keep(
    reviewed: reply::PluginReview,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let words = console.words;
    if console.is_json() {
        let reply::PluginReview {
            review,
            plugin,
            change,
        } = &reviewed;
        console.json(&json!({"review": review, "change": change, "plugin": plugin}))?;
    } else {
        if let Some(change) = &reviewed.change {
            changed(change, &reviewed.plugin, console)?;
        }
        shown(&reviewed.plugin, console)?;
    }
    if let Some(fault) = reviewed.plugin.faults.first() {
        let refused = UserError::new(ErrorCode::Input, fault.message.clone());
        return Err(refused.hint(fault.hint.clone()).into());
    }
    let name = clean(&reviewed.plugin.plugin.name);
    if !decided(yes, words.install_plugin(name), console)? {
        return Ok(Exit::Done);
    }
    let review = reviewed.review;
    let reply::Plugin { plugin } = connection.ask(plugins::Install { review }).await?;
    line(&plugin.plugin, console)?;
    Ok(Exit::Done)
}

fn list(plugins: &[ListedPlugin], console: &Console) -> Result<(), Failure> {
    for plugin in plugins {
        line(plugin, console)?;
        if let Some(problem) = plugin.problem.as_ref().filter(|_| !console.is_json()) {
            console.line(&format!("    {}", clean(problem)))?;
        }
    }
    console.note_if_empty(plugins);
    Ok(())
}

fn line(plugin: &ListedPlugin, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(plugin);
    }
    let words = console.words;
    let (look, state) = match plugin.standing {
        PluginStanding::Kept => (Look::Good, words.plugin_kept()),
        PluginStanding::Available => (Look::Dim, words.plugin_available()),
        PluginStanding::Changed => (Look::Bad, words.plugin_changed()),
        PluginStanding::Broken => (Look::Bad, words.plugin_broken()),
    };
    let told: String = plugin.description.chars().take(DESCRIPTION_CHARACTERS).collect();
    // A manifest that can't be read has no name.
    let name = match plugin.name.as_str() {
        "" => "–".to_owned(),
        name => clean(name),
    };
    console.line(&format!(
        "{}  {name:<20} {}  {}",
        console.painted(look, state),
        clean(&plugin.version),
        console.painted(Look::Dim, &clean(&told))
    ))?;
    Ok(())
}

/// What would change of the one that is there, what it may do first.
fn changed(change: &PluginChange, plugin: &PluginDetail, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    if change.same {
        return console.line(words.plugin_same());
    }
    for wider in &change.wider {
        let told = words.plugin_wider(clean(wider));
        console.line(&console.painted(Look::Bad, &told))?;
    }
    let (from, to) = (clean(&change.version), clean(&plugin.plugin.version));
    console.line(&words.plugin_version_goes(from, to))?;
    for (heading, names) in [
        (words.plugin_added(), &change.added),
        (words.plugin_removed(), &change.removed),
        (words.plugin_files_change(), &change.changed),
    ] {
        listed(heading, names, console)?;
    }
    Ok(())
}

/// What a plugin holds and may do.
fn shown(detail: &PluginDetail, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(detail);
    }
    let words = console.words;
    line(&detail.plugin, console)?;
    for (name, value) in [
        (words.plugin_came_from(), &detail.plugin.from),
        (words.plugin_author(), &detail.author),
        (words.plugin_homepage(), &detail.homepage),
    ] {
        if let Some(value) = value {
            console.line(&format!("    {name} {}", clean(value)))?;
        }
    }
    for (heading, names) in [
        (words.plugin_workflows(), &detail.workflows),
        (words.plugin_prompts(), &detail.prompts),
        (words.plugin_skills(), &detail.skills),
        (words.plugin_others(), &detail.others),
    ] {
        listed(heading, names, console)?;
    }
    if !detail.tools.is_empty() {
        console.line(&format!("    {} {}", words.plugin_tools(), detail.tools.len()))?;
    }
    for tool in &detail.tools {
        of_tool(tool, console)?;
    }
    match (detail.permissions.is_empty(), detail.tools.is_empty()) {
        (_, true) => {}
        (true, false) => console.line(&format!("    {}", words.plugin_calls_nothing()))?,
        (false, false) => console.line(&format!("    {}", words.plugin_may_call()))?,
    }
    for permission in &detail.permissions {
        console.line(&format!("        {}", permitted(permission, console)))?;
    }
    for permission in &detail.of_workflows {
        let told = words.plugin_workflow_may(clean(permission));
        console.line(&format!("    {}", console.painted(Look::Strong, &told)))?;
    }
    review::findings(&detail.findings, console)?;
    for fault in &detail.faults {
        let told = format!("    {}", clean(&fault.message));
        console.line(&console.painted(Look::Bad, &told))?;
        console.line(&format!("        {}", clean(&fault.hint)))?;
    }
    Ok(())
}

fn of_tool(tool: &PluginTool, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let inputs: Vec<String> = tool
        .inputs
        .iter()
        .map(|input| format!("{}: {}", clean(&input.name), input.kind))
        .collect();
    console.line(&format!(
        "        {}({}) -> {}  {}",
        clean(&tool.name),
        inputs.join(", "),
        tool.output,
        console.painted(Look::Strong, words.class(tool.class)),
    ))?;
    console.line(&format!("            {}", clean(&tool.description)))?;
    if !tool.calls.is_empty() {
        let calls = words.plugin_names_calls(clean(&tool.calls.join(", ")));
        console.line(&format!("            {calls}"))?;
    }
    if !tool.uncovered.is_empty() {
        let told = words.plugin_calls_beyond(clean(&tool.uncovered.join(", ")));
        console.line(&format!("            {}", console.painted(Look::Bad, &told)))?;
    }
    Ok(())
}

/// A permission in words.
fn permitted(permission: &str, console: &Console) -> String {
    let words = console.words;
    let permission = clean(permission);
    match permission.split_once('(') {
        None => words.plugin_any_call(permission),
        Some((tool, conditions)) => {
            let conditions = conditions.trim_end_matches(')').to_owned();
            words.plugin_calls_where(conditions, tool)
        }
    }
}

/// Names under a heading, with how many there are.
fn listed(heading: &str, names: &[String], console: &Console) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = names.iter().map(|name| clean(name)).collect();
    console.line(&format!("    {heading} {}: {}", names.len(), shown.join(", ")))
}
