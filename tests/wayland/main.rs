//! What Shidi sees of a real Wayland desktop: titles, text and selection by accessibility, pictures by the portal, the clipboard,
//! and what it puts into a window. Then how ball and panel stand on it. Run it by name inside `tests/desktop/wayland.sh`.
#![cfg(test)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

mod clipboard;
mod layers;
mod picture;
mod pointer;

use base64::Engine as _;
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::gtk_window::GtkWindow;
use shidi_tests::model_server::{Answer, ModelServer};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for what other processes do.
const WAITED_MOST: Duration = Duration::from_secs(60);

const TEXT: &str = "Ship the lamp on Friday\nkey sk-abcdefghijklmnopqrstuvwx\nthe last line";

/// A desk in this session that may read windows.
fn desk(server: &ModelServer) -> Desk {
    let mut desk = Desk::with_model(&server.url());
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"gpt-4o\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let told =
        |name| std::env::var(name).unwrap_or_else(|_| panic!("run it inside tests/desktop/wayland.sh"));
    // The desk has a runtime folder of its own: the compositor's socket is in another.
    let socket = std::path::Path::new(&told("XDG_RUNTIME_DIR")).join(told("WAYLAND_DISPLAY"));
    desk.set("WAYLAND_DISPLAY", socket.to_str().unwrap());
    desk.set("DBUS_SESSION_BUS_ADDRESS", &told("DBUS_SESSION_BUS_ADDRESS"));
    done(&desk.run(["config", "set", "privacy.accessibility", "on"]));
    desk
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

fn answering() -> ModelServer {
    ModelServer::repeating(Answer::Text("It is a plain window.".into()))
}

/// What is in front.
fn front(desk: &Desk) -> Value {
    let printed = desk.run(["sense", "--json"]);
    done(&printed);
    printed.json().remove(0)
}

/// Who is asked by the portal chooses this part.
fn choose(part: &str) {
    let file = std::env::var("SHIDI_CHOICE_FILE").unwrap();
    std::fs::write(file, part).unwrap();
}

/// Width, height and first pixel of the pictures that a model got.
fn pictures(request: &Value) -> Vec<(u16, u16)> {
    let messages = request["messages"].as_array().unwrap().iter();
    let parts = messages
        .filter_map(|message| message["content"].as_array())
        .flatten();
    let urls = parts.filter_map(|part| part["image_url"]["url"].as_str());
    urls.map(|url| {
        let encoded = url.strip_prefix("data:image/jpeg;base64,").unwrap();
        let jpeg = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
        let mut decoder = jpeg_decoder::Decoder::new(jpeg.as_slice());
        decoder.decode().unwrap();
        let info = decoder.info().unwrap();
        (info.width, info.height)
    })
    .collect()
}

#[test]
fn the_window_in_front_is_known_by_its_title_its_text_and_what_is_selected_in_it() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT, "the lamp"]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    let seen = front(&desk);
    assert_eq!(seen["title"], "orders - Notepad", "{seen}");
    assert_eq!(seen["app"], "Notepad", "{seen}");
    let printed = desk.run(["ask", "--json", "--screen", "selection", "What is it?"]);
    done(&printed);
    assert!(
        server.last_prompt().contains("the lamp"),
        "{}",
        server.last_prompt()
    );
    let told = desk.run(["sense", "--json", "--look", "selection"]).stdout;
    assert!(
        !told.contains("hunter2") && !told.contains("abcdefghijklmnop"),
        "{told}"
    );
}

#[test]
fn what_is_in_front_follows_the_focus_and_all_windows_are_listed() {
    let Some(_below) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    let above = GtkWindow::show(&["Reader", "report - Reader", "Sales rose."]).unwrap();
    assert_eq!(front(&desk)["title"], "report - Reader");
    let listed = desk.run_with(["exec", "--json", "-"], "(await screen.windows()).data");
    done(&listed);
    for title in ["orders - Notepad", "report - Reader"] {
        assert!(listed.stdout.contains(title), "{}", listed.stdout);
    }
    drop(above);
    assert_eq!(front(&desk)["title"], "orders - Notepad");
}

