//! `prompt_kind`, `prompt_part`: how parts of prompts fared, as counts by assistant and kind of task (F12.5). No text
//! of any task is in them, so a session's deletion leaves them.
//!
//! Assistants, servers and plugins have names that users chose. Their rows go when they are removed. All counts of a kind
//! are halved together now and then: what was long ago fades, and they stay comparable. Examples of a small model's prompt
//! are counted beside the others, which are not compared with them.

use super::{rows, write};
use crate::column::Named;
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, params};
use shidi_protocol::{MeasuredPart, MeasuredPrompt, PromptPartCounts, PromptPartKind};

pub(crate) const CREATE: &str = "
CREATE TABLE prompt_kind (
  assistant TEXT NOT NULL,
  kind      TEXT NOT NULL,
  tasks     INTEGER NOT NULL,
  done      INTEGER NOT NULL,
  PRIMARY KEY (assistant, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE prompt_part (
  assistant     TEXT NOT NULL,
  kind          TEXT NOT NULL,
  what          TEXT NOT NULL,
  part          TEXT NOT NULL,
  tokens        INTEGER NOT NULL,
  line_tokens   INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  whole         INTEGER NOT NULL,
  used          INTEGER NOT NULL,
  done          INTEGER NOT NULL,
  short         INTEGER NOT NULL,
  asked         INTEGER NOT NULL,
  short_done    INTEGER NOT NULL,
  PRIMARY KEY (assistant, kind, what, part)
) STRICT, WITHOUT ROWID;
";

/// Whether these modules are used was not counted at first: they would look as if nobody ever used them.
pub(crate) const COUNT_USE: &str =
    "DELETE FROM prompt_part WHERE what = 'module' AND part IN ('skills', 'experience');";

/// Tasks of a kind from which on its counts are halved: some months of steady use.
const TASKS_MOST: u32 = 400;

impl Store {
    /// Parts of prompts of one assistant or of all, the heaviest of a kind first.
    pub fn prompt_parts(&self, assistant: Option<&str>) -> Result<Vec<PromptPartCounts>, StoreError> {
        self.read(|connection| counts(connection, assistant))
    }
}

/// Whose counts go, since the user removed what they name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgottenParts {
    Assistant(String),
    /// The one that a server or a plugin brought, in the prompts of every assistant.
    Toolkit(String),
}

pub(crate) fn forget(connection: &Connection, forgotten: &ForgottenParts) -> rusqlite::Result<()> {
    match forgotten {
        ForgottenParts::Assistant(name) => {
            write(connection, "DELETE FROM prompt_part WHERE assistant = ?1", [name])?;
            write(connection, "DELETE FROM prompt_kind WHERE assistant = ?1", [name]).map(|_| ())
        }
        ForgottenParts::Toolkit(name) => write(
            connection,
            "DELETE FROM prompt_part WHERE what = ?1 AND part = ?2",
            params![Named(PromptPartKind::Toolkit), name],
        )
        .map(|_| ()),
    }
}

/// Counts the prompt of a task that is over.
pub(crate) fn measure(connection: &Connection, prompt: &MeasuredPrompt) -> rusqlite::Result<()> {
    let (assistant, kind) = (&prompt.assistant, Named(prompt.kind));
    let is_compared = !has_example(prompt);
    write(
        connection,
        "INSERT INTO prompt_kind (assistant, kind, tasks, done) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (assistant, kind) DO UPDATE SET tasks = tasks + ?3, done = done + ?4",
        params![assistant, kind, is_compared, is_compared && prompt.done],
    )?;
    for part in &prompt.parts {
        count(connection, prompt, part)?;
    }
    let is_full = match is_compared {
        true => "SELECT 1 FROM prompt_kind WHERE assistant = ?1 AND kind = ?2 AND tasks >= ?3",
        false => {
            "SELECT 1 FROM prompt_part WHERE assistant = ?1 AND kind = ?2 AND what = 'example'
             GROUP BY what HAVING sum(whole + short) >= ?3"
        }
    };
    let full = rows(connection, is_full, params![assistant, kind, TASKS_MOST], |_| {
        Ok(())
    })?;
    match full.is_empty() {
        true => Ok(()),
        false => halve(connection, prompt),
    }
}

/// Whether it was a small model's prompt.
fn has_example(prompt: &MeasuredPrompt) -> bool {
    let mut parts = prompt.parts.iter();
    parts.any(|part| part.what == PromptPartKind::Example)
}

fn count(connection: &Connection, prompt: &MeasuredPrompt, part: &MeasuredPart) -> rusqlite::Result<()> {
    let (whole, short) = (!part.is_short, part.is_short);
    write(
        connection,
        "INSERT INTO prompt_part (assistant, kind, what, part, tokens, line_tokens,
                                  whole, used, done, short, asked, short_done, prompt_tokens)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (assistant, kind, what, part) DO UPDATE SET
           tokens = ?5, line_tokens = ?6, whole = whole + ?7, used = used + ?8, done = done + ?9,
           short = short + ?10, asked = asked + ?11, short_done = short_done + ?12, prompt_tokens = ?13",
        params![
            prompt.assistant,
            Named(prompt.kind),
            Named(part.what),
            part.part,
            part.tokens,
            part.line_tokens,
            whole,
            whole && part.is_used,
            whole && prompt.done,
            short,
            short && part.is_used,
            short && prompt.done,
            // Of the same prompt as the part: another one may lack the part.
            prompt.tokens,
        ],
    )
    .map(|_| ())
}

