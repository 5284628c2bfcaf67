//! The bar beside a selected text on macOS and Windows: nothing tells of selections there yet, so there is none.

use crate::selection_act::{Bar, Choice};
use shidi_protocol::{MemoryId, SelectionEnd};
use tauri::AppHandle;

/// Shows nothing.
pub fn show(_app: &AppHandle, _bar: &Bar, _chosen: fn(&AppHandle, Choice)) {}

/// Has nothing to end.
pub fn over(_end: SelectionEnd) {}

/// Says nothing.
pub fn say(_bar: u64, _text: &str, _undo: Option<MemoryId>) {}
