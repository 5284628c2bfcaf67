//! Views that were seen and not yet sent: in memory only, few at a time, for a short time (F2.2).
//!
//! The caller passes the time in. A view lives for [`KEPT_MS`] after its window lost the focus. While that
//! window stays in front, the view lives up to [`KEPT_IN_FRONT_MS`].

use crate::KEPT_MS;
use crate::limits::{KEPT_IN_FRONT_MS, KEPT_MOST};
use shidi_protocol::Moment;

/// Views by id.
#[derive(Debug)]
pub struct Memory<View> {
    entries: Vec<Entry<View>>,
}

#[derive(Debug)]
struct Entry<View> {
    id: String,
    view: View,
    /// The window that was in front; `None` on systems that do not report a change of the focus.
    window: Option<u32>,
    looked: Moment,
    /// When another window came to the front.
    left: Option<Moment>,
}

impl<View> Default for Memory<View> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<View> Memory<View> {
    /// Keeps a view; the oldest is dropped when there are too many.
    pub fn keep(&mut self, id: &str, view: View, window: Option<u32>, now: Moment) {
        self.sweep(now);
        if self.entries.len() >= KEPT_MOST {
            self.entries.remove(0);
        }
        self.entries.push(Entry {
            id: id.to_owned(),
            view,
            window,
            looked: now,
            left: window.is_none().then_some(now),
        });
    }

    /// The view of that id, if it is still kept.
    pub fn get(&mut self, id: &str, now: Moment) -> Option<&mut View> {
        self.sweep(now);
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        entry.map(|entry| &mut entry.view)
    }

    /// Drops a view.
    pub fn forget(&mut self, id: &str) {
        self.entries.retain(|entry| entry.id != id);
    }

    /// Drops all views.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Notes that a window of another program is in front now.
    pub fn fronted(&mut self, window: u32, now: Moment) {
        for entry in &mut self.entries {
            if entry.window != Some(window) && entry.left.is_none() {
                entry.left = Some(now);
            }
        }
        self.sweep(now);
    }

    /// Drops views that are too old; returns the number of the others.
    pub fn sweep(&mut self, now: Moment) -> usize {
        self.entries.retain(|entry| {
            let is_fresh = entry.left.is_none_or(|left| now.since(left) < KEPT_MS);
            is_fresh && now.since(entry.looked) < KEPT_IN_FRONT_MS
        });
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ms: u64) -> Moment {
        Moment(1_000_000 + i64::try_from(ms).unwrap())
    }

    #[test]
    fn a_view_goes_two_minutes_after_its_window_was_left() {
        let mut memory = Memory::default();
        memory.keep("a", (), Some(5), after(0));
        memory.fronted(5, after(400_000));
        assert!(memory.get("a", after(400_001)).is_some());
        memory.fronted(6, after(400_002));
        assert!(memory.get("a", after(400_001 + KEPT_MS)).is_some());
        assert!(memory.get("a", after(400_002 + KEPT_MS)).is_none());
    }

    #[test]
    fn coming_back_to_the_window_does_not_prolong_a_view() {
        let mut memory = Memory::default();
        memory.keep("a", (), Some(5), after(0));
        memory.fronted(6, after(10));
        memory.fronted(5, after(20));
        assert!(memory.get("a", after(10 + KEPT_MS)).is_none());
    }

    #[test]
    fn where_nobody_follows_windows_the_time_runs_from_the_look() {
        let mut memory = Memory::default();
        memory.keep("a", (), None, after(0));
        assert!(memory.get("a", after(KEPT_MS - 1)).is_some());
        assert_eq!(memory.sweep(after(KEPT_MS)), 0);
    }

    #[test]
    fn nothing_is_kept_for_ever_or_without_number() {
        let mut memory = Memory::default();
        for number in 0..20 {
            memory.keep(&number.to_string(), number, Some(1), after(number));
        }
        assert_eq!(memory.sweep(after(20)), KEPT_MOST);
        assert!(memory.get("0", after(20)).is_none());
        assert!(memory.get("19", after(20)).is_some());
        assert_eq!(memory.sweep(after(KEPT_IN_FRONT_MS + 20)), 0);
    }
}
