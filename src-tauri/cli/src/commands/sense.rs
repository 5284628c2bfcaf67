//! `shidi sense`: the content in front of the user now, after the privacy gate. Also a look at the screen, the
//! ledger, and pause.

use super::{companion, session};
use crate::client::{done, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::options::Options;
use base64::Engine as _;
use serde_json::json;
use shidi_protocol::{
    DesktopSignal, ErrorCode, LookAt, LookRecord, Reply, Request, ScreenView, SessionId, UserError, reply,
    request,
};
use shidi_runtime::Connection;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(long, conflicts_with_all = ["look", "ledger", "pause", "resume"])]
    watch: bool,
    #[arg(long, value_name = "page|selection|monitor|window|X,Y,WxH", value_parser = look_at)]
    look: Option<LookAt>,
    #[arg(long, value_name = "FILE", requires = "look")]
    out: Option<PathBuf>,
    #[arg(long, requires = "look", conflicts_with = "out")]
    suggest: bool,
    #[arg(long, conflicts_with_all = ["look", "pause", "resume"])]
    ledger: bool,
    #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
    limit: u32,
    #[arg(long, conflicts_with_all = ["look", "resume"])]
    pause: bool,
    #[arg(long, conflicts_with = "look")]
    resume: bool,
}

/// Carries out what was asked for.
///
/// # Errors
/// No display, a view that the gate lets nothing through of, or a file that can't be written.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    if arguments.pause || arguments.resume {
        let (signal, said) = if arguments.pause {
            (DesktopSignal::Pause, words.sensing_paused())
        } else {
            (DesktopSignal::Resume, words.sensing_resumed())
        };
        return done(request::Desktop { signal }, said, options, console).await;
    }
    with_connection(options, async |connection| {
        if arguments.ledger {
            return ledger(connection, arguments.limit, console).await;
        }
        if arguments.watch {
            return watch(connection, console).await;
        }
        match arguments.look {
            Some(what) if arguments.suggest => suggest(connection, what, console).await,
            Some(what) => look(connection, what, arguments.out.as_deref(), console).await,
            None => {
                let view = looked(connection, LookAt::Facts, None).await?;
                show(&view, console)?;
                Ok(Exit::Done)
            }
        }
    })
    .await
}

/// Looks for a question; what the gate lets nothing through of is a failure there.
///
/// # Errors
/// Why nothing was kept, in words.
pub async fn seen(
    connection: &Connection,
    what: LookAt,
    session: Option<&SessionId>,
    console: &Console,
) -> Result<ScreenView, Failure> {
    if what == LookAt::Page {
        // Its browser may still be on its way.
        companion::page_in_front(connection, console).await?;
    }
    let view = looked(connection, what, session).await?;
    if let Some(why) = &view.blocked {
        let refused = UserError::new(ErrorCode::Task, why.clone()).hint(console.words.why_not_seen());
        return Err(refused.into());
    }
    Ok(view)
}

/// Reads `page`, `monitor`, `window` or `X,Y,WxH`.
///
/// # Errors
/// A text that is none of them.
pub fn look_at(text: &str) -> Result<LookAt, String> {
    match text {
        "page" => return Ok(LookAt::Page),
        "selection" => return Ok(LookAt::Selection),
        "monitor" => return Ok(LookAt::Monitor),
        "window" => return Ok(LookAt::Window),
        _ => {}
    }
    let region = || {
        let (x, rest) = text.split_once(',')?;
        let (y, size) = rest.split_once(',')?;
        let (width, height) = size.split_once('x')?;
        let region = LookAt::Region {
            x: x.trim().parse().ok()?,
            y: y.trim().parse().ok()?,
            width: width.trim().parse().ok()?,
            height: height.trim().parse().ok()?,
        };
        Some(region)
    };
    region().ok_or_else(|| format!("'{text}' is none of page, selection, monitor, window, X,Y,WxH"))
}

async fn look(
    connection: &Connection,
    what: LookAt,
    out: Option<&Path>,
    console: &Console,
) -> Result<Exit, Failure> {
    let view = seen(connection, what, None, console).await?;
    // The whole picture, and the words once they are recognised.
    let reply::Looked { view } = connection.ask(request::LookShow { id: view.id }).await?;
    if let Some(path) = out {
        write(&view, path, console)?;
    }
    let shown = ScreenView {
        picture: None,
        path: out.map(|path| path.display().to_string()),
        ..view
    };
    show(&shown, console)?;
    Ok(Exit::Done)
}

/// Prints the question that the fast model proposes about what is seen.
async fn suggest(connection: &Connection, what: LookAt, console: &Console) -> Result<Exit, Failure> {
    let view = seen(connection, what, None, console).await?;
    let wanted = request::LookSuggest {
        id: view.id,
        session: None,
    };
    let reply::Suggested { question } = connection.ask(wanted).await?;
    match &question {
        _ if console.is_json() => console.json(&json!({ "question": question }))?,
        Some(question) => console.line(&console.painted(Look::Plain, question))?,
        None => console.note(Look::Dim, console.words.nothing_here()),
    }
    Ok(Exit::Done)
}

