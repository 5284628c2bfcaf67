//! The help of every command, from the catalogue: a command's by its path, that of what follows it by its option's or
//! argument's name. Examples stand below each command's help.

use clap::{Arg, Command};
use shidi_locales::{Help, Language};

/// The same command with its help in `language`.
#[must_use]
pub fn localised(command: Command, language: Language) -> Command {
    worded(command, "", language.help())
}

fn worded(command: Command, path: &str, help: Help) -> Command {
    let below = |name: &str| format!("{path} {name}").trim_start().to_owned();
    let command = match text(help, path) {
        Some(about) => command.about(about),
        None => command,
    };
    let command = match text(help, &below("examples")) {
        Some(examples) => command.after_help(examples),
        None => command,
    };
    command
        .mut_args(|argument| match text(help, &below(&name_of(&argument))) {
            Some(text) => argument.help(text),
            None => argument,
        })
        .mut_subcommands(|command| {
            let path = below(command.get_name());
            worded(command, &path, help)
        })
}

/// What is said of that name; a text that is empty says that the name tells enough.
fn text(help: Help, name: &str) -> Option<&'static str> {
    help.text(name).filter(|text| !text.is_empty())
}

/// `--file`, or the name of an argument without an option.
pub fn name_of(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_id().to_string(),
    }
}
