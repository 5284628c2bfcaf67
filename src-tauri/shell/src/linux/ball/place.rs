//! The place of the ball. The ball rests at an edge, half hidden while nothing is to be shown, or glides
//! between the two.
//!
//! The user's place is kept for each arrangement of the monitors, and corrected when it is off-screen.

use super::drag_picture::DragPicture;
use super::{Ball, SIZE};
use crate::drawing::look;
use crate::geometry::{Area, Place, ball_place, snapped, tucked};
use crate::linux::{screens, shape};
use crate::mood::Mood;
use gtk::glib;
use gtk::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time without movement after which the window manager has placed the ball.
const SETTLED_AFTER: Duration = Duration::from_millis(400);
/// Time without pointer and news after which half of the ball hides.
const TUCKED_AFTER: Duration = Duration::from_secs(4);
/// Duration of the way to an edge or back, in milliseconds.
const GLIDE_MS: f64 = 160.0;

/// The known place of the ball; the window itself may still be on its way.
pub struct Placing {
    /// The ball's place when it is not half hidden.
    resting: Cell<Place>,
    stage: Cell<Stage>,
    hovered: Cell<bool>,
    gliding: RefCell<Option<gtk::TickCallbackId>>,
    settling: RefCell<Option<glib::SourceId>>,
    tucking: RefCell<Option<glib::SourceId>>,
    /// What follows the pointer while a layer is dragged.
    picture: RefCell<Option<DragPicture>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The window manager is still framing the window, which may move anywhere.
    New,
    Out,
    Dragged,
    Tucked,
}

impl Placing {
    pub fn new() -> Self {
        Self {
            resting: Cell::new(Place { x: 0, y: 0 }),
            stage: Cell::new(Stage::New),
            hovered: Cell::new(false),
            gliding: RefCell::default(),
            settling: RefCell::default(),
            tucking: RefCell::default(),
            picture: RefCell::default(),
        }
    }
}

/// Asks the display for the window's place: move events are not always right.
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

impl Ball {
    /// Puts the ball at its kept place, follows its moves, and brings it back when it has left the screen.
    pub(super) fn keep_in_place(self: &Rc<Self>) {
        if self.layer.is_none() {
            shape::mean_the_place(&self.window);
        }
        self.put(self.handles.places.remembered(&screens::all()));
        let ball = Rc::downgrade(self);
        self.window.connect_configure_event(move |_, _| {
            if let Some(ball) = ball.upgrade() {
                ball.settle_soon();
            }
            false
        });
        if self.layer.is_some() {
            // No window manager places a layer, and none tells of it.
            self.settle_soon();
        }
        let Some(screen) = WidgetExt::screen(&self.window) else {
            return;
        };
        let ball = Rc::downgrade(self);
        screen.connect_monitors_changed(move |_| {
            if let Some(ball) = ball.upgrade() {
                ball.adapt();
            }
        });
    }

    /// The bounds of the resting ball: they decide its monitor, the panel's place, and full-screen windows in
    /// its way.
    pub(super) fn rests_at(&self) -> Area {
        Area {
            place: self.placing.resting.get(),
            size: SIZE,
        }
    }

    /// The place of the window now.
    pub(super) fn place_now(&self) -> Place {
        match &self.layer {
            Some(layer) => layer.place(),
            None => place_of(&self.window),
        }
    }

    fn move_to(&self, place: Place) {
        match &self.layer {
            Some(layer) => layer.put(place),
            None => self.window.move_(place.x, place.y),
        }
    }

    fn rest_at(&self, place: Place) {
        self.placing.resting.set(place);
        self.handles.places.ball_at(self.rests_at(), screens::all());
    }

    fn put(&self, wanted: Option<Place>) {
        if let Some(place) = ball_place(wanted, SIZE, &screens::all()) {
            self.stop_gliding();
            self.move_to(place);
            self.rest_at(place);
        }
    }

    /// Adapts to other monitors. The free area beside docks becomes known a moment later.
    fn adapt(self: &Rc<Self>) {
        let remembered = self.handles.places.remembered(&screens::all());
        self.placing.stage.set(Stage::New);
        self.put_down();
        // A compositor closes the layers of a monitor that is gone, and the window library does not notice.
        // The ball that waits for a monitor is hidden too, without a reason to be.
        let begins_anew = self.layer.is_some() && self.hidden_for.borrow().is_empty();
        if begins_anew {
            self.window.hide();
        }
        self.put(remembered.or(Some(self.placing.resting.get())));
        if begins_anew {
            self.show_again();
        }
        self.settle_soon();
    }

    /// Moves the ball back: a window manager may give another place to a window that was hidden.
    pub(super) fn return_to_place(self: &Rc<Self>) {
        self.placing.stage.set(Stage::New);
        self.put(Some(self.placing.resting.get()));
        self.settle_soon();
    }

    /// Keeps the ball's place once it has come to rest. Corrects the place if part of the ball is off-screen.
    fn settle_soon(self: &Rc<Self>) {
        if self.is_on_its_way() {
            return;
        }
        let ball = Rc::downgrade(self);
        let id = glib::timeout_add_local_once(SETTLED_AFTER, move || {
            let Some(ball) = ball.upgrade() else { return };
            ball.placing.settling.take();
            ball.settle();
        });
        forget(self.placing.settling.replace(Some(id)));
    }

