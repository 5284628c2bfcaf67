//! The ball: a small round window, drawn without a web view (the reasons and figures are in `BALL.md`).
//!
//! Always on top, on every desktop, in no list of windows. It can be dragged and clicked, takes files, and
//! shows a mood that it is told. It runs on the main thread and keeps the processor asleep unless something moves.

mod drawing;
mod look;
mod pointer;

use crate::desktop::Desktop;
use crate::geometry::{Area, Place, Size, ball_place, disc_rows};
use crate::mood::Mood;
use crate::words::{self, Language};
use crate::{screens, shape};
use drawing::{BADGE, BALL_PX, EDGE_RADIUS, Ground};
use gtk::glib;
use gtk::prelude::*;
use look::Look;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager};
use tokio::sync::watch;

const SIZE: Size = Size {
    width: BALL_PX,
    height: BALL_PX,
};
const MIDDLE: (f64, f64) = (28.0, 28.0);
/// Time after which a window that is not drawn is not waited for.
const DRAWN_BY: Duration = Duration::from_secs(1);
/// Time without movement after which the ball is where the user wants it.
const SETTLED_AFTER: Duration = Duration::from_millis(400);

/// The window and what it shows.
struct Ball {
    window: gtk::Window,
    language: Language,
    mood: Cell<Mood>,
    /// When the mood began, and the look that it began with.
    since: Cell<Instant>,
    before: Cell<Look>,
    ticking: RefCell<Option<gtk::TickCallbackId>>,
    settling: RefCell<Option<glib::SourceId>>,
    /// Whether it has been at rest since it was shown.
    settled: Cell<bool>,
}

/// Puts the ball on the screen; from then on it shows what `moods` says. Once it is seen, `then` is done.
pub fn show(
    app: &AppHandle,
    language: Language,
    mut moods: watch::Receiver<Mood>,
    then: impl FnOnce() + 'static,
) {
    let mood = *moods.borrow_and_update();
    let ball = Rc::new(Ball {
        window: new_window(),
        language,
        mood: Cell::new(mood),
        since: Cell::new(Instant::now()),
        before: Cell::new(Look::of(mood)),
        ticking: RefCell::new(None),
        settling: RefCell::new(None),
        settled: Cell::new(false),
    });
    once_drawn(&ball.window, then);
    ball.keep_drawn();
    ball.keep_in_place(app);
    pointer::listen(app, &ball.window, language);
    ball.say_mood();
    ball.window.show_all();
    ball.cut();
    glib::MainContext::default().spawn_local(async move {
        while moods.changed().await.is_ok() {
            let mood = *moods.borrow_and_update();
            ball.wear(mood);
        }
    });
}

fn new_window() -> gtk::Window {
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_decorated(false);
    window.set_resizable(false);
    window.set_app_paintable(true);
    window.set_keep_above(true);
    window.set_skip_taskbar_hint(true);
    window.set_skip_pager_hint(true);
    window.set_accept_focus(false);
    window.stick();
    window.set_size_request(BALL_PX, BALL_PX);
    if let Some(visual) = WidgetExt::screen(&window).and_then(|screen| screen.rgba_visual()) {
        window.set_visual(Some(&visual));
    }
    // Closing it by the window manager would leave a program that can't be reached.
    window.connect_delete_event(|_, _| glib::Propagation::Stop);
    window
}

/// Asked of the display; the event of a move is not always right.
fn place_of(window: &gtk::Window) -> Place {
    let (x, y) = window.window().map_or_else(
        || window.position(),
        |window| {
            let (_, x, y) = window.origin();
            (x, y)
        },
    );
    Place { x, y }
}

/// Does something after the first drawing, or after a while if the window is never drawn.
fn once_drawn(window: &gtk::Window, then: impl FnOnce() + 'static) {
    let then = Rc::new(Cell::new(Some(then)));
    let late = then.clone();
    glib::timeout_add_local_once(DRAWN_BY, move || {
        if let Some(then) = late.take() {
            then();
        }
    });
    window.connect_draw(move |_, _| {
        if let Some(then) = then.take() {
            glib::idle_add_local_once(then);
        }
        glib::Propagation::Proceed
    });
}

impl Ball {
    fn keep_drawn(self: &Rc<Self>) {
        let ball = Rc::downgrade(self);
        self.window.connect_draw(move |window, cairo| {
            if let Some(ball) = ball.upgrade() {
                let ground = if shape::is_composited(window) {
                    Ground::Transparent
                } else {
                    Ground::Cut
                };
                if let Err(error) = drawing::draw(cairo, &ball.look(), ground) {
                    tracing::warn!(%error, "The ball could not be drawn");
                }
            }
            glib::Propagation::Stop
        });
        if let Some(screen) = WidgetExt::screen(&self.window) {
            let ball = Rc::downgrade(self);
            screen.connect_composited_changed(move |_| {
                if let Some(ball) = ball.upgrade() {
                    ball.cut();
                    ball.window.queue_draw();
                }
            });
        }
    }

