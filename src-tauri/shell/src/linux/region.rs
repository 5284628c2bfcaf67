//! Lets the user drag a rectangle over the ball's monitor, with the pointer or the keys alone.
//!
//! With a compositor the desktop stays visible and dimmed. Without one, a still picture of it is dimmed, which
//! is only shown. The capture itself happens elsewhere.

mod selection;

use crate::drawing::overlay;
use crate::geometry::{Area, Place, screen_of};
use crate::linux::{screens, shape};
use crate::places::BallPlaces;
use crate::words;
use selection::{Arrow, Change, Selection, Step};
use shidi_locales::Language;

use gtk::gdk::{self, EventKey, EventMask, ModifierType, SeatCapabilities, keys::constants as key};
use gtk::gdk_pixbuf::Pixbuf;
use gtk::glib::{self, Propagation};
use gtk::prelude::*;
use shidi_protocol::LookAt;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::oneshot;

/// The title for window lists and screen readers.
const TITLE: &str = "Shidi: region";
/// Attempts to get the keyboard, which a menu may still hold, and the time between them.
const GRAB_ATTEMPTS: u32 = 20;
const GRAB_EVERY: Duration = Duration::from_millis(25);

struct Overlay {
    window: gtk::Window,
    monitor: Area,
    language: Language,
    selection: Cell<Selection>,
    /// A picture of the desktop, where no compositor blends windows.
    still: Option<Pixbuf>,
    answer: RefCell<Option<oneshot::Sender<Option<LookAt>>>>,
}

/// Shows the overlay and answers once: with the region in pixels of the display, or with `None`.
pub fn pick(places: &BallPlaces, language: Language, answer: oneshot::Sender<Option<LookAt>>) {
    let screens = screens::all();
    let screen = places
        .ball_area()
        .and_then(|ball| screen_of(ball, &screens))
        .or(screens.first().copied());
    let Some(screen) = screen else {
        return drop(answer);
    };
    let monitor = screen.whole;
    let window = new_window(monitor);
    let overlay = Rc::new(Overlay {
        still: if shape::is_composited(&window) {
            None
        } else {
            picture_of(monitor)
        },
        monitor,
        language,
        selection: Cell::new(Selection::on(monitor.size)),
        answer: RefCell::new(Some(answer)),
        window,
    });
    overlay.listen();
    overlay.window.show_all();
    overlay.take_input(GRAB_ATTEMPTS);
}

fn new_window(monitor: Area) -> gtk::Window {
    // No window manager may place, frame or animate the overlay.
    let window = gtk::Window::new(gtk::WindowType::Popup);
    window.set_title(TITLE);
    window.set_app_paintable(true);
    if let Some(visual) = WidgetExt::screen(&window).and_then(|screen| screen.rgba_visual()) {
        window.set_visual(Some(&visual));
    }
    window.set_size_request(monitor.size.width, monitor.size.height);
    window.move_(monitor.place.x, monitor.place.y);
    window.add_events(
        EventMask::BUTTON_PRESS_MASK
            | EventMask::BUTTON_RELEASE_MASK
            | EventMask::POINTER_MOTION_MASK
            | EventMask::KEY_PRESS_MASK,
    );
    window
}

fn picture_of(monitor: Area) -> Option<Pixbuf> {
    let root = gdk::Screen::default()?.root_window()?;
    let Area { place, size } = monitor;
    root.pixbuf(place.x, place.y, size.width, size.height)
}

