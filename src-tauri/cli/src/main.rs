//! The command line `shidi` (F13): asks, answers and inspects without any window system.
//!
//! The command line parses and checks the user's input. It sends one request through the runtime's connection and
//! shows the replies. The command line decides nothing about runs: permissions, models and storage are the runtime's.
//! The program's output and exit codes are a contract that scripts rely on.

mod arguments;
mod client;
mod commands;
mod console;
mod dispatch;
mod executed;
mod failure;
mod follow;
mod help;
mod input;
mod interrupt;
mod limits;
mod options;
mod python;
mod typeahead;
mod unlocking;
mod words;

use crate::console::Console;
use crate::failure::{Exit, Failure};
use std::pin::Pin;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: as a reader of documents, or a supervisor of a job, this is another program.
    if let Some(exit) = shidi_runtime::work_as_child() {
        return exit;
    }
    let cli = match arguments::parse() {
        Ok(cli) => cli,
        Err(exit) => return exit.into(),
    };
    let console = Console::new(cli.options.format(), cli.options.words());
    let exit = match run(cli, &console) {
        Ok(exit) => exit,
        Err(failure) => console.fail(&failure),
    };
    exit.into()
}

/// Two threads are enough for one request, and start faster than one per core.
fn run(cli: arguments::Cli, console: &Console) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Failure::Threads)?;
    let handled = {
        let _context = runtime.enter();
        interrupt::handle()
    };
    runtime.spawn(handled);
    // Boxed: the executor has several ways to drive a future, and each would hold all commands once more.
    let outcome = runtime.block_on(Box::pin(dispatch::run(cli, console)) as Pin<Box<dyn Future<Output = _>>>);
    // A command that failed has closed none.
    shidi_runtime::kill_servers();
    runtime.shutdown_background(); // a thread may still wait for a line of the terminal
    outcome
}
