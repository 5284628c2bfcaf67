//! What `shidi doctor` says of the desktop and of each sensor.

use crate::{Capture, sensors};
use shidi_locales::Language;
use shidi_protocol::{Check, ContentSource, SensorView};
use shidi_senses::Layers;

/// The desktop's session, then the sensors, the best source first, then the bar that needs one of them.
pub fn checks(capture: &Capture) -> Vec<Check> {
    let language = capture.space.language();
    let read = sensors(capture).sensors.into_iter();
    let mut checks = vec![desktop(language)];
    checks.extend(read.map(|read| sensor(language, read)));
    checks.extend(selection_bar(capture));
    checks
}

/// A variable of the session that says something.
fn session(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn desktop(language: Language) -> Check {
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
        ContentSource::Window => "window",
    };
    match (sensor.missing, sensor.seen) {
        (Some(missing), _) => Check::bad(name, missing, &sensor.remedy.unwrap_or_default()),
        (None, _) if !sensor.on => Check::good(name, say.sensor_off(sensor.setting)),
        (None, Some(seen)) => Check::good(name, say.sensor_seen(seen)),
        (None, None) => Check::good(name, say.sensor_on().to_owned()),
    }
}

/// The bar beside a selected text, where its user wants one. Only X11 tells of each selection.
fn selection_bar(capture: &Capture) -> Option<Check> {
    let (is_wanted, is_read) = {
        let config = capture.space.config();
        (config.desktop.selection_bar, config.privacy.selection)
    };
    let is_told = cfg!(target_os = "linux") && session("WAYLAND_DISPLAY").is_none();
    is_wanted.then(|| bar(capture.space.language(), is_read, is_told))
}

/// `is_read` says whether selections may be read at all, `is_told` whether the desktop tells when one is made.
fn bar(language: Language, is_read: bool, is_told: bool) -> Check {
    let (name, say) = ("selection bar", language.capture());
    match (is_read, is_told) {
        (false, _) => Check::bad(name, say.selection_off(), say.bar_needs_selection()),
        (true, false) => Check::bad(name, say.bar_not_told(), say.bar_not_told_hint()),
        (true, true) => Check::good(name, say.sensor_on()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_can_not_come_up_says_why_and_what_to_do_in_its_place() {
        let lacking = |is_read, is_told| bar(Language::SOURCE, is_read, is_told).remedy.unwrap_or_default();
        assert!(lacking(true, false).contains("summon Shidi"));
        assert!(lacking(false, true).contains("privacy.selection on"));
        assert!(bar(Language::SOURCE, true, true).ok);
    }
}
