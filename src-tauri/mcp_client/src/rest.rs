//! When a server that ended may be started again: at once the first time, then after pauses that double.

use crate::limits::{REST_FIRST, REST_MAX, STEADY_AFTER};
use std::time::{Duration, Instant};

/// The recent failures of a server.
#[derive(Debug, Default)]
pub struct Rest {
    failures: u32,
    until: Option<Instant>,
    last: String,
}

impl Rest {
    /// How long the server is left alone from `now`, with its failures in a row and the last one's words.
    pub fn left(&self, now: Instant) -> Option<(Duration, u32, String)> {
        let left = self.until?.saturating_duration_since(now);
        (!left.is_zero()).then(|| (left, self.failures, self.last.clone()))
    }

    /// Why it failed last; empty when it did not.
    pub fn last(&self) -> &str {
        &self.last
    }

    /// Notes that the server ended or did not start; it had run for `up`.
    pub fn failed(&mut self, now: Instant, up: Duration, why: String) {
        if up >= STEADY_AFTER {
            self.failures = 0;
        }
        self.failures = self.failures.saturating_add(1);
        self.last = why;
        self.until = match self.failures {
            1 => None,
            failures => {
                let doubled = REST_FIRST.saturating_mul(1 << (failures - 2).min(16));
                Some(now + doubled.min(REST_MAX))
            }
        };
    }

    /// Clears the pause, since somebody asks for the server by name.
    pub fn forgive(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_again_and_again_is_left_alone_for_longer_and_longer() {
        let (mut rest, mut now) = (Rest::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..12 {
            rest.failed(now, Duration::ZERO, "it broke".to_owned());
            let pause = rest.left(now).map_or(Duration::ZERO, |(left, _, _)| left);
            pauses.push(pause.as_secs());
            now += pause;
            assert_eq!(rest.left(now), None);
        }
        assert_eq!(pauses[..5], [0, 2, 4, 8, 16]);
        assert_eq!(pauses.last(), Some(&REST_MAX.as_secs()));
    }

    #[test]
    fn one_that_held_on_is_started_again_at_once() {
        let (mut rest, now) = (Rest::default(), Instant::now());
        for _ in 0..5 {
            rest.failed(now, Duration::ZERO, String::new());
        }
        rest.failed(now, STEADY_AFTER, String::new());
        assert_eq!(rest.left(now), None);
    }
}
