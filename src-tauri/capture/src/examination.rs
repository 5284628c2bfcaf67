//! What `shidi doctor` says of the desktop and of each sensor.

use crate::{Capture, sensors};
use shidi_locales::Language;
use shidi_protocol::{Check, ContentSource, SensorView};
use shidi_senses::Layers;

/// The desktop's session, then the sensors, the best source first.
pub fn checks(capture: &Capture) -> Vec<Check> {
    let language = capture.space.language();
    let read = sensors(capture).sensors.into_iter();
    let mut checks = vec![desktop(language)];
    checks.extend(read.map(|read| sensor(language, read)));
    checks
}

fn desktop(language: Language) -> Check {
    let session = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let say = language.capture();
    match (session("WAYLAND_DISPLAY"), session("DISPLAY")) {
        (Some(display), _) => {
            let layers = match shidi_senses::layers(&display) {
                Layers::There => say.layers_there(),
                Layers::NotOffered => say.layers_none(),
                Layers::NoLibrary => say.layers_no_library(),
                Layers::Off => say.layers_off(),
                Layers::OfX11 => say.windows_of_x11(),
            };
            Check::good("desktop", say.wayland_desktop(display, layers))
        }
        (None, Some(display)) => Check::good("desktop", format!("X11 ({display})")),
        (None, None) => Check::bad("desktop", say.no_desktop().to_owned(), say.display_hint()),
    }
}

/// One that is off lacks nothing: nobody asked for it.
fn sensor(language: Language, sensor: SensorView) -> Check {
    let say = language.capture();
    let name = match sensor.source {
        ContentSource::Companion => "page",
        ContentSource::Accessibility => "window text",
        ContentSource::Selection => "selection",
        ContentSource::Recognition => "recognition",
        ContentSource::Clipboard => "clipboard",
    };
    match (sensor.missing, sensor.seen) {
        (Some(missing), _) => Check::bad(name, missing, &sensor.remedy.unwrap_or_default()),
        (None, _) if !sensor.on => Check::good(name, say.sensor_off(sensor.setting)),
        (None, Some(seen)) => Check::good(name, say.sensor_seen(seen)),
        (None, None) => Check::good(name, say.sensor_on().to_owned()),
    }
}
