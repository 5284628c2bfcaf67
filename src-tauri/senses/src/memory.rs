//! Views that were seen and not yet sent: in memory only, few at a time, for a short time (F2.2).
//!
//! The caller passes the time in. A view lives for [`KEPT_MS`] after its window lost the focus. While that
//! window stays in front, the view lives up to [`KEPT_IN_FRONT_MS`]. A view belongs to one tab or window, and the next
//! view of the same takes its place. A question that was written with the earlier view is still sent with that view.
//! A pinned view stays until it is let go.

use crate::KEPT_MS;
use crate::limits::{KEPT_IN_FRONT_MS, KEPT_MOST, PINNED_MOST};
use shidi_protocol::Moment;
use std::sync::{Arc, Weak};

/// Views by id.
#[derive(Debug)]
pub struct Memory<View> {
    entries: Vec<Entry<View>>,
    /// The window that came to the front last; `None` before the first one was reported.
    front: Option<u32>,
    /// Whoever sweeps in the background holds the other end.
    sweeper: Weak<()>,
}

/// What a view shows, and where the system tells of the focus, the window it was in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// The tab or window and the way of looking; views of nothing in particular take nobody's place.
    pub key: Option<String>,
    /// The window that was in front; `None` on systems that do not report a change of the focus.
    pub window: Option<u32>,
}

/// A view that is kept, as it is listed.
#[derive(Debug, PartialEq, Eq)]
pub struct Held<'a, View> {
    pub id: &'a str,
    pub view: &'a View,
    pub pinned: bool,
    /// When it goes; `None` for a pinned one.
    pub until: Option<Moment>,
}

#[derive(Debug)]
struct Entry<View> {
    id: String,
    view: View,
    subject: Subject,
    looked: Moment,
    /// When another window came to the front.
    left: Option<Moment>,
    pinned: bool,
    /// Whether a later view shows the same.
    is_replaced: bool,
}

impl<View> Entry<View> {
    fn until(&self) -> Option<Moment> {
        let most = self.looked.after(KEPT_IN_FRONT_MS);
        let left = self.left.map_or(most, |left| left.after(KEPT_MS));
        (!self.pinned).then_some(most.min(left))
    }
}

impl<View> Default for Memory<View> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            front: None,
            sweeper: Weak::new(),
        }
    }
}

impl<View> Memory<View> {
    /// Keeps a view; the oldest that is not pinned is dropped when there are too many.
    pub fn keep(&mut self, id: &str, view: View, subject: Subject, now: Moment) {
        self.sweep(now);
        for earlier in &mut self.entries {
            earlier.is_replaced |= subject.key.is_some() && earlier.subject.key == subject.key;
        }
        if self.entries.len() >= KEPT_MOST
            && let Some(oldest) = self.entries.iter().position(|entry| !entry.pinned)
        {
            self.entries.remove(oldest);
        }
        // A window that was left during the look is not reported once more as left.
        let is_left = |window| self.front.is_some_and(|front| front != window);
        let is_in_front = subject.window.is_some_and(|window| !is_left(window));
        self.entries.push(Entry {
            id: id.to_owned(),
            view,
            looked: now,
            left: (!is_in_front).then_some(now),
            subject,
            pinned: false,
            is_replaced: false,
        });
    }

    /// The view of that id, if it is still kept.
    pub fn get(&mut self, id: &str, now: Moment) -> Option<&mut View> {
        self.sweep(now);
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        entry.map(|entry| &mut entry.view)
    }

