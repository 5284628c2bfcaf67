//! `shidi cancel`: stops a run, wherever it is at work.

use crate::client::done;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::options::Options;
use shidi_protocol::{RunId, request};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
}

/// Stops the run.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = request::Cancel {
        run: RunId::from(arguments.run),
    };
    done(request, console.words.cancel_sent(), options, console).await
}
