//! Notices that wait until the quiet hours are over, and what is told then in their place. Pure.
//!
//! A card that was decided meanwhile waits for nobody and is not told.

use crate::notices::{ClickPlace, Notice};
use crate::shell_command::ShellCommand;
use shidi_protocol::{CallId, RunId};
use std::collections::VecDeque;

/// Most notices whose words are kept; of older ones only the number is.
const NOTICES_MAX: usize = 256;

#[derive(Debug, Clone, PartialEq)]
pub struct WaitingNotice {
    pub notice: Notice,
    pub detail: String,
    /// The place to which a click leads.
    pub place: Option<ClickPlace>,
}

#[derive(Debug, Default)]
pub struct WaitingNotices {
    notices: VecDeque<WaitingNotice>,
    older: u64,
}

/// What is told once the quiet hours are over.
#[derive(Debug, PartialEq)]
pub enum OverdueNotice {
    Nothing,
    One(WaitingNotice),
    /// Their number, and where the newest one leads.
    Several {
        count: u64,
        place: Option<ClickPlace>,
    },
}

impl WaitingNotices {
    pub fn add(&mut self, notice: WaitingNotice) {
        if self.notices.len() >= NOTICES_MAX {
            self.notices.pop_front();
            self.older += 1;
        }
        self.notices.push_back(notice);
    }

    /// The user has seen the events of all of them.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes all of them. `waits` says whether a card waits for its user yet.
    pub fn take(&mut self, waits: impl Fn(&RunId, CallId) -> bool) -> OverdueNotice {
        let Self { mut notices, older } = std::mem::take(self);
        notices.retain(|notice| match &notice.place {
            Some(ClickPlace::Panel(ShellCommand::Card { run, call, .. })) => waits(run, *call),
            Some(ClickPlace::Panel(_) | ClickPlace::Workbench(_)) | None => true,
        });
        let count = older + notices.len() as u64;
        match notices.pop_back() {
            Some(only) if count == 1 => OverdueNotice::One(only),
            Some(WaitingNotice { place, .. }) => OverdueNotice::Several { count, place },
            None if count == 0 => OverdueNotice::Nothing,
            None => OverdueNotice::Several { count, place: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::SessionId;

    fn scheduled(detail: &str) -> WaitingNotice {
        WaitingNotice {
            notice: Notice::Scheduled,
            detail: detail.to_owned(),
            place: None,
        }
    }

    fn card(call: u32) -> WaitingNotice {
        let place = ShellCommand::Card {
            session: SessionId::from("s"),
            run: RunId::from("a"),
            call: CallId(call),
        };
        WaitingNotice {
            notice: Notice::Approval,
            detail: "files.read".to_owned(),
            place: Some(ClickPlace::Panel(place)),
        }
    }

    fn waiting(notices: impl IntoIterator<Item = WaitingNotice>) -> WaitingNotices {
        let mut waiting = WaitingNotices::default();
        notices.into_iter().for_each(|notice| waiting.add(notice));
        waiting
    }

    #[test]
    fn one_is_told_in_its_words_and_several_by_their_number() {
        let mut one = waiting([scheduled("a")]);
        assert_eq!(one.take(|_, _| true), OverdueNotice::One(scheduled("a")));
        assert_eq!(one.take(|_, _| true), OverdueNotice::Nothing, "it is told once");
        let several = waiting([scheduled("a"), card(1)]).take(|_, _| true);
        let place = card(1).place;
        assert_eq!(several, OverdueNotice::Several { count: 2, place });
        let mut seen = waiting([scheduled("a"), card(1)]);
        seen.clear();
        assert_eq!(seen.take(|_, _| true), OverdueNotice::Nothing);
    }

    #[test]
    fn a_card_that_was_decided_in_quiet_hours_is_not_told_after_them() {
        assert_eq!(waiting([card(1)]).take(|_, _| false), OverdueNotice::Nothing);
        let second = waiting([card(1), card(2)]).take(|_, call| call == CallId(2));
        assert_eq!(second, OverdueNotice::One(card(2)), "the other one waits yet");
        let done = waiting([scheduled("a"), card(1)]).take(|_, _| false);
        assert_eq!(done, OverdueNotice::One(scheduled("a")));
    }

    #[test]
    fn of_more_than_are_kept_the_number_is_right() {
        let many = (0..NOTICES_MAX + 3).map(|number| scheduled(&number.to_string()));
        let told = waiting(many).take(|_, _| true);
        let count = NOTICES_MAX as u64 + 3;
        assert_eq!(told, OverdueNotice::Several { count, place: None });
    }
}