    /// Views that stand for what they show, the latest first.
    pub fn held(&mut self, now: Moment) -> impl Iterator<Item = Held<'_, View>> {
        self.sweep(now);
        let entries = self.entries.iter().rev();
        entries
            .filter(|entry| entry.pinned || !entry.is_replaced)
            .map(|entry| Held {
                id: &entry.id,
                view: &entry.view,
                pinned: entry.pinned,
                until: entry.until(),
            })
    }

    /// Keeps a view until it is let go, or lets it go in time again.
    ///
    /// # Errors
    /// No such view, or too many that are pinned.
    pub fn pin(&mut self, id: &str, on: bool, now: Moment) -> Result<(), Unpinned> {
        self.sweep(now);
        let others = self.entries.iter().filter(|entry| entry.pinned && entry.id != id);
        let is_full = on && others.count() >= PINNED_MOST;
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        let entry = entry.ok_or(Unpinned::Gone)?;
        if is_full {
            return Err(Unpinned::TooMany);
        }
        entry.pinned = on;
        if !on {
            // Its time begins anew: whoever takes the pin out wants to see it go, and not find it gone.
            entry.looked = now;
            entry.left = Some(now);
        }
        Ok(())
    }

    /// Whether a view is pinned.
    #[must_use]
    pub fn is_pinned(&self, id: &str) -> bool {
        self.entries.iter().any(|entry| entry.id == id && entry.pinned)
    }

    /// Drops a view.
    pub fn forget(&mut self, id: &str) {
        self.entries.retain(|entry| entry.id != id);
    }

    /// Drops all views, and what was in front: during a pause no other window is reported.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.front = None;
    }

    /// Notes that a window of another program is in front now.
    pub fn fronted(&mut self, window: u32, now: Moment) {
        self.front = Some(window);
        for entry in &mut self.entries {
            if entry.subject.window != Some(window) && entry.left.is_none() {
                entry.left = Some(now);
            }
        }
        self.sweep(now);
    }

    /// Drops views that are too old; returns the number of those that will go in time.
    pub fn sweep(&mut self, now: Moment) -> usize {
        self.entries
            .retain(|entry| entry.until().is_none_or(|until| now < until));
        self.entries.iter().filter(|entry| !entry.pinned).count()
    }

    /// Lets one sweep in the background, with [`Memory::swept`]. `None` while another one does: it is at work for as
    /// long as it holds what it got.
    #[must_use]
    pub fn sweeper(&mut self) -> Option<Arc<()>> {
        if self.sweeper.strong_count() > 0 {
            return None;
        }
        let at_work = Arc::new(());
        self.sweeper = Arc::downgrade(&at_work);
        Some(at_work)
    }

    /// Sweeps in the background; returns for how many milliseconds nothing else goes. `None` ends that work, since
    /// nothing goes in time any more.
    pub fn swept(&mut self, now: Moment) -> Option<u64> {
        self.sweep(now);
        let Some(next) = self.entries.iter().filter_map(Entry::until).min() else {
            self.sweeper = Weak::new();
            return None;
        };
        // A view that comes, or whose window is left meanwhile, has that time from then.
        Some(next.since(now).min(KEPT_MS))
    }
}