#[test]
fn a_picture_is_what_the_user_chose_in_the_portal_and_its_file_is_gone() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    choose("10,20 300x200");
    let printed = desk.run(["ask", "--json", "--screen", "monitor", "What is this?"]);
    done(&printed);
    assert_eq!(pictures(&server.requests().pop().unwrap()), [(300, 200)]);
    assert!(
        !std::path::Path::new("/tmp/out.png").exists(),
        "where this portal leaves it"
    );
    choose("");
    let printed = desk.run(["sense", "--json", "--look", "monitor"]);
    let told = format!("{}{}", printed.stdout, printed.stderr);
    assert!(told.contains("No picture was chosen"), "{told}");
}

#[test]
fn no_picture_is_taken_while_an_excluded_program_shows_and_its_title_is_not_told() {
    let Some(_window) = GtkWindow::show(&["Vault", "my passwords", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    done(&desk.run(["config", "set", "privacy.apps", "Vault"]));
    choose("10,20 300x200");
    for what in ["selection", "monitor", "window"] {
        let printed = desk.run(["sense", "--json", "--look", what]);
        let told = format!("{}{}", printed.stdout, printed.stderr);
        assert!(
            told.contains("privacy.apps") && !told.contains("my passwords"),
            "{told}"
        );
    }
}

#[test]
fn the_doctor_says_what_a_wayland_desktop_gives() {
    let server = answering();
    let desk = desk(&server);
    let checks = desk.run(["doctor", "--json"]).json();
    let detail = |name: &str| {
        let found = checks.iter().find(|check| check["name"] == name).unwrap();
        found["detail"].as_str().unwrap().to_owned()
    };
    let desktop = detail("desktop");
    assert!(
        desktop.contains("Wayland") && desktop.contains("portal"),
        "{desktop}"
    );
    let is_fine = |name: &str| {
        checks
            .iter()
            .any(|check| check["name"] == name && check["ok"] == true)
    };
    assert!(is_fine("window text") && is_fine("selection"), "{checks:?}");
    // A bar that can't come up by itself is told of only to whoever wants one.
    assert!(!checks.iter().any(|check| check["name"] == "selection bar"));
    desk.run(["config", "set", "selection_bar", "on"]);
    let checks = desk.run(["doctor", "--json"]).json();
    let bar = checks.iter().find(|check| check["name"] == "selection bar");
    let remedy = bar.unwrap()["remedy"].as_str().unwrap();
    assert!(remedy.contains("summon Shidi"), "{remedy}");
}

/// Names of the windows that the compositor shows.
fn shown() -> Vec<String> {
    let told = Command::new("swaymsg").args(["-t", "get_tree"]).output().unwrap();
    let mut waiting = vec![serde_json::from_slice::<Value>(&told.stdout).unwrap()];
    let mut names = Vec::new();
    while let Some(node) = waiting.pop() {
        if node["pid"].is_u64() {
            names.push(node["name"].as_str().unwrap_or_default().to_owned());
        }
        for below in ["nodes", "floating_nodes"] {
            waiting.extend(node[below].as_array().into_iter().flatten().cloned());
        }
    }
    names
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < WAITED_MOST, "{what}: {:?}", shown());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The desktop program; it ends when this is dropped.
struct Program(Child);

impl Program {
    /// Starts it with the desk's data. Says NOT RUN where it is not built.
    fn start(desk: &Desk, arguments: &[&str], variables: &[(&str, &str)]) -> Option<Self> {
        let folder = std::env::current_exe().unwrap();
        let program = folder.ancestors().nth(2).unwrap().join("shidi-desktop");
        if !program.exists() {
            println!("NOT RUN: the desktop program is not built");
            return None;
        }
        let started = Command::new(program)
            .args(arguments)
            .args(["--lang", "en", "--data-dir"])
            .arg(desk.data())
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Some(Self(started.unwrap()))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn the_panel_comes_and_goes_where_it_is_an_ordinary_window() {
    let server = answering();
    let desk = desk(&server);
    let Some(_program) = Program::start(&desk, &["--show"], &[("SHIDI_NO_LAYERS", "1")]) else {
        return;
    };
    let is_shown = || shown().iter().any(|name| name == "Shidi");
    until("the ball", || !shown().is_empty());
    until("the first panel", is_shown);
    for _ in 0..3 {
        done(&desk.run(["toggle"]));
        until("the panel goes", || !is_shown());
        done(&desk.run(["toggle"]));
        until("the panel comes", is_shown);
    }
}
