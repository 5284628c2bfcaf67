//! Bounds of attachments, with unit and reason.

/// An attachment of up to so many tokens is sent whole. A few pages cost less than a search in them would.
pub const WHOLE_TOKENS_MAX: u32 = 4_000;

/// Bytes that are read to see whether it is; one token has about four of them.
pub const WHOLE_BYTES_MAX: usize = 24_000;

/// Tokens of a longer one's beginning, and bytes of one line of it.
pub const HEAD_TOKENS_MAX: u32 = 600;
pub const HEAD_LINE_BYTES: usize = 1_000;

/// Titles of a longer one's outline.
pub const OUTLINE_LINES: usize = 40;

/// Characters of the preview that a chip shows.
pub const PREVIEW_CHARACTERS: usize = 4_000;

/// Largest picture that may be pasted; a line of the socket's protocol holds no more as base64.
pub const PASTED_PICTURE_BYTES_MAX: usize = 11 << 20;

/// Largest text that may be pasted as an attachment; a line of the socket's protocol holds no more.
pub const PASTED_FILE_BYTES_MAX: usize = 8 << 20;