    /// Puts the ball where it was, follows it, and brings it back when it left the screen.
    fn keep_in_place(self: &Rc<Self>, app: &AppHandle) {
        shape::mean_the_place(&self.window);
        self.put(app, app.state::<Desktop>().remembered_place(&screens::all()));
        let (ball, handle) = (Rc::downgrade(self), app.clone());
        self.window.connect_configure_event(move |_, _| {
            if let Some(ball) = ball.upgrade() {
                // The first ones come while the window manager is still framing the window, from anywhere.
                if ball.settled.get() {
                    ball.tell_place(&handle);
                }
                ball.settle_soon(&handle);
            }
            false
        });
        let Some(screen) = WidgetExt::screen(&self.window) else {
            return;
        };
        let (ball, handle) = (Rc::downgrade(self), app.clone());
        screen.connect_monitors_changed(move |_| {
            if let Some(ball) = ball.upgrade() {
                let remembered = handle.state::<Desktop>().remembered_place(&screens::all());
                ball.put(&handle, remembered.or(Some(ball.place())));
            }
        });
    }

    fn place(&self) -> Place {
        place_of(&self.window)
    }

    fn tell_place(&self, app: &AppHandle) {
        app.state::<Desktop>().ball_at(
            Area {
                place: self.place(),
                size: SIZE,
            },
            screens::all(),
        );
    }

    fn put(&self, app: &AppHandle, wanted: Option<Place>) {
        if let Some(place) = ball_place(wanted, SIZE, &screens::all()) {
            self.window.move_(place.x, place.y);
            app.state::<Desktop>()
                .ball_at(Area { place, size: SIZE }, screens::all());
        }
    }

    /// Once the ball has come to rest its place is kept, or mended if part of it is off-screen.
    fn settle_soon(self: &Rc<Self>, app: &AppHandle) {
        if let Some(earlier) = self.settling.take() {
            earlier.remove();
        }
        let (ball, app) = (Rc::downgrade(self), app.clone());
        let id = glib::timeout_add_local_once(SETTLED_AFTER, move || {
            let Some(ball) = ball.upgrade() else { return };
            ball.settling.take();
            ball.settled.set(true);
            ball.tell_place(&app);
            let screens = screens::all();
            match ball_place(Some(ball.place()), SIZE, &screens) {
                Some(place) if place == ball.place() => app.state::<Desktop>().remember(place, &screens),
                Some(place) => ball.window.move_(place.x, place.y),
                None => {}
            }
        });
        self.settling.replace(Some(id));
    }

    fn wear(self: &Rc<Self>, mood: Mood) {
        // A ring that fills turns on from where it is; another kind of mood starts afresh.
        self.before.set(self.look());
        self.mood.set(mood);
        self.since.set(Instant::now());
        self.say_mood();
        self.cut();
        self.window.queue_draw();
        self.start_ticking();
    }

    fn look(&self) -> Look {
        Look::at(&self.before.get(), self.mood.get(), self.elapsed_ms())
    }

    fn elapsed_ms(&self) -> f64 {
        self.since.get().elapsed().as_secs_f64() * 1000.0
    }

    /// Draws every frame for as long as something moves. Under reduced motion nothing does.
    fn start_ticking(self: &Rc<Self>) {
        if self.ticking.borrow().is_some() {
            return;
        }
        let animated = gtk::Settings::default().is_none_or(|settings| settings.is_gtk_enable_animations());
        if !animated {
            self.before.set(Look::of(self.mood.get()));
            return;
        }
        let ball = Rc::downgrade(self);
        let id = self.window.add_tick_callback(move |window, _| {
            let Some(ball) = ball.upgrade() else {
                return glib::ControlFlow::Break;
            };
            window.queue_draw();
            if look::moves(ball.mood.get(), ball.elapsed_ms()) {
                return glib::ControlFlow::Continue;
            }
            ball.ticking.take();
            glib::ControlFlow::Break
        });
        self.ticking.replace(Some(id));
    }

    /// The pointer reaches what is opaque; without a compositor the rest is cut off.
    fn cut(&self) {
        let mut rows = disc_rows(MIDDLE, EDGE_RADIUS);
        if Look::of(self.mood.get()).badge != look::Badge::Absent {
            rows.extend(disc_rows((BADGE[0], BADGE[1]), BADGE[2]));
        }
        let region = shape::region(&rows);
        self.window.input_shape_combine_region(Some(&region));
        let cut = !shape::is_composited(&self.window);
        self.window.shape_combine_region(cut.then_some(&region));
    }

    fn say_mood(&self) {
        let name = words::ball_name(self.mood.get(), self.language);
        self.window.set_title(&name);
        if let Some(accessible) = self.window.accessible() {
            accessible.set_name(&name);
        }
    }
}
