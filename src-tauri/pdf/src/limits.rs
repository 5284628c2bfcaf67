//! Bounds, and the measures of a page in points.

/// Largest text, in bytes.
pub const MARKDOWN_BYTES_MAX: usize = 10 << 20;

/// Most pages: a book of a thousand leaves.
pub const PAGES_MAX: usize = 2_000;

/// Most columns of a table. A wider one is a sheet, and few parts of it still read as one table.
pub const COLUMNS_MAX: usize = 24;

/// Quotes and lists within one another; deeper ones stand at this depth.
pub(crate) const DEPTH_MAX: usize = 12;

/// What is shaped at once, in bytes: a longer paragraph is broken into lines in pieces of this size.
pub(crate) const PIECE_BYTES: usize = 16 << 10;

/// Rows of a table that decide on the widths of its columns.
pub(crate) const MEASURED_ROWS: usize = 200;

/// Longest address that becomes a link, in bytes.
pub(crate) const ADDRESS_BYTES_MAX: usize = 2_000;

pub(crate) const PAGE_WIDTH: f32 = 595.276;
pub(crate) const PAGE_HEIGHT: f32 = 841.89;
/// 2.5 cm.
pub(crate) const MARGIN: f32 = 70.866;
pub(crate) const TOP: f32 = MARGIN;
pub(crate) const BOTTOM: f32 = PAGE_HEIGHT - MARGIN;

pub(crate) const BODY_SIZE: f32 = 10.5;
pub(crate) const CODE_SIZE: f32 = 9.0;
/// Of cells, the largest first. A table with many columns has smaller letters, down to what is still read on paper.
pub(crate) const CELL_SIZES: [f32; 3] = [9.5, 8.0, 6.5];
/// Of a table whose columns stand in several parts.
pub(crate) const PART_CELL_SIZE: f32 = 8.0;
pub(crate) const NUMBER_SIZE: f32 = 9.0;
pub(crate) const HEADING_SIZES: [f32; 6] = [20.0, 16.0, 13.5, 12.0, 10.5, 10.5];
/// Code stands beside prose at this part of its size.
pub(crate) const CODE_WITHIN: f32 = 0.92;
