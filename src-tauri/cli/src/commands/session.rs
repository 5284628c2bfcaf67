//! `shidi session`: the conversations that are kept.

mod inside;

use crate::client::{ask, done, exported, with_connection, work};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::{cards, one_line};
use crate::input;
use crate::limits::{ATTRIBUTE_CHARS_MAX, LIST_LIMIT_DEFAULT, STEP_CHARS_MAX};
use crate::options::Options;
use crate::words::Words;
use clap::Subcommand;
use shidi_protocol::{
    Body, HOST_TOOLKIT, Moment, Request, RunId, SessionDetail, SessionId, SessionSummary, TypedRequest,
    reply, request,
};
use shidi_runtime::Connection;
use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    Show {
        #[arg(value_name = "ID|last")]
        session: String,
        #[arg(long)]
        segments: bool,
        #[arg(long, conflicts_with = "segments")]
        calls: bool,
    },
    Search {
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    Rename {
        #[arg(value_name = "ID|last")]
        session: String,
        #[arg(required = true, value_name = "TITLE")]
        title: Vec<String>,
    },
    Export {
        #[arg(value_name = "ID|last")]
        session: String,
    },
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    Branch {
        #[arg(value_name = "ID|last")]
        session: String,
        #[arg(long, value_name = "RUN")]
        before: Option<String>,
    },
    Switch {
        #[arg(value_name = "ID|last")]
        session: String,
        #[arg(value_name = "RUN")]
        run: String,
    },
    Compact {
        #[arg(value_name = "ID|last", default_value = "last")]
        session: String,
    },
    Variables {
        #[arg(value_name = "ID|last", default_value = "last")]
        session: String,
        #[arg(long, value_name = "NAME", conflicts_with = "delete")]
        show: Option<String>,
        #[arg(long, value_name = "NAME")]
        delete: Option<String>,
    },
    Jobs {
        #[arg(value_name = "ID|last", default_value = "last")]
        session: String,
        #[arg(long, value_name = "JOB")]
        stop: Option<String>,
    },
    Folders {
        #[arg(value_name = "ID|last", default_value = "last")]
        session: String,
        #[arg(long, value_name = "DIR", conflicts_with = "remove")]
        add: Option<PathBuf>,
        #[arg(long, value_name = "DIR")]
        remove: Option<PathBuf>,
    },
    Delete {
        #[arg(value_name = "ID")]
        session: String,
        #[arg(long)]
        yes: bool,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such session, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        Action::List { limit } => list(request::SessionList { limit }, options, console).await,
        Action::Search { text, limit } => {
            list(
                request::SessionSearch {
                    text: text.join(" "),
                    limit,
                },
                options,
                console,
            )
            .await
        }
        Action::Show {
            session,
            segments,
            calls,
        } => {
            let detail = detail(&session, options, console.words).await?;
            if calls {
                show_calls(&detail, console)?
            } else if segments {
                show_segments(&detail, console)?
            } else {
                show(&detail, console)?
            }
            Ok(Exit::Done)
        }
        Action::Rename { session, title } => {
            let request = request::SessionRename {
                session: SessionId::from(session),
                title: title.join(" "),
            };
            done(request, console.words.session_renamed(), options, console).await
        }
        Action::Export { session } => {
            let session = SessionId::from(session);
            exported(request::SessionExport { session }, options, console).await
        }
        Action::Import { file } => import(&file, options, console).await,
        Action::Branch { session, before } => {
            branch(&session, before.map(RunId::from), options, console).await
        }
        Action::Switch { session, run } => switch(&session, RunId::from(run), options, console).await,
        Action::Compact { session } => {
            let session = SessionId::from(session);
            work(Request::SessionCompact { session }, options, console).await
        }
        Action::Variables {
            session,
            show,
            delete,
        } => {
            let session = SessionId::from(session);
            match show {
                Some(name) => inside::variable(session, name, options, console).await,
                None => inside::variables(session, delete, options, console).await,
            }
        }
        Action::Jobs { session, stop } => {
            inside::jobs(SessionId::from(session), stop, options, console).await
        }
        Action::Folders { session, add, remove } => {
            inside::folders(SessionId::from(session), (add, remove), options, console).await
        }
        Action::Delete { session, yes } => delete(SessionId::from(session), yes, options, console).await,
    }
}

