//! The fixture of every test: a screen, a data folder of its own, the program started in it, and a person's input.
//! It promises nothing itself.

use crate::webdriver::Driven;
use shidi_tests::model_server::ModelServer;
use shidi_tests::papers;
use shidi_tests::program::{Program, built};
use shidi_tests::screen::{Colour, Screen, Seen, await_some};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub const BALL: &str = "Shidi: idle";
pub const PANEL: &str = "Shidi";
pub const LIGHT: Colour = [0xE9, 0xEA, 0xE3];
pub const DARK: Colour = [0x12, 0x18, 0x1C];
/// The settings of somebody who has seen the first run, which would stand before the input.
pub const WELCOMED: &str = "first_run = \"done\"\n";
/// Longest time that a program may take to end.
pub const END_LIMIT: Duration = Duration::from_secs(60);

/// Time that a finger stays on a button.
const HAND: Duration = Duration::from_millis(60);
/// Time without movement after which the ball stays where it is: its glides show the next step much sooner.
const STILL: Duration = Duration::from_millis(250);
/// A file that is dragged.
pub const PAPER: &str = "测试 文件.pdf";

/// A screen, and a data folder of the test's own.
pub struct Fixture {
    pub screen: Screen,
    pub folder: TempDir,
}

impl Fixture {
    pub fn new() -> Self {
        let screen =
            Screen::open().unwrap_or_else(|error| panic!("{error}: run within tests/desktop/session.sh"));
        screen.paint_wallpaper(LIGHT).unwrap();
        // A test that failed in the middle of a drag must not spoil those after it.
        screen.let_go().unwrap();
        screen.point(5, 5).unwrap();
        // The program of the test before may still be ending. Its windows would be taken for those of the next one,
        // which would then be spoken to before it listens.
        screen.await_none("Shidi").unwrap();
        await_some("the keys are free", || Ok(Screen::open()?.take_hotkey().ok())).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), WELCOMED).unwrap();
        Self { screen, folder }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(built("shidi-desktop").unwrap());
        command
            .args(["--lang", "en"])
            .args(arguments)
            .env("SHIDI_DATA_DIR", self.folder.path());
        command
    }

    pub fn start(&self) -> (Program, Seen) {
        let program = Program::spawn(self.command(&[])).unwrap();
        let ball = self.screen.await_window(BALL).unwrap();
        (program, ball)
    }

    pub fn driven(&self) -> (Driven, Seen) {
        self.driven_to(BALL)
    }

    /// Starts it, driven, and waits for a ball of that name.
    pub fn driven_to(&self, name: &str) -> (Driven, Seen) {
        let program = built("shidi-desktop").unwrap();
        let driven = Driven::start(&program, &["--lang", "en"], self.folder.path()).unwrap();
        let ball = self.screen.await_window(name).unwrap();
        driven
            .await_true("the page is there", "return document.readyState === 'complete'")
            .unwrap();
        (driven, ball)
    }

    /// Presses the keys as the machine of a user does, with another program between.
    pub fn press_hotkey(&self) {
        xdotool(&["key", "ctrl+alt+space"]);
    }

    pub fn type_keys(&self, keys: &str) {
        xdotool(&["key", keys]);
    }

    /// What the command line prints in English, with this fixture's data.
    pub fn shidi(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(built("shidi").unwrap());
        command
            .args(["--lang", "en"])
            .args(arguments)
            .env("SHIDI_DATA_DIR", self.folder.path());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Changes a setting as the command line does.
    pub fn configure(&self, key: &str, value: &str) {
        self.shidi(&["config", "set", key, value]);
    }

    pub fn await_kept_place(&self, (x, y): (i16, i16)) {
        let kept = format!("\"x\":{x},\"y\":{y}");
        let file = self.folder.path().join("ball.json");
        await_some("the place is kept", || {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            Ok(text.contains(&kept).then_some(()))
        })
        .unwrap();
    }

    pub fn open_menu(&self, ball: Seen) {
        let ball = self.reach(ball);
        self.screen.press(3).unwrap();
        self.screen.release(3).unwrap();
        // It opens above and to the left: the ball is in the lower right corner.
        self.await_pixel(ball.x - 40, ball.y, "the menu is there", |colour| colour != LIGHT);
        // Asked only now: the question takes the keyboard for a moment, and a menu that can't have it doesn't open.
        await_some("the menu has the keyboard", || {
            Ok(self.screen.is_keyboard_taken()?.then_some(()))
        })
        .unwrap();
    }

    /// A picture for people, when `SHIDI_PICTURES` names a folder.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("SHIDI_PICTURES") else {
            return;
        };
        std::thread::sleep(Duration::from_millis(400));
        let file = Path::new(&folder).join(format!("{name}.png"));
        let done = Command::new("import")
            .args(["-window", "root"])
            .arg(file)
            .status();
        assert!(done.unwrap().success());
    }

    pub fn leave_menu(&self, ball: Seen) {
        self.type_keys("Escape");
        self.await_pixel(ball.x - 40, ball.y, "the menu is gone", |colour| colour == LIGHT);
    }

    pub fn full_screen(&self, title: &str, change: &str) {
        let change = format!("{change},fullscreen");
        let done = Command::new("wmctrl")
            .args(["-F", "-r", title, "-b", &change])
            .status();
        assert!(done.unwrap().success());
    }

    pub fn kill(&self, process: u32) {
        let done = Command::new("kill").args(["-9", &process.to_string()]).status();
        assert!(done.unwrap().success());
    }

    /// Asks in the panel without looking into its page: once its input takes the keys.
    pub fn ask_blindly(&self, question: &str) {
        let panel = self.screen.await_window(PANEL).unwrap();
        self.screen.await_focus(panel.window).unwrap();
        self.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
            colour != LIGHT
        });
        // The page takes the focus into its input a moment after it is drawn.
        std::thread::sleep(Duration::from_secs(2));
        type_text(question);
        self.type_keys("Return");
    }

    pub fn await_requests(&self, server: &ModelServer, count: usize) {
        await_some("the model is asked", || {
            Ok((server.requests().len() >= count).then_some(()))
        })
        .unwrap();
    }

    pub fn click_at(&self, x: i16, y: i16) {
        self.screen.point(x, y).unwrap();
        self.screen.press(1).unwrap();
        self.screen.release(1).unwrap();
        self.screen.point(5, 5).unwrap();
    }

    /// Waits until the panel stands where it belongs: the window manager may put it elsewhere for a moment.
    pub fn await_panel_beside(&self, ball: Seen) -> Seen {
        let is_beside = |panel: &Seen| panel.x + 420 <= ball.x && panel.x + 420 >= ball.x - 16;
        let beside = await_some("the panel is beside the ball", || {
            Ok(self.screen.find(PANEL)?.filter(is_beside))
        });
        beside.unwrap_or_else(|error| {
            let now = [PANEL, BALL].map(|title| self.screen.find(title));
            panic!("{error}: the ball was {ball:?}, now panel and ball are {now:?}")
        })
    }

    /// Clicks with the pointer on an element of the panel's page, which a script finds, once it is there.
    pub fn click_on(&self, driven: &Driven, panel: Seen, element: &str) {
        let is_there = format!("return Boolean({element})");
        driven.await_true(element, &is_there).unwrap();
        let middle = format!(
            "({element}).scrollIntoView({{ block: 'nearest' }}); const box = ({element}).getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]"
        );
        let middle = driven.run(&middle).unwrap();
        let at = |index: usize| middle[index].as_f64().unwrap() as i16;
        self.screen.point(panel.x + at(0), panel.y + at(1)).unwrap();
        // The page is told of the pointer by another process: a hand stays for longer than that takes.
        std::thread::sleep(HAND);
        self.screen.press(1).unwrap();
        std::thread::sleep(HAND);
        self.screen.release(1).unwrap();
    }

    /// Goes to the ball with the pointer, wherever it is by now, and waits until it has come out and is still.
    pub fn reach(&self, ball: Seen) -> Seen {
        let mut last = (ball, Instant::now());
        await_some("the ball is still, under the pointer", || {
            let now = self.screen.see(ball.window)?;
            if now != last.0 {
                last = (now, Instant::now());
            }
            let (x, y) = self.screen.middle_of(now)?;
            self.screen.point(x, y)?;
            Ok((last.1.elapsed() > STILL).then_some(now))
        })
        .unwrap()
    }

    pub fn click(&self, ball: Seen) {
        self.reach(ball);
        self.screen.press(1).unwrap();
        self.screen.release(1).unwrap();
        self.screen.point(5, 5).unwrap();
    }

    pub fn await_pixel(&self, x: i16, y: i16, what: &str, is_right: impl Fn(Colour) -> bool) {
        let mut last = [0; 3];
        let seen = await_some(what, || {
            last = self.screen.pixel(x, y)?;
            Ok(is_right(last).then_some(()))
        });
        seen.unwrap_or_else(|error| panic!("{error}; it is {last:?}"));
    }

    pub fn expect_round(&self, ball: Seen, wallpaper: Colour) {
        for (x, y) in [(0, 0), (55, 0), (0, 55), (55, 55), (8, 8), (47, 47)] {
            self.await_pixel(ball.x + x, ball.y + y, "the corner shows the desktop", |colour| {
                colour == wallpaper
            });
        }
        self.await_pixel(ball.x + 28, ball.y + 45, "the disc is ink", is_ink);
        for (x, y) in [(28, 3), (3, 28), (52, 28), (28, 52)] {
            self.await_pixel(ball.x + x, ball.y + y, "the rim is paper", is_paper);
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The program may be gone by now; what else is there may have been in its way.
            match self.screen.told() {
                Ok(told) => eprintln!("On the screen when it failed:\n{told}"),
                Err(error) => eprintln!("{error}"),
            }
        }
    }
}

