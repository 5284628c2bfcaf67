//! The ball's menu: a native menu in the colours of the panel, light or dark like the panel.

use super::Ball;
use crate::ball::BallEvent;
use crate::linux::{shape, theme};
use crate::summon::ActedAt;
use crate::words;
use gtk::glib::Propagation;
use gtk::prelude::*;
use gtk::{CssProvider, STYLE_PROVIDER_PRIORITY_APPLICATION, StyleContext};
use std::cell::RefCell;
use std::rc::Rc;

const RIGHT: u32 = 3;
/// Radius of the menu's corners, in pixels.
const CORNER_PX: i32 = 8;

/// The class name of each theme, with the design's `--raised`, `--text`, `--line-2`, `--line` and `--hover` in
/// that theme.
const LOOKS: [[&str; 6]; 2] = [
    [
        "shidi-light",
        "#FFFFFF",
        "#1D1C1A",
        "#D3CFC7",
        "#E5E2DC",
        "#EDEBE6",
    ],
    [
        "shidi-dark",
        "#222220",
        "#ECEAE5",
        "#3B3A36",
        "#2E2E2B",
        "#2A2A28",
    ],
];

/// Opens the menu on request. Each menu is built anew, since its lines depend on the moment. Only one menu is
/// open at a time: a press may be reported twice, and of two menus only the upper one would ever close.
pub fn keep(ball: &Rc<Ball>) {
    teach_looks(ball);
    let (asked, shown) = (Rc::downgrade(ball), RefCell::new(None::<gtk::Menu>));
    ball.window.connect_button_press_event(move |_, event| {
        let is_open = shown.borrow().as_ref().is_some_and(WidgetExt::is_visible);
        if event.button() == RIGHT
            && !is_open
            && let Some(ball) = asked.upgrade()
        {
            let menu = new_menu(&ball);
            menu.popup_at_pointer(Some(event));
            // The menu lives until the next one is opened.
            shown.replace(Some(menu));
        }
        Propagation::Proceed
    });
}

fn new_menu(ball: &Rc<Ball>) -> gtk::Menu {
    let language = ball.handles.settings.language();
    let menu = gtk::Menu::new();
    menu.set_reserve_toggle_size(false);
    dress(&menu);
    for (number, group) in ball.handles.moods.menu_lines().into_iter().enumerate() {
        if number > 0 {
            menu.append(&gtk::SeparatorMenuItem::new());
        }
        for action in group {
            let item = gtk::MenuItem::with_label(&words::menu(&action, language));
            let chosen = Rc::downgrade(ball);
            item.connect_activate(move |_| {
                if let Some(ball) = chosen.upgrade() {
                    let at = ActedAt::Display(gtk::current_event_time());
                    (ball.on_event)(BallEvent::Chosen(action, at));
                }
            });
            menu.append(&item);
        }
    }
    menu.show_all();
    menu
}

/// Gives the menu the look of the panel's own menus, whatever the theme of the toolkit.
fn dress(menu: &gtk::Menu) {
    let [light, dark] = LOOKS.map(|[name, ..]| name);
    menu.style_context()
        .add_class(if theme::is_dark() { dark } else { light });
    let Some(window) = menu.toplevel().and_downcast::<gtk::Window>() else {
        return;
    };
    if let Some(visual) = WidgetExt::screen(&window).and_then(|screen| screen.rgba_visual()) {
        window.set_visual(Some(&visual));
    }
    window.set_app_paintable(true);
    shape::keep_rounded(&window, CORNER_PX);
}

/// Registers the looks with GTK, once.
fn teach_looks(ball: &Ball) {
    let style = CssProvider::new();
    let looks = LOOKS.map(|[name, ground, text, outline, line, hover]| {
        format!(
            "menu.{name} {{ background: {ground}; color: {text}; border: 1px solid {outline}; border-radius: {CORNER_PX}px; padding: 4px; }} \
             menu.{name} menuitem {{ color: {text}; background: none; min-height: 20px; padding: 4px 12px; border-radius: 6px; }} \
             menu.{name} menuitem:hover {{ background: {hover}; }} \
             menu.{name} separator {{ background: {line}; min-height: 1px; margin: 4px 8px; }}"
        )
    });
    if let Err(error) = style.load_from_data(looks.concat().as_bytes()) {
        tracing::warn!(%error, "The menu keeps the look of the desktop");
    }
    if let Some(screen) = WidgetExt::screen(&ball.window) {
        StyleContext::add_provider_for_screen(&screen, &style, STYLE_PROVIDER_PRIORITY_APPLICATION);
    }
}
