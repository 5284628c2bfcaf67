//! `shidi replay`: runs the programs of a finished run again, with other inputs, without asking a model. The command
//! can also tell the differences alone.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use shidi_protocol::{Ask, Replay, ReplayPreview, Request, RunId, reply};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    #[arg(long)]
    preview: bool,
}

impl Arguments {
    #[must_use]
    pub fn is_preview(&self) -> bool {
        self.preview
    }

    fn replay(self) -> Replay {
        Replay {
            run: RunId::from(self.run),
            inputs: self.input.into_iter().collect(),
        }
    }

    #[must_use]
    pub fn request(self, language: &str) -> Request {
        request(self.replay(), language)
    }
}

/// Asks for a replay.
pub fn request(replay: Replay, language: &str) -> Request {
    Request::Ask(Box::new(Ask {
        replay: Some(Box::new(replay)),
        language: Some(language.to_owned()),
        unattended: true,
        ..Ask::default()
    }))
}

/// Tells what would differ.
///
/// # Errors
/// No such run, one that is not over, or inputs that its programs do not have.
pub async fn preview(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply::ReplayPreview { preview } = ask(arguments.replay(), options).await?;
    if console.is_json() {
        console.json(&preview)?;
    } else {
        show(&preview, console)?;
    }
    Ok(Exit::Done)
}

fn show(preview: &ReplayPreview, console: &Console) -> Result<(), Failure> {
    for program in &preview.programs {
        let mut before = program.before.lines();
        for after in program.after.lines() {
            let before = before.next().unwrap_or_default();
            if before != after {
                console.line(&format!("- {before}"))?;
            }
            console.line(&format!("{} {after}", if before == after { ' ' } else { '+' }))?;
        }
        console.line("")?;
    }
    let inputs = preview.inputs.iter();
    let inputs: Vec<String> = inputs
        .map(|input| format!("{} = {}", input.name, input.value))
        .collect();
    let calls = preview.calls.iter();
    let calls: Vec<String> = calls
        .map(|call| format!("{} × {}", call.tool, call.times))
        .collect();
    let inputs = match inputs.is_empty() {
        true => console.words.no_values().to_owned(),
        false => inputs.join(", "),
    };
    for line in [inputs, calls.join(", ")] {
        console.note(Look::Dim, &line);
    }
    if preview.inputs.is_empty() {
        console.hint(console.words.name_the_values());
    }
    Ok(())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