async fn watch(connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let mut replies = connection.send(Request::LookWatch);
    let mut interrupts = Interrupts::listen();
    loop {
        let reply = tokio::select! {
            reply = replies.next() => reply,
            () = interrupts.pressed() => return Ok(Exit::Done),
        };
        match reply {
            Some(Reply::Looked { view }) => show(&view, console)?,
            Some(Reply::Failed { error }) => return Err(error.into()),
            Some(_) | None => return Err(Failure::Unanswered),
        }
    }
}

async fn ledger(connection: &Connection, limit: u32, console: &Console) -> Result<Exit, Failure> {
    let reply::Looks { looks } = connection.ask(request::LookLedger { limit }).await?;
    console.note_if_empty(&looks);
    for look in &looks {
        if console.is_json() {
            console.json(look)?;
        } else {
            line(look, console)?;
        }
    }
    Ok(Exit::Done)
}

fn line(look: &LookRecord, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut parts = vec![
        console.painted(Look::Dim, &session::local(look.time)),
        console.painted(Look::Strong, words.look_outcome(look.outcome)),
        words.look_at(look.what),
    ];
    if look.width > 0 {
        parts.push(format!("{}×{}", look.width, look.height));
    }
    let name = [look.app.as_str(), look.title.as_str()]
        .into_iter()
        .filter(|name| !name.is_empty());
    let name = name.collect::<Vec<_>>().join(" — ");
    if !name.is_empty() {
        parts.push(console.painted(Look::Plain, &name));
    }
    if look.blacked_out > 0 {
        parts.push(words.blacked_out(look.blacked_out.into()));
    }
    if let Some(session) = &look.session {
        parts.push(console.painted(Look::Dim, session.as_str()));
    }
    console.line(&parts.join("  "))
}

fn show(view: &ScreenView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(view);
    }
    let words = console.words;
    if let Some(why) = &view.blocked {
        return console.line(why);
    }
    let title = if view.title.is_empty() && view.may_be_private {
        words.title_withheld().to_owned()
    } else {
        view.title.clone()
    };
    let names = [view.app.as_str(), title.as_str()]
        .into_iter()
        .filter(|name| !name.is_empty());
    console.line(&console.painted(Look::Strong, &names.collect::<Vec<_>>().join(" — ")))?;
    if let Some(area) = &view.bounds {
        let pid = view.pid.map(|pid| format!("  pid {pid}")).unwrap_or_default();
        let place = format!("    {}×{} @ {},{}{pid}", area.width, area.height, area.x, area.y);
        console.line(&console.painted(Look::Dim, &place))?;
    }
    if view.width > 0 {
        let path = view.path.as_deref().unwrap_or_default();
        console.line(&format!("    {}×{}  {path}", view.width, view.height))?;
    }
    if view.blacked_out > 0 {
        console.line(&format!("    {}", words.blacked_out(view.blacked_out.into())))?;
    }
    if view.may_be_private && !view.title.is_empty() {
        console.line(&format!("    {}", words.may_be_private()))?;
    }
    let part = view.content.as_ref().and_then(|content| content.parts.first());
    if let Some(part) = part {
        console.line(&console.painted(Look::Plain, &part.preview))?;
    }
    match &view.text {
        Some(text) => console.line(&console.painted(Look::Plain, text)),
        None => Ok(()),
    }
}

fn write(view: &ScreenView, path: &Path, console: &Console) -> Result<(), Failure> {
    let url = view.picture.as_deref().unwrap_or_default();
    let encoded = url.split_once(',').map_or("", |(_, encoded)| encoded);
    let jpeg = base64::engine::general_purpose::STANDARD
        .decode(encoded)
        .map_err(|_| Failure::Unanswered)?;
    std::fs::write(path, jpeg).map_err(|cause| {
        let words = console.words;
        Failure::input(words.not_written(cause, path.display()), words.check_the_path())
    })
}

async fn looked(
    connection: &Connection,
    what: LookAt,
    session: Option<&SessionId>,
) -> Result<ScreenView, Failure> {
    let session = session.cloned();
    let look = request::Look {
        what,
        session,
        to: None,
    };
    let reply::Looked { view } = connection.ask(look).await?;
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_look_at_is_read_as_it_is_written() {
        assert_eq!(look_at("monitor"), Ok(LookAt::Monitor));
        assert_eq!(look_at("selection"), Ok(LookAt::Selection));
        assert_eq!(look_at("window"), Ok(LookAt::Window));
        let region = LookAt::Region {
            x: -5,
            y: 10,
            width: 800,
            height: 600,
        };
        assert_eq!(look_at("-5,10,800x600"), Ok(region));
        for wrong in [
            "",
            "screen",
            "1,2",
            "1,2,3",
            "1,2,3x",
            "a,b,cxd",
            "1,2,-3x4",
            "1,2,3x4,5",
        ] {
            assert!(look_at(wrong).unwrap_err().contains("X,Y,WxH"), "{wrong}");
        }
    }
}
