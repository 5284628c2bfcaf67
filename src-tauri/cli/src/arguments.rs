//! The words that `shidi` understands, as clap reads them. One file per command holds that command's own.

mod misused;

use crate::commands::{
    answer, approve, ask, assistant, cancel, case, changes, companion, config, desktop, doctor, eval, exec,
    experience, inspect, key, knowledge, mcp, memory, model, plugin, preference, prompt, refuse, replay,
    resume, sample, schedule, sense, session, skill, tool, trace, workflow,
};
use crate::failure::Exit;
use crate::help;
use crate::options::Options;
use crate::words::Words;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use shidi_locales::Language;
use shidi_protocol::ErrorCode;
use std::ffi::OsString;
use std::io::Write;

#[derive(Debug, Parser)]
#[command(name = "shidi", version, disable_help_subcommand = false)]
pub struct Cli {
    #[command(flatten)]
    pub options: Options,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Acp,
    Ask(Box<ask::Arguments>),
    Replay(replay::Arguments),
    Resume(resume::Arguments),
    Approve(approve::Arguments),
    #[command(visible_alias = "deny")]
    Refuse(refuse::Arguments),
    Answer(answer::Arguments),
    Cancel(cancel::Arguments),
    Case(case::Arguments),
    Changes(changes::Arguments),
    Companion(companion::Arguments),
    Eval(Box<eval::Arguments>),
    Exec(exec::Arguments),
    Experience(experience::Arguments),
    Inspect(inspect::Arguments),
    Session(session::Arguments),
    Memory(memory::Arguments),
    Config(config::Arguments),
    Key(key::Arguments),
    Knowledge(knowledge::Arguments),
    Model(model::Arguments),
    Mcp(mcp::Arguments),
    Assistant(assistant::Arguments),
    Schedule(schedule::Arguments),
    Prompt(prompt::Arguments),
    Plugin(plugin::Arguments),
    Preference(preference::Arguments),
    Skill(skill::Arguments),
    Tool(tool::Arguments),
    Trace(trace::Arguments),
    Workflow(workflow::Arguments),
    Doctor(doctor::Arguments),
    Toggle,
    AskScreen,
    Open(desktop::Link),
    Sample(sample::Arguments),
    Sense(sense::Arguments),
    Quit,
}

/// Arguments that start no command, with what to print about them.
#[derive(Debug)]
struct Unstarted {
    text: String,
    exit: Exit,
}

/// Reads the arguments of this process.
///
/// # Errors
/// The exit after help, version or a usage error was printed.
pub fn parse() -> Result<Cli, Exit> {
    parse_from(std::env::args_os().collect()).map_err(|Unstarted { text, exit }| {
        let printed = match exit {
            Exit::Done => std::io::stdout().lock().write_all(text.as_bytes()),
            Exit::TaskFailed | Exit::Suspended | Exit::Cancelled | Exit::Because(_) => {
                std::io::stderr().lock().write_all(text.as_bytes())
            }
        };
        printed.map_or(exit, |()| exit) // a reader that is gone changes nothing
    })
}

fn parse_from(arguments: Vec<OsString>) -> Result<Cli, Unstarted> {
    // Help in the user's language is written only where somebody reads it. Help for all commands takes as long as all
    // else before a question leaves.
    let error = match parsed(Cli::command(), arguments.clone()) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let language = language_of(&arguments);
    let parsed = match error.kind() {
        ErrorKind::DisplayVersion => Err(error),
        _ => parsed(help::localised(Cli::command(), language), arguments),
    };
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Unstarted {
            text: help::reworded(&error.to_string(), language.cli()),
            exit: Exit::Done,
        },
        _ => {
            let words = Words::of(language);
            let text =
                misused::reworded(&error, words).unwrap_or_else(|| usage_error(&error.to_string(), words));
            Unstarted {
                text,
                exit: Exit::Because(ErrorCode::Input),
            }
        }
    })
}

fn parsed(command: clap::Command, arguments: Vec<OsString>) -> clap::error::Result<Cli> {
    let matches = command.try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

/// The language for help and usage errors, which are printed before the arguments are understood.
fn language_of(arguments: &[OsString]) -> Language {
    let mut named = None;
    for (index, argument) in arguments.iter().enumerate() {
        let argument = argument.to_string_lossy();
        if let Some(value) = argument.strip_prefix("--lang=") {
            named = Some(Language::named(value));
        } else if argument == "--lang" {
            named = arguments
                .get(index + 1)
                .map(|value| Language::named(&value.to_string_lossy()));
        } else if argument == "--" {
            break;
        }
    }
    named.unwrap_or_else(Language::of_environment)
}

/// Rewords clap's report into a sentence, its usage line, and a hint.
fn usage_error(report: &str, words: Words) -> String {
    let report = report.strip_prefix("error: ").unwrap_or(report);
    let mut text = String::new();
    let mut hint = words.see_help().to_owned();
    for line in report.trim_end().lines() {
        let is_repeated_gap = line.is_empty() && text.ends_with("\n\n");
        if let Some(tip) = line.trim_start().strip_prefix("tip: ") {
            tip.clone_into(&mut hint);
        } else if !is_repeated_gap && !line.starts_with("For more information") {
            text.push_str(line);
            text.push('\n');
        }
    }
    let mut characters = text.trim_end().chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}\n{}{hint}\n", characters.as_str(), words.hint())
}

#[cfg(test)]
mod tests;
