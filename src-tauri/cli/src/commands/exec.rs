//! `shidi exec`: runs a Python program in the sandbox, with the session's toolkits and variables.

use super::session;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::executed::{self, Source};
use crate::failure::{Exit, Failure};
use crate::follow::{Followed, execute};
use crate::input;
use crate::options::Options;
use crate::words::Words;
use shidi_protocol::ExecRequest;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(value_name = "FILE|-", default_value = "-")]
    file: PathBuf,
    #[arg(long, value_name = "ID|last")]
    session: Option<String>,
    #[arg(long)]
    check: bool,
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
    limit_time: Option<u32>,
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    limit_memory: Option<u32>,
    #[arg(long, value_name = "TOOLKIT.METHOD")]
    allow: Vec<String>,
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
}

/// Runs the program and shows what came of it.
///
/// # Errors
/// Bad input, or whatever keeps the program from running.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let name = if arguments.reads_stdin() {
        "<stdin>".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let named_session = arguments.session.clone();
    let mut request = arguments.request(words)?;
    let program = request.program.clone();
    let checks_only = request.check;
    let followed = with_connection(options, async |connection| {
        if let Some(named) = named_session.filter(|named| named != "new") {
            request.session = Some(session::named(connection, &named, words).await?);
        }
        execute(connection, request, console).await
    });
    let (result, before) = match followed.await? {
        Followed::Run(exit) => return Ok(exit),
        Followed::Executed { result, before } => (result, before),
    };
    let source = Source {
        text: &program,
        file: &name,
    };
    let exit = executed::show(&result, source, before, console)?;
    if checks_only && result.ok && !console.is_json() {
        console.note(Look::Good, words.program_is_sound());
    }
    Ok(exit)
}

impl Arguments {
    fn reads_stdin(&self) -> bool {
        self.file == Path::new("-")
    }

    fn request(self, words: Words) -> Result<ExecRequest, Failure> {
        let program = if self.reads_stdin() {
            input::stdin(words)?
        } else {
            input::text_file(&self.file, words)?
        };
        let folders = self
            .folder
            .iter()
            .map(|path| input::folder(path, words))
            .collect::<Result<_, _>>()?;
        Ok(ExecRequest {
            program,
            session: None,
            check: self.check,
            limit_time_s: self.limit_time,
            limit_memory_mb: self.limit_memory,
            allow: self.allow,
            folders,
        })
    }
}
