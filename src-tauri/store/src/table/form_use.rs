//! `form_use`, `form_answer`: the user's choices in forms of web pages, where they let that be noticed. The second
//! table holds the user's answers to proposals of preferences.
//!
//! Of one document the latest use counts. A choice that is kept for good is a memory. These rows only find repeated
//! choices, and the order of forms. Rows of earlier versions do not say in which tab a form was used.

use super::{rows, write};
use crate::column::Json;
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, params};
use shidi_protocol::{ChosenValue, FormPlace, FormUse, Moment};

pub(crate) const CREATE: &str = "
CREATE TABLE form_use (
  row      INTEGER PRIMARY KEY,
  site     TEXT NOT NULL,
  form     TEXT NOT NULL,
  document TEXT NOT NULL,
  time     INTEGER NOT NULL,
  chosen   TEXT NOT NULL,
  UNIQUE (site, form, document)
) STRICT;
CREATE TABLE form_answer (
  site   TEXT NOT NULL,
  form   TEXT NOT NULL,
  chosen TEXT NOT NULL,
  PRIMARY KEY (site, form)
) STRICT, WITHOUT ROWID;
";

/// Uses of one form that are kept. A habit shows in the last five, and ten tell whether the habit is a new one.
const OF_FORM_MOST: u32 = 10;
/// Uses that are kept in all: enough for two hundred forms.
const USES_MOST: u32 = 2_000;

/// A use of a form as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptFormUse {
    pub site: String,
    pub form: String,
    pub time: Moment,
    pub values: Vec<ChosenValue>,
    pub button: String,
    /// `None` of a use that an earlier version kept.
    pub place: Option<FormPlace>,
}

/// What the user said to a proposal: these values of that form are not proposed again.
#[derive(Debug, Clone, PartialEq)]
pub struct FormAnswer {
    pub site: String,
    pub form: String,
    pub values: Vec<ChosenValue>,
}

/// What can be written of forms.
#[derive(Debug, Clone, PartialEq)]
pub enum FormWrite {
    Use {
        used: Box<FormUse>,
        time: Moment,
    },
    Answer(FormAnswer),
    /// Erases what was noticed of the forms of that site.
    Forget {
        site: String,
    },
}

impl Store {
    /// Uses of forms on one site or on all, newest first.
    pub fn form_uses(&self, site: Option<&str>) -> Result<Vec<KeptFormUse>, StoreError> {
        self.read(|connection| uses(connection, site))
    }

    /// What was answered to proposals on one site or on all.
    pub fn form_answers(&self, site: Option<&str>) -> Result<Vec<FormAnswer>, StoreError> {
        self.read(|connection| answers(connection, site))
    }
}

impl FormWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Use { used, time } => put(connection, used, *time),
            Self::Answer(answer) => write(
                connection,
                "INSERT INTO form_answer (site, form, chosen) VALUES (?1, ?2, ?3)
                 ON CONFLICT (site, form) DO UPDATE SET chosen = ?3",
                params![answer.site, answer.form, Json(&answer.values)],
            )
            .map(|_| ()),
            Self::Forget { site } => {
                write(connection, "DELETE FROM form_use WHERE site = ?1", [site])?;
                write(connection, "DELETE FROM form_answer WHERE site = ?1", [site]).map(|_| ())
            }
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        matches!(self, Self::Forget { .. })
    }
}

fn put(connection: &Connection, used: &FormUse, time: Moment) -> rusqlite::Result<()> {
    let chosen = Json((&used.values, &used.button, &used.place));
    write(
        connection,
        // A use that is told of anew is the newest.
        "INSERT OR REPLACE INTO form_use (site, form, document, time, chosen) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![used.site, used.form, used.document, time.0, chosen],
    )?;
    write(
        connection,
        "DELETE FROM form_use WHERE row IN (
           SELECT row FROM form_use WHERE site = ?1 AND form = ?2 ORDER BY row DESC LIMIT -1 OFFSET ?3)",
        params![used.site, used.form, OF_FORM_MOST],
    )?;
    write(
        connection,
        "DELETE FROM form_use WHERE row IN (SELECT row FROM form_use ORDER BY row DESC LIMIT -1 OFFSET ?1)",
        [USES_MOST],
    )
    .map(|_| ())
}

fn uses(connection: &Connection, site: Option<&str>) -> rusqlite::Result<Vec<KeptFormUse>> {
    rows(
        connection,
        "SELECT site, form, time, chosen FROM form_use WHERE ?1 IS NULL OR site = ?1 ORDER BY row DESC",
        [site],
        |row| {
            let (values, button, place) = chosen(row)?;
            Ok(KeptFormUse {
                site: row.get(0)?,
                form: row.get(1)?,
                time: Moment(row.get(2)?),
                values,
                button,
                place,
            })
        },
    )
}

/// What a row says was chosen, with or without its place.
fn chosen(row: &Row<'_>) -> rusqlite::Result<(Vec<ChosenValue>, String, Option<FormPlace>)> {
    if let Ok(Json((values, button, place))) = row.get::<_, Json<(_, _, FormPlace)>>(3) {
        return Ok((values, button, Some(place)));
    }
    let Json((values, button)) = row.get(3)?;
    Ok((values, button, None))
}

fn answers(connection: &Connection, site: Option<&str>) -> rusqlite::Result<Vec<FormAnswer>> {
    rows(
        connection,
        "SELECT site, form, chosen FROM form_answer WHERE ?1 IS NULL OR site = ?1",
        [site],
        |row| {
            Ok(FormAnswer {
                site: row.get(0)?,
                form: row.get(1)?,
                values: row.get::<_, Json<_>>(2)?.0,
            })
        },
    )
}