/// Runs a test in a desktop of its own, which is made otherwise: see `session.sh`.
pub fn run_again(test: &str, variable: &str, value: &str) {
    let session = shidi_tests::folder().join("desktop/session.sh");
    let mut command = Command::new(session);
    command
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"]);
    assert!(command.env(variable, value).status().unwrap().success());
}

/// The keys and the pointer, as another program moves them.
pub fn xdotool(arguments: &[&str]) {
    let done = Command::new("xdotool").args(arguments).status();
    assert!(done.unwrap().success(), "xdotool {arguments:?}");
}

/// Letters that no key has are put onto one for a moment: each stays there until the program has looked it up.
pub fn type_text(text: &str) {
    let delay_ms = if text.is_ascii() { "15" } else { "100" };
    xdotool(&["type", "--delay", delay_ms, text]);
}

/// A window of another program, from which a PDF of two pages can be dragged.
pub fn drag_source(fixture: &Fixture) -> Program {
    let file = fixture.folder.path().join(PAPER);
    std::fs::write(&file, paper()).unwrap();
    let mut command = Command::new(built("drag-source").unwrap());
    command.arg(&file).stdout(Stdio::null());
    Program::spawn(command).unwrap()
}

/// A contract in Chinese and English: its term is on the first page, its warranty on the second.
fn paper() -> Vec<u8> {
    let page = |lines: [&str; 2]| lines.map(str::to_owned).to_vec();
    papers::pdf(&[
        page(["合同自签字之日起生效，为期一年。", "The term is one year."]),
        page([
            "保修期为二十四个月，自验收之日起算。",
            "The warranty lasts 24 months.",
        ]),
    ])
}

pub fn is_ink(colour: Colour) -> bool {
    colour.iter().all(|channel| *channel < 80)
}

pub fn is_paper(colour: Colour) -> bool {
    colour.iter().all(|channel| *channel > 200)
}
