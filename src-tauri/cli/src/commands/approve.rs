//! `shidi approve`: lets a waiting call be made and goes on with its run.

use crate::help;
use shidi_protocol::{CallId, Request, RunId};

/// Approve a waiting call and go on
#[derive(Debug, clap::Args)]
#[command(after_help = help::APPROVE)]
pub struct Arguments {
    /// The run that waits
    run: String,
    /// Number of the call
    call: u32,
    /// Remember the family of the call, so that it is not asked for again
    #[arg(long)]
    always: bool,
}

impl Arguments {
    #[must_use]
    pub fn request(self) -> Request {
        Request::Approve {
            run: RunId::from(self.run),
            call: CallId(self.call),
            always: self.always,
        }
    }
}
