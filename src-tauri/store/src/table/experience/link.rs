//! `experience_link`: what experiences have to do with, so that one leads to another. The links are tools, an error's
//! class, kinds of files, hosts and sites, as `tool:files.read`. What makes them is not the store's business.

use crate::table::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::ExperienceId;

/// Links that one reading gives: three chosen experiences lead to no more that matter.
const LINKS_MOST: u32 = 2_000;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperienceLink {
    pub experience: ExperienceId,
    pub link: String,
}

impl Store {
    /// All links of these experiences, and of approved ones that have one of those.
    pub fn experience_links(&self, of: &[ExperienceId]) -> Result<Vec<ExperienceLink>, StoreError> {
        self.read(|connection| around(connection, of))
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

fn around(connection: &Connection, of: &[ExperienceId]) -> rusqlite::Result<Vec<ExperienceLink>> {
    let ids: Vec<&str> = of.iter().map(ExperienceId::as_str).collect();
    rows(
        connection,
        "SELECT experience, link FROM experience_link WHERE experience IN (
           SELECT value FROM json_each(?1)
           UNION SELECT other.experience FROM experience_link AS own JOIN experience_link AS other USING (link)
             JOIN experience ON experience.id = other.experience AND experience.state = 'approved'
             WHERE own.experience IN (SELECT value FROM json_each(?1)))
         ORDER BY experience, link LIMIT ?2",
        params![crate::column::Json(ids), LINKS_MOST],
        |row| {
            Ok(ExperienceLink {
                experience: ExperienceId::from(row.get::<_, String>(0)?),
                link: row.get(1)?,
            })
        },
    )
}
