//! The pointer's actions on the ball: click, drag, and files dropped on it. `menu.rs` has the menu.

use super::{Ball, menu};
use crate::ball::BallEvent;
use crate::geometry::Place;
use crate::mood::Happening;
use crate::summon::ActedAt;
use gtk::gdk::{DragAction, EventMask, EventMotion, ModifierType, NotifyType};
use gtk::glib::Propagation;
use gtk::prelude::*;
use gtk::{DestDefaults, gdk, gio};
use std::cell::Cell;
use std::path::PathBuf;
use std::rc::{Rc, Weak};

/// Pixels of movement below which a press is a click.
const DRAG_AFTER_PX: f64 = 4.0;
/// Files taken from one drop.
const FILES_MAX: usize = 64;
const LEFT: u32 = 1;

/// Connects the ball to the pointer's events.
pub fn listen(ball: &Rc<Ball>) {
    ball.window.add_events(
        EventMask::BUTTON_PRESS_MASK
            | EventMask::BUTTON_RELEASE_MASK
            | EventMask::POINTER_MOTION_MASK
            | EventMask::ENTER_NOTIFY_MASK
            | EventMask::LEAVE_NOTIFY_MASK,
    );
    click_and_drag(ball);
    hover(ball);
    menu::keep(ball);
    files(ball);
}

/// A press of the left button that has not been released yet.
#[derive(Clone, Copy)]
struct Pressed {
    pointer: (f64, f64),
    ball: Place,
    stage: Stage,
}

impl Pressed {
    /// The ball's place for a place of the pointer. The window manager moves the window itself later.
    fn follows(&self, (x, y): (f64, f64)) -> Place {
        Place {
            x: self.ball.x + (x - self.pointer.0).round() as i32,
            y: self.ball.y + (y - self.pointer.1).round() as i32,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The press may still become a click.
    Held,
    Dragging,
}

fn click_and_drag(ball: &Rc<Ball>) {
    let window = &ball.window;
    let pressed: Rc<Cell<Option<Pressed>>> = Rc::default();
    let (press, held) = (pressed.clone(), Rc::downgrade(ball));
    window.connect_button_press_event(move |_, event| {
        if event.button() == LEFT
            && let Some(ball) = held.upgrade()
        {
            let pointer = event.root();
            press.set(Some(Pressed {
                pointer,
                ball: ball.place_now(),
                stage: Stage::Held,
            }));
        }
        Propagation::Proceed
    });
    let (press, dragged) = (pressed.clone(), Rc::downgrade(ball));
    window.connect_motion_notify_event(move |_, event| {
        if let Some(ball) = dragged.upgrade() {
            if event.state().contains(ModifierType::BUTTON1_MASK) {
                press.set(press.get().and_then(|pressed| drag(&ball, pressed, event)));
            } else if let Some(pressed) = press.take()
                && pressed.stage == Stage::Dragging
            {
                // The release was lost.
                ball.drag_ends(pressed.follows(event.root()));
            }
        }
        Propagation::Proceed
    });
    let released = Rc::downgrade(ball);
    window.connect_button_release_event(move |_, event| {
        if event.button() == LEFT
            && let (Some(ball), Some(pressed)) = (released.upgrade(), pressed.take())
        {
            match pressed.stage {
                Stage::Held => (ball.on_event)(BallEvent::Clicked(ActedAt::Display(event.time()))),
                Stage::Dragging => ball.drag_ends(pressed.follows(event.root())),
            }
        }
        Propagation::Proceed
    });
}

/// Brings the ball out while the pointer is over it. During a grab, such as a menu's, the pointer only seems to
/// leave.
fn hover(ball: &Rc<Ball>) {
    let hovered = Rc::downgrade(ball);
    ball.window.connect_enter_notify_event(move |_, _| {
        with(&hovered, |ball| ball.hover(true));
        Propagation::Proceed
    });
    let left = Rc::downgrade(ball);
    ball.window.connect_leave_notify_event(move |_, event| {
        if event.detail() != NotifyType::Inferior {
            with(&left, |ball| ball.hover(false));
        }
        Propagation::Proceed
    });
}

fn with(ball: &Weak<Ball>, act: impl FnOnce(&Rc<Ball>)) {
    if let Some(ball) = ball.upgrade() {
        act(&ball);
    }
}

/// Moves the ball with the pointer. A window manager asked to move it may begin after the release. The ball
/// would then stick to the pointer. So the window manager is asked only where no window can choose its own
/// place.
fn drag(ball: &Rc<Ball>, pressed: Pressed, event: &EventMotion) -> Option<Pressed> {
    let window = &ball.window;
    let (x, y) = event.root();
    let (right, down) = (x - pressed.pointer.0, y - pressed.pointer.1);
    if pressed.stage == Stage::Held && right.hypot(down) <= DRAG_AFTER_PX {
        return Some(pressed);
    }
    if ball.layer.is_none() && !WidgetExt::display(window).is::<gdkx11::X11Display>() {
        let (from_x, from_y) = pressed.pointer;
        window.begin_move_drag(LEFT as i32, from_x as i32, from_y as i32, event.time());
        return None;
    }
    if pressed.stage == Stage::Held {
        ball.drag_begins();
    }
    ball.drag_to(pressed.follows((x, y)));
    Some(Pressed {
        stage: Stage::Dragging,
        ..pressed
    })
}

fn files(ball: &Rc<Ball>) {
    let window = &ball.window;
    window.drag_dest_set(DestDefaults::ALL, &[], DragAction::COPY);
    window.drag_dest_add_uri_targets();
    let moods = ball.handles.moods.clone();
    window.connect_drag_motion(move |_, _, _, _, _| {
        moods.note(&Happening::DragEntered);
        false
    });
    let moods = ball.handles.moods.clone();
    window.connect_drag_leave(move |_, _, _| moods.note(&Happening::DragLeft));
    let dropped = Rc::downgrade(ball);
    window.connect_drag_data_received(move |_, _: &gdk::DragContext, _, _, selection, _, time| {
        let paths: Vec<PathBuf> = selection
            .uris()
            .iter()
            .take(FILES_MAX)
            .filter_map(|uri| gio::File::for_uri(uri.as_str()).path())
            .collect();
        if !paths.is_empty() {
            with(&dropped, |ball| {
                (ball.on_event)(BallEvent::Dropped(paths, ActedAt::Display(time)));
            });
        }
    });
}