/// Deletes a session, after asking where a person sits.
async fn delete(
    session: SessionId,
    yes: bool,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let is_asked = !yes && console.can_ask() && stdin().is_terminal();
    if is_asked && !console.confirms(console.words.delete_prompt()) {
        console.note(Look::Plain, console.words.kept());
        return Ok(Exit::Done);
    }
    let request = request::SessionDelete { session };
    done(request, console.words.session_deleted(), options, console).await
}

/// The session that the user named by its id or as `last`.
///
/// # Errors
/// No session yet, or storage trouble.
pub async fn named(connection: &Connection, name: &str, words: Words) -> Result<SessionId, Failure> {
    if name != "last" {
        return Ok(SessionId::from(name));
    }
    let reply::Sessions { sessions } = connection.ask(request::SessionList { limit: 1 }).await?;
    match sessions.into_iter().next() {
        Some(session) => Ok(session.id),
        None => Err(Failure::input(words.no_session(), words.ask_first())),
    }
}

async fn list(
    request: impl TypedRequest<Reply = reply::Sessions>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Sessions { sessions } = ask(request, options).await?;
    console.note_if_empty(&sessions);
    for session in &sessions {
        if console.is_json() {
            console.json(session)?
        } else {
            line(session, console)?
        }
    }
    Ok(Exit::Done)
}

fn line(session: &SessionSummary, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut text = format!(
        "{}  {}  {}  {}",
        console.painted(Look::Dim, session.id.as_str()),
        local(session.updated),
        words.questions(session.questions.into()),
        console.painted(Look::Strong, &session.title.replace('\n', " ")),
    );
    if session.waiting > 0 {
        text.push_str(&console.painted(Look::Bad, &format!("  {}", words.waiting())));
    }
    if let Some(excerpt) = &session.excerpt {
        text.push_str(&format!(
            "\n    {}",
            console.painted(Look::Plain, &excerpt.replace('\n', " "))
        ));
    }
    console.line(&text)
}

async fn detail(name: &str, options: &Options, words: Words) -> Result<SessionDetail, Failure> {
    let reply = with_connection(options, async |connection| {
        let session = named(connection, name, words).await?;
        Ok(connection.ask(request::SessionShow { session }).await?)
    });
    let reply::Session { session } = reply.await?;
    Ok(without_events(session))
}

async fn branch(
    name: &str,
    before: Option<RunId>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply = with_connection(options, async |connection| {
        let session = named(connection, name, console.words).await?;
        Ok(connection.ask(request::SessionBranch { session, before }).await?)
    });
    let reply::Session { session } = reply.await?;
    if console.is_json() {
        console.json(&session.summary)?;
    } else {
        console.note(Look::Plain, console.words.session_branched());
        console.line(session.summary.id.as_str())?;
    }
    Ok(Exit::Done)
}

/// The events are for windows: they say once more what segments and calls hold.
fn without_events(session: SessionDetail) -> SessionDetail {
    SessionDetail {
        events: Vec::new(),
        ..session
    }
}

async fn switch(name: &str, run: RunId, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply = with_connection(options, async |connection| {
        let session = named(connection, name, console.words).await?;
        Ok(connection.ask(request::SessionSwitch { session, run }).await?)
    });
    let reply::Session { session } = reply.await?;
    show(&without_events(session), console).map(|()| Exit::Done)
}

/// Which version a question is of how many, at the first words of its run.
fn version_of(detail: &SessionDetail, at: usize) -> Option<(usize, usize)> {
    let run = &detail.segments[at].run;
    let is_first = !detail.segments[..at].iter().any(|earlier| earlier.run == *run);
    let shown = detail.runs.iter().find(|known| known.id == *run && is_first)?;
    let place = shown.versions.iter().position(|version| version == run)?;
    Some((place + 1, shown.versions.len()))
}

