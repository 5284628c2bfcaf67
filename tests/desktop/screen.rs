//! A real X display as a person sees it: pixels and windows. Its input stands in `input.rs`.
//!
//! It knows nothing of the program whose windows it shows.

mod input;

use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::errors::{ConnectError, ReplyError, ReplyOrIdError};
use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt, CreateGCAux, ImageFormat, MapState, PropMode,
    Rectangle, Window,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Longest wait for anything on the screen; a loaded machine draws slowly.
pub const PATIENCE: Duration = Duration::from_secs(45);
/// Pause between two looks.
const LOOK_EVERY: Duration = Duration::from_micros(500);

pub type Colour = [u8; 3];

/// A window as it lies on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub window: Window,
    pub x: i16,
    pub y: i16,
    pub width: u16,
    pub height: u16,
    pub depth: u8,
}

pub struct Screen {
    connection: RustConnection,
    root: Window,
    /// From keysym to keycode: `space`, `Control_L`, `Alt_L`.
    keycodes: [u8; 3],
}

const SPACE: u32 = 0x0020;
const CONTROL: u32 = 0xffe3;
const ALT: u32 = 0xffe9;

#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("No display: {0}")]
    Connect(#[from] ConnectError),
    #[error("The display refused: {0}")]
    Refused(#[from] ReplyError),
    #[error("The display broke: {0}")]
    Broke(#[from] x11rb::errors::ConnectionError),
    #[error("The display has no more ids: {0}")]
    Ids(#[from] ReplyOrIdError),
    #[error("Waited {} s in vain until {what}", PATIENCE.as_secs())]
    InVain { what: String },
    #[error("The keyboard has no such key")]
    NoKey,
}

impl Screen {
    /// # Errors
    /// No display.
    pub fn open() -> Result<Self, Trouble> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let keycodes = [
            keycode(&connection, SPACE)?,
            keycode(&connection, CONTROL)?,
            keycode(&connection, ALT)?,
        ];
        Ok(Self {
            connection,
            root,
            keycodes,
        })
    }

    /// Paints the desktop in one colour, for the server and for a compositor.
    ///
    /// # Errors
    /// The display refused.
    pub fn paint_wallpaper(&self, [red, green, blue]: Colour) -> Result<(), Trouble> {
        let wire = &self.connection;
        let size = wire.get_geometry(self.root)?.reply()?;
        let pixmap = wire.generate_id()?;
        wire.create_pixmap(size.depth, pixmap, self.root, size.width, size.height)?;
        let pen = wire.generate_id()?;
        let pixel = u32::from_be_bytes([0, red, green, blue]);
        wire.create_gc(pen, pixmap, &CreateGCAux::new().foreground(pixel))?;
        let all = Rectangle {
            x: 0,
            y: 0,
            width: size.width,
            height: size.height,
        };
        wire.poly_fill_rectangle(pixmap, pen, &[all])?;
        for name in ["_XROOTPMAP_ID", "ESETROOT_PMAP_ID"] {
            let atom = self.atom(name)?;
            wire.change_property32(PropMode::REPLACE, self.root, atom, AtomEnum::PIXMAP, &[pixmap])?;
        }
        wire.change_window_attributes(
            self.root,
            &ChangeWindowAttributesAux::new().background_pixmap(pixmap),
        )?;
        wire.clear_area(false, self.root, 0, 0, 0, 0)?;
        wire.sync()?;
        Ok(())
    }

    /// # Errors
    /// The display refused, such as for a point off the screen.
    pub fn pixel(&self, x: i16, y: i16) -> Result<Colour, Trouble> {
        let all = u32::MAX;
        let image = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, self.root, x, y, 1, 1, all)?
            .reply()?;
        match image.data[..] {
            [blue, green, red, ..] => Ok([red, green, blue]),
            _ => Ok([0, 0, 0]),
        }
    }

    /// The viewable window whose title is exactly `title`.
    ///
    /// # Errors
    /// The display broke.
    pub fn find(&self, title: &str) -> Result<Option<Seen>, Trouble> {
        self.find_by(|seen| seen == title.as_bytes())
    }

    /// Waits until no window whose title begins so is on the screen.
    ///
    /// # Errors
    /// One stays.
    pub fn await_none(&self, beginning: &str) -> Result<(), Trouble> {
        await_some(&format!("no window {beginning:?}… is left"), || {
            let left = self.find_by(|seen| seen.starts_with(beginning.as_bytes()))?;
            Ok(left.is_none().then_some(()))
        })
    }

    fn find_by(&self, is_wanted: impl Fn(&[u8]) -> bool) -> Result<Option<Seen>, Trouble> {
        Ok(self.titled(is_wanted, 1)?.pop().map(|(_, seen)| seen))
    }

    /// The first `most` windows that can be seen and have a title that is wanted.
    fn titled(
        &self,
        is_wanted: impl Fn(&[u8]) -> bool,
        most: usize,
    ) -> Result<Vec<(Vec<u8>, Seen)>, Trouble> {
        let name = self.atom("_NET_WM_NAME")?;
        let (mut open, mut found) = (vec![self.root], Vec::new());
        while let Some(window) = open.pop().filter(|_| found.len() < most) {
            // A window may go away while it is looked at: then it isn't the one.
            let Ok(tree) = self.connection.query_tree(window)?.reply() else {
                continue;
            };
            open.extend(&tree.children);
            let text = self
                .connection
                .get_property(false, window, name, AtomEnum::ANY, 0, 1024)?
                .reply();
            let Ok(text) = text else { continue };
            if is_wanted(&text.value)
                && self.is_viewable(window)?
                && let Ok(seen) = self.see(window)
            {
                found.push((text.value, seen));
            }
        }
        Ok(found)
    }

    /// Waits until a window of that title is on the screen.
    ///
    /// # Errors
    /// It doesn't come.
    pub fn await_window(&self, title: &str) -> Result<Seen, Trouble> {
        let found = await_some(&format!("a window {title:?} is shown"), || self.find(title))?;
        Ok(found)
    }

    /// Waits until no window of that title is on the screen.
    ///
    /// # Errors
    /// It stays.
    pub fn await_gone(&self, title: &str) -> Result<(), Trouble> {
        await_some(&format!("the window {title:?} is hidden"), || {
            Ok(if self.find(title)?.is_none() {
                Some(())
            } else {
                None
            })
        })
    }

    /// Waits until the window is the one that gets the keys.
    ///
    /// # Errors
    /// It doesn't become so.
    pub fn await_focus(&self, window: Window) -> Result<(), Trouble> {
        await_some("the window has the focus", || {
            Ok(if self.has_focus(window)? { Some(()) } else { None })
        })
    }

    /// Whether keys go to the window or something inside it.
    ///
    /// # Errors
    /// The display broke.
    pub fn has_focus(&self, window: Window) -> Result<bool, Trouble> {
        let mut at = self.connection.get_input_focus()?.reply()?.focus;
        while at != window {
            if at < 2 || at == self.root {
                return Ok(false);
            }
            let Ok(tree) = self.connection.query_tree(at)?.reply() else {
                return Ok(false);
            };
            at = tree.parent;
        }
        Ok(true)
    }

    /// What the window manager was asked to do with the window: `_NET_WM_STATE_ABOVE` and so on.
    ///
    /// # Errors
    /// The display broke.
    pub fn states(&self, window: Window) -> Result<Vec<String>, Trouble> {
        let state = self.atom("_NET_WM_STATE")?;
        let property = self
            .connection
            .get_property(false, window, state, AtomEnum::ATOM, 0, 64)?
            .reply()?;
        let mut names = Vec::new();
        for atom in property.value32().into_iter().flatten() {
            let name = self.connection.get_atom_name(atom)?.reply()?.name;
            names.push(String::from_utf8_lossy(&name).into_owned());
        }
        Ok(names)
    }

    /// Makes several monitors of the one there is, until the return is dropped: x, y, width, height of each. The first
    /// is the primary one.
    ///
    /// # Errors
    /// The display refused.
    pub fn split_monitors(&self, monitors: &[(i16, i16, u16, u16)]) -> Result<Monitors, Trouble> {
        let split = Monitors {
            screen: Self::open()?,
            names: (0..monitors.len())
                .map(|number| format!("part-{number}"))
                .collect(),
        };
        let wire = &self.connection;
        let outputs = wire.randr_get_screen_resources(self.root)?.reply()?.outputs;
        for (number, ((x, y, width, height), name)) in monitors.iter().zip(&split.names).enumerate() {
            let part = MonitorInfo {
                name: self.atom(name)?,
                primary: number == 0,
                automatic: false,
                x: *x,
                y: *y,
                width: *width,
                height: *height,
                width_in_millimeters: 250,
                height_in_millimeters: 250,
                outputs: if number == 0 { outputs.clone() } else { Vec::new() },
            };
            wire.randr_set_monitor(self.root, part)?.check()?;
        }
        Ok(split)
    }

    /// The middle of what the screen shows of a window.
    ///
    /// # Errors
    /// The display broke.
    pub fn middle_of(&self, seen: Seen) -> Result<(i16, i16), Trouble> {
        let screen = self.connection.get_geometry(self.root)?.reply()?;
        let middle = |from: i16, size: u16, limit: u16| {
            let (from, to) = (i32::from(from), i32::from(from) + i32::from(size));
            let shown = (from.max(0), to.min(i32::from(limit)));
            i16::try_from(i32::midpoint(shown.0, shown.1)).unwrap_or(from as i16)
        };
        Ok((
            middle(seen.x, seen.width, screen.width),
            middle(seen.y, seen.height, screen.height),
        ))
    }

    /// What is on the screen, a line each, for whoever reads of a failure.
    ///
    /// # Errors
    /// The display broke.
    pub fn told(&self) -> Result<String, Trouble> {
        let pointer = self.connection.query_pointer(self.root)?.reply()?;
        let focus = self.connection.get_input_focus()?.reply()?.focus;
        let (x, y, held) = (pointer.root_x, pointer.root_y, pointer.mask);
        let mut lines = vec![format!("pointer at {x}, {y} with {held:?}; focus in {focus:#x}")];
        for (title, seen) in self.titled(|title| !title.is_empty(), usize::MAX)? {
            lines.push(format!("{:?}: {seen:?}", String::from_utf8_lossy(&title)));
        }
        Ok(lines.join("\n"))
    }

    fn atom(&self, name: &str) -> Result<u32, Trouble> {
        Ok(self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    fn is_viewable(&self, window: Window) -> Result<bool, Trouble> {
        let attributes = self.connection.get_window_attributes(window)?.reply();
        Ok(attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE))
    }

    /// A window as it lies on the screen now.
    ///
    /// # Errors
    /// It is gone, or the display broke.
    pub fn see(&self, window: Window) -> Result<Seen, Trouble> {
        let size = self.connection.get_geometry(window)?.reply()?;
        let place = self
            .connection
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        Ok(Seen {
            window,
            x: place.dst_x,
            y: place.dst_y,
            width: size.width,
            height: size.height,
            depth: size.depth,
        })
    }
}

/// Monitors made of one.
pub struct Monitors {
    screen: Screen,
    names: Vec<String>,
}

impl Drop for Monitors {
    fn drop(&mut self) {
        for name in &self.names {
            let gone = self.screen.atom(name).and_then(|name| {
                self.screen
                    .connection
                    .randr_delete_monitor(self.screen.root, name)?
                    .check()?;
                Ok(())
            });
            if let Err(error) = gone {
                eprintln!("A monitor stays: {error}");
            }
        }
    }
}

/// Looks again and again until there is something to see.
///
/// # Errors
/// There is nothing for [`PATIENCE`].
pub fn await_some<T>(what: &str, mut look: impl FnMut() -> Result<Option<T>, Trouble>) -> Result<T, Trouble> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(seen) = look()? {
            return Ok(seen);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Err(Trouble::InVain {
        what: what.to_owned(),
    })
}

fn keycode(connection: &RustConnection, keysym: u32) -> Result<u8, Trouble> {
    let setup = connection.setup();
    let count = setup.max_keycode - setup.min_keycode + 1;
    let mapping = connection
        .get_keyboard_mapping(setup.min_keycode, count)?
        .reply()?;
    let per_key = usize::from(mapping.keysyms_per_keycode).max(1);
    let found = mapping
        .keysyms
        .chunks(per_key)
        .position(|keysyms| keysyms.contains(&keysym));
    let offset = found
        .and_then(|index| u8::try_from(index).ok())
        .ok_or(Trouble::NoKey)?;
    Ok(setup.min_keycode + offset)
}
