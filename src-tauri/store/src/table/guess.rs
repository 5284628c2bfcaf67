//! `guess`: questions that were offered on pages of a site and passed over. A row goes when its question is taken.
//!
//! A row goes with the session in which its question was passed over last. So nothing of an erased session is left.

use super::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{DroppedGuess, Moment, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE guess (
  site    TEXT NOT NULL,
  guess   TEXT NOT NULL,
  words   TEXT NOT NULL,
  misses  INTEGER NOT NULL,
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  time    INTEGER NOT NULL,
  PRIMARY KEY (site, guess)
) STRICT, WITHOUT ROWID;
CREATE INDEX guess_by_session ON guess (session);
";

/// Questions that are kept in all: a site has few rules, and this is enough for a hundred sites.
const KEPT_MOST: u32 = 1_000;

/// What the user did with a question that was offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuessAnswer {
    pub site: String,
    /// The rule that found it.
    pub guess: String,
    /// As it was offered.
    pub words: String,
    pub taken: bool,
    pub session: SessionId,
    pub time: Moment,
}

/// What can be written of questions that are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuessWrite {
    Answer(GuessAnswer),
    /// Offers a question again.
    Offer {
        site: String,
        guess: String,
    },
    /// Erases what was noticed of the questions on that site.
    Forget {
        site: String,
    },
}

impl Store {
    /// Questions that were passed over at least so often in a row, on one site or on all, newest first.
    pub fn dropped_guesses(
        &self,
        site: Option<&str>,
        misses_least: u32,
    ) -> Result<Vec<DroppedGuess>, StoreError> {
        self.read(|connection| dropped(connection, site, misses_least))
    }
}

impl GuessWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Answer(answer) if answer.taken => offer(connection, &answer.site, &answer.guess),
            Self::Answer(answer) => pass_over(connection, answer),
            Self::Offer { site, guess } => offer(connection, site, guess),
            Self::Forget { site } => {
                write(connection, "DELETE FROM guess WHERE site = ?1", [site]).map(|_| ())
            }
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::Forget { .. } => true,
            Self::Answer(_) | Self::Offer { .. } => false,
        }
    }
}

fn offer(connection: &Connection, site: &str, guess: &str) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM guess WHERE site = ?1 AND guess = ?2",
        [site, guess],
    )
    .map(|_| ())
}

/// Counts once for a session, however often it was passed over there.
fn pass_over(connection: &Connection, answer: &GuessAnswer) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO guess (site, guess, words, misses, session, time) VALUES (?1, ?2, ?3, 1, ?4, ?5)
         ON CONFLICT (site, guess) DO UPDATE
         SET words = ?3, misses = misses + (session <> ?4), session = ?4, time = ?5",
        params![
            answer.site,
            answer.guess,
            answer.words,
            answer.session.as_str(),
            answer.time.0
        ],
    )?;
    write(
        connection,
        "DELETE FROM guess WHERE (site, guess) IN (
           SELECT site, guess FROM guess ORDER BY time DESC LIMIT -1 OFFSET ?1)",
        [KEPT_MOST],
    )
    .map(|_| ())
}

fn dropped(
    connection: &Connection,
    site: Option<&str>,
    misses_least: u32,
) -> rusqlite::Result<Vec<DroppedGuess>> {
    rows(
        connection,
        "SELECT site, guess, words, time FROM guess
         WHERE misses >= ?2 AND (?1 IS NULL OR site = ?1) ORDER BY time DESC",
        params![site, misses_least],
        |row| {
            Ok(DroppedGuess {
                site: row.get(0)?,
                guess: row.get(1)?,
                words: row.get(2)?,
                time: Moment(row.get(3)?),
            })
        },
    )
}