fn halve(connection: &Connection, prompt: &MeasuredPrompt) -> rusqlite::Result<()> {
    let kind = Named(prompt.kind);
    let is_small = has_example(prompt);
    let of = params![prompt.assistant, kind, is_small];
    write(
        connection,
        "UPDATE prompt_kind SET tasks = tasks / 2, done = done / 2
         WHERE assistant = ?1 AND kind = ?2 AND NOT ?3",
        of,
    )?;
    write(
        connection,
        "UPDATE prompt_part SET whole = whole / 2, used = used / 2, done = done / 2,
                                short = short / 2, asked = asked / 2, short_done = short_done / 2
         WHERE assistant = ?1 AND kind = ?2 AND (what = 'example') = ?3",
        of,
    )?;
    write(
        connection,
        "DELETE FROM prompt_part
         WHERE assistant = ?1 AND kind = ?2 AND (what = 'example') = ?3 AND whole + short = 0",
        of,
    )
    .map(|_| ())
}

fn counts(connection: &Connection, assistant: Option<&str>) -> rusqlite::Result<Vec<PromptPartCounts>> {
    rows(
        connection,
        "SELECT assistant, kind, what, part, tokens, line_tokens, whole, used, prompt_part.done,
                short, asked, short_done, tasks, prompt_kind.done, prompt_tokens
         FROM prompt_part JOIN prompt_kind USING (assistant, kind)
         WHERE ?1 IS NULL OR assistant = ?1
         ORDER BY assistant, what = 'example', tasks DESC, kind, tokens DESC, part",
        [assistant],
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<PromptPartCounts> {
    Ok(PromptPartCounts {
        assistant: row.get(0)?,
        kind: row.get::<_, Named<_>>(1)?.0,
        what: row.get::<_, Named<_>>(2)?.0,
        part: row.get(3)?,
        tokens: row.get(4)?,
        line_tokens: row.get(5)?,
        whole: row.get(6)?,
        used: row.get(7)?,
        done: row.get(8)?,
        short: row.get(9)?,
        asked: row.get(10)?,
        short_done: row.get(11)?,
        tasks: row.get(12)?,
        tasks_done: row.get(13)?,
        prompt_tokens: row.get(14)?,
    })
}
