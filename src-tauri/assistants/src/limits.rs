//! Bounds of assistants, with unit and reason.

/// Bytes of an assistant's file: a prompt of some 20,000 words beside everything else.
pub const FILE_BYTES_MAX: u64 = 256 << 10;
/// Bytes of another program's file: a collection of several hundred, or a card in a picture.
pub const IMPORT_BYTES_MAX: u64 = 16 << 20;
/// Files that are looked at in the user's folder.
pub const FILES_MAX: usize = 500;
/// Assistants of one file that are reviewed at once.
pub const REVIEWED_MAX: usize = 500;
/// Reviews that wait for a decision; the oldest goes.
pub const REVIEWS_MAX: usize = 4;

/// Faults that are told of one file.
pub const FAULTS_MAX: usize = 50;

/// Characters of what stands in lists: a line of each.
pub const TITLE_CHARACTERS_MAX: usize = 80;
pub const DESCRIPTION_CHARACTERS_MAX: usize = 500;
/// Characters of a picture: a sign may be made of several.
pub const PICTURE_CHARACTERS_MAX: usize = 16;
/// Characters of an opening, and of a suggestion: both are read before the first question.
pub const OPENING_CHARACTERS_MAX: usize = 4_000;
pub const SUGGESTION_CHARACTERS_MAX: usize = 300;
pub const SUGGESTIONS_MAX: usize = 12;
/// Places for values that are told of one text, and characters of each.
pub const PLACEHOLDERS_MAX: usize = 12;
pub const PLACEHOLDER_CHARACTERS_MAX: usize = 80;
/// Characters of a prompt: some 8,000 tokens.
pub const PROMPT_CHARACTERS_MAX: usize = 32_000;
/// Names in one list.
pub const NAMES_MAX: usize = 200;
/// Characters of a name in a list, and of a model's.
pub const NAME_CHARACTERS_MAX: usize = 300;

/// Characters of a value that a comparison shows.
pub const DIFFERENCE_CHARACTERS: usize = 400;
/// Characters of it before the place where two long values begin to differ: enough to find that place.
pub const DIFFERENCE_LEAD_CHARACTERS: usize = 40;
/// Values that a comparison shows: a page of them. Files of other programs may bring thousands.
pub const DIFFERENCES_MAX: usize = 100;
