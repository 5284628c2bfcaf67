//! The content of the window in front, as the sensors of the desktop tell it. The content is read beside the look
//! itself, after the gate.

use crate::Capture;
use crate::content::Sensed;
use crate::limits::{LOOK_MOST, SUMMON_MOST};
use parking_lot::Mutex;
use shidi_protocol::{Content, ContentSource, LookAt, Moment};
use shidi_senses::{
    ContentSensor, FrontWindow, Gate, Lack, LookTrigger, ScreenReader, Seen, Support, Verdict, best, read_all,
};
use shidi_space::clock;
use shidi_space::config::settings::Privacy;
use shidi_space::privacy::content_passed;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What stands in a window, with the address of its page.
pub type WithAddress = (Sensed, String);

/// The sensors that read windows, and when each of them last read something.
pub struct WindowSensors {
    sensors: Vec<Arc<dyn ContentSensor>>,
    seen: Mutex<BTreeMap<ContentSource, Moment>>,
}

/// A sensor of this session, for the doctor and the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SensorState {
    pub source: ContentSource,
    pub is_on: bool,
    pub support: Support,
    pub seen: Option<Moment>,
}

impl Default for WindowSensors {
    fn default() -> Self {
        Self::of(shidi_senses::content_sensors())
    }
}

impl WindowSensors {
    pub fn of(sensors: Vec<Arc<dyn ContentSensor>>) -> Self {
        Self {
            sensors,
            seen: Mutex::default(),
        }
    }

    /// The sensors that the user switched on.
    pub fn chosen(&self, privacy: &Privacy) -> Vec<Arc<dyn ContentSensor>> {
        let chosen = self
            .sensors
            .iter()
            .filter(|sensor| is_on(sensor.source(), privacy));
        chosen.cloned().collect()
    }

    /// Prepares the session for the sensors that are on, and puts it back for the others.
    pub fn follow_settings(&self, privacy: &Privacy) {
        for sensor in &self.sensors {
            match is_on(sensor.source(), privacy) {
                true => sensor.switch_on(),
                false => sensor.switch_off(),
            }
        }
    }

    pub fn end(&self) {
        self.sensors.iter().for_each(|sensor| sensor.switch_off());
    }

    pub fn note_seen(&self, source: ContentSource) {
        self.seen.lock().insert(source, clock::now());
    }

    /// All sources, the best first. Browsers, the recogniser of words and the clipboard are no sensors of
    /// windows, and stand among them.
    pub fn states(&self, privacy: &Privacy) -> Vec<SensorState> {
        let recognition = match shidi_senses::recogniser_is_there() {
            true => Support::Full,
            false => Support::Absent(Lack::Recogniser),
        };
        let windows = match shidi_senses::desktop_is_there() {
            true => Support::Full,
            false => Support::Absent(Lack::Display),
        };
        let others = [
            (ContentSource::Companion, Support::Full),
            (ContentSource::Recognition, recognition),
            (ContentSource::Clipboard, shidi_senses::clipboard_support()),
            (ContentSource::Window, windows),
        ];
        let of_windows = self
            .sensors
            .iter()
            .map(|sensor| (sensor.source(), sensor.support()));
        let seen = self.seen.lock();
        let states = of_windows.chain(others).map(|(source, support)| SensorState {
            source,
            is_on: is_on(source, privacy),
            support: given(source, support, privacy),
            seen: seen.get(&source).copied(),
        });
        let mut states: Vec<SensorState> = states.collect();
        states.sort_by_key(|state| state.source);
        states
    }
}

/// A selection that the desktop does not tell is read with the rest of the window, where that is on.
fn given(source: ContentSource, support: Support, privacy: &Privacy) -> Support {
    let is_in_text = source == ContentSource::Selection && privacy.accessibility;
    match support {
        Support::Absent(Lack::Wayland) if is_in_text => Support::Full,
        Support::Absent(_) | Support::Full => support,
    }
}

/// Whether the user lets a source be read.
pub fn is_on(source: ContentSource, privacy: &Privacy) -> bool {
    match source {
        ContentSource::Companion => privacy.page,
        ContentSource::Accessibility => privacy.accessibility,
        ContentSource::Selection => privacy.selection,
        ContentSource::Recognition => privacy.ocr,
        ContentSource::Clipboard => privacy.clipboard,
        ContentSource::Window => privacy.window,
    }
}

/// How a look reads the window.
pub struct Reading {
    sensors: Vec<Arc<dyn ContentSensor>>,
    until: Instant,
    takes_selection: bool,
}

impl Reading {
    /// For that look; `None` where it is not at one window, or no sensor is on.
    pub fn of(capture: &Capture, what: LookAt) -> Option<Self> {
        let most = match what {
            LookAt::Facts => SUMMON_MOST,
            LookAt::Window | LookAt::Selection => LOOK_MOST,
            LookAt::Page | LookAt::Form | LookAt::Monitor | LookAt::Region { .. } => return None,
        };
        Self::within(capture, most)
    }

    /// The selection alone, without asking programs for more; `None` where it is not to be read.
    pub fn of_selection(capture: &Capture, most: Duration) -> Option<Self> {
        let reading = Self::within(capture, most)?;
        let sensors = reading.sensors.into_iter();
        let sensors = sensors.filter(|sensor| sensor.source() == ContentSource::Selection);
        Some(Self {
            sensors: sensors.collect(),
            ..reading
        })
    }

    /// Within that time; `None` where no sensor is on.
    pub fn within(capture: &Capture, most: Duration) -> Option<Self> {
        let privacy = capture.space.config().privacy.clone();
        let sensors = capture.looking.sensors.chosen(&privacy);
        (!sensors.is_empty()).then(|| Self {
            sensors,
            until: Instant::now() + most,
            takes_selection: privacy.selection,
        })
    }

