//! What holds for a group of RTF, and ends with it.

use super::letters::Letters;

/// Letters that stand in for one that older programs can't show.
const FALLBACK_MAX: i32 = 16;
/// The deepest level of a list, from 0, and of a heading, from 0.
const LIST_LEVEL_MAX: i32 = 8;
const HEADING_LEVEL_MAX: i32 = 5;

/// Groups without text of the document.
const PASSED_BY: &str = "aftncn aftnsep aftnsepc colortbl datafield filetbl fldtype footer footerf footerl footerr \
    ftncn ftnsep ftnsepc header headerf headerl headerr info mmath nonesttables nonshppict pict pnseclvl rxe shprslt \
    sp stylesheet tc template upr xe";

/// Groups that are read although older programs pass over them.
const READ_ANYWAY: [&str; 3] = ["annotation", "fldinst", "shpinst"];

/// Where the text of a group goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Line,
    /// The mark of a list's item.
    Mark,
    /// What a field does, such as to lead somewhere.
    Instruction,
    /// The table of fonts.
    Fonts,
    Nowhere,
}

#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) target: Target,
    pub(super) letters: Letters,
    /// Letters behind one in Unicode that stand in for it.
    pub(super) fallback: i32,
    pub(super) is_hidden: bool,
    pub(super) is_deleted: bool,
    pub(super) in_table: bool,
    /// The level of a heading, from 1; 0 of a plain paragraph.
    pub(super) heading: usize,
    /// The level of a list's item, from 0.
    pub(super) level: usize,
}

impl Group {
    pub(super) fn new() -> Self {
        Self {
            target: Target::Line,
            letters: Letters::OfDocument,
            fallback: 1,
            is_hidden: false,
            is_deleted: false,
            in_table: false,
            heading: 0,
            level: 0,
        }
    }

    /// Takes a word that changes only the group; whether it was one.
    pub(super) fn take(&mut self, name: &str, number: i32) -> bool {
        match name {
            "uc" => self.fallback = number.clamp(0, FALLBACK_MAX),
            "v" => self.is_hidden = number != 0,
            "deleted" => self.is_deleted = number != 0,
            "pard" => {
                self.in_table = false;
                self.heading = 0;
                self.level = 0;
            }
            "intbl" => self.in_table = true,
            "outlinelevel" => {
                let level = usize::try_from(number)
                    .ok()
                    .filter(|_| number <= HEADING_LEVEL_MAX);
                self.heading = level.map_or(0, |level| level + 1);
            }
            "ilvl" => self.level = usize::try_from(number.clamp(0, LIST_LEVEL_MAX)).unwrap_or(0),
            _ => return false,
        }
        true
    }
}

/// Whether a group that begins with this word holds no text of the document. A star before the word says so of
/// groups that a reader does not know.
pub(super) fn is_passed_by(name: &str, is_starred: bool) -> bool {
    (is_starred && !READ_ANYWAY.contains(&name)) || PASSED_BY.split(' ').any(|passed| passed == name)
}
