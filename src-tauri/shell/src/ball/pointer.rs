//! What the pointer does to the ball: click, drag, menu, and files dropped on it.

use crate::desktop::Desktop;
use crate::mood::Happening;
use crate::panel::{self, ActedAt, ShownBy};
use crate::words::{self, Language};
use gtk::gdk::{DragAction, EventMask, ModifierType};
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

fn click_and_drag(app: &AppHandle, window: &gtk::Window) {
    let pressed_at: Rc<Cell<Option<(f64, f64)>>> = Rc::default();
    let pressed = pressed_at.clone();
    window.connect_button_press_event(move |_, event| {
        if event.button() == LEFT {
            pressed.set(Some(event.root()));
        }
        Propagation::Proceed
    });
    let pressed = pressed_at.clone();
    window.connect_motion_notify_event(move |window, event| {
        let Some(from) = pressed.get() else {
            return Propagation::Proceed;
        };
        let (x, y) = event.root();
        if !event.state().contains(ModifierType::BUTTON1_MASK) {
            pressed.set(None);
        } else if (x - from.0).hypot(y - from.1) > DRAG_AFTER_PX {
            pressed.set(None);
            // From here on the window manager moves it, and no release arrives.
            window.begin_move_drag(LEFT as i32, from.0 as i32, from.1 as i32, event.time());
        }
        Propagation::Proceed
    });
    let app = app.clone();
    window.connect_button_release_event(move |_, event| {
        if event.button() == LEFT && pressed_at.take().is_some() {
            panel::toggle(&app, ShownBy::Ball, ActedAt::Display(event.time()));
        }
        Propagation::Proceed
    });
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
