//! Decides which of two desktop programs of one data folder stays: the one with the folder's lock.
//!
//! No session bus is needed. A program without windows (a question on the command line) may hold the folder for
//! some seconds. The shell waits for that program, within bounds.

use crate::settings::Settings;
use crate::words;
use shidi_locales::Language;
use shidi_protocol::{DesktopSignal, ErrorCode, UserError, reply, request};
use shidi_runtime::{Connection, OpenOptions};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::sleep;

/// Time between two attempts to get a folder that a command line holds.
const RETRY_EVERY: Duration = Duration::from_millis(250);
/// Attempts: 30 s, longer than a plain question takes.
const ATTEMPTS: u32 = 120;

/// The program that serves the data folder now.
pub enum Opened {
    /// This process serves the folder.
    Here(Box<Connection>),
    /// Another desktop program serves the folder, and was sent this start's request.
    Elsewhere,
}

/// Opens the data folder, or brings the program that holds it to the front.
///
/// # Errors
/// Storage trouble, or a command line that holds the folder for too long.
pub async fn open(
    options: OpenOptions,
    signal: DesktopSignal,
    language: Language,
) -> Result<Opened, UserError> {
    for _ in 0..ATTEMPTS {
        let connection = Connection::open(options.clone()).await?;
        if connection.is_runtime() {
            return Ok(Opened::Here(Box::new(connection)));
        }
        let signal = signal.clone();
        if connection.ask(request::Desktop { signal }).await.is_ok() {
            return Ok(Opened::Elsewhere);
        }
        drop(connection);
        sleep(RETRY_EVERY).await;
    }
    let (message, hint) = words::folder_busy(language);
    Err(UserError::new(ErrorCode::System, message).hint(hint))
}

/// The connection's data folder, and its settings for the windows.
pub async fn configuration(connection: &Connection) -> (Option<PathBuf>, Settings) {
    let Ok(reply::Config { path, entries }) = connection.ask(request::ConfigList).await else {
        return (None, Settings::of(|_| ""));
    };
    (
        PathBuf::from(path).parent().map(PathBuf::from),
        Settings::of_entries(&entries),
    )
}
