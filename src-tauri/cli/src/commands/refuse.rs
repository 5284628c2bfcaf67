//! `shidi refuse`: keeps a waiting call from being made and goes on with its run.

use crate::help;
use shidi_protocol::{CallId, Request, RunId};

/// Refuse a waiting call and go on
#[derive(Debug, clap::Args)]
#[command(after_help = help::REFUSE)]
pub struct Arguments {
    /// The run that waits
    run: String,
    /// Number of the call
    call: u32,
    /// Why, or what to do instead: the model reads it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Arguments {
    #[must_use]
    pub fn request(self) -> Request {
        Request::Refuse {
            run: RunId::from(self.run),
            call: CallId(self.call),
            reason: self.reason,
        }
    }
}
