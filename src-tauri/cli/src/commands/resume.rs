//! `shidi resume`: goes on with a run that was suspended or interrupted.

use shidi_protocol::{Request, RunId};

#[derive(Debug, clap::Args)]
pub struct Arguments {
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
