//! `shidi refuse`: keeps a waiting call from being made and goes on with its run.

use shidi_protocol::{CallId, Request, RunId};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    call: u32,
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Arguments {
    #[must_use]
    pub fn run(&self) -> RunId {
        RunId::from(self.run.clone())
    }

    #[must_use]
    pub fn request(self) -> Request {
        Request::Refuse {
            run: RunId::from(self.run),
            call: CallId(self.call),
            reason: self.reason,
        }
    }
}
