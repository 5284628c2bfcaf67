//! The keyboard of a layer that was summoned.
//!
//! Compositors differ. Some give a layer the keyboard *on demand* when it is shown, some only when it is clicked. Some
//! take it away at once. So a layer that has not got it soon takes all keys, for a bounded time.
//!
//! Protocols without *on demand* know no such bound. There a layer has all keys for as long as it is shown.

use super::Layer;
use super::library::{KeyboardMode, LayerLibrary};
use gtk::gdk::{EventMask, NotifyType};
use gtk::glib;
use gtk::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time in which a compositor gives the keyboard on demand.
const GIVEN_WITHIN: Duration = Duration::from_millis(300);
/// Time after which a loss of the keyboard is the user's wish. A compositor that takes it away at once is faster, a
/// hand is slower.
const LOST_BY_WISH_AFTER: Duration = Duration::from_millis(100);
/// Time without a key after which all keys are given back. A pointer that never enters never leaves, and no layer may
/// keep the keyboard from the whole desktop. Each key begins it anew: whoever types is not cut off.
const TAKEN_FOR: Duration = Duration::from_secs(30);

/// Gives a layer the keyboard whenever it is shown.
pub struct LayerKeyboard {
    library: &'static LayerLibrary,
    window: gtk::Window,
    /// The time since which the layer has the keyboard.
    active_since: Cell<Option<Instant>>,
    /// Whether the user took the keyboard away since the last summon.
    lost_by_wish: Cell<bool>,
    /// The look whether the keyboard was given.
    waiting: RefCell<Option<glib::SourceId>>,
    /// The end of taking all keys.
    ending: RefCell<Option<glib::SourceId>>,
}

impl LayerKeyboard {
    #[must_use]
    pub fn of(layer: &Layer) -> Rc<Self> {
        let keyboard = Rc::new(Self {
            library: layer.library,
            window: layer.window.clone(),
            active_since: Cell::new(None),
            lost_by_wish: Cell::new(false),
            waiting: RefCell::default(),
            ending: RefCell::default(),
        });
        keyboard.give_back();
        keyboard.listen();
        keyboard
    }

    fn listen(self: &Rc<Self>) {
        self.window.add_events(EventMask::LEAVE_NOTIFY_MASK);
        let left = Rc::downgrade(self);
        self.window.connect_leave_notify_event(move |_, event| {
            if event.detail() != NotifyType::Inferior
                && let Some(keyboard) = left.upgrade()
            {
                keyboard.give_back();
            }
            glib::Propagation::Proceed
        });
        let typed = Rc::downgrade(self);
        self.window.connect_key_press_event(move |_, _| {
            if let Some(keyboard) = typed.upgrade() {
                keyboard.go_on();
            }
            glib::Propagation::Proceed
        });
        let changed = Rc::downgrade(self);
        self.window.connect_is_active_notify(move |window| {
            if let Some(keyboard) = changed.upgrade() {
                keyboard.note(window.is_active());
            }
        });
    }

    /// Notes that the layer got the keyboard, or lost it.
    fn note(&self, is_active: bool) {
        let since = self.active_since.replace(is_active.then(Instant::now));
        if !is_active && since.is_some_and(|since| since.elapsed() >= LOST_BY_WISH_AFTER) {
            self.lost_by_wish.set(true);
        }
    }

    /// Asks for the keyboard, right before the layer is shown. A layer that is shown already takes it.
    pub fn ask(self: &Rc<Self>) {
        let (is_shown, is_active) = (self.window.is_visible(), self.window.is_active());
        self.active_since.set((is_shown && is_active).then(Instant::now));
        self.lost_by_wish.set(false);
        match (is_shown, is_active) {
            (false, _) => self.give_back(),
            (true, true) => {}
            (true, false) => self.take_all_keys(),
        }
        let keyboard = Rc::downgrade(self);
        let id = glib::timeout_add_local_once(GIVEN_WITHIN, move || {
            let Some(keyboard) = keyboard.upgrade() else {
                return;
            };
            keyboard.waiting.take();
            let window = &keyboard.window;
            if window.is_visible() && !window.is_active() && !keyboard.lost_by_wish.get() {
                tracing::debug!("The layer takes the keyboard");
                keyboard.take_all_keys();
            }
        });
        forget(self.waiting.replace(Some(id)));
    }

    fn take_all_keys(self: &Rc<Self>) {
        self.be(KeyboardMode::Exclusive);
        self.end_later();
    }

    /// Keeps the keys of whoever is typing.
    fn go_on(self: &Rc<Self>) {
        let has_taken = self.ending.borrow().is_some();
        if has_taken {
            self.end_later();
        }
    }

    fn end_later(self: &Rc<Self>) {
        let keyboard = Rc::downgrade(self);
        let id = glib::timeout_add_local_once(TAKEN_FOR, move || {
            if let Some(keyboard) = keyboard.upgrade() {
                keyboard.ending.take();
                keyboard.give_back();
            }
        });
        forget(self.ending.replace(Some(id)));
    }

    /// Takes the keys as a window does, where the compositor can give them so.
    fn give_back(&self) {
        forget(self.ending.take());
        self.be(self.mode_at_first());
    }

    fn mode_at_first(&self) -> KeyboardMode {
        match self.library.has_keyboard_on_demand() {
            true => KeyboardMode::OnDemand,
            false => KeyboardMode::Exclusive,
        }
    }

    fn be(&self, mode: KeyboardMode) {
        self.library.set_keyboard(&self.window, mode);
    }
}

/// Cancels a delayed action.
fn forget(later: Option<glib::SourceId>) {
    if let Some(later) = later {
        later.remove();
    }
}
