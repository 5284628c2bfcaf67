//! The clipboard as other programs of an X11 desktop use it: by `xclip`, which `tests/make/setup.sh` installs.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a paste is asked for again before the clipboard counts as empty.
const PATIENCE: Duration = Duration::from_secs(10);
/// Seconds that one asking may take. An owner that lets go while it is asked never answers, and `xclip` waits for ever.
const ASKING_SECONDS: &str = "1";
/// What `timeout` ends with after it ended the other program.
const TIMED_OUT: i32 = 124;

/// The clipboard of one display.
pub struct Clipboard<'a> {
    /// Its name, such as `:7`; `None` is the one that this process has.
    pub display: Option<&'a str>,
}

impl Clipboard<'_> {
    /// Puts something there as a program does that goes on in the background.
    ///
    /// # Panics
    /// Without `xclip`.
    pub fn copy(&self, target: &str, content: &[u8]) {
        let mut child = self.taking(&["-t", target, "-i"], content);
        assert!(child.wait().expect("xclip ends").success());
    }

    /// Puts something there as a program in the front does: its window has the program's name.
    ///
    /// # Panics
    /// Without `xclip`, and when the clipboard never holds it.
    #[must_use]
    pub fn hold(&self, target: &str, content: &[u8]) -> Held {
        let held = Held(self.taking(&["-quiet", "-t", target, "-i"], content));
        let began = Instant::now();
        while self.pasted(target) != content {
            assert!(began.elapsed() < PATIENCE, "it never came to the clipboard");
        }
        held
    }

    /// What is there in that form; empty where there is nothing.
    ///
    /// # Panics
    /// Without `xclip` or `timeout`.
    #[must_use]
    pub fn pasted(&self, target: &str) -> Vec<u8> {
        let began = Instant::now();
        loop {
            let mut asking = Command::new("timeout");
            asking.args([
                ASKING_SECONDS,
                "xclip",
                "-selection",
                "clipboard",
                "-t",
                target,
                "-o",
            ]);
            let output = self.on_display(&mut asking).output().expect("xclip starts");
            if output.status.code() != Some(TIMED_OUT) || began.elapsed() > PATIENCE {
                return output.stdout;
            }
        }
    }

    fn taking(&self, how: &[&str], content: &[u8]) -> Child {
        let mut command = Command::new("xclip");
        command.args(["-selection", "clipboard"]).args(how);
        let mut child = self
            .on_display(&mut command)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("xclip, which tests/make/setup.sh installs");
        let mut input = child.stdin.take().expect("its input");
        input.write_all(content).expect("it reads");
        child
    }

    fn on_display<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        if let Some(display) = self.display {
            command.env("DISPLAY", display);
        }
        command
    }
}

/// Something on the clipboard, which goes when it is dropped.
pub struct Held(Child);

impl Drop for Held {
    fn drop(&mut self) {
        // Another program may have taken its place, which ended it.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