/// Why a view was not pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpinned {
    Gone,
    TooMany,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ms: u64) -> Moment {
        Moment(1_000_000 + i64::try_from(ms).unwrap())
    }

    fn of(window: Option<u32>) -> Subject {
        Subject { key: None, window }
    }

    fn tab(number: u32) -> Subject {
        Subject {
            key: Some(format!("tab {number}")),
            window: Some(1),
        }
    }

    fn ids<View>(memory: &mut Memory<View>, now: Moment) -> Vec<String> {
        memory.held(now).map(|held| held.id.to_owned()).collect()
    }

    #[test]
    fn a_view_goes_two_minutes_after_its_window_was_left() {
        let mut memory = Memory::default();
        memory.keep("a", (), of(Some(5)), after(0));
        memory.fronted(5, after(400_000));
        assert!(memory.get("a", after(400_001)).is_some());
        memory.fronted(6, after(400_002));
        assert!(memory.get("a", after(400_001 + KEPT_MS)).is_some());
        assert!(memory.get("a", after(400_002 + KEPT_MS)).is_none());
    }

    #[test]
    fn coming_back_to_the_window_does_not_prolong_a_view() {
        let mut memory = Memory::default();
        memory.keep("a", (), of(Some(5)), after(0));
        memory.fronted(6, after(10));
        memory.fronted(5, after(20));
        assert!(memory.get("a", after(10 + KEPT_MS)).is_none());
    }

    #[test]
    fn a_window_that_was_left_during_the_look_counts_as_left() {
        let mut memory = Memory::default();
        memory.fronted(5, after(0));
        memory.fronted(6, after(10));
        memory.keep("left", (), of(Some(5)), after(20));
        memory.keep("in front", (), of(Some(6)), after(20));
        assert_eq!(ids(&mut memory, after(19 + KEPT_MS)), ["in front", "left"]);
        assert_eq!(ids(&mut memory, after(20 + KEPT_MS)), ["in front"]);
        assert!(memory.get("in front", after(19 + KEPT_IN_FRONT_MS)).is_some());
        // After a pause nobody knows what is in front until it is reported.
        memory.clear();
        memory.keep("unknown", (), of(Some(7)), after(30));
        assert!(memory.get("unknown", after(30 + KEPT_MS)).is_some());
    }

    #[test]
    fn one_sweeps_at_a_time_until_nothing_goes_any_more_and_comes_when_the_next_view_goes() {
        let mut memory = Memory::default();
        memory.keep("a", (), of(Some(5)), after(0));
        memory.keep("b", (), of(None), after(50));
        let sweeper = memory.sweeper();
        assert!(sweeper.is_some() && memory.sweeper().is_none());
        assert_eq!(memory.swept(after(60)), Some(KEPT_MS - 10));
        assert_eq!(memory.swept(after(50 + KEPT_MS)), Some(KEPT_MS));
        assert_eq!(memory.pin("a", true, after(60 + KEPT_MS)), Ok(()));
        assert_eq!(memory.swept(after(70 + KEPT_MS)), None, "what is pinned stays");
        let next = memory.sweeper();
        assert!(next.is_some(), "the earlier one has ended");
        drop(next);
        assert!(memory.sweeper().is_some(), "so has one that was broken off");
    }

    #[test]
    fn where_nobody_follows_windows_the_time_runs_from_the_look() {
        let mut memory = Memory::default();
        memory.keep("a", (), of(None), after(0));
        assert!(memory.get("a", after(KEPT_MS - 1)).is_some());
        assert_eq!(memory.sweep(after(KEPT_MS)), 0);
    }

    #[test]
    fn nothing_is_kept_for_ever_or_without_number() {
        let mut memory = Memory::default();
        for number in 0..20 {
            memory.keep(&number.to_string(), number, of(Some(1)), after(number));
        }
        assert_eq!(memory.sweep(after(20)), KEPT_MOST);
        assert!(memory.get("0", after(20)).is_none());
        assert!(memory.get("19", after(20)).is_some());
        assert_eq!(memory.sweep(after(KEPT_IN_FRONT_MS + 20)), 0);
    }

    #[test]
    fn the_next_view_of_a_tab_takes_the_place_of_the_one_before() {
        let mut memory = Memory::default();
        memory.keep("a", (), tab(1), after(0));
        memory.keep("b", (), tab(2), after(1));
        memory.keep("c", (), tab(1), after(2));
        assert_eq!(ids(&mut memory, after(3)), ["c", "b"]);
        assert!(
            memory.get("a", after(3)).is_some(),
            "a question may have been written with it"
        );
    }

    #[test]
    fn a_pinned_view_outlives_its_time_its_successor_and_a_crowd() {
        let mut memory = Memory::default();
        memory.keep("a", 0, tab(1), after(0));
        assert_eq!(memory.pin("a", true, after(1)), Ok(()));
        for number in 2..30 {
            memory.keep(&number.to_string(), number, tab(1), after(number));
        }
        let later = after(KEPT_IN_FRONT_MS * 2);
        assert_eq!(ids(&mut memory, later), ["a"]);
        assert_eq!(memory.pin("a", false, later), Ok(()));
        assert!(memory.get("a", later).is_some());
        assert!(memory.get("a", later.after(KEPT_MS)).is_none());
    }

    #[test]
    fn few_views_are_pinned_and_none_that_is_gone() {
        let mut memory = Memory::default();
        for number in 0..=PINNED_MOST {
            memory.keep(&number.to_string(), (), of(Some(1)), after(0));
        }
        let pinned = (0..=PINNED_MOST).map(|number| memory.pin(&number.to_string(), true, after(1)));
        let pinned: Vec<_> = pinned.collect();
        assert_eq!(pinned.iter().filter(|pinned| pinned.is_ok()).count(), PINNED_MOST);
        assert_eq!(pinned.last(), Some(&Err(Unpinned::TooMany)));
        assert_eq!(memory.pin("x", true, after(1)), Err(Unpinned::Gone));
    }
}
