//! Windows of one colour, as any program has them.

use shidi_tests::clipboard::Clipboard;
use std::time::{Duration, Instant};
use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, MapState,
    PropMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

pub const RED: u32 = 0x00c8_2828;
pub const GREEN: u32 = 0x0028_a040;
pub const BLUE: u32 = 0x0028_50c8;

/// The clipboard of the desktop that these tests share.
pub const CLIPBOARD: Clipboard<'static> = Clipboard { display: None };

/// Longest wait for the window manager.
const PATIENCE: Duration = Duration::from_secs(30);

/// A window that goes when it is dropped.
pub struct Painted {
    connection: RustConnection,
    root: Window,
    window: Window,
}

impl Painted {
    /// A window of the program `class`, in front, at a place of the desktop.
    pub fn show(class: &str, title: &str, colour: u32, (x, y, width, height): (i16, i16, u16, u16)) -> Self {
        let (connection, screen) =
            x11rb::connect(None).expect("a display: run it in tests/desktop/session.sh");
        let screen = &connection.setup().roots[screen];
        let (root, visual) = (screen.root, screen.root_visual);
        let window = connection.generate_id().unwrap();
        let look = CreateWindowAux::new()
            .background_pixel(colour)
            .event_mask(EventMask::STRUCTURE_NOTIFY);
        let depth = COPY_DEPTH_FROM_PARENT;
        connection
            .create_window(
                depth,
                window,
                root,
                x,
                y,
                width,
                height,
                0,
                WindowClass::INPUT_OUTPUT,
                visual,
                &look,
            )
            .unwrap();
        let painted = Self {
            connection,
            root,
            window,
        };
        let names = format!("{}\0{class}\0", class.to_lowercase());
        painted.set(
            AtomEnum::WM_CLASS.into(),
            AtomEnum::STRING.into(),
            names.as_bytes(),
        );
        painted.title(title);
        // The user's own place and size: the window manager keeps to it.
        let hints = [
            3_u32,
            x as u32,
            y as u32,
            width.into(),
            height.into(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        let (hint, kind) = (AtomEnum::WM_NORMAL_HINTS, AtomEnum::WM_SIZE_HINTS);
        painted
            .connection
            .change_property32(PropMode::REPLACE, window, hint, kind, &hints)
            .unwrap();
        painted.connection.map_window(window).unwrap();
        painted.connection.flush().unwrap();
        until("the window is seen", || painted.is_seen());
        painted.activate();
        painted
    }

    pub fn title(&self, title: &str) {
        let (name, text) = (self.atom("_NET_WM_NAME"), self.atom("UTF8_STRING"));
        self.set(name, text, title.as_bytes());
        self.connection.flush().unwrap();
    }

    /// Writes a line in it, in large black letters of the server's own font.
    pub fn write(&self, line: &str) {
        let (font, context) = (
            self.connection.generate_id().unwrap(),
            self.connection.generate_id().unwrap(),
        );
        let large = b"-*-*-bold-r-normal--24-*-*-*-*-*-iso8859-1";
        let opened = self.connection.open_font(font, large).unwrap().check();
        if opened.is_err() {
            self.connection
                .open_font(font, b"fixed")
                .unwrap()
                .check()
                .unwrap();
        }
        let ink = CreateGCAux::new()
            .foreground(0)
            .background(0x00ff_ffff)
            .font(font);
        self.connection.create_gc(context, self.window, &ink).unwrap();
        self.connection
            .image_text8(self.window, context, 30, 100, line.as_bytes())
            .unwrap()
            .check()
            .unwrap();
    }

    /// Brings it to the front, with the focus.
    pub fn activate(&self) {
        let active = self.atom("_NET_ACTIVE_WINDOW");
        let by_pager = [2, 0, 0, 0, 0];
        let event = ClientMessageEvent::new(32, self.window, active, by_pager);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.root, mask, event).unwrap();
        self.connection.flush().unwrap();
        until("the window is in front", || self.is_active());
    }

    /// Where its inside is: x, y, width, height.
    pub fn place(&self) -> (i32, i32, u32, u32) {
        let geometry = self
            .connection
            .get_geometry(self.window)
            .unwrap()
            .reply()
            .unwrap();
        let at = self
            .connection
            .translate_coordinates(self.window, self.root, 0, 0)
            .unwrap()
            .reply()
            .unwrap();
        (
            at.dst_x.into(),
            at.dst_y.into(),
            geometry.width.into(),
            geometry.height.into(),
        )
    }

    fn is_active(&self) -> bool {
        let (active, kind) = (self.atom("_NET_ACTIVE_WINDOW"), AtomEnum::WINDOW);
        let reply = self
            .connection
            .get_property(false, self.root, active, kind, 0, 1)
            .unwrap()
            .reply()
            .unwrap();
        reply
            .value32()
            .is_some_and(|mut windows| windows.next() == Some(self.window))
    }

    fn is_seen(&self) -> bool {
        let attributes = self
            .connection
            .get_window_attributes(self.window)
            .unwrap()
            .reply()
            .unwrap();
        attributes.map_state == MapState::VIEWABLE
    }

    fn set(&self, name: u32, kind: u32, value: &[u8]) {
        self.connection
            .change_property8(PropMode::REPLACE, self.window, name, kind, value)
            .unwrap();
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection
            .intern_atom(false, name.as_bytes())
            .unwrap()
            .reply()
            .unwrap()
            .atom
    }
}

/// Asks again and again until it is so.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10)); // the pace of asking
    }
}