    /// Reads that window; `None` where nothing was read, or not let through.
    pub fn read(&self, window: &FrontWindow, gate: &Gate) -> Option<(Sensed, String)> {
        let (source, read) = best(read_all(&self.sensors, window, self.until))?;
        let url = read.url.unwrap_or_default();
        let judged = Some(url.as_str()).filter(|url| !url.is_empty());
        match gate.judge(window, judged, LookTrigger::Passive) {
            Verdict::Whole {
                may_be_private: false,
            } => {}
            Verdict::Whole { may_be_private: true } | Verdict::NameOnly | Verdict::Nothing(_) => return None,
        }
        let title = gate.title(&window.title);
        let content = Content {
            title,
            ..passed(read.content, self.takes_selection)
        };
        let sensed = Sensed {
            source,
            content,
            page: None,
        };
        Some((sensed, shidi_senses::redacted(&url)))
    }

    /// Whether the window that was read is still the one that is looked at, with the same title.
    pub fn is_still_there(
        reader: &ScreenReader,
        window: &FrontWindow,
        gate: &Gate,
        before: Option<u32>,
    ) -> bool {
        let now = reader.readable(gate, before);
        now.is_some_and(|now| now.id == window.id && now.title == window.title)
    }
}

/// What a summon may tell of the window in front. `None` where the user keeps its name to himself and nothing else is
/// known of it.
pub fn told(
    capture: &Capture,
    seen: Seen,
    content: Option<WithAddress>,
) -> Option<(Seen, Option<WithAddress>)> {
    if !capture.space.config().privacy.window {
        let page = capture.pages.front().map(|page| page.title);
        return unnamed(seen, content, page.unwrap_or_default());
    }
    if !seen.app.is_empty() {
        capture.looking.sensors.note_seen(ContentSource::Window);
    }
    Some((seen, content))
}

/// The window without its title and program. Of a browser's window there is its page, as far as the companion tells.
fn unnamed(seen: Seen, content: Option<WithAddress>, page: String) -> Option<(Seen, Option<WithAddress>)> {
    let title = if seen.shows_page { page } else { String::new() };
    let content = content.map(|(mut sensed, url)| {
        if sensed.source != ContentSource::Companion {
            sensed.content.title.clear();
        }
        (sensed, url)
    });
    if content.is_none() && !seen.shows_page {
        return None;
    }
    let app = String::new();
    Some((Seen { app, title, ..seen }, content))
}

/// A content without secrets, and without the selection where the user keeps it to himself.
pub fn passed(content: Content, takes_selection: bool) -> Content {
    let content = content_passed(content);
    Content {
        selection: content.selection.filter(|_| takes_selection),
        ..content
    }
}

/// The selection without the rest of its page or window; `None` where nothing is selected.
pub fn selection_alone((sensed, url): (Sensed, String)) -> Option<(Sensed, String)> {
    let Content {
        kind,
        language,
        title,
        selection,
        ..
    } = sensed.content;
    let content = Content {
        kind,
        language,
        title,
        selection: Some(selection?),
        ..Content::default()
    };
    Some((Sensed { content, ..sensed }, url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Selection;

    fn read() -> Content {
        Content {
            text: "all of it, with the key sk-abcdefghijklmnopqrstuvwx".to_owned(),
            selection: Some(Selection {
                text: "all".to_owned(),
                ..Selection::default()
            }),
            ..Content::default()
        }
    }

    #[test]
    fn a_selection_that_the_user_keeps_to_himself_is_left_out_and_secrets_always_are() {
        assert_eq!(passed(read(), true).selection.unwrap().text, "all");
        assert_eq!(passed(read(), false).selection, None);
        assert!(!passed(read(), true).text.contains("abcdefghij"));
    }

    #[test]
    fn a_window_whose_name_is_kept_back_is_its_page_or_what_stands_in_it_or_nothing() {
        let seen = |shows_page| Seen {
            app: "Editor".to_owned(),
            title: "salary.txt".to_owned(),
            shows_page,
            ..Seen::default()
        };
        let page = || "Orders".to_owned();
        assert_eq!(unnamed(seen(false), None, page()), None);
        let (browser, _) = unnamed(seen(true), None, page()).unwrap();
        assert_eq!((browser.app.as_str(), browser.title.as_str()), ("", "Orders"));
        let content = |source| Sensed {
            source,
            content: Content {
                title: "salary.txt".to_owned(),
                ..read()
            },
            page: None,
        };
        let of = |source, shows_page| {
            let told = unnamed(seen(shows_page), Some((content(source), String::new())), page());
            let (window, told) = told.unwrap();
            (window.title, told.unwrap().0.content.title)
        };
        let nothing = String::new;
        assert_eq!(of(ContentSource::Selection, false), (nothing(), nothing()));
        assert_eq!(
            of(ContentSource::Companion, true),
            (page(), "salary.txt".to_owned())
        );
    }

    #[test]
    fn a_selection_is_told_without_the_text_around_it() {
        let sensed = Sensed {
            source: ContentSource::Companion,
            content: read(),
            page: None,
        };
        let (alone, _) = selection_alone((sensed.clone(), String::new())).unwrap();
        assert_eq!(
            (alone.content.text.as_str(), alone.content.selection),
            ("", read().selection)
        );
        let nothing = Sensed {
            content: Content::default(),
            ..sensed
        };
        assert_eq!(selection_alone((nothing, String::new())), None);
    }
}
