//! Drives the real windows on a real X display, as a person would: keys, pointer, files; and looks at the screen.
//!
//! Run within a desktop, one at a time:
//! `tests/desktop/session.sh cargo test -p shidi-tests --test desktop -- --test-threads=1`.

#![cfg(target_os = "linux")]

mod answering;
mod bus;
mod hotkeys;
mod looking;
mod manners;
mod resting;
mod webdriver;

use shidi_tests::eyes::{Colour, Desk, Seen, await_some};
use shidi_tests::model_server::ModelServer;
use shidi_tests::program::{Program, built};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use webdriver::Driven;

const BALL: &str = "Shidi: idle";
const PANEL: &str = "Shidi";
const LIGHT: Colour = [0xE9, 0xEA, 0xE3];
const DARK: Colour = [0x12, 0x18, 0x1C];
/// The settings of somebody who has seen the first run, which would stand before the input.
const WELCOMED: &str = "first_run = \"done\"\n";
/// Longest time that a program may take to end.
const END_LIMIT: Duration = Duration::from_secs(20);

/// Time within which a program that was started takes its keys.
const KEYS_WITHIN: Duration = Duration::from_secs(4);

/// What a test needs: a desk to look at, and a data folder of its own.
struct Stage {
    desk: Desk,
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        let desk =
            Desk::open().unwrap_or_else(|error| panic!("{error}: run within tests/desktop/session.sh"));
        desk.paint_wallpaper(LIGHT).unwrap();
        desk.point(5, 5).unwrap();
        // The program of the test before may still be ending. Its windows would be taken for those of the next one,
        // which would then be spoken to before it listens.
        desk.await_none("Shidi").unwrap();
        await_some("the keys are free", || Ok(Desk::open()?.take_hotkey().ok())).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), WELCOMED).unwrap();
        Self { desk, folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(built("shidi-desktop").unwrap());
        command
            .args(["--lang", "en"])
            .args(arguments)
            .env("SHIDI_DATA_DIR", self.folder.path());
        command
    }

    fn start(&self) -> (Program, Seen) {
        let program = Program::spawn(self.command(&[])).unwrap();
        let ball = self.desk.await_window(BALL).unwrap();
        self.await_keys();
        (program, ball)
    }

    /// The program has its keys a moment after its ball; one that was told to take others is not waited for long.
    fn await_keys(&self) {
        let begun = Instant::now();
        while begun.elapsed() < KEYS_WITHIN && Desk::open().unwrap().take_hotkey().is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn driven(&self) -> (Driven, Seen) {
        let program = built("shidi-desktop").unwrap();
        let driven = Driven::start(&program, &["--lang", "en"], self.folder.path()).unwrap();
        let ball = self.desk.await_window(BALL).unwrap();
        driven
            .await_true("the page is there", "return document.readyState === 'complete'")
            .unwrap();
        self.await_keys();
        (driven, ball)
    }

    /// Presses the keys as the machine of a user does, with another program between.
    fn press_hotkey(&self) {
        assert!(
            Command::new("xdotool")
                .args(["key", "ctrl+alt+space"])
                .status()
                .unwrap()
                .success()
        );
    }

    fn type_keys(&self, keys: &str) {
        assert!(
            Command::new("xdotool")
                .args(["key", keys])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Changes a setting as the command line does.
    fn configure(&self, key: &str, value: &str) {
        let done = Command::new(built("shidi").unwrap())
            .args(["--lang", "en", "config", "set", key, value])
            .env("SHIDI_DATA_DIR", self.folder.path())
            .stdout(Stdio::null())
            .status();
        assert!(done.unwrap().success(), "{key} = {value}");
    }

    fn await_kept_place(&self, (x, y): (i16, i16)) {
        let kept = format!("\"x\":{x},\"y\":{y}");
        let file = self.folder.path().join("ball.json");
        await_some("the place is kept", || {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            Ok(text.contains(&kept).then_some(()))
        })
        .unwrap();
    }

    fn open_menu(&self, ball: Seen) {
        self.desk.point(ball.x + 28, ball.y + 28).unwrap();
        self.desk.press(3).unwrap();
        self.desk.release(3).unwrap();
        // It opens above and to the left: the ball is in the lower right corner.
        self.await_pixel(ball.x - 40, ball.y, "the menu is there", |colour| colour != LIGHT);
    }

    /// A picture for people, when `SHIDI_PICTURES` names a folder.
    fn picture(&self, name: &str) {
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

    fn full_screen(&self, title: &str, change: &str) {
        let change = format!("{change},fullscreen");
        let done = Command::new("wmctrl")
            .args(["-F", "-r", title, "-b", &change])
            .status();
        assert!(done.unwrap().success());
    }

    fn kill(&self, process: u32) {
        let done = Command::new("kill").args(["-9", &process.to_string()]).status();
        assert!(done.unwrap().success());
    }

    /// Asks in the panel without looking into its page: once its input takes the keys.
    fn ask_blindly(&self, question: &str) {
        let panel = self.desk.await_window(PANEL).unwrap();
        self.desk.await_focus(panel.window).unwrap();
        self.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
            colour != LIGHT
        });
        // The page takes the focus into its input a moment after it is drawn.
        std::thread::sleep(Duration::from_secs(2));
        let typed = Command::new("xdotool")
            .args(["type", "--delay", "15", question])
            .status();
        assert!(typed.unwrap().success());
        self.type_keys("Return");
    }

    fn await_requests(&self, server: &ModelServer, count: usize) {
        await_some("the model is asked", || {
            Ok((server.requests().len() >= count).then_some(()))
        })
        .unwrap();
    }

    fn click_at(&self, x: i16, y: i16) {
        self.desk.point(x, y).unwrap();
        self.desk.press(1).unwrap();
        self.desk.release(1).unwrap();
        self.desk.point(5, 5).unwrap();
    }

    /// Waits until the panel stands where it belongs: the window manager may put it elsewhere for a moment.
    fn await_panel_beside(&self, ball: Seen) -> Seen {
        let is_beside = |panel: &Seen| panel.x + 420 <= ball.x && panel.x + 420 >= ball.x - 16;
        let beside = await_some("the panel is beside the ball", || {
            Ok(self.desk.find(PANEL)?.filter(is_beside))
        });
        beside.unwrap_or_else(|error| {
            let now = [PANEL, BALL].map(|title| self.desk.find(title));
            panic!("{error}: the ball was {ball:?}, now panel and ball are {now:?}")
        })
    }

    fn click(&self, ball: Seen) {
        self.desk.point(ball.x + 28, ball.y + 28).unwrap();
        self.desk.press(1).unwrap();
        self.desk.release(1).unwrap();
        self.desk.point(5, 5).unwrap();
    }

    fn await_pixel(&self, x: i16, y: i16, what: &str, is_right: impl Fn(Colour) -> bool) {
        let mut last = [0; 3];
        let seen = await_some(what, || {
            last = self.desk.pixel(x, y)?;
            Ok(is_right(last).then_some(()))
        });
        seen.unwrap_or_else(|error| panic!("{error}; it is {last:?}"));
    }

    fn expect_round(&self, ball: Seen, wallpaper: Colour) {
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

/// A window of another program, from which a file can be dragged.
fn drag_source(stage: &Stage) -> Command {
    let file = stage.folder.path().join("测试 文件.txt");
    std::fs::write(&file, "什么都可以").unwrap();
    let mut command = Command::new(built("drag-source").unwrap());
    command.arg(&file).stdout(Stdio::null());
    command
}

fn is_ink(colour: Colour) -> bool {
    colour.iter().all(|channel| *channel < 80)
}

fn is_paper(colour: Colour) -> bool {
    colour.iter().all(|channel| *channel > 200)
}

#[test]
fn the_ball_is_round_above_all_and_in_no_list_on_any_wallpaper() {
    let stage = Stage::new();
    let (_program, ball) = stage.start();
    assert_eq!((ball.width, ball.height, ball.depth), (56, 56, 32));
    let states = stage.desk.states(ball.window).unwrap();
    for state in [
        "_NET_WM_STATE_ABOVE",
        "_NET_WM_STATE_SKIP_TASKBAR",
        "_NET_WM_STATE_SKIP_PAGER",
    ] {
        assert!(
            states.iter().any(|known| known == state),
            "{state} is not in {states:?}"
        );
    }
    for wallpaper in [LIGHT, DARK] {
        stage.desk.paint_wallpaper(wallpaper).unwrap();
        stage.expect_round(ball, wallpaper);
    }
}

#[test]
fn the_keys_bring_the_panel_with_the_focus_in_its_input_and_hide_it_again() {
    let stage = Stage::new();
    let (driven, ball) = stage.driven();
    for word in ["first", "second"] {
        stage.press_hotkey();
        let panel = stage.await_panel_beside(ball);
        stage.desk.await_focus(panel.window).unwrap();
        assert_eq!((panel.width, panel.height), (420, 640));
        let has_focus = "return ['TEXTAREA', 'INPUT'].includes(document.activeElement.tagName)";
        driven.await_true("the input has the focus", has_focus).unwrap();
        assert!(
            Command::new("xdotool")
                .args(["type", "--delay", "10", word])
                .status()
                .unwrap()
                .success()
        );
        let typed = format!("return document.activeElement.value.endsWith('{word}')");
        driven.await_true("the typed word has arrived", &typed).unwrap();
        stage.press_hotkey();
        stage.desk.await_gone(PANEL).unwrap();
    }
}

#[test]
fn escape_hides_the_panel() {
    let stage = Stage::new();
    let (_driven, _ball) = stage.driven();
    stage.press_hotkey();
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    assert!(
        Command::new("xdotool")
            .args(["key", "Escape"])
            .status()
            .unwrap()
            .success()
    );
    stage.desk.await_gone(PANEL).unwrap();
}

#[test]
fn the_panel_has_round_corners_and_stays_clean_however_often_it_is_shown() {
    let stage = Stage::new();
    let (_program, ball) = stage.start();
    let mut corners: Vec<Vec<Colour>> = Vec::new();
    for _ in 0..12 {
        stage.press_hotkey();
        let panel = stage.await_panel_beside(ball);
        stage.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
            colour != LIGHT
        });
        stage.await_pixel(panel.x, panel.y, "the corner shows the desktop", |colour| {
            colour == LIGHT
        });
        let edge = (0..12)
            .map(|step| stage.desk.pixel(panel.x + step, panel.y + 3).unwrap())
            .collect();
        corners.push(edge);
        stage.press_hotkey();
        stage.desk.await_gone(PANEL).unwrap();
        stage.await_pixel(panel.x + 210, panel.y + 20, "the panel is gone", |colour| {
            colour == LIGHT
        });
    }
    // Blending rounds by a shade; what piles up grows by dozens of them.
    let (first, last) = (corners.first().unwrap(), corners.last().unwrap());
    let alike = |one: &Colour, other: &Colour| {
        one.iter()
            .zip(other)
            .all(|(one, other)| one.abs_diff(*other) <= 3)
    };
    let clean = first.iter().zip(last).all(|(one, other)| alike(one, other));
    assert!(
        clean,
        "what is half transparent piles up: {first:?} became {last:?}"
    );
}

#[test]
fn a_click_opens_the_panel_and_another_closes_it() {
    let stage = Stage::new();
    let (_program, ball) = stage.start();
    for _ in 0..2 {
        stage.click(ball);
        let panel = stage.desk.await_window(PANEL).unwrap();
        stage.desk.await_focus(panel.window).unwrap();
        stage.click(ball);
        stage.desk.await_gone(PANEL).unwrap();
    }
}

#[test]
fn a_file_dropped_on_the_ball_is_attached_in_the_panel() {
    let stage = Stage::new();
    let (driven, ball) = stage.driven();
    let source = Program::spawn(drag_source(&stage)).unwrap();
    let from = stage.desk.await_window("drag source").unwrap();
    stage.desk.point(from.x + 50, from.y + 50).unwrap();
    stage.desk.press(1).unwrap();
    let (to_x, to_y) = (ball.x + 28, ball.y + 28);
    for step in 1..=20 {
        let part = |from: i16, to: i16| from + (to - from) / 20 * step;
        stage
            .desk
            .point(part(from.x + 50, to_x), part(from.y + 50, to_y))
            .unwrap();
        std::thread::sleep(Duration::from_millis(15));
    }
    stage.desk.point(to_x, to_y).unwrap();
    stage.desk.await_window("Shidi: drop file").unwrap();
    stage.desk.release(1).unwrap();
    stage.desk.await_window(PANEL).unwrap();
    let chip = "return [...document.querySelectorAll('[title]')].some(one => one.title === '测试 文件.txt')";
    driven.await_true("the file is in the panel", chip).unwrap();
    stage.desk.await_window(BALL).unwrap();
    drop(source);
}

#[test]
fn a_second_start_shows_the_first_program_and_ends_well() {
    let stage = Stage::new();
    let (_program, _ball) = stage.start();
    let mut second = Program::spawn(stage.command(&[])).unwrap();
    assert_eq!(second.await_end(END_LIMIT).unwrap(), Some(0));
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
}

#[test]
fn without_a_display_one_sentence_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(built("shidi-desktop").unwrap());
    command
        .args(["--lang", "en"])
        .env("SHIDI_DATA_DIR", folder.path());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("There is no display") && !said.contains("panicked"),
        "{said}"
    );
}