impl Overlay {
    fn listen(self: &Rc<Self>) {
        let overlay = self.clone();
        self.window.connect_draw(move |_, cairo| {
            let drawn = overlay::Overlay {
                window: &overlay.window,
                monitor: overlay.monitor.size,
                still: overlay.still.as_ref(),
                chosen: overlay.selection.get().chosen(),
                hint: words::region_hint(overlay.language),
            };
            if let Err(error) = drawn.draw(cairo) {
                tracing::warn!(%error, "The overlay could not be drawn");
            }
            Propagation::Stop
        });
        let overlay = self.clone();
        self.window.connect_button_press_event(move |_, event| {
            if event.button() == 1 {
                overlay.change(|selection| selection.press(overlay.point(event.root())));
            } else {
                overlay.end(None);
            }
            Propagation::Stop
        });
        let overlay = self.clone();
        self.window.connect_motion_notify_event(move |_, event| {
            overlay.change(|selection| selection.drag(overlay.point(event.root())));
            Propagation::Stop
        });
        let overlay = self.clone();
        self.window.connect_button_release_event(move |_, _| {
            let mut chosen = None;
            overlay.change(|selection| chosen = selection.release());
            if chosen.is_some() {
                overlay.end(chosen);
            }
            Propagation::Stop
        });
        let overlay = self.clone();
        self.window.connect_key_press_event(move |_, event| {
            overlay.key(event);
            Propagation::Stop
        });
        let overlay = self.clone();
        // Another program took the keyboard: without it the user could not leave the overlay.
        self.window.connect_grab_broken_event(move |_, _| {
            overlay.end(None);
            Propagation::Proceed
        });
    }

    fn point(&self, (x, y): (f64, f64)) -> Place {
        Place {
            x: x.round() as i32 - self.monitor.place.x,
            y: y.round() as i32 - self.monitor.place.y,
        }
    }

    fn change(&self, change: impl FnOnce(&mut Selection)) {
        let mut selection = self.selection.get();
        change(&mut selection);
        if self.selection.replace(selection) != selection {
            self.window.queue_draw();
        }
    }

    fn key(&self, event: &EventKey) {
        let held = event.state();
        let change = if held.contains(ModifierType::SHIFT_MASK) {
            Change::Resize
        } else {
            Change::Move
        };
        let step = if held.contains(ModifierType::CONTROL_MASK) {
            Step::Fine
        } else {
            Step::Usual
        };
        let arrow = match event.keyval() {
            key::Left => Arrow::Left,
            key::Right => Arrow::Right,
            key::Up => Arrow::Up,
            key::Down => Arrow::Down,
            key::Escape => return self.end(None),
            key::Return | key::KP_Enter | key::space => {
                let chosen = self.selection.get().chosen();
                return if chosen.is_some() {
                    self.end(chosen)
                };
            }
            _ => return,
        };
        self.change(|selection| selection.arrow(arrow, change, step));
    }

    /// Takes all input for the overlay while it is shown. If the input can't be taken, the overlay closes.
    fn take_input(self: &Rc<Self>, attempts: u32) {
        let seat = WidgetExt::display(&self.window).default_seat();
        let window = self.window.window();
        let (Some(seat), Some(window)) = (seat, window) else {
            return self.end(None);
        };
        let cross = gdk::Cursor::from_name(&WidgetExt::display(&self.window), "crosshair");
        let status = seat.grab(&window, SeatCapabilities::ALL, true, cross.as_ref(), None, None);
        if status == gdk::GrabStatus::Success {
            return;
        }
        if attempts == 0 {
            tracing::warn!(?status, "The overlay gets no input");
            return self.end(None);
        }
        let overlay = self.clone();
        glib::timeout_add_local_once(GRAB_EVERY, move || overlay.take_input(attempts - 1));
    }

    fn end(&self, chosen: Option<Area>) {
        let Some(answer) = self.answer.take() else { return };
        if let Some(seat) = WidgetExt::display(&self.window).default_seat() {
            seat.ungrab();
        }
        self.window.hide();
        WidgetExt::display(&self.window).sync();
        let scale = self.window.scale_factor();
        let side = |pixels: i32| u32::try_from(pixels * scale).unwrap_or_default();
        let region = chosen.map(|Area { place, size }| LookAt::Region {
            x: (self.monitor.place.x + place.x) * scale,
            y: (self.monitor.place.y + place.y) * scale,
            width: side(size.width),
            height: side(size.height),
        });
        if answer.send(region).is_err() {
            tracing::debug!("Nobody waits for a region");
        }
        // The handlers hold the overlay; without the window they are dropped, once this one has returned.
        let window = self.window.clone();
        glib::idle_add_local_once(move || window.close());
    }
}
