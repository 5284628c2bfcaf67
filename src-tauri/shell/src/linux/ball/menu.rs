//! The ball's menu: a native menu in the colours of the panel, light or dark like the panel.

use super::Ball;
use crate::ball::BallEvent;
use crate::linux::surfaces;
use crate::summon::ActedAt;
use crate::words;
use gtk::glib::Propagation;
use gtk::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const RIGHT: u32 = 3;
/// Opens the menu on request. Each menu is built anew, since its lines depend on the moment. Only one menu is
/// open at a time. A press may be reported twice, and of two menus only the upper one would ever close.
pub fn keep(ball: &Rc<Ball>) {
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
    surfaces::dress(&menu);
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
