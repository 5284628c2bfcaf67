//! `experience_link`: what experiences have to do with, so that one leads to another. The links are tools, an error's
//! class, kinds of files, hosts and sites, as `tool:files.read`. What makes them is not the store's business.

use crate::column::Json;
use crate::table::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::ExperienceId;
use std::collections::BTreeSet;

/// Links of what was chosen that are followed: some experiences have a few dozen each.
const FOLLOWED_MOST: u32 = 200;

/// The rows of earlier experiences are made of what these name.
pub(crate) const CREATE: &str = "
CREATE TABLE experience_link (
  experience TEXT NOT NULL REFERENCES experience (id) ON DELETE CASCADE,
  link       TEXT NOT NULL,
  PRIMARY KEY (experience, link)
) STRICT, WITHOUT ROWID;
CREATE INDEX experience_link_by_link ON experience_link (link);
INSERT OR IGNORE INTO experience_link (experience, link)
  SELECT experience.id, 'tool:' || each.value FROM experience, json_each(experience.calls) AS each;
INSERT OR IGNORE INTO experience_link (experience, link)
  SELECT experience.id, each.value FROM experience, json_each(experience.context) AS each
  WHERE each.value NOT LIKE 'toolkit:%';
INSERT OR IGNORE INTO experience_link (experience, link)
  SELECT id, 'error:' || substr(error, 1, instr(error, ':') - 1) FROM experience
  WHERE instr(error, ':') > 1 AND substr(error, 1, instr(error, ':') - 1) NOT GLOB '*[^A-Za-z0-9_.]*';
";

/// One link of an experience.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExperienceLink {
    pub experience: ExperienceId,
    pub link: String,
}

impl Store {
    /// All links of these experiences, and for each of them the approved experiences that have it. Only the `newest` ones
    /// are read, as [`Store::experiences_approved`] counts them. Other links of those lead nowhere and are left out.
    pub fn experience_links(
        &self,
        of: &[ExperienceId],
        newest: u32,
    ) -> Result<Vec<ExperienceLink>, StoreError> {
        self.read(|connection| around(connection, of, newest))
    }
}

/// Puts the links of an experience in the place of its earlier ones.
pub(crate) fn put(connection: &Connection, id: &ExperienceId, links: &[String]) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM experience_link WHERE experience = ?1",
        [id.as_str()],
    )?;
    for link in links {
        write(
            connection,
            "INSERT OR IGNORE INTO experience_link (experience, link) VALUES (?1, ?2)",
            params![id.as_str(), link],
        )?;
    }
    Ok(())
}

fn around(
    connection: &Connection,
    of: &[ExperienceId],
    newest: u32,
) -> rusqlite::Result<Vec<ExperienceLink>> {
    let ids: Vec<&str> = of.iter().map(ExperienceId::as_str).collect();
    let own = rows(
        connection,
        "SELECT experience, link FROM experience_link WHERE experience IN (SELECT value FROM json_each(?1))
         ORDER BY link, experience LIMIT ?2",
        params![Json(ids), FOLLOWED_MOST],
        |row| {
            Ok(ExperienceLink {
                experience: ExperienceId::from(row.get::<_, String>(0)?),
                link: row.get(1)?,
            })
        },
    )?;
    let followed: BTreeSet<String> = own.iter().map(|one| one.link.clone()).collect();
    let mut all: BTreeSet<ExperienceLink> = own.into_iter().collect();
    for link in followed {
        all.extend(holders(connection, &link, newest)?);
    }
    Ok(all.into_iter().collect())
}

/// The newest approved experiences that have a link.
fn holders(connection: &Connection, link: &str, newest: u32) -> rusqlite::Result<Vec<ExperienceLink>> {
    rows(
        connection,
        "SELECT experience.id FROM experience_link JOIN experience ON experience.id = experience_link.experience
         WHERE experience_link.link = ?1 AND experience.state = 'approved'
         ORDER BY experience.decided DESC, experience.row DESC LIMIT ?2",
        params![link, newest],
        |row| {
            Ok(ExperienceLink {
                experience: ExperienceId::from(row.get::<_, String>(0)?),
                link: link.to_owned(),
            })
        },
    )
}
