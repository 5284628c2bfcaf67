//! A window of another program, with a text that can be selected: GTK's, by `gtk_window.py`.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A window of GTK, in front; it goes when it is dropped.
pub struct GtkWindow {
    child: Child,
    input: Option<ChildStdin>,
    output: RefCell<BufReader<ChildStdout>>,
}

impl GtkWindow {
    /// Shows it, with the arguments of its script; `None` where GTK can't be had.
    pub fn show(arguments: &[&str]) -> Option<Self> {
        if !is_installed() {
            println!("NOT RUN: text of a window (python3-gi with gir1.2-gtk-3.0 is not installed)");
            return None;
        }
        let script = crate::folder().join("screen/gtk_window.py");
        let mut child = Command::new("/usr/bin/python3")
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = child.stdin.take();
        let mut said = String::new();
        let mut output = BufReader::new(child.stdout.take()?);
        output.read_line(&mut said).ok()?;
        let output = RefCell::new(output);
        let window = Self { child, input, output };
        assert_eq!(said.trim(), "ready", "a window is shown");
        Some(window)
    }

    /// The text in it now.
    pub fn text(&self) -> String {
        let mut input = self.input.as_ref().expect("a window that is there");
        input.write_all(b"\n").expect("a window that listens");
        let mut output = self.output.borrow_mut();
        loop {
            let mut said = String::new();
            assert_ne!(
                output.read_line(&mut said).expect("a line"),
                0,
                "the window is gone"
            );
            // It says that it is ready again whenever it comes to the front.
            if said.trim() != "ready" {
                return serde_json::from_str(&said).expect("a text as JSON");
            }
        }
    }
}

fn is_installed() -> bool {
    let look = "import gi; gi.require_version('Gtk', '3.0')";
    let looked = Command::new("/usr/bin/python3")
        .args(["-c", look])
        .stderr(Stdio::null())
        .status();
    looked.is_ok_and(|status| status.success())
}

impl Drop for GtkWindow {
    fn drop(&mut self) {
        drop(self.input.take());
        self.child.wait().expect("a window that ends");
    }
}
