//! An answer in another program's window: real keys into real windows, and the former clipboard afterwards.

use crate::windows::{CLIPBOARD, Painted, RED, until};
use shidi_senses::{InsertError, Manner};
use shidi_tests::gtk_window::GtkWindow;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A terminal that writes down every line that is sent to it.
struct Terminal {
    child: Child,
    folder: tempfile::TempDir,
}

impl Terminal {
    fn show() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "touch {0}/ready; while read -r line; do printf '%s\\n' \"$line\" >> {0}/lines; done",
            folder.path().display()
        );
        let child = Command::new("xterm")
            .args(["-T", "a terminal", "-e", "sh", "-c", &script])
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            println!("NOT RUN: inserting into a terminal (xterm is not installed)");
            return None;
        };
        until("the terminal listens", || folder.path().join("ready").exists());
        until("the terminal is in front", || front_title() == "a terminal");
        Some(Self { child, folder })
    }

    fn lines(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("lines")).unwrap_or_default()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn front_title() -> String {
    let front = shidi_senses::sensor().unwrap().front();
    front.map(|front| front.title).unwrap_or_default()
}

fn front() -> u32 {
    shidi_senses::sensor().unwrap().front().unwrap().id
}

fn text() -> String {
    String::from_utf8(CLIPBOARD.pasted("UTF8_STRING")).unwrap()
}

#[test]
fn an_answer_stands_in_the_editor_with_its_lines_and_the_former_clipboard_comes_back() {
    let Some(window) = GtkWindow::show(&["Notepad", "orders - Notepad", ""]) else {
        return;
    };
    CLIPBOARD.copy("UTF8_STRING", "what was copied before 之前".as_bytes());
    let editor = front();
    // Somebody asks Shidi: another window is in front.
    let _panel = Painted::show("Mousepad", "elsewhere", RED, (600, 400, 200, 150));
    let began = Instant::now();
    let inserted = shidi_senses::insert(editor, "eins\n\tzwei\u{1b}\n三 👍\n").unwrap();
    println!("inserted into an editor in {:?}", began.elapsed());
    assert_eq!(inserted.manner, Manner::Plain);
    assert_eq!(window.text(), "eins\n\tzwei\n三 👍\n");
    assert_eq!(front(), editor);
    until("the former clipboard is back", || {
        text() == "what was copied before 之前"
    });
}

#[test]
fn a_picture_on_the_clipboard_comes_back_whole() {
    let Some(window) = GtkWindow::show(&["Notepad", "orders - Notepad", ""]) else {
        return;
    };
    // More than an owner gives in one piece.
    let picture: Vec<u8> = (0..3_000_000_u32).map(|byte| (byte * 31 % 251) as u8).collect();
    CLIPBOARD.copy("image/png", &picture);
    shidi_senses::insert(front(), "a line").unwrap();
    assert_eq!(window.text(), "a line");
    until("the picture is back", || CLIPBOARD.pasted("image/png") == picture);
}

#[test]
fn a_terminal_gets_one_line_that_nothing_has_ended() {
    let Some(terminal) = Terminal::show() else { return };
    CLIPBOARD.copy("UTF8_STRING", b"before");
    let window = front();
    let _panel = Painted::show("Mousepad", "elsewhere", RED, (600, 400, 200, 150));
    let answer = "echo one\nrm -rf /\r\n\u{1b}[201~\u{7}echo \u{202e}two\n";
    let inserted = shidi_senses::insert(window, answer).unwrap();
    assert_eq!(inserted.manner, Manner::Terminal);
    until("the former clipboard is back", || text() == "before");
    assert_eq!(terminal.lines(), "", "no line has come to its end");
    // The user reads it, and ends it by himself.
    let pressed = Command::new("xdotool").args(["key", "Return"]).status().unwrap();
    assert!(pressed.success());
    until("the line came", || terminal.lines().ends_with('\n'));
    assert_eq!(terminal.lines(), "echo one rm -rf / [201~echo two\n");
}

#[test]
fn a_window_that_takes_nothing_leaves_the_text_on_the_clipboard_and_one_that_is_gone_is_said_so() {
    let window = Painted::show("Mousepad", "a picture", RED, (200, 150, 400, 300));
    CLIPBOARD.copy("UTF8_STRING", b"before");
    let painted = front();
    assert_eq!(
        shidi_senses::insert(painted, "to be pasted by hand"),
        Err(InsertError::NotTaken)
    );
    assert_eq!(text(), "to be pasted by hand");
    drop(window);
    CLIPBOARD.copy("UTF8_STRING", b"before");
    assert_eq!(shidi_senses::insert(painted, "lost"), Err(InsertError::Gone));
    assert_eq!(shidi_senses::insert(0, "lost"), Err(InsertError::Gone));
    assert_eq!(text(), "before");
}
