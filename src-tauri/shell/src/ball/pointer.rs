//! What the pointer does to the ball: click, drag, menu, and files dropped on it.

use super::place_of;
use crate::desktop::Desktop;
use crate::geometry::Place;
use crate::mood::Happening;
use crate::panel::{self, ActedAt, ShownBy};
use crate::words::{self, Language};
use gtk::gdk::{DragAction, EventMask, EventMotion, ModifierType};
use gtk::glib::Propagation;
use gtk::prelude::*;
use gtk::{DestDefaults, gdk, gio};
use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use tauri::{AppHandle, Manager};

/// A press that travels less than this is a click, in pixels.
const DRAG_AFTER_PX: f64 = 4.0;
/// Files taken from one drop.
const FILES_MAX: usize = 64;
const LEFT: u32 = 1;
const RIGHT: u32 = 3;

/// Makes the ball answer to the pointer.
pub fn listen(app: &AppHandle, window: &gtk::Window, language: Language) {
    window.add_events(
        EventMask::BUTTON_PRESS_MASK | EventMask::BUTTON_RELEASE_MASK | EventMask::POINTER_MOTION_MASK,
    );
    click_and_drag(app, window);
    menu(app, window, language);
    files(app, window);
}

/// A press of the left button that has not been released yet.
#[derive(Clone, Copy)]
struct Pressed {
    pointer: (f64, f64),
    ball: Place,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It may still become a click.
    Held,
    Dragging,
}

fn click_and_drag(app: &AppHandle, window: &gtk::Window) {
    let pressed: Rc<Cell<Option<Pressed>>> = Rc::default();
    let press = pressed.clone();
    window.connect_button_press_event(move |window, event| {
        if event.button() == LEFT {
            let pointer = event.root();
            press.set(Some(Pressed {
                pointer,
                ball: place_of(window),
                stage: Stage::Held,
            }));
        }
        Propagation::Proceed
    });
    let press = pressed.clone();
    window.connect_motion_notify_event(move |window, event| {
        if event.state().contains(ModifierType::BUTTON1_MASK) {
            press.set(press.get().and_then(|pressed| drag(window, pressed, event)));
        } else {
            press.set(None);
        }
        Propagation::Proceed
    });
    let app = app.clone();
    window.connect_button_release_event(move |_, event| {
        if event.button() == LEFT && pressed.take().is_some_and(|pressed| pressed.stage == Stage::Held) {
            panel::toggle(&app, ShownBy::Ball, ActedAt::Display(event.time()));
        }
        Propagation::Proceed
    });
}

/// Moves the ball with the pointer. A window manager that is asked to do it may come too late, after the release,
/// and then the ball would stick to the pointer; only where no window can choose its place is it asked.
fn drag(window: &gtk::Window, pressed: Pressed, event: &EventMotion) -> Option<Pressed> {
    let (x, y) = event.root();
    let (right, down) = (x - pressed.pointer.0, y - pressed.pointer.1);
    if pressed.stage == Stage::Held && right.hypot(down) <= DRAG_AFTER_PX {
        return Some(pressed);
    }
    if !WidgetExt::display(window).is::<gdkx11::X11Display>() {
        let (from_x, from_y) = pressed.pointer;
        window.begin_move_drag(LEFT as i32, from_x as i32, from_y as i32, event.time());
        return None;
    }
    window.move_(
        pressed.ball.x + right.round() as i32,
        pressed.ball.y + down.round() as i32,
    );
    Some(Pressed {
        stage: Stage::Dragging,
        ..pressed
    })
}

fn menu(app: &AppHandle, window: &gtk::Window, language: Language) {
    let menu = gtk::Menu::new();
    let open = gtk::MenuItem::with_label(words::menu_open(language));
    let quit = gtk::MenuItem::with_label(words::menu_quit(language));
    menu.append(&open);
    menu.append(&quit);
    menu.show_all();
    let handle = app.clone();
    open.connect_activate(move |_| {
        panel::show(
            &handle,
            ShownBy::Ball,
            ActedAt::Display(gtk::current_event_time()),
        )
    });
    let handle = app.clone();
    quit.connect_activate(move |_| handle.exit(0));
    window.connect_button_press_event(move |_, event| {
        if event.button() == RIGHT {
            menu.popup_at_pointer(Some(event));
        }
        Propagation::Proceed
    });
}

fn files(app: &AppHandle, window: &gtk::Window) {
    window.drag_dest_set(DestDefaults::ALL, &[], DragAction::COPY);
    window.drag_dest_add_uri_targets();
    let handle = app.clone();
    window.connect_drag_motion(move |_, _, _, _, _| {
        handle.state::<Desktop>().note(&Happening::DragEntered);
        false
    });
    let handle = app.clone();
    window.connect_drag_leave(move |_, _, _| handle.state::<Desktop>().note(&Happening::DragLeft));
    let handle = app.clone();
    window.connect_drag_data_received(move |_, _: &gdk::DragContext, _, _, selection, _, time| {
        let paths: Vec<PathBuf> = selection
            .uris()
            .iter()
            .take(FILES_MAX)
            .filter_map(|uri| gio::File::for_uri(uri.as_str()).path())
            .collect();
        if !paths.is_empty() {
            panel::attach(&handle, paths, ActedAt::Display(time));
        }
    });
}
