//! The commands' work at the runtime's connection: opening, asking, following, and writing down the
//! replies.

use crate::console::Console;
use crate::executed::{self, ELSEWHERE};
use crate::failure::{Exit, Failure};
use crate::follow::{Followed, follow};
use crate::limits::{CLOSES_SILENTLY, WAITS_SILENTLY};
use crate::options::Options;
use shidi_protocol::{AttachSource, Reply, Request, TypedRequest, reply};
use shidi_runtime::{Connection, OpenOptions};
use shidi_trials::OwnTrials;
use std::io::{self, Write};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// Opens the data folder, lets `act` speak through the connection, and closes it again.
pub async fn with_connection<T>(
    options: &Options,
    act: impl AsyncFnOnce(&Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let connection = open(options).await?;
    let outcome = act(&connection).await;
    close(connection, options).await;
    outcome
}

/// Closes the connection. While another command works through this process it can't end, and says so.
pub async fn close(connection: Connection, options: &Options) {
    let serves_another = connection.others();
    let mut closing = pin!(connection.close());
    let say = options.language().cli();
    let told = match holdup(&mut closing, serves_another).await {
        None => return,
        Some(Holdup::Another) => say.serves_another(),
        Some(Holdup::Keeping) => say.still_keeping(),
    };
    tell(told);
    closing.await;
}

/// Why a process does not end.
#[derive(Debug, PartialEq, Eq)]
enum Holdup {
    /// Another command works through it.
    Another,
    /// What belongs to its own work is being kept.
    Keeping,
}

/// Why an end takes long; `None` where it came in silence. Another command may come while it is waited for.
async fn holdup(
    closing: &mut (impl Future<Output = ()> + Unpin),
    serves_another: impl Fn() -> bool,
) -> Option<Holdup> {
    for silence in [WAITS_SILENTLY, CLOSES_SILENTLY] {
        if within(closing, silence).await.is_some() {
            return None;
        }
        if serves_another() {
            return Some(Holdup::Another);
        }
    }
    Some(Holdup::Keeping)
}

/// Opens the data folder, and says so where it waits for another process that has it.
pub async fn open(options: &Options) -> Result<Connection, Failure> {
    let mut opening = pin!(Connection::open(open_options(options)));
    if let Some(opened) = within(&mut opening, WAITS_SILENTLY).await {
        return Ok(opened?);
    }
    tell(options.language().cli().waits_for_folder());
    Ok(opening.await?)
}

/// What comes of some work within that time. What is there counts, however late this process looks.
async fn within<T>(work: &mut (impl Future<Output = T> + Unpin), time: Duration) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = tokio::time::sleep(time) => None,
    }
}

/// What comes of some work, which is told of where it takes longer than that time.
pub async fn told_after<T>(time: Duration, work: impl Future<Output = T>, tell: impl FnOnce()) -> T {
    let mut work = pin!(work);
    if let Some(done) = within(&mut work, time).await {
        return done;
    }
    tell();
    work.await
}

/// A terminal that is gone can't be told anything.
fn tell(line: &str) {
    writeln!(io::stderr().lock(), "{line}").unwrap_or_default();
}

pub fn open_options(options: &Options) -> OpenOptions {
    OpenOptions {
        data_dir: options.data_dir(),
        language: Some(options.language().code().to_owned()),
        trials: Some(Arc::new(OwnTrials)),
        ..OpenOptions::default()
    }
}

/// What the user names on the command line: an address, a resource as `mcp:SERVER/URI`, or a path.
pub fn source(what: &str) -> AttachSource {
    if what.starts_with("http://") || what.starts_with("https://") {
        return AttachSource::Url { url: what.to_owned() };
    }
    if let Some((server, uri)) = what.strip_prefix("mcp:").and_then(|rest| rest.split_once('/')) {
        return AttachSource::Resource {
            server: server.to_owned(),
            uri: uri.to_owned(),
        };
    }
    let path = std::path::absolute(what).unwrap_or_else(|_| what.into());
    AttachSource::Path {
        path: path.to_string_lossy().into_owned(),
    }
}

/// Asks one request, over a connection of its own.
///
/// # Errors
/// What the runtime says.
pub async fn ask<R: TypedRequest>(request: R, options: &Options) -> Result<R::Reply, Failure> {
    with_connection(options, async |connection| Ok(connection.ask(request).await?)).await
}

/// Writes the file that a request is answered with, piece by piece.
pub async fn exported(
    request: impl TypedRequest<Reply = reply::Done>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        let written = connection.ask_along(request, |reply| match reply {
            Reply::Piece { text } => console.piece(&text),
            _ => Ok(()),
        });
        written.await.map(|reply::Done| Exit::Done)
    })
    .await
}

/// Sends a request that is done without more to say, and says so.
pub async fn done(
    request: impl TypedRequest,
    said: &str,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    ask(request, options).await?;
    if console.is_json() {
        console.json(&serde_json::json!({"ok": true}))?;
    } else {
        console.line(said)?;
    }
    Ok(Exit::Done)
}

/// Sends a request that starts or continues a run, and follows it.
pub async fn work(request: Request, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        followed(connection, request, console).await
    })
    .await
}

/// The same over a connection that is open.
pub async fn followed(connection: &Connection, request: Request, console: &Console) -> Result<Exit, Failure> {
    match follow(connection, request, console).await? {
        Followed::Run(exit) => Ok(exit),
        Followed::Executed { result, before } => executed::show(&result, ELSEWHERE, before, console),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::future::{pending, ready};

    #[tokio::test(start_paused = true)]
    async fn work_that_takes_long_is_told_of_once_and_goes_on() {
        for (takes_s, told) in [(1, 0), (60, 1)] {
            let count = Cell::new(0);
            let work = async {
                tokio::time::sleep(Duration::from_secs(takes_s)).await;
                takes_s
            };
            let tell = || count.set(count.get() + 1);
            let done = told_after(Duration::from_secs(2), work, tell).await;
            assert_eq!((done, count.get()), (takes_s, told));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_comes_while_an_end_is_waited_for_is_named_as_the_reason() {
        let never = || Box::pin(pending());
        assert_eq!(holdup(&mut never(), || true).await, Some(Holdup::Another));
        assert_eq!(holdup(&mut never(), || false).await, Some(Holdup::Keeping));
        assert_eq!(holdup(&mut ready(()), || true).await, None);
        let looks = Cell::new(0);
        let comes_late = || looks.replace(looks.get() + 1) > 0;
        assert_eq!(holdup(&mut never(), comes_late).await, Some(Holdup::Another));
    }
}
