//! `shidi cancel`: stops a run, wherever it is at work.

use crate::client::done;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::help;
use crate::options::Options;
use shidi_protocol::{Request, RunId};

/// Stop a run
#[derive(Debug, clap::Args)]
#[command(after_help = help::CANCEL)]
pub struct Arguments {
    /// The run
    run: String,
}

/// Stops the run.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = Request::Cancel {
        run: RunId::from(arguments.run),
    };
    done(request, console.words.cancel_sent(), options, console).await
}
