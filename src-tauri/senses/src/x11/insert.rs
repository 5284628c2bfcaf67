//! Puts a text into another program's window as its user would. The program copies the text, brings the window to the
//! front, and presses the keys for pasting. The former clipboard is given back once the window has taken the text.
//!
//! Only ever by a click of the user. Nothing is pressed while a key is held, or while another window has the focus.

use super::clipboard::hold;
use super::offer::{Offer, Served};
use super::selections::Form;
use super::{Display, failed};
use crate::insert::{InsertError, Inserted, Manner, manner, typed};
use crate::limits::{INSERT_FRONT_MAX, INSERT_KEYS_MAX, INSERT_QUIET, INSERT_SAVED_MAX, INSERT_TAKEN_MAX};
use crate::{FrontWindow, SenseError};
use std::time::{Duration, Instant};
use x11rb::NONE;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT,
    Keycode, Keysym, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;

const CONTROL: Keysym = 0xffe3;
const SHIFT: Keysym = 0xffe1;
const INSERT: Keysym = 0xff63;
const V: Keysym = 0x76;

/// Pace of asking whether a key is still held.
const PACE: Duration = Duration::from_millis(10);

/// Puts a text into that window.
///
/// # Errors
/// A window that is gone or does not come to the front, keys that stay pressed, trouble with the display. Where the window
/// takes nothing, the text stays on the clipboard.
pub fn insert(window: u32, text: &str) -> Result<Inserted, InsertError> {
    let display = Display::open()?;
    let target = display.target(window)?;
    let manner = manner(&target);
    let text = typed(text, manner);
    if text.is_empty() {
        return Err(InsertError::Empty);
    }
    let keys = display.keys(manner)?;
    display.keys_are_up()?;
    let primary = u32::from(AtomEnum::PRIMARY);
    // Terminals paste the one selection or the other.
    let selections = match manner {
        Manner::Terminal => vec![display.atoms.CLIPBOARD, primary],
        Manner::Plain => vec![display.atoms.CLIPBOARD],
    };
    let former = display.former(&selections)?;
    let forms = display.forms_of_text(&text);
    let mut offer = Offer::take(&display, &selections, forms.clone())?;
    let pasted = display.paste(&mut offer, &target, keys);
    match &pasted {
        // The user may paste it by himself.
        Err(InsertError::NotTaken) => hold(Display::open()?, &selections, forms)?,
        Ok(()) | Err(_) => give_back(former),
    }
    pasted.map(|()| Inserted { manner })
}

/// Puts back what stood in the selections; those that were empty go with our connection.
fn give_back(former: Vec<(Atom, Vec<Form>)>) {
    for (selection, forms) in former.into_iter().filter(|(_, forms)| !forms.is_empty()) {
        let held = Display::open().and_then(|display| hold(display, &[selection], forms));
        if let Err(cause) = held {
            tracing::warn!(%cause, "the former clipboard was not given back");
        }
    }
}

impl Display {
    /// The window as it is now: a program's own, and not one of a window manager.
    fn target(&self, window: Window) -> Result<FrontWindow, InsertError> {
        let clients = self.clients()?;
        let described = self.described(&[window])?.into_iter().flatten().next();
        described
            .filter(|_| clients.contains(&window))
            .ok_or(InsertError::Gone)
    }

    fn former(&self, selections: &[Atom]) -> Result<Vec<(Atom, Vec<Form>)>, SenseError> {
        let until = Instant::now() + INSERT_SAVED_MAX;
        let saved = selections.iter().map(|selection| {
            let forms = self.all_forms(*selection, until);
            forms.map(|forms| (*selection, forms))
        });
        saved.collect()
    }

