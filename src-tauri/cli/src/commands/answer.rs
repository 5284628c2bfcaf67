//! `shidi answer`: answers a waiting question and goes on with its run.

use shidi_protocol::{Request, RunId};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    #[arg(required = true)]
    text: Vec<String>,
}

impl Arguments {
    #[must_use]
    pub fn run(&self) -> RunId {
        RunId::from(self.run.clone())
    }

    #[must_use]
    pub fn request(self) -> Request {
        Request::Answer {
            run: RunId::from(self.run),
            call: None,
            text: self.text.join(" "),
        }
    }
}
