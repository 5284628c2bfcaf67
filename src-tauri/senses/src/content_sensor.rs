//! A sensor's reading of the window in front. One trait stands for every system's way, and the best sensor is chosen.
//!
//! A sensor is asked at a summon, for one window that the gate let through. The sensor answers in time or not at all.
//! A sensor decides nothing about privacy but this, which only it can see: a password field's content is never read.

use crate::FrontWindow;
use shidi_protocol::{Content, ContentSource};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Reads what stands in a window.
pub trait ContentSensor: std::fmt::Debug + Send + Sync {
    /// The source that its contents name.
    fn source(&self) -> ContentSource;

    /// How much the sensor can read on this desktop, as far as that can be told without reading.
    fn support(&self) -> Support;

    /// The content of that window, as far as it is read before `until`. Blocks until then at most. The content has
    /// not passed the gate yet.
    fn read(&self, window: &FrontWindow, until: Instant) -> Option<WindowContent>;

    /// Prepares the session for being read, from now on.
    fn switch_on(&self) {}

    /// Puts the session back as it was.
    fn switch_off(&self) {}

    /// Notes that a window came to the front which may be read.
    fn notice(&self, _window: &FrontWindow) {}
}

/// What stands in a window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WindowContent {
    pub content: Content,
    /// The address of the page that the window shows, where its program tells one.
    pub url: Option<String>,
}

/// How much a sensor can read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    Full,
    Absent(Lack),
}

/// What a sensor lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// There is no X11 display.
    Display,
    /// There is no session bus.
    Bus,
    /// A Wayland desktop tells no selection; some compositors give programs no clipboard.
    Wayland,
    /// The program that recognises words is not installed.
    Recogniser,
}

/// A content with the sensor that read it.
pub type Found = (ContentSource, WindowContent);

/// Asks the sensors beside each other. One that has not answered by then is left out.
#[must_use]
pub fn read_all(sensors: &[Arc<dyn ContentSensor>], window: &FrontWindow, until: Instant) -> Vec<Found> {
    thread::scope(|scope| {
        let asked = sensors
            .iter()
            .map(|sensor| (sensor.source(), scope.spawn(move || sensor.read(window, until))));
        let asked: Vec<_> = asked.collect();
        let answered = asked
            .into_iter()
            .filter_map(|(source, reading)| Some((source, reading.join().ok().flatten()?)));
        answered.collect()
    })
}

/// The content of the best source that read any. A content without a selection takes that of the next best source.
#[must_use]
pub fn best(mut found: Vec<Found>) -> Option<Found> {
    found.retain(|(_, read)| !is_empty(&read.content));
    found.sort_by_key(|(source, _)| *source);
    let mut found = found.into_iter();
    let (source, mut best) = found.next()?;
    if best.content.selection.is_none() {
        best.content.selection = found.find_map(|(_, read)| read.content.selection);
    }
    Some((source, best))
}

fn is_empty(content: &Content) -> bool {
    content.text.is_empty()
        && content.visible.is_empty()
        && content.selection.is_none()
        && content.fields.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Selection;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn read(text: &str, selected: Option<&str>) -> WindowContent {
        let selection = selected.map(|text| Selection {
            text: text.to_owned(),
            ..Selection::default()
        });
        let content = Content {
            text: text.to_owned(),
            selection,
            ..Content::default()
        };
        WindowContent { content, url: None }
    }

    #[test]
    fn the_best_source_wins_and_takes_a_selection_that_only_another_saw() {
        let accessible = (ContentSource::Accessibility, read("all of it", None));
        let selected = (ContentSource::Selection, read("", Some("of")));
        let (source, best) = best(vec![selected.clone(), accessible]).unwrap();
        assert_eq!(source, ContentSource::Accessibility);
        assert_eq!(best, read("all of it", Some("of")));
        let own = (ContentSource::Accessibility, read("all of it", Some("all")));
        let (_, best) = super::best(vec![selected, own]).unwrap();
        assert_eq!(best.content.selection.unwrap().text, "all");
    }

    #[test]
    fn a_source_that_read_nothing_does_not_win() {
        let nothing = (ContentSource::Accessibility, read("", None));
        let selected = (ContentSource::Selection, read("", Some("of")));
        let (source, _) = best(vec![nothing.clone(), selected]).unwrap();
        assert_eq!(source, ContentSource::Selection);
        assert_eq!(best(vec![nothing]), None);
    }

    /// Answers only when the time is over, as a program that hangs does.
    #[derive(Debug)]
    struct Hanging {
        /// How many are asked.
        asked: Arc<AtomicUsize>,
    }

    impl ContentSensor for Hanging {
        fn source(&self) -> ContentSource {
            ContentSource::Accessibility
        }

        fn support(&self) -> Support {
            Support::Full
        }

        fn read(&self, _window: &FrontWindow, until: Instant) -> Option<WindowContent> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let (_open, silent) = std::sync::mpsc::channel::<WindowContent>();
            silent
                .recv_timeout(until.saturating_duration_since(Instant::now()))
                .ok()
        }
    }

    /// Answers as soon as those that hang are asked beside it.
    #[derive(Debug)]
    struct Ready {
        asked: Arc<AtomicUsize>,
    }

    impl ContentSensor for Ready {
        fn source(&self) -> ContentSource {
            ContentSource::Selection
        }

        fn support(&self) -> Support {
            Support::Full
        }

        fn read(&self, _window: &FrontWindow, until: Instant) -> Option<WindowContent> {
            while self.asked.load(Ordering::SeqCst) < 2 {
                if Instant::now() >= until {
                    return None;
                }
                thread::yield_now();
            }
            Some(read("", Some("of")))
        }
    }

    #[test]
    fn sensors_are_asked_beside_each_other_and_one_that_hangs_costs_the_time_of_the_summon_alone() {
        let asked = Arc::new(AtomicUsize::new(0));
        let [one, other] = [(); 2].map(|()| Arc::clone(&asked));
        let sensors: Vec<Arc<dyn ContentSensor>> = vec![
            Arc::new(Ready { asked }),
            Arc::new(Hanging { asked: one }),
            Arc::new(Hanging { asked: other }),
        ];
        let began = Instant::now();
        let found = read_all(&sensors, &FrontWindow::default(), began + Duration::from_secs(3));
        assert_eq!(found.len(), 1, "one after the other");
        assert!(began.elapsed() < Duration::from_secs(30), "it is waited for");
    }
}
