//! A display of its own for one test: with a window of a given title, and a text on the clipboard. No window manager stands
//! behind it; what one would tell of the window is written beside it.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use crate::clipboard::Clipboard;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A display that ends when it is dropped.
pub struct Display {
    server: Child,
    name: String,
    connection: RustConnection,
    root: Window,
}

impl Display {
    /// A display; `None` where none can be started, or nothing could be copied there.
    #[must_use]
    pub fn start() -> Option<Self> {
        let has = |program: &str| {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
        };
        if !has("Xvfb") || !has("xclip") {
            println!("NOT RUN: on a display (Xvfb or xclip is not installed)");
            return None;
        }
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-nolisten",
                "tcp",
                "-noreset",
                "-screen",
                "0",
                "800x600x24",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        BufReader::new(server.stdout.take()?)
            .read_line(&mut number)
            .ok()?;
        let name = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&name)).ok()?;
        let root = connection.setup().roots[screen].root;
        Some(Self {
            server,
            name,
            connection,
            root,
        })
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Shows a window, in front of all others.
    pub fn show(&self, class: &str, title: &str) {
        let connection = &self.connection;
        let window = connection.generate_id().unwrap();
        let (depth, kind) = (COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT);
        connection
            .create_window(
                depth,
                window,
                self.root,
                0,
                0,
                400,
                300,
                0,
                kind,
                0,
                &CreateWindowAux::new(),
            )
            .unwrap();
        let names = format!("{class}\0{class}\0");
        self.set(window, AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), &names);
        self.set(window, self.atom("_NET_WM_NAME"), self.atom("UTF8_STRING"), title);
        connection.map_window(window).unwrap();
        for (name, mode) in [
            ("_NET_CLIENT_LIST", PropMode::APPEND),
            ("_NET_ACTIVE_WINDOW", PropMode::REPLACE),
        ] {
            connection
                .change_property32(mode, self.root, self.atom(name), AtomEnum::WINDOW, &[window])
                .unwrap()
                .check()
                .unwrap();
        }
    }

    /// The clipboard of this display.
    #[must_use]
    pub fn clipboard(&self) -> Clipboard<'_> {
        Clipboard {
            display: Some(&self.name),
        }
    }

    fn set(&self, window: Window, name: Atom, kind: Atom, value: &str) {
        self.connection
            .change_property8(PropMode::REPLACE, window, name, kind, value.as_bytes())
            .unwrap();
    }

    fn atom(&self, name: &str) -> Atom {
        let asked = self.connection.intern_atom(false, name.as_bytes()).unwrap();
        asked.reply().unwrap().atom
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}