    fn is_on_its_way(&self) -> bool {
        let is_out = matches!(self.placing.stage.get(), Stage::New | Stage::Out);
        !is_out || self.placing.gliding.borrow().is_some()
    }

    fn settle(self: &Rc<Self>) {
        if self.is_on_its_way() {
            return;
        }
        self.placing.stage.set(Stage::Out);
        let (place, screens) = (self.place_now(), screens::all());
        match ball_place(Some(place), SIZE, &screens) {
            Some(mended) if mended == place => {
                self.rest_at(place);
                self.handles.places.remember(place, &screens);
            }
            Some(mended) => self.put(Some(mended)),
            None => {}
        }
        self.tuck_soon();
    }

    /// Notes that the pointer has taken hold of the ball.
    pub(super) fn drag_begins(self: &Rc<Self>) {
        self.stop_gliding();
        self.placing.stage.set(Stage::Dragged);
        if self.layer.is_some() {
            self.placing
                .picture
                .replace(DragPicture::of(self, self.place_now()));
        }
    }

    /// Follows the pointer.
    pub(super) fn drag_to(&self, place: Place) {
        match &*self.placing.picture.borrow() {
            Some(picture) => picture.put(place),
            None => self.move_to(place),
        }
    }

    /// Whether another window shows the ball now.
    pub(super) fn is_pictured(&self) -> bool {
        self.placing
            .picture
            .borrow()
            .as_ref()
            .is_some_and(DragPicture::is_drawn)
    }

    /// Shows the ball in its own window again.
    pub(super) fn put_down(&self) {
        if self.placing.picture.take().is_some() {
            self.window.queue_draw();
        }
    }

    /// Sends the ball to the nearest edge after it was let go at `there`.
    pub(super) fn drag_ends(self: &Rc<Self>, there: Place) {
        self.placing.stage.set(Stage::Out);
        let screens = screens::all();
        if self.layer.is_some() {
            self.move_to(there);
            self.put_down();
        }
        if let Some(place) = snapped(there, SIZE, &screens) {
            self.rest_at(place);
            self.handles.places.remember(place, &screens);
            self.glide(there, place);
        }
        self.tuck_soon();
    }

    /// Notes that the pointer is over the ball, or has left it.
    pub(super) fn hover(self: &Rc<Self>, is_over: bool) {
        self.placing.hovered.set(is_over);
        if is_over {
            self.come_out();
        } else {
            self.tuck_soon();
        }
    }

    /// Shows the whole ball, for as long as there is something to see.
    pub(super) fn come_out(self: &Rc<Self>) {
        forget(self.placing.tucking.take());
        if self.placing.stage.get() == Stage::Tucked {
            self.placing.stage.set(Stage::Out);
            self.glide_to(self.placing.resting.get());
        }
    }

    /// Hides half of the ball at its edge, after some time without any event.
    pub(super) fn tuck_soon(self: &Rc<Self>) {
        let ball = Rc::downgrade(self);
        let id = glib::timeout_add_local_once(TUCKED_AFTER, move || {
            let Some(ball) = ball.upgrade() else { return };
            ball.placing.tucking.take();
            if ball.handles.moods.is_panel_shown() {
                return ball.tuck_soon();
            }
            ball.tuck();
        });
        forget(self.placing.tucking.replace(Some(id)));
    }

    fn tuck(self: &Rc<Self>) {
        let nothing_to_see = matches!(self.mood.get(), Mood::Idle | Mood::Paused);
        if self.placing.stage.get() != Stage::Out || self.placing.hovered.get() || !nothing_to_see {
            return;
        }
        if let Some(place) = tucked(self.placing.resting.get(), SIZE, &screens::all()) {
            self.placing.stage.set(Stage::Tucked);
            self.glide_to(place);
        }
    }

    fn stop_gliding(&self) {
        if let Some(glide) = self.placing.gliding.take() {
            glide.remove();
        }
    }

    fn glide_to(self: &Rc<Self>, goal: Place) {
        self.glide(self.place_now(), goal);
    }

    fn glide(self: &Rc<Self>, from: Place, goal: Place) {
        self.stop_gliding();
        if from == goal || !super::is_animated() || !self.window.is_mapped() {
            return self.move_to(goal);
        }
        let (ball, begun) = (Rc::downgrade(self), Instant::now());
        let id = self.window.add_tick_callback(move |_, _| {
            let Some(ball) = ball.upgrade() else {
                return glib::ControlFlow::Break;
            };
            let share = begun.elapsed().as_secs_f64() * 1000.0 / GLIDE_MS;
            let on_the_way = |from: i32, goal: i32| {
                look::blend(f64::from(from), f64::from(goal), look::ease(share)).round() as i32
            };
            ball.move_to(Place {
                x: on_the_way(from.x, goal.x),
                y: on_the_way(from.y, goal.y),
            });
            if share < 1.0 {
                return glib::ControlFlow::Continue;
            }
            ball.placing.gliding.take();
            glib::ControlFlow::Break
        });
        self.placing.gliding.replace(Some(id));
    }
}

/// Cancels a delayed action.
fn forget(later: Option<glib::SourceId>) {
    if let Some(later) = later {
        later.remove();
    }
}
