//! Input into a real X display: pointer and keys, as a person uses them.

use super::{Screen, Trouble};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt, GrabMode, GrabStatus, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, KeyButMask, MOTION_NOTIFY_EVENT, ModMask,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::wrapper::ConnectionExt as _;

impl Screen {
    /// Takes `Ctrl+Alt+Space` away from everybody else, until this screen is dropped.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take_hotkey(&self) -> Result<(), Trouble> {
        let [space, ..] = self.keycodes;
        let keys = ModMask::CONTROL | ModMask::M1;
        let grab =
            self.connection
                .grab_key(false, self.root, keys, space, GrabMode::ASYNC, GrabMode::ASYNC)?;
        grab.check()?;
        Ok(())
    }

    /// Presses and releases `Ctrl+Alt+Space`.
    ///
    /// # Errors
    /// The display broke.
    pub fn press_hotkey(&self) -> Result<(), Trouble> {
        let [space, control, alt] = self.keycodes;
        for key in [control, alt, space] {
            self.fake(KEY_PRESS_EVENT, key, 0, 0)?;
        }
        for key in [space, alt, control] {
            self.fake(KEY_RELEASE_EVENT, key, 0, 0)?;
        }
        self.connection.sync()?;
        Ok(())
    }

    /// Gives a key that nobody uses another sign. All programs are told of it, as they are of the first key that is
    /// pressed on another keyboard.
    ///
    /// # Errors
    /// The display refused.
    pub fn change_layout(&self, sign: u32) -> Result<(), Trouble> {
        let unused = self.connection.setup().max_keycode;
        self.connection
            .change_keyboard_mapping(1, unused, 1, &[sign])?
            .check()?;
        Ok(())
    }

    /// Whether somebody has grabbed the keyboard: a menu that is open, an overlay.
    ///
    /// # Errors
    /// The display broke.
    pub fn is_keyboard_taken(&self) -> Result<bool, Trouble> {
        let how = GrabMode::ASYNC;
        let asked = self
            .connection
            .grab_keyboard(false, self.root, x11rb::CURRENT_TIME, how, how)?;
        let is_taken = asked.reply()?.status == GrabStatus::ALREADY_GRABBED;
        self.connection.ungrab_keyboard(x11rb::CURRENT_TIME)?;
        self.connection.sync()?;
        Ok(is_taken)
    }

    /// Moves the pointer there.
    ///
    /// # Errors
    /// The display broke.
    pub fn point(&self, x: i16, y: i16) -> Result<(), Trouble> {
        self.fake(MOTION_NOTIFY_EVENT, 0, x, y)?;
        self.connection.sync()?;
        Ok(())
    }

    /// Presses a button of the pointer.
    ///
    /// # Errors
    /// The display broke.
    pub fn press(&self, button: u8) -> Result<(), Trouble> {
        self.fake(BUTTON_PRESS_EVENT, button, 0, 0)?;
        self.connection.sync()?;
        Ok(())
    }

    /// Releases a button of the pointer.
    ///
    /// # Errors
    /// The display broke.
    pub fn release(&self, button: u8) -> Result<(), Trouble> {
        self.fake(BUTTON_RELEASE_EVENT, button, 0, 0)?;
        self.connection.sync()?;
        Ok(())
    }

    /// Releases every button that is still held, such as in the middle of a drag that came to nothing.
    ///
    /// # Errors
    /// The display broke.
    pub fn let_go(&self) -> Result<(), Trouble> {
        let held = u16::from(self.connection.query_pointer(self.root)?.reply()?.mask);
        let buttons = [KeyButMask::BUTTON1, KeyButMask::BUTTON2, KeyButMask::BUTTON3];
        for (button, mask) in (1..).zip(buttons) {
            if held & u16::from(mask) != 0 {
                self.release(button)?;
            }
        }
        Ok(())
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) -> Result<(), Trouble> {
        self.connection
            .xtest_fake_input(kind, detail, 0, self.root, x, y, 0)?;
        Ok(())
    }
}
