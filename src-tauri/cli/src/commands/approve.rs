//! `shidi approve`: lets a waiting call be made and goes on with its run.

use shidi_protocol::{CallId, Request, RunId};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    call: u32,
    #[arg(long)]
    always: bool,
}

impl Arguments {
    #[must_use]
    pub fn run(&self) -> RunId {
        RunId::from(self.run.clone())
    }

    #[must_use]
    pub fn request(self) -> Request {
        Request::Approve {
            run: RunId::from(self.run),
            call: CallId(self.call),
            always: self.always,
        }
    }
}
