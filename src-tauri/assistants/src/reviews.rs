//! What was read of a file and waits for its reader's decision. It is kept in memory: a decision follows at once, or never.

use crate::limits::REVIEWS_MAX;
use parking_lot::Mutex;
use shidi_protocol::AssistantSpec;
use std::collections::VecDeque;

/// An assistant that nobody has decided on yet.
#[derive(Debug, Clone)]
pub struct Reviewed {
    pub spec: AssistantSpec,
    /// Its file, as it would be kept.
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct Review {
    pub id: String,
    /// Where it came from.
    pub from: String,
    pub assistants: Vec<Reviewed>,
}

/// The newest reviews.
#[derive(Debug, Default)]
pub struct Reviews(Mutex<VecDeque<Review>>);

impl Reviews {
    pub fn keep(&self, review: Review) {
        let mut reviews = self.0.lock();
        reviews.retain(|known| known.id != review.id);
        while reviews.len() >= REVIEWS_MAX {
            reviews.pop_front();
        }
        reviews.push_back(review);
    }

    pub fn named(&self, id: &str) -> Option<Review> {
        self.0.lock().iter().find(|review| review.id == id).cloned()
    }

    pub fn discard(&self, id: &str) {
        self.0.lock().retain(|review| review.id != id);
    }
}