#[test]
fn without_a_session_bus_it_works_all_the_same() {
    let stage = Stage::new();
    let mut command = stage.command(&[]);
    command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
    let _program = Program::spawn(command).unwrap();
    let ball = stage.desk.await_window(BALL).unwrap();
    stage.click(ball);
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
}

/// Runs in a desktop of its own, since this one has a compositor.
#[test]
fn without_a_compositor_ball_and_panel_are_cut_round() {
    const NAME: &str = "without_a_compositor_ball_and_panel_are_cut_round";
    if std::env::var_os("COMPOSITOR").is_none_or(|kind| kind != "none") {
        let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("desktop/session.sh");
        let mut command = Command::new(session);
        command
            .arg(std::env::current_exe().unwrap())
            .args([NAME, "--exact", "--nocapture"]);
        assert!(command.env("COMPOSITOR", "none").status().unwrap().success());
        return;
    }
    let stage = Stage::new();
    let (_program, ball) = stage.start();
    stage.expect_round(ball, LIGHT);
    stage.click(ball);
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
        colour != LIGHT
    });
    for (x, y) in [(0, 0), (419, 0), (0, 639), (419, 639)] {
        stage.await_pixel(
            panel.x + x,
            panel.y + y,
            "the corner shows the desktop",
            |colour| colour == LIGHT,
        );
    }
}
