//! The bar by the keys alone: it takes the keyboard while it is open, without ever having the focus.

use super::{Bar, SAYS};
use gtk::gdk::{self, EventKey, EventMask, SeatCapabilities, keys::constants as key};
use gtk::glib::{self, Propagation};
use gtk::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Attempts to get the keyboard, which the pressed keys still hold, and the time between them.
const ATTEMPTS: u32 = 20;
const EVERY: Duration = Duration::from_millis(25);
/// Time after the last key in which the bar holds the keyboard. No other program, such as a locked screen, gets a key
/// meanwhile.
const HOLDS: Duration = Duration::from_secs(20);
const CHOSEN: &str = "chosen";

/// The buttons in their order, and the one that Enter presses.
#[derive(Default)]
pub struct Keyboard {
    buttons: RefCell<Vec<gtk::Button>>,
    at: Cell<usize>,
    is_taken: Cell<bool>,
    /// Whether Enter and digits choose: a bar that a link called waits for a sign of its user.
    chooses: Cell<bool>,
    last_key: Cell<Option<Instant>>,
}

impl Keyboard {
    pub fn add(&self, button: &gtk::Button) {
        self.buttons.borrow_mut().push(button.clone());
    }

    /// Lets others have the keyboard again.
    pub fn give_back(&self, window: &gtk::Window) {
        if !self.is_taken.replace(false) {
            return;
        }
        window.grab_remove();
        if let Some(seat) = WidgetExt::display(window).default_seat() {
            seat.ungrab();
        }
    }

    fn mark(&self, at: usize) {
        self.at.set(at);
        for (number, button) in self.buttons.borrow().iter().enumerate() {
            let style = button.style_context();
            match number == at {
                true => style.add_class(CHOSEN),
                false => style.remove_class(CHOSEN),
            }
        }
    }

    fn step(&self, forward: bool) {
        self.chooses.set(true);
        let count = self.buttons.borrow().len().max(1);
        let step = if forward { 1 } else { count - 1 };
        self.mark((self.at.get() + step) % count);
    }

    fn press(&self, at: usize) {
        if !self.chooses.get() {
            return;
        }
        let button = self.buttons.borrow().get(at).cloned();
        if let Some(button) = button {
            self.mark(at);
            button.clicked();
        }
    }
}

/// Takes the keyboard for a bar, and the pointer, whose press elsewhere ends it. `chooses` says whether its user asked for it.
pub fn take(bar: &Rc<Bar>, chooses: bool) {
    bar.keyboard.chooses.set(chooses);
    bar.keyboard.last_key.set(Some(Instant::now()));
    bar.window
        .add_events(EventMask::KEY_PRESS_MASK | EventMask::BUTTON_PRESS_MASK);
    if chooses {
        bar.keyboard.mark(0);
    }
    let typed = Rc::downgrade(bar);
    bar.window.connect_key_press_event(move |_, event| {
        if let Some(bar) = typed.upgrade() {
            key(&bar, event);
        }
        Propagation::Stop
    });
    let pressed = Rc::downgrade(bar);
    bar.window.connect_button_press_event(move |_, _| {
        if let Some(bar) = pressed.upgrade()
            && !bar.is_below_pointer()
        {
            bar.end();
        }
        Propagation::Proceed
    });
    // Another program took the keyboard.
    let lost = Rc::downgrade(bar);
    bar.window.connect_grab_broken_event(move |_, _| {
        if let Some(bar) = lost.upgrade()
            && bar.keyboard.is_taken.get()
        {
            bar.end();
        }
        Propagation::Proceed
    });
    grab(bar, ATTEMPTS);
}

fn grab(bar: &Rc<Bar>, attempts: u32) {
    if bar.is_busy.get() || !bar.is_shown() {
        return;
    }
    let seat = WidgetExt::display(&bar.window).default_seat();
    let (Some(seat), Some(window)) = (seat, bar.window.window()) else {
        return;
    };
    let status = seat.grab(&window, SeatCapabilities::ALL, true, None, None, None);
    if status == gdk::GrabStatus::Success {
        bar.keyboard.is_taken.set(true);
        // Our own windows would get what is meant for the bar: the panel may have the focus.
        bar.window.grab_add();
        return give_up_after(bar, HOLDS);
    }
    if attempts == 0 {
        // The pointer alone can use it: it goes by itself.
        tracing::warn!(?status, "The bar gets no keyboard");
        return bar.leave_after(SAYS);
    }
    let bar = Rc::downgrade(bar);
    glib::timeout_add_local_once(EVERY, move || {
        if let Some(bar) = bar.upgrade() {
            grab(&bar, attempts - 1);
        }
    });
}

/// Ends a bar that has the keyboard once no key has come for so long.
fn give_up_after(bar: &Rc<Bar>, time: Duration) {
    let bar = Rc::downgrade(bar);
    glib::timeout_add_local_once(time, move || {
        let Some(bar) = bar.upgrade().filter(|bar| bar.keyboard.is_taken.get()) else {
            return;
        };
        let rested = bar.keyboard.last_key.get().map_or(HOLDS, |last| last.elapsed());
        match HOLDS.checked_sub(rested).filter(|left| !left.is_zero()) {
            Some(left) => give_up_after(&bar, left),
            None => bar.end(),
        }
    });
}

fn key(bar: &Rc<Bar>, event: &EventKey) {
    let keyboard = &bar.keyboard;
    keyboard.last_key.set(Some(Instant::now()));
    match event.keyval() {
        key::Escape => bar.end(),
        key::Left | key::ISO_Left_Tab => keyboard.step(false),
        key::Right | key::Tab => keyboard.step(true),
        key::Return | key::KP_Enter | key::space => keyboard.press(keyboard.at.get()),
        other => {
            let digit = other.to_unicode().and_then(|sign| sign.to_digit(10));
            if let Some(place) = digit.and_then(|digit| (digit as usize).checked_sub(1)) {
                keyboard.press(place);
            }
        }
    }
}
