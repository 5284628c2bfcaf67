//! Which command carries out what the user typed.

use crate::arguments::{Cli, Command};
use crate::client::work;
use crate::commands::{
    acp, ask, assistant, cancel, case, changes, companion, config, decision, desktop, doctor, eval, exec,
    experience, inspect, key, knowledge, mcp, memory, model, plugin, preference, prompt, replay, sample,
    schedule, sense, session, skill, tool, trace, workflow,
};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use shidi_protocol::DesktopSignal;

/// Carries out what the user typed.
///
/// # Errors
/// Whatever keeps the command from being carried out.
pub async fn run(cli: Cli, console: &Console) -> Result<Exit, Failure> {
    let options = &cli.options;
    match cli.command {
        None => desktop::signal(DesktopSignal::Show, options, console).await,
        Some(Command::Toggle) => desktop::signal(DesktopSignal::Toggle, options, console).await,
        Some(Command::AskScreen) => desktop::ask_screen(options, console).await,
        Some(Command::Open(link)) => desktop::open_link(link, options, console).await,
        Some(Command::Sample(arguments)) => sample::run(arguments, console).await,
        Some(Command::Sense(arguments)) => sense::run(arguments, options, console).await,
        Some(Command::Quit) => desktop::signal(DesktopSignal::Quit, options, console).await,
        Some(Command::Acp) => acp::run(options).await,
        Some(Command::Ask(arguments)) => ask::run(*arguments, options, console).await,
        Some(Command::Replay(arguments)) if arguments.is_preview() => {
            replay::preview(arguments, options, console).await
        }
        Some(Command::Replay(arguments)) => {
            let language = console.words.language().code();
            work(arguments.request(language), options, console).await
        }
        Some(Command::Resume(arguments)) => work(arguments.request(), options, console).await,
        Some(Command::Approve(arguments)) => {
            decision::carried_out(arguments.run(), arguments.request(), options, console).await
        }
        Some(Command::Refuse(arguments)) => {
            decision::carried_out(arguments.run(), arguments.request(), options, console).await
        }
        Some(Command::Answer(arguments)) => {
            decision::carried_out(arguments.run(), arguments.request(), options, console).await
        }
        Some(Command::Cancel(arguments)) => cancel::run(arguments, options, console).await,
        Some(Command::Case(arguments)) => case::run(arguments, options, console).await,
        Some(Command::Eval(arguments)) => eval::run(*arguments, options, console).await,
        Some(Command::Exec(arguments)) => exec::run(arguments, options, console).await,
        Some(Command::Experience(arguments)) => experience::run(arguments, options, console).await,
        Some(Command::Inspect(arguments)) => inspect::run(arguments, options, console).await,
        Some(Command::Session(arguments)) => session::run(arguments, options, console).await,
        Some(Command::Mcp(arguments)) => mcp::run(arguments, options, console).await,
        Some(Command::Assistant(arguments)) => assistant::run(arguments, options, console).await,
        Some(Command::Schedule(arguments)) => schedule::run(arguments, options, console).await,
        Some(Command::Plugin(arguments)) => plugin::run(arguments, options, console).await,
        Some(Command::Preference(arguments)) => preference::run(arguments, options, console).await,
        Some(Command::Prompt(arguments)) => prompt::run(arguments, options, console).await,
        Some(Command::Skill(arguments)) => skill::run(arguments, options, console).await,
        Some(Command::Companion(arguments)) => companion::run(arguments, options, console).await,
        Some(Command::Changes(arguments)) => changes::run(arguments, options, console).await,
        Some(Command::Tool(arguments)) => tool::run(arguments, options, console).await,
        Some(Command::Memory(arguments)) => memory::run(arguments, options, console).await,
        Some(Command::Config(arguments)) => config::run(arguments, options, console).await,
        Some(Command::Model(arguments)) => model::run(arguments, options, console).await,
        Some(Command::Key(arguments)) => key::run(arguments, options, console).await,
        Some(Command::Knowledge(arguments)) => knowledge::run(arguments, options, console).await,
        Some(Command::Trace(arguments)) => trace::run(arguments, options, console).await,
        Some(Command::Workflow(arguments)) => workflow::run(arguments, options, console).await,
        Some(Command::Doctor(arguments)) => doctor::run(arguments, options, console).await,
    }
}
