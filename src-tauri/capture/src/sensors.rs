//! The sensors of pages, windows and pictures: which are on, what each lacks here, and when it last read something.

use crate::Capture;
use crate::window_content::SensorState;
use shidi_locales::Language;
use shidi_protocol::{ContentSource, SensorView, reply};
use shidi_senses::{Lack, Support};

/// All sensors, the best source first.
pub fn sensors(capture: &Capture) -> reply::Sensors {
    let language = capture.space.language();
    let privacy = capture.space.config().privacy.clone();
    let states = capture.looking.sensors.states(&privacy);
    let sensors = states.into_iter().map(|state| shown(language, state)).collect();
    reply::Sensors { sensors }
}

fn shown(language: Language, state: SensorState) -> SensorView {
    let setting = match state.source {
        ContentSource::Companion => "privacy.page",
        ContentSource::Accessibility => "privacy.accessibility",
        ContentSource::Selection => "privacy.selection",
        ContentSource::Recognition => "privacy.ocr",
        ContentSource::Clipboard => "privacy.clipboard",
        ContentSource::Window => "privacy.window",
    };
    let (missing, remedy) = match state.support {
        Support::Absent(lack) if state.is_on => lacking(language, state.source, lack),
        Support::Absent(_) | Support::Full => (None, None),
    };
    SensorView {
        source: state.source,
        setting: setting.to_owned(),
        on: state.is_on,
        missing,
        remedy,
        seen: state.seen,
    }
}

/// What is missing, and what to do about it.
fn lacking(language: Language, source: ContentSource, lack: Lack) -> (Option<String>, Option<String>) {
    let say = language.capture();
    let (missing, remedy) = match lack {
        Lack::Display => (say.no_display(), say.run_in_desktop_session()),
        Lack::Bus => (say.sensor_no_bus(), say.sensor_bus_hint()),
        Lack::Wayland if source == ContentSource::Clipboard => {
            (say.clipboard_wayland(), say.clipboard_wayland_hint())
        }
        Lack::Wayland => (say.sensor_wayland(), say.sensor_wayland_hint()),
        Lack::Recogniser => (say.sensor_no_recogniser(), say.sensor_recogniser_hint()),
    };
    (Some(missing.to_owned()), Some(remedy.to_owned()))
}
