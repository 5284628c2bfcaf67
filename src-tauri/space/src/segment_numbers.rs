//! The numbers of a session's segments, which all its runs in memory take from one count.
//!
//! A program of the user's own may run in a session while a task is at work there. Both add segments.

use parking_lot::Mutex;
use shidi_protocol::{SegmentId, SessionId};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The last number of each session that has runs in memory.
#[derive(Debug, Default)]
pub struct SegmentNumbers {
    last: Mutex<HashMap<SessionId, Weak<Mutex<SegmentId>>>>,
}

impl SegmentNumbers {
    /// The session's count, which lives as long as a run holds it.
    pub fn of(&self, session: &SessionId) -> Arc<Mutex<SegmentId>> {
        let mut last = self.last.lock();
        if let Some(count) = last.get(session).and_then(Weak::upgrade) {
            return count;
        }
        last.retain(|_, count| count.strong_count() > 0);
        let count = Arc::default();
        last.insert(session.clone(), Arc::downgrade(&count));
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_session_count_together_and_a_count_goes_with_the_last_of_them() {
        let numbers = SegmentNumbers::default();
        let session = SessionId::from("s");
        let (first, second) = (numbers.of(&session), numbers.of(&session));
        *first.lock() = SegmentId(7);
        assert_eq!(*second.lock(), SegmentId(7));
        drop((first, second));
        assert_eq!(*numbers.of(&session).lock(), SegmentId(0));
        assert_eq!(numbers.last.lock().len(), 1, "what nobody holds is gone");
    }
}
