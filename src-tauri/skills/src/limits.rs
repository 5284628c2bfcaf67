//! Bounds of skills, with unit and reason.

/// Depth of folders below a root in which skills are looked for, and folders that are looked at. The host guide of the
/// specification names both.
pub const DEPTH_MAX: usize = 4;
pub const FOLDERS_MAX: usize = 2_000;
/// Skills of one root: more are no longer told apart by a model.
pub const SKILLS_MAX: usize = 200;

/// Bytes of a SKILL.md: fifty times what the specification advises for its body.
pub const SKILL_BYTES_MAX: u64 = 256 << 10;
/// Characters of a body that go into a prompt, some 8,000 tokens; the specification advises fewer than 5,000.
pub const BODY_CHARACTERS_MAX: usize = 32_000;
/// Characters of the fields, as the specification says.
pub const DESCRIPTION_CHARACTERS_MAX: usize = 1_024;
pub const COMPATIBILITY_CHARACTERS_MAX: usize = 500;
/// Characters of a name that is made of a question, before its number: some six words.
pub const MADE_NAME_CHARACTERS_MAX: usize = 40;
/// Characters of a question that name what was made of its run: a line and a half.
pub const TITLE_CHARACTERS_MAX: usize = 120;
/// Lines of a body, as the specification advises.
pub const BODY_LINES_ADVISED: usize = 500;
/// Depth and nodes of the front matter: six fields and a flat map.
pub const MATTER_DEPTH_MAX: usize = 8;
pub const MATTER_NODES_MAX: usize = 2_000;

/// Files that a text names beside it.
pub const FILES_TOLD_MAX: usize = 40;

/// Skills of one source that are reviewed at once.
pub const REVIEWED_MAX: usize = 50;
