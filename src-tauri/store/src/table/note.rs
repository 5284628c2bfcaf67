//! `note`: what earlier formats kept of what the user asked to remember. Its rows are in `memory` now. The table is
//! made only so that a database of any age takes every step.

pub(crate) const CREATE: &str = "
CREATE TABLE note (
  row     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  text    TEXT NOT NULL,
  session TEXT REFERENCES session (id) ON DELETE SET NULL,
  time    INTEGER NOT NULL,
  tainted INTEGER NOT NULL
) STRICT;
CREATE INDEX note_by_session ON note (session);
";
