//! Follows the window in front on a thread of its own that blocks between events: no polling, no processor time.

use super::{Display, failed};
use crate::{FrontWindow, SenseError, Sensor};
use std::thread;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window};

/// Reports every window that comes to the front, and every new title of that window.
///
/// # Errors
/// No display, or no thread.
pub fn follow(mut changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    let display = Display::open()?;
    display.listen_to(display.root)?;
    let following = move || {
        let mut front = Following::default();
        front.look(&display, &mut changed);
        loop {
            match display.connection.wait_for_event() {
                Ok(event) if front.concerns(&display, &event) => front.look(&display, &mut changed),
                Ok(_) => {}
                Err(cause) => {
                    tracing::info!(%cause, "the display is gone, windows are no longer followed");
                    return;
                }
            }
        }
    };
    thread::Builder::new()
        .name("window-in-front".to_owned())
        .spawn(following)
        .map_err(failed)?;
    Ok(())
}

/// The window that was reported last.
#[derive(Default)]
struct Following {
    window: Option<Window>,
    told: Option<FrontWindow>,
}

impl Following {
    /// Whether an event may have changed the window in front, or its title.
    fn concerns(&self, display: &Display, event: &Event) -> bool {
        let Event::PropertyNotify(event) = event else {
            return false;
        };
        let atoms = &display.atoms;
        let is_switch = event.window == display.root && event.atom == atoms._NET_ACTIVE_WINDOW;
        let is_title = Some(event.window) == self.window
            && (event.atom == atoms._NET_WM_NAME || event.atom == u32::from(AtomEnum::WM_NAME));
        is_switch || is_title
    }

    /// Reads the window in front and reports it, if it differs from the last one.
    fn look(&mut self, display: &Display, changed: &mut impl FnMut(FrontWindow)) {
        // Between two windows none is in front, and one may close while it is read: the next event reports again.
        let Ok(front) = display.front() else { return };
        if self.window != Some(front.id) {
            self.window = Some(front.id);
            if let Err(cause) = display.listen_to(front.id) {
                tracing::debug!(%cause, "the window had gone");
            }
        }
        if self.told.as_ref() != Some(&front) {
            changed(front.clone());
            self.told = Some(front);
        }
    }
}

impl Display {
    pub(super) fn listen_to(&self, window: Window) -> Result<(), SenseError> {
        let listening = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        self.connection
            .change_window_attributes(window, &listening)
            .map_err(failed)?
            .check()
            .map_err(failed)
    }
}
