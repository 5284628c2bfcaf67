//! Bounds of captures, with unit and reason.

use std::time::Duration;

/// Pictures of the screen that a session's later questions take along: the last two are what people go on about.
pub const EARLIER_PICTURES_MAX: usize = 2;

/// Time within which everything about the window in front is read at a summon (DESIGN §10). Content that comes later is
/// left out.
pub const SUMMON_MOST: Duration = Duration::from_millis(150);

/// Time within which a window is read that the user pointed at with a command. Its first connection to the bus took 320
/// ms.
pub const LOOK_MOST: Duration = Duration::from_secs(2);

/// Time within which the PDF of a page is fetched and read. A view is there before; whoever sends it waits no longer.
pub const PDF_MOST: Duration = Duration::from_secs(40);

/// Time within which the fast model proposes a question: whoever has none by then types one.
pub const SUGGESTION_MOST: Duration = Duration::from_millis(1_500);

/// Tokens of a page's text that go into a prompt whole: a long article. A longer one is searched by the task.
pub const WHOLE_TOKENS_MAX: u32 = 8_000;

/// Tokens of a searched text's beginning, and its headings, that stand in the prompt.
pub const HEAD_TOKENS: u32 = 1_200;
pub const HEADINGS_MAX: usize = 40;

/// Characters of a part that its chip's preview shows.
pub const PREVIEW_CHARACTERS: usize = 6_000;

/// Fields of a form, and addresses, that go along with a page's text.
pub const FIELDS_TOLD_MAX: usize = 60;
pub const LINKS_TOLD_MAX: usize = 80;

/// Characters that are put into a window at once: more is a file's.
pub const INSERT_CHARACTERS_MAX: usize = 200_000;

/// Characters of another program's name in the ledger: names are a word or two.
pub const PROGRAM_CHARACTERS_MAX: usize = 80;
