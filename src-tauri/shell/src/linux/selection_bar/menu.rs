//! The rest of the bar's acts, in a menu: the user's own prompts, and where no bar is wanted.

use super::{Bar, new_button};
use crate::linux::surfaces;
use crate::selection_act::{Act, Bar as Wanted, Choice, Summoned};
use crate::words;
use gtk::gdk::Gravity;
use gtk::glib;
use gtk::prelude::*;
use shidi_protocol::SelectionPlace;
use std::rc::Rc;

/// Bytes of a program's name from which on it can be left out. Parts of names count, and a shorter name is in too
/// many.
const NAME_BYTES_MIN: usize = 3;

/// Adds the button that opens the menu.
pub fn add(bar: &Rc<Bar>, wanted: &Wanted) {
    let button = new_button("⋯");
    let name = words::selection_more(bar.language);
    button.set_tooltip_text(Some(name));
    if let Some(accessible) = button.accessible() {
        accessible.set_name(name);
    }
    let (weak, wanted) = (Rc::downgrade(bar), wanted.clone());
    button.connect_clicked(move |button| {
        if let Some(bar) = weak.upgrade() {
            open(&bar, button, &wanted);
        }
    });
    bar.row.add(&button);
    bar.keyboard.add(&button);
}

fn open(bar: &Rc<Bar>, button: &gtk::Button, wanted: &Wanted) {
    let menu = filled(bar, wanted);
    bar.is_busy.set(true);
    bar.keyboard.give_back(&bar.window);
    let weak = Rc::downgrade(bar);
    menu.connect_deactivate(move |_| {
        let weak = weak.clone();
        // The line that was chosen acts first.
        glib::idle_add_local_once(move || {
            if let Some(bar) = weak.upgrade() {
                bar.end();
            }
        });
    });
    menu.popup_at_widget(button, Gravity::SouthWest, Gravity::NorthWest, None);
    // Another program may have the input: the toolkit shows no menu then.
    let is_open = menu.is_visible();
    bar.menu.replace(Some(menu));
    if !is_open {
        bar.end();
    }
}

fn filled(bar: &Rc<Bar>, wanted: &Wanted) -> gtk::Menu {
    let menu = gtk::Menu::new();
    menu.set_reserve_toggle_size(false);
    surfaces::dress(&menu);
    for name in &wanted.prompts {
        let act = Act::Prompt { name: name.clone() };
        add_line(bar, &menu, &words::act(&act, bar.language), Choice::Act(act));
    }
    if !wanted.prompts.is_empty() {
        menu.append(&gtk::SeparatorMenuItem::new());
    }
    if let Summoned::Selection(SelectionPlace { app, .. }) = &wanted.summoned
        && app.len() >= NAME_BYTES_MIN
    {
        let line = words::selection_not_over(app, bar.language);
        add_line(bar, &menu, &line, Choice::NotOver { app: app.clone() });
    }
    add_line(
        bar,
        &menu,
        words::selection_settings(bar.language),
        Choice::Settings,
    );
    menu.show_all();
    menu
}

fn add_line(bar: &Rc<Bar>, menu: &gtk::Menu, text: &str, choice: Choice) {
    let line = gtk::MenuItem::with_label(text);
    let bar = Rc::downgrade(bar);
    line.connect_activate(move |_| {
        if let Some(bar) = bar.upgrade() {
            (bar.choose)(choice.clone());
        }
    });
    menu.append(&line);
}
