//! A pointer for a desktop that has none. It speaks to the compositor in the words of Wayland's wire, by the protocol
//! `zwlr_virtual_pointer_v1`.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// The screen of the tests, in pixels.
const SCREEN: [u32; 2] = [1280, 720];
/// The left button, as Linux numbers it.
const LEFT: u32 = 0x110;
/// Numbers of objects: the display is there, the others are made in this order.
const DISPLAY: u32 = 1;
const REGISTRY: u32 = 2;
const CALLBACK: u32 = 3;
const MAKER: u32 = 4;
const POINTER: u32 = 5;

/// A pointer; it goes with its connection.
pub struct Pointer {
    compositor: UnixStream,
    at_ms: u32,
}

impl Pointer {
    /// Adds a pointer to the desktop.
    pub fn new() -> Self {
        let folder = std::env::var("XDG_RUNTIME_DIR").unwrap();
        let socket = Path::new(&folder).join(std::env::var("WAYLAND_DISPLAY").unwrap());
        let compositor = UnixStream::connect(socket).unwrap();
        let mut pointer = Self { compositor, at_ms: 0 };
        pointer.say(DISPLAY, 1, &numbers(&[REGISTRY]));
        pointer.say(DISPLAY, 0, &numbers(&[CALLBACK]));
        let offered = pointer.offered();
        let protocol = "zwlr_virtual_pointer_manager_v1";
        let mut name = format!("{protocol}\0").into_bytes();
        let length = name.len() as u32;
        name.resize(name.len().next_multiple_of(4), 0);
        let bound = [numbers(&[offered[protocol], length]), name, numbers(&[1, MAKER])];
        pointer.say(REGISTRY, 0, &bound.concat());
        pointer.say(MAKER, 0, &numbers(&[0, POINTER]));
        pointer
    }

    /// Moves the pointer to a place of the screen.
    pub fn go(&mut self, x: u32, y: u32) {
        let at = self.later();
        self.say(POINTER, 1, &numbers(&[at, x, y, SCREEN[0], SCREEN[1]]));
        self.say(POINTER, 4, &[]);
    }

    /// Presses the left button, until [`Self::release`].
    pub fn press(&mut self) {
        self.button(1);
    }

    pub fn release(&mut self) {
        self.button(0);
    }

    fn button(&mut self, state: u32) {
        let at = self.later();
        self.say(POINTER, 2, &numbers(&[at, LEFT, state]));
        self.say(POINTER, 4, &[]);
    }

    fn later(&mut self) -> u32 {
        self.at_ms += 10;
        self.at_ms
    }

    fn say(&mut self, object: u32, request: u32, content: &[u8]) {
        let size = 8 + content.len() as u32;
        let head = numbers(&[object, (size << 16) | request]);
        self.compositor
            .write_all(&[head.as_slice(), content].concat())
            .unwrap();
    }

    /// The number of each protocol that the compositor offers.
    fn offered(&mut self) -> HashMap<String, u32> {
        let mut offered = HashMap::new();
        loop {
            let mut head = [0; 8];
            self.compositor.read_exact(&mut head).unwrap();
            let size = (number(&head, 4) >> 16) as usize;
            let mut content = vec![0; size - head.len()];
            self.compositor.read_exact(&mut content).unwrap();
            match number(&head, 0) {
                CALLBACK => return offered,
                REGISTRY => {
                    let end = 8 + number(&content, 4) as usize - 1;
                    let name = String::from_utf8_lossy(&content[8..end]).into_owned();
                    offered.insert(name, number(&content, 0));
                }
                _ => {}
            }
        }
    }
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
}
