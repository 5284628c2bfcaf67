//! `shidi replay`: runs the programs of a finished run again, with other inputs, without asking a model.

use crate::help;
use shidi_protocol::{Ask, Replay, Request, RunId};

/// Run the programs of a finished run again, with other inputs
#[derive(Debug, clap::Args)]
#[command(after_help = help::REPLAY)]
pub struct Arguments {
    /// The run
    run: String,
    /// Another value for an input: `name=value`, as JSON or as text
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
}

impl Arguments {
    #[must_use]
    pub fn request(self, language: &str) -> Request {
        Request::Ask(Ask {
            replay: Some(Box::new(Replay {
                run: RunId::from(self.run),
                inputs: self.input.into_iter().collect(),
            })),
            language: Some(language.to_owned()),
            ..Ask::default()
        })
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
