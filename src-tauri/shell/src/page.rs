//! Whether the panel's page can be shown, and the steps after its process is lost.
//!
//! A web view that is shown before its first page is loaded stays blank. So an earlier summon is kept until
//! then. A lost page is loaded again by itself, but only a few times; then the next summon loads it. Pure.

use crate::summon::ShownBy;
use std::time::{Duration, Instant};

/// Losses after which the page is not loaded again by itself, since it would be lost for ever.
const LOSSES_MAX: u32 = 3;
/// Time within which losses are counted together.
const LOSSES_WITHIN: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub struct Page {
    stage: Stage,
    losses: u32,
    /// The time of the first counted loss.
    since: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Loading { wanted: Option<ShownBy> },
    Loaded,
    LeftAlone,
}

/// The state that a summon finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summoned {
    /// The page is there: it can be shown.
    Ready,
    /// The page is not loaded: the summon is kept until then.
    Kept,
    /// The summon is kept, and the page must be loaded first.
    LoadsAgain,
}

/// The next step after a page was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    LoadsAgain,
    LeftAlone,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            stage: Stage::Loading { wanted: None },
            losses: 0,
            since: None,
        }
    }
}

impl Page {
    pub fn summon(&mut self, by: ShownBy) -> Summoned {
        let before = self.stage;
        if before != Stage::Loaded {
            self.stage = Stage::Loading { wanted: Some(by) };
        }
        match before {
            Stage::Loaded => Summoned::Ready,
            Stage::Loading { .. } => Summoned::Kept,
            Stage::LeftAlone => Summoned::LoadsAgain,
        }
    }

    /// Drops the kept summon. Returns false when there is none.
    #[must_use]
    pub fn take_summon_back(&mut self) -> bool {
        let is_kept = matches!(self.stage, Stage::Loading { wanted: Some(_) });
        if is_kept {
            self.stage = Stage::Loading { wanted: None };
        }
        is_kept
    }

    /// Notes that the page is loaded; returns the kept summon.
    pub fn loaded(&mut self) -> Option<ShownBy> {
        match std::mem::replace(&mut self.stage, Stage::Loaded) {
            Stage::Loading { wanted } => wanted,
            Stage::Loaded | Stage::LeftAlone => None,
        }
    }

    /// Notes that the page's process is gone; `wanted` is the summon to keep while the page loads.
    #[must_use]
    pub fn lost(&mut self, wanted: Option<ShownBy>, now: Instant) -> Lost {
        let is_new = self
            .since
            .is_none_or(|since| now.duration_since(since) > LOSSES_WITHIN);
        if is_new {
            (self.losses, self.since) = (0, Some(now));
        }
        self.losses += 1;
        if self.losses > LOSSES_MAX {
            self.stage = Stage::LeftAlone;
            return Lost::LeftAlone;
        }
        let kept = match self.stage {
            Stage::Loading { wanted } => wanted,
            Stage::Loaded | Stage::LeftAlone => None,
        };
        self.stage = Stage::Loading {
            wanted: wanted.or(kept),
        };
        Lost::LoadsAgain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY: ShownBy = ShownBy::Hotkey;

    #[test]
    fn a_summon_before_the_page_is_kept_until_it_is_there_or_taken_back() {
        let mut page = Page::default();
        assert_eq!(page.summon(BY), Summoned::Kept);
        assert!(page.take_summon_back());
        assert!(!page.take_summon_back());
        assert_eq!(page.summon(BY), Summoned::Kept);
        assert_eq!(page.loaded(), Some(BY));
        assert_eq!(page.summon(BY), Summoned::Ready);
        assert!(!page.take_summon_back());
    }

    #[test]
    fn a_page_that_is_lost_again_and_again_waits_for_the_next_summon() {
        let (mut page, now) = (Page::default(), Instant::now());
        for _ in 0..LOSSES_MAX {
            assert_eq!(page.lost(Some(BY), now), Lost::LoadsAgain);
            assert_eq!(page.loaded(), Some(BY));
        }
        assert_eq!(page.lost(Some(BY), now), Lost::LeftAlone);
        assert!(!page.take_summon_back());
        assert_eq!(page.summon(BY), Summoned::LoadsAgain);
        assert_eq!(page.summon(BY), Summoned::Kept);
        // A page lost at once again is left alone, not loaded in a circle.
        assert_eq!(page.lost(None, now), Lost::LeftAlone);
        assert_eq!(page.summon(BY), Summoned::LoadsAgain);
        assert_eq!(page.loaded(), Some(BY));
        assert_eq!(page.summon(BY), Summoned::Ready);
    }

    #[test]
    fn losses_that_lie_far_apart_are_not_counted_together() {
        let mut page = Page::default();
        let start = Instant::now();
        for number in 0..2 * LOSSES_MAX {
            let now = start + (LOSSES_WITHIN + Duration::from_secs(1)) * number;
            assert_eq!(page.lost(None, now), Lost::LoadsAgain);
        }
    }

    #[test]
    fn a_summon_is_kept_through_a_loss() {
        let mut page = Page::default();
        assert_eq!(page.summon(BY), Summoned::Kept);
        assert_eq!(page.lost(None, Instant::now()), Lost::LoadsAgain);
        assert_eq!(page.loaded(), Some(BY));
    }
}