    fn paste(&self, offer: &mut Offer<'_>, target: &FrontWindow, keys: Keys) -> Result<(), InsertError> {
        self.listen_to(self.root)?;
        self.bring_to_front(target.id)?;
        let until = Instant::now() + INSERT_FRONT_MAX;
        // The window manager's word comes before the focus itself, which no event of the root tells of.
        while !self.has_focus(target)? {
            if Instant::now() >= until {
                return Err(InsertError::NotInFront);
            }
            offer.serve_before(until.min(Instant::now() + PACE), |_| Ok(false))?;
        }
        self.press(keys)?;
        let until = Instant::now() + INSERT_TAKEN_MAX;
        let is_taken = offer.serve_before(until, |served| match served {
            Served::Given(asking) => self.is_of(target, asking),
            Served::Nothing => Ok(false),
        })?;
        if !is_taken {
            return Err(InsertError::NotTaken);
        }
        // Some programs ask more than once.
        offer.serve_before(Instant::now() + INSERT_QUIET, |_| Ok(false))?;
        Ok(())
    }

    fn bring_to_front(&self, window: Window) -> Result<(), SenseError> {
        // 2 stands for a request of the user, which window managers follow.
        let told = ClientMessageEvent::new(32, window, self.atoms._NET_ACTIVE_WINDOW, [2, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, mask, told)
            .map_err(failed)?;
        self.connection.flush().map_err(failed)
    }

    /// Whether keys go to that window now.
    fn has_focus(&self, target: &FrontWindow) -> Result<bool, SenseError> {
        if self.active()? != Some(target.id) {
            return Ok(false);
        }
        let asked = self.connection.get_input_focus().map_err(failed)?;
        let focus = asked.reply().map_err(failed)?.focus;
        if focus == target.id {
            return Ok(true);
        }
        // 0 and 1 stand for no window and for the root.
        Ok(focus > 1 && self.is_of(target, focus)?)
    }

    /// Whether a window belongs to the same process.
    fn is_of(&self, target: &FrontWindow, window: Window) -> Result<bool, SenseError> {
        Ok(window == target.id || (target.pid.is_some() && self.process(window)? == target.pid))
    }

    /// Waits until no key is held: held, it would go on in the other window.
    fn keys_are_up(&self) -> Result<(), InsertError> {
        let until = Instant::now() + INSERT_KEYS_MAX;
        loop {
            let asked = self.connection.query_keymap().map_err(failed)?;
            let held = asked.reply().map_err(failed)?;
            if held.keys.iter().all(|keys| *keys == 0) {
                return Ok(());
            }
            if Instant::now() >= until {
                return Err(InsertError::KeysHeld);
            }
            std::thread::sleep(PACE);
        }
    }

    /// The keys for pasting, on the keyboard as it is set.
    fn keys(&self, manner: Manner) -> Result<Keys, SenseError> {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let asked = self
            .connection
            .get_keyboard_mapping(first, last - first + 1)
            .map_err(failed)?;
        let map = asked.reply().map_err(failed)?;
        let each = usize::from(map.keysyms_per_keycode).max(1);
        let code = |wanted: Keysym| {
            let mut keys = (first..=last).zip(map.keysyms.chunks(each));
            keys.find(|(_, signs)| signs.first() == Some(&wanted))
                .map(|(code, _)| code)
        };
        let shift_insert = || Some([code(SHIFT)?, code(INSERT)?]);
        let control_v = || Some([code(CONTROL)?, code(V)?]);
        let keys = match manner {
            Manner::Terminal => shift_insert(),
            // A keyboard without Latin letters has none for V.
            Manner::Plain => control_v().or_else(shift_insert),
        };
        keys.ok_or_else(|| SenseError::Display("the keyboard has no keys for pasting".to_owned()))
    }

    fn press(&self, [modifier, key]: Keys) -> Result<(), SenseError> {
        let pressed = [
            (KEY_PRESS_EVENT, modifier),
            (KEY_PRESS_EVENT, key),
            (KEY_RELEASE_EVENT, key),
            (KEY_RELEASE_EVENT, modifier),
        ];
        for (what, code) in pressed {
            self.connection
                .xtest_fake_input(what, code, 0, NONE, 0, 0, 0)
                .map_err(failed)?
                .check()
                .map_err(failed)?;
        }
        Ok(())
    }
}

/// A modifier, and the key that is pressed with it.
type Keys = [Keycode; 2];
