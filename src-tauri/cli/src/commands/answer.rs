//! `shidi answer`: answers a waiting question and goes on with its run.

use crate::help;
use shidi_protocol::{Request, RunId};

/// Answer a waiting question and go on
#[derive(Debug, clap::Args)]
#[command(after_help = help::ANSWER)]
pub struct Arguments {
    /// The run that waits
    run: String,
    /// The answer
    #[arg(required = true)]
    text: Vec<String>,
}

impl Arguments {
    #[must_use]
    pub fn request(self) -> Request {
        Request::Answer {
            run: RunId::from(self.run),
            call: None,
            text: self.text.join(" "),
        }
    }
}
