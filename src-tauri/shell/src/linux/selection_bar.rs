//! The bar beside a selected text: a small window of the toolkit, without a web view.
//!
//! No window manager knows the bar, and it never has the focus. So a copy right after the selection goes to the window
//! that it is meant for. Only a bar that was asked for by keys takes the keyboard, until it is left.

mod keyboard;
mod menu;

use crate::geometry::{self, Area, Place, Size};
use crate::linux::{screens, surfaces};
use crate::selection_act::{Act, Bar as Wanted, Choice, Summoned};
use crate::words;
use gtk::glib;
use gtk::prelude::*;
use keyboard::Keyboard;
use shidi_locales::Language;
use shidi_protocol::{MemoryId, SelectionEnd, SelectionPlace};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tauri::AppHandle;

/// Side of the picture at the left, in pixels.
const PICTURE_PX: i32 = 18;
const PICTURE: &[u8] = include_bytes!("../../../../assets/icons/32x32.png");
/// Time for which a bar stays below the pointer, or says something, before that is looked at again.
const STAYS: Duration = Duration::from_secs(2);
/// Longest time for which a bar stands below a pointer that rests.
const STANDS_MOST: Duration = Duration::from_secs(60);
/// Time for which something can be taken back.
const SAYS: Duration = Duration::from_secs(6);

struct Bar {
    window: gtk::Window,
    row: gtk::Box,
    language: Language,
    choose: Box<dyn Fn(Choice)>,
    /// Names it among those that were shown.
    number: u64,
    by_keys: bool,
    since: Instant,
    /// Whether its menu is open, or what was chosen is not done yet: both end the bar themselves.
    is_busy: Cell<bool>,
    keyboard: Keyboard,
    menu: RefCell<Option<gtk::Menu>>,
}

thread_local! {
    static NUMBER: Cell<u64> = const { Cell::new(0) };
    static SHOWN: RefCell<Option<Rc<Bar>>> = const { RefCell::new(None) };
}

/// Shows a bar in the place of the last one. `chosen` gets what its user chooses. Main thread only.
pub fn show(app: &AppHandle, wanted: &Wanted, chosen: fn(&AppHandle, Choice)) {
    hide();
    let (app, choose) = (app.clone(), chosen);
    let number = NUMBER.get() + 1;
    NUMBER.set(number);
    let bar = Rc::new(Bar {
        window: new_window(wanted.language),
        row: gtk::Box::new(gtk::Orientation::Horizontal, 2),
        language: wanted.language,
        choose: Box::new(move |choice| choose(&app, choice)),
        number,
        by_keys: !matches!(wanted.summoned, Summoned::Selection(_)),
        since: Instant::now(),
        is_busy: Cell::new(false),
        keyboard: Keyboard::default(),
        menu: RefCell::new(None),
    });
    bar.window.add(&bar.row);
    surfaces::dress(&bar.row);
    bar.add_picture();
    for act in Act::ON_BAR {
        bar.add_act(act);
    }
    menu::add(&bar, wanted);
    bar.row.show_all();
    let place = bar.place(&wanted.summoned);
    bar.window.move_(place.x, place.y);
    bar.window.show_all();
    SHOWN.replace(Some(bar.clone()));
    if bar.by_keys {
        keyboard::take(&bar, wanted.summoned != Summoned::Link);
    }
}

/// Ends the bar of a selection that is news no longer, unless its user is at it. Main thread only.
pub fn over(end: SelectionEnd) {
    let Some(bar) = SHOWN.with_borrow(Clone::clone) else {
        return;
    };
    if bar.by_keys || bar.is_busy.get() {
        return;
    }
    match end {
        SelectionEnd::Left => hide(),
        SelectionEnd::Pressed | SelectionEnd::Passed if bar.is_below_pointer() => bar.leave_after(STAYS),
        SelectionEnd::Pressed | SelectionEnd::Passed => hide(),
    }
}

/// Says in the bar what became of what was chosen, with a button that takes it back. Main thread only.
pub fn say(number: u64, text: &str, undo: Option<MemoryId>) {
    // Another bar may have taken its place.
    let Some(bar) = SHOWN.with_borrow(Clone::clone).filter(|bar| bar.number == number) else {
        return;
    };
    bar.row.foreach(|part| bar.row.remove(part));
    bar.add_picture();
    let label = gtk::Label::new(Some(text));
    label.set_margin_end(8);
    label.set_line_wrap(true);
    label.set_max_width_chars(60);
    bar.row.add(&label);
    if let Some(memory) = undo {
        let button = new_button(words::undo(bar.language));
        let weak = Rc::downgrade(&bar);
        button.connect_clicked(move |_| {
            if let Some(bar) = weak.upgrade() {
                (bar.choose)(Choice::Undo(memory.clone()));
                bar.end();
            }
        });
        bar.row.add(&button);
    }
    bar.row.show_all();
    bar.window.resize(1, 1);
    bar.keep_on_screen();
    bar.is_busy.set(false);
    bar.leave_after(SAYS);
}

/// Ends the bar.
fn hide() {
    if let Some(bar) = SHOWN.take() {
        bar.keyboard.give_back(&bar.window);
        // A window that is closed while a menu has the input would stay.
        if let Some(menu) = bar.menu.take() {
            menu.popdown();
        }
        bar.window.hide();
        // A handler of one of its buttons may be what ends it.
        let window = bar.window.clone();
        glib::idle_add_local_once(move || window.close());
    }
}

