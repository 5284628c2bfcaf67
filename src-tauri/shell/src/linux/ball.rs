//! The ball: a small round window, drawn without a web view (the reasons and figures are in `BALL.md`).
//!
//! The ball is always on top, on every desktop, and in no list of windows. The ball can be dragged and clicked,
//! takes files, and shows the mood that it is given. The ball runs on the main thread and uses no processor time
//! unless something moves.

mod drag_picture;
mod menu;
mod place;
mod pointer;

use crate::ball::{BallEvent, BallHandles, Reason};
use crate::drawing::ball::{self as drawing, BADGE, BALL_PX, EDGE_RADIUS, Ground};
use crate::drawing::look::{self, Look};
use crate::geometry::{Area, Size, disc_rows};
use crate::linux::layers::{Layer, Level};
use crate::linux::{screens, shape};
use crate::mood::Mood;
use crate::words;
use gtk::glib;
use gtk::prelude::*;
use place::Placing;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};
use tauri::AppHandle;

const SIZE: Size = Size {
    width: BALL_PX,
    height: BALL_PX,
};
const MIDDLE: (f64, f64) = (28.0, 28.0);
/// Time after which an undrawn window is no longer waited for.
const DRAWN_BY: Duration = Duration::from_secs(1);

/// The window and its drawing.
struct Ball {
    handles: BallHandles,
    on_event: Box<dyn Fn(BallEvent)>,
    window: gtk::Window,
    /// The window as a layer, where the compositor has layers. It leaves full-screen windows alone.
    layer: Option<Layer>,
    mood: Cell<Mood>,
    /// The time at which the mood began, and the look before it.
    since: Cell<Instant>,
    before: Cell<Look>,
    ticking: RefCell<Option<gtk::TickCallbackId>>,
    placing: Placing,
    hidden_for: RefCell<Vec<Reason>>,
}

thread_local! {
    /// The ball, for callers that ask to hide it.
    static BALL: RefCell<Weak<Ball>> = const { RefCell::new(Weak::new()) };
}

/// Puts the ball on the screen; from then on it shows the mood. `on_event` gets the user's acts on the ball. Once
/// the ball is visible, `then` is called.
pub fn show(
    app: &AppHandle,
    handles: BallHandles,
    on_event: impl Fn(&AppHandle, BallEvent) + 'static,
    then: impl FnOnce() + 'static,
) {
    let (mut moods, mut settings) = (handles.moods.subscribe(), handles.settings.subscribe());
    let mood = *moods.borrow_and_update();
    let app = app.clone();
    let window = new_window();
    // If the window manager closed the window, the program could not be reached any more.
    window.connect_delete_event(|_, _| glib::Propagation::Stop);
    let ball = Rc::new(Ball {
        handles,
        on_event: Box::new(move |event| on_event(&app, event)),
        layer: Layer::of(&window, Level::Top, SIZE),
        window,
        mood: Cell::new(mood),
        since: Cell::new(Instant::now()),
        before: Cell::new(Look::of(mood)),
        ticking: RefCell::new(None),
        placing: Placing::new(),
        hidden_for: RefCell::default(),
    });
    BALL.with_borrow_mut(|known| *known = Rc::downgrade(&ball));
    once_drawn(&ball.window, then);
    ball.keep_drawn();
    ball.keep_in_place();
    pointer::listen(&ball);
    ball.say_mood();
    ball.window.show_all();
    ball.cut();
    let named = ball.clone();
    glib::MainContext::default().spawn_local(async move {
        while moods.changed().await.is_ok() {
            let mood = *moods.borrow_and_update();
            ball.wear(mood);
        }
    });
    glib::MainContext::default().spawn_local(async move {
        while settings.changed().await.is_ok() {
            settings.mark_unchanged();
            named.say_mood();
        }
    });
}

/// Hides the ball until [`show_for`] the same reason. Main thread only.
pub fn hide_for(reason: Reason) {
    if let Some(ball) = BALL.with_borrow(Weak::upgrade) {
        ball.hidden_for.borrow_mut().push(reason);
        ball.put_down();
        ball.window.hide();
        // The display must have hidden the ball before anybody captures the screen.
        WidgetExt::display(&ball.window).sync();
    }
}

/// Shows the ball again, unless there is another reason to hide it. Main thread only.
pub fn show_for(reason: Reason) {
    if let Some(ball) = BALL.with_borrow(Weak::upgrade) {
        ball.hidden_for.borrow_mut().retain(|known| *known != reason);
        if ball.hidden_for.borrow().is_empty() && !ball.window.is_visible() {
            ball.show_again();
            ball.return_to_place();
        }
    }
}

/// Leaves the monitor to a full-screen window, whose bounds are in pixels of the display, and comes back after it.
pub fn make_way(full_screen: Option<Area>) {
    let Some(ball) = BALL.with_borrow(Weak::upgrade) else {
        return;
    };
    let scale = ball.window.scale_factor().max(1);
    let covered = full_screen.map(|Area { place, size }| {
        let (x, y) = (place.x / scale, place.y / scale);
        Area::new(x, y, size.width / scale, size.height / scale)
    });
    if covered.is_some_and(|area| area.holds(ball.rests_at())) {
        hide_for(Reason::FullScreen);
    } else {
        show_for(Reason::FullScreen);
    }
}

/// Whether the user allows animations.
fn is_animated() -> bool {
    gtk::Settings::default().is_none_or(|settings| settings.is_gtk_enable_animations())
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
    window
}

/// Calls a function after the first drawing, or after [`DRAWN_BY`] if the window is never drawn.
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
                let drawn = match ball.is_pictured() {
                    true => drawing::clear(cairo),
                    false => drawing::draw(cairo, &ball.look(), ground),
                };
                if let Err(error) = drawn {
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

    fn wear(self: &Rc<Self>, mood: Mood) {
        // A filling ring turns on from its present state; a mood of another kind starts afresh.
        self.before.set(self.look());
        self.mood.set(mood);
        self.since.set(Instant::now());
        self.say_mood();
        self.cut();
        self.window.queue_draw();
        self.start_ticking();
        match mood {
            Mood::Idle | Mood::Paused => self.tuck_soon(),
            Mood::Looking
            | Mood::Thinking(_)
            | Mood::NeedsYou { .. }
            | Mood::Suggests
            | Mood::Error
            | Mood::Dropping => self.come_out(),
        }
    }

    fn look(&self) -> Look {
        Look::at(&self.before.get(), self.mood.get(), self.elapsed_ms())
    }

    fn elapsed_ms(&self) -> f64 {
        self.since.get().elapsed().as_secs_f64() * 1000.0
    }

    /// Draws every frame for as long as something moves. With reduced motion nothing moves.
    fn start_ticking(self: &Rc<Self>) {
        if self.ticking.borrow().is_some() {
            return;
        }
        if !is_animated() {
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

    /// Lets the pointer reach only the opaque part; without a compositor the rest of the window is cut off.
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

    /// Shows the window after it was hidden. Under Wayland its new surface takes the pointer everywhere at first.
    /// A layer without any monitor stays hidden; the next monitor brings it back.
    fn show_again(&self) {
        if self.layer.is_some() && screens::all().is_empty() {
            return;
        }
        self.window.show();
        self.cut();
    }

    fn say_mood(&self) {
        let language = self.handles.settings.language();
        let name = words::ball_name(self.mood.get(), language);
        self.window.set_title(&name);
        if let Some(accessible) = self.window.accessible() {
            accessible.set_name(&name);
        }
    }
}
