//! `shidi resume`: goes on with a run that was suspended or interrupted.

use crate::help;
use shidi_protocol::{Request, RunId};

/// Continue a suspended or interrupted run
#[derive(Debug, clap::Args)]
#[command(after_help = help::RESUME)]
pub struct Arguments {
    /// The run [default: the newest that can go on]
    run: Option<String>,
}

impl Arguments {
    #[must_use]
    pub fn request(self) -> Request {
        Request::Resume {
            run: self.run.map(RunId::from),
        }
    }
}
