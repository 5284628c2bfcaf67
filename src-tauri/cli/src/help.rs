//! The help of every command, from the catalogue. A command's help is found by its path, the help of its options and
//! arguments by their names. Examples stand below each command's help.
//!
//! Words that clap would say by itself (its headings, defaults and values) come from the catalogue, in clap's own form.

use clap::{Arg, Command};
use shidi_locales::{Cli, Help, Language};

/// The options and the command that clap adds to every command.
const HELP: &str = "help";
const VERSION: &str = "version";

/// The same command with its help in `language`.
#[must_use]
pub fn localised(mut command: Command, language: Language) -> Command {
    // Only now it has what clap adds.
    command.build();
    worded(command, "", language)
}

/// A help or usage with the words of the catalogue in place of those that clap can't be given.
#[must_use]
pub fn reworded(written: &str, say: Cli) -> String {
    let words = [
        ("[alias: ", say.help_alias()),
        ("[aliases: ", say.help_aliases()),
        ("[OPTIONS]", say.help_any_options()),
        ("<COMMAND>", say.help_a_command()),
        ("[COMMAND]", say.help_any_command()),
    ];
    let mut text = written.to_owned();
    for (clap, ours) in words {
        text = text.replace(clap, ours);
    }
    text
}

fn worded(command: Command, path: &str, language: Language) -> Command {
    let (help, say) = (language.help(), language.cli());
    let below = |name: &str| format!("{path} {name}").trim_start().to_owned();
    let command = match about(path, language) {
        Some(about) => command.about(about),
        None => command,
    };
    let command = match text(help, &below("examples")) {
        Some(examples) => command.after_help(examples),
        None => command,
    };
    let command = command
        .mut_args(|argument| {
            let name = name_of(&argument);
            let everywhere = || text(help, &name).filter(|_| argument.is_global_set());
            let told = text(help, &below(&name)).or_else(everywhere);
            let told = told.or_else(|| claps_own(&argument, say));
            explained(argument, told.unwrap_or_default(), say)
        })
        .mut_subcommands(|command| {
            let path = below(command.get_name());
            worded(command, &path, language)
        });
    let template = template(&command, say);
    command.help_template(template)
}

/// What a command is for; below `help` stand the commands that it explains.
fn about(path: &str, language: Language) -> Option<&'static str> {
    let explained: Vec<&str> = path.split(' ').filter(|name| *name != HELP).collect();
    match path.ends_with(HELP) {
        true => Some(language.cli().help_command()),
        false => text(language.help(), &explained.join(" ")),
    }
}

/// What is said of that name; a text that is empty says that the name tells enough.
fn text(help: Help, name: &str) -> Option<&'static str> {
    help.text(name).filter(|text| !text.is_empty())
}

/// What is said of an option that clap adds.
fn claps_own(argument: &Arg, say: Cli) -> Option<&'static str> {
    match argument.get_id().as_str() {
        HELP => Some(say.help_flag()),
        VERSION => Some(say.version_flag()),
        _ => None,
    }
}

/// The argument with its text, its default and the values that it may have.
fn explained(argument: Arg, text: &str, say: Cli) -> Arg {
    let takes_value = argument.get_action().takes_values();
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<String> = defaults
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    let values = argument.get_possible_values();
    let values: Vec<&str> = values
        .iter()
        .map(clap::builder::PossibleValue::get_name)
        .collect();
    let mut parts = vec![text.to_owned()];
    if takes_value && !defaults.is_empty() {
        parts.push(say.help_default(defaults.join(" ")));
    }
    if takes_value && !values.is_empty() {
        parts.push(say.help_values(values.join(", ")));
    }
    parts.retain(|part| !part.is_empty());
    let argument = argument.hide_default_value(true).hide_possible_values(true);
    match parts.is_empty() {
        true => argument,
        false => argument.help(parts.join(" ")),
    }
}

/// The parts of the help in clap's order, each under its heading.
fn template(command: &Command, say: Cli) -> String {
    let mut parts = vec![format!(
        "{{before-help}}{{about-with-newline}}\n{}",
        say.usage_line("{usage}")
    )];
    let mut part = |heading: &str, tag: &str| parts.push(format!("{heading}\n{tag}"));
    if command.get_subcommands().next().is_some() {
        part(say.help_commands(), "{subcommands}");
    }
    if command.get_positionals().next().is_some() {
        part(say.help_arguments(), "{positionals}");
    }
    if command.get_arguments().any(|argument| !argument.is_positional()) {
        part(say.help_options(), "{options}");
    }
    format!("{}{{after-help}}", parts.join("\n\n"))
}

/// `--file`, or the name of an argument without an option.
pub fn name_of(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_id().to_string(),
    }
}