fn show(detail: &SessionDetail, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(detail);
    }
    for (at, segment) in detail.segments.iter().enumerate() {
        match &segment.body {
            Body::User { text } => {
                console.line(&console.painted(Look::Strong, &format!("> {text}")))?;
                if let Some(version) = version_of(detail, at) {
                    console.line(&console.painted(Look::Dim, &console.words.version(version)))?;
                }
            }
            Body::Express { text } if detail.withdrawn.contains(&segment.id) => {
                let gist = one_line(text, STEP_CHARS_MAX);
                console.line(&console.painted(Look::Dim, &console.words.withdrawn(gist)))?;
            }
            Body::Express { text } => console.line(&console.painted(Look::Plain, text))?,
            Body::Stopped { .. } => {
                console.line(&console.painted(Look::Dim, console.words.broke_off()))?;
            }
            Body::Card(card) => {
                for line in cards::lines(&card.card, &card.data) {
                    console.line(&line)?;
                }
            }
            Body::Context(_)
            | Body::Knowledge { .. }
            | Body::Experience { .. }
            | Body::Thought { .. }
            | Body::Python { .. }
            | Body::Output { .. }
            | Body::Evaluation { .. }
            | Body::NextGoal { .. }
            | Body::Round { .. }
            | Body::Message { .. }
            | Body::Notification { .. }
            | Body::Reminder { .. }
            | Body::Summary(_)
            | Body::Cut { .. }
            | Body::Recalled { .. }
            | Body::Understood { .. }
            | Body::Custom { .. } => {}
        }
    }
    Ok(())
}

fn show_segments(detail: &SessionDetail, console: &Console) -> Result<(), Failure> {
    for segment in &detail.segments {
        if console.is_json() {
            console.json(segment)?;
        } else {
            let head = console.painted(Look::Strong, &format!("[{}]:", segment.kind().name()));
            let told = match &segment.body {
                Body::Context(piece) => format!("{} {}\n{}", piece.source, piece.title, piece.text),
                body => body.text().to_owned(),
            };
            console.line(&format!("{head} {}", console.painted(Look::Plain, &told)))?;
        }
    }
    Ok(())
}

/// Each call as the program made it, and below it what decided about it.
fn show_calls(detail: &SessionDetail, console: &Console) -> Result<(), Failure> {
    let language = console.words.language();
    let for_people = detail
        .calls
        .iter()
        .filter(|record| record.call.toolkit != HOST_TOOLKIT);
    for record in for_people {
        if console.is_json() {
            console.json(record)?;
            continue;
        }
        let args = serde_json::Value::Object(record.call.args.clone()).to_string();
        let args = one_line(&args, ATTRIBUTE_CHARS_MAX);
        let grounds = record.grounds.iter().map(|ground| ground.sentence(language));
        let grounds: Vec<String> = grounds.collect();
        console.line(&format!(
            "{} {args}\n    {}",
            console.painted(Look::Strong, &record.call.tool()),
            console.painted(Look::Dim, &grounds.join(" → ")),
        ))?;
    }
    Ok(())
}

async fn import(file: &Path, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let file = input::readable(file, console.words)?;
    let path = file.path.clone();
    let reply::Session { session } = ask(request::SessionImport { path }, options).await?;
    if console.is_json() {
        console.json(&session.summary)?;
    } else {
        let is_foreign = session.segments.iter().any(|segment| segment.tainted);
        let said = if is_foreign {
            console.words.session_imported_foreign()
        } else {
            console.words.session_imported()
        };
        console.note(Look::Plain, said);
        console.line(session.summary.id.as_str())?;
    }
    Ok(Exit::Done)
}

/// A moment as people at this machine read it.
#[must_use]
pub fn local(moment: Moment) -> String {
    moment
        .timestamp()
        .to_zoned(jiff::tz::TimeZone::system())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}
