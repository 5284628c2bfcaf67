//! `shidi mcp log`: what happened to a server, and what it wrote. Where nothing is on record yet, the server is started.

use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use shidi_protocol::request::mcp;
use shidi_protocol::{McpLogKind, McpLogLine, Moment, reply};

/// Prints the log of a server.
///
/// # Errors
/// A name that no server has, and why a server can't be started of which nothing is on record.
pub async fn run(name: &str, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = mcp::Log {
        name: name.to_owned(),
    };
    let (log, started) = with_connection(options, async |connection| {
        let log = connection.ask(request.clone()).await?;
        if !log.lines.is_empty() {
            return Ok((log, Ok(())));
        }
        let test = mcp::Test {
            name: name.to_owned(),
        };
        let started = ask_unlocking(connection, test, console).await.map(|_| ());
        Ok((connection.ask(request.clone()).await?, started))
    })
    .await?;
    print(&log, console)?;
    started?;
    Ok(Exit::Done)
}

fn print(log: &reply::McpLog, console: &Console) -> Result<(), Failure> {
    if log.gone > 0 && !console.is_json() {
        console.line(&console.painted(Look::Dim, &console.words.log_gone(log.gone)))?;
    }
    for line in &log.lines {
        if console.is_json() {
            console.json(line)?;
            continue;
        }
        let (look, what) = kind(line, console);
        console.line(&format!(
            "{}  {}  {}",
            console.painted(Look::Dim, &clock(line.at)),
            console.painted(look, what),
            clean(&line.text)
        ))?;
    }
    Ok(())
}

fn kind(line: &McpLogLine, console: &Console) -> (Look, &'static str) {
    let words = console.words;
    match line.kind {
        McpLogKind::Starting => (Look::Strong, words.log_starting()),
        McpLogKind::Ready => (Look::Good, words.log_ready()),
        McpLogKind::Ended => (Look::Strong, words.log_ended()),
        McpLogKind::Failed => (Look::Bad, words.log_failed()),
        McpLogKind::Wrote => (Look::Dim, words.log_wrote()),
        McpLogKind::Told => (Look::Dim, words.log_told()),
    }
}

/// When a line was written, to the second: servers end within seconds.
fn clock(at: Moment) -> String {
    at.timestamp()
        .to_zoned(jiff::tz::TimeZone::system())
        .strftime("%Y-%m-%d %H:%M:%S")
        .to_string()
}
