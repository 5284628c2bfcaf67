//! The log of a server for its user: what happened to it since this process began, and its own words.
//!
//! Servers print tokens and keys where they fail, and logs are pasted into reports: secrets are taken out.

use crate::McpServers;
use crate::answers::{found, sentence};
use shidi_locales::Language;
use shidi_mcp_client::{Happened, LogLine};
use shidi_protocol::{McpLogKind, McpLogLine, UserError, reply};
use shidi_senses::redacted;

/// What is on record of a server; none is started for it.
///
/// # Errors
/// A name that no server has.
pub fn told(servers: &McpServers, name: &str) -> Result<reply::McpLog, UserError> {
    let mcp_server = found(servers, name)?;
    let (lines, gone) = mcp_server.log.read();
    let language = servers.space.language();
    Ok(reply::McpLog {
        lines: lines.into_iter().map(|line| shown(line, language)).collect(),
        gone,
    })
}

fn shown(line: LogLine, language: Language) -> McpLogLine {
    let (kind, text) = match line.what {
        Happened::Starting => (McpLogKind::Starting, String::new()),
        Happened::Ready(about) => (McpLogKind::Ready, about),
        Happened::Ended => (McpLogKind::Ended, String::new()),
        Happened::Failed(cause) => (McpLogKind::Failed, sentence(language, &cause)),
        Happened::Wrote(text) => (McpLogKind::Wrote, redacted(&text)),
        Happened::Told(text) => (McpLogKind::Told, redacted(&text)),
    };
    McpLogLine {
        at: line.at,
        kind,
        text,
    }
}
