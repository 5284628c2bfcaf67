//! Bounds of work folders, with unit and reason.

/// Work folders of one session: more are no longer seen at a glance.
pub const FOLDERS_MAX: usize = 8;

/// Folders of other sessions that are offered.
pub const RECENT_MAX: usize = 6;

/// Sessions whose folders are looked through for those.
pub const SESSIONS_LOOKED_AT: u32 = 60;