fn new_window(language: Language) -> gtk::Window {
    // A window manager would place it, or give it the focus.
    let window = gtk::Window::new(gtk::WindowType::Popup);
    window.set_title(words::selection_title(language));
    window.set_resizable(false);
    if let Some(accessible) = window.accessible() {
        accessible.set_name(words::selection_title(language));
    }
    window
}

fn new_button(label: &str) -> gtk::Button {
    let button = gtk::Button::with_label(label);
    button.set_relief(gtk::ReliefStyle::None);
    button.set_can_focus(false);
    button
}

fn picture() -> Option<gtk::gdk_pixbuf::Pixbuf> {
    let stream = gtk::gio::MemoryInputStream::from_bytes(&glib::Bytes::from_static(PICTURE));
    let nobody = gtk::gio::Cancellable::NONE;
    gtk::gdk_pixbuf::Pixbuf::from_stream_at_scale(&stream, PICTURE_PX, PICTURE_PX, true, nobody).ok()
}

impl Bar {
    fn add_picture(&self) {
        let picture = gtk::Image::from_pixbuf(picture().as_ref());
        picture.set_margin_start(6);
        picture.set_margin_end(4);
        self.row.add(&picture);
    }

    fn add_act(self: &Rc<Self>, act: Act) {
        let button = new_button(&words::act(&act, self.language));
        let bar = Rc::downgrade(self);
        button.connect_clicked(move |_| {
            if let Some(bar) = bar.upgrade() {
                bar.act(act.clone());
            }
        });
        self.row.add(&button);
        self.keyboard.add(&button);
    }

    /// Hands the act on. The bar stays only for what it tells itself.
    fn act(&self, act: Act) {
        match act {
            Act::Remember => {
                self.is_busy.set(true);
                self.keyboard.give_back(&self.window);
                (self.choose)(Choice::Remember { bar: self.number });
            }
            Act::Ask | Act::Explain | Act::Translate | Act::Rewrite | Act::Prompt { .. } => {
                self.end();
                (self.choose)(Choice::Act(act));
            }
        }
    }

    fn size(&self) -> Size {
        let (_, size) = self.window.preferred_size();
        Size {
            width: size.width,
            height: size.height,
        }
    }

    /// Moves the bar back where what it says now would reach beyond the screen.
    fn keep_on_screen(&self) {
        let ((x, y), size) = (self.window.position(), self.size());
        let now = Place { x, y };
        let screen = geometry::screen_of(Area { place: now, size }, &screens::all());
        let Some(place) = screen.map(|screen| screen.free.keep_inside(now, size)) else {
            return;
        };
        self.window.move_(place.x, place.y);
    }

    /// Whether it is the bar that is shown.
    fn is_shown(&self) -> bool {
        SHOWN.with_borrow(|shown| shown.as_ref().is_some_and(|shown| shown.number == self.number))
    }

    /// Where the bar stands, in the pixels of windows.
    fn place(&self, summoned: &Summoned) -> Place {
        let size = self.size();
        let screens = screens::all();
        let place = match summoned {
            Summoned::Selection(place) => {
                let scale = self.window.scale_factor().max(1);
                let pointer = Place {
                    x: place.x / scale,
                    y: place.y / scale,
                };
                let window = in_logical_pixels(place, scale);
                // Whoever selects by keys may have left the pointer anywhere.
                match window.contains(pointer) {
                    true => geometry::bar_place(pointer, size, &screens),
                    false => geometry::bar_place_in(window, size, &screens),
                }
            }
            Summoned::Keys | Summoned::Link => geometry::bar_place(self.pointer(), size, &screens),
        };
        place.unwrap_or(Place { x: 0, y: 0 })
    }

    fn pointer(&self) -> Place {
        let seat = WidgetExt::display(&self.window).default_seat();
        let pointer = seat.and_then(|seat| seat.pointer());
        let (x, y) = pointer.map_or((0, 0), |pointer| {
            let (_, x, y) = pointer.position();
            (x, y)
        });
        Place { x, y }
    }

    fn is_below_pointer(&self) -> bool {
        let (x, y) = self.window.position();
        let (width, height) = self.window.size();
        Area::new(x, y, width, height).contains(self.pointer())
    }

    /// Ends this bar, if it is the one that is shown.
    fn end(&self) {
        if self.is_shown() {
            hide();
        }
    }

    /// Ends the bar after that time. The bar stays if the pointer is still over it then, and it has not stood for
    /// long.
    fn leave_after(self: &Rc<Self>, time: Duration) {
        let bar = Rc::downgrade(self);
        glib::timeout_add_local_once(time, move || {
            let Some(bar) = bar.upgrade() else { return };
            if bar.is_busy.get() {
                return;
            }
            match bar.is_below_pointer() && bar.since.elapsed() < STANDS_MOST {
                true => bar.leave_after(STAYS),
                false => bar.end(),
            }
        });
    }
}

fn in_logical_pixels(place: &SelectionPlace, scale: i32) -> Area {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX) / scale;
    let shidi_protocol::Area { x, y, width, height } = place.bounds;
    Area::new(x / scale, y / scale, side(width), side(height))
}
