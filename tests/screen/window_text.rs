//! Text and selection of a real window: read over the accessibility bus and from the display, after the gate.

use crate::asking::{answering, desk};
use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::gtk_window::GtkWindow;
use std::time::Instant;

pub const TEXT: &str = "Ship the lamp on Friday\nkey sk-abcdefghijklmnopqrstuvwx\nthe last line";

pub fn sees_windows(desk: &mut Desk) {
    if let Ok(bus) = std::env::var("DBUS_SESSION_BUS_ADDRESS") {
        desk.set("DBUS_SESSION_BUS_ADDRESS", &bus);
    }
    assert_eq!(
        desk.run(["config", "set", "privacy.accessibility", "on"]).code,
        Some(0)
    );
}

fn content(desk: &Desk, look: &str) -> Value {
    let printed = desk.run(["sense", "--json", "--look", look]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed.json().remove(0)["content"].clone()
}

#[test]
fn the_text_of_the_window_in_front_goes_along_without_passwords_and_keys_as_a_strangers() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    let before = desk.run(["sense", "--json", "--look", "window"]);
    assert!(
        !before.stdout.contains("Ship the lamp"),
        "nothing is read before it is switched on"
    );
    sees_windows(&mut desk);
    let seen = content(&desk, "window");
    assert_eq!(seen["source"], "accessibility", "{seen}");
    let preview = seen["parts"][0]["preview"].as_str().unwrap();
    assert!(
        preview.contains("Ship the lamp on Friday") && preview.contains("the last line"),
        "{preview}"
    );
    let printed = desk.run(["ask", "--json", "--screen", "window", "What is to be done?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    assert!(prompt.contains("Ship the lamp on Friday"), "{prompt}");
    for secret in ["hunter2", "abcdefghijklmnop"] {
        assert!(
            !prompt.contains(secret) && !seen.to_string().contains(secret),
            "{secret}: {prompt}"
        );
    }
    let shown = desk
        .run(["session", "show", "last", "--segments", "--json"])
        .json();
    let told = shown
        .iter()
        .map(Value::to_string)
        .find(|told| told.contains("Ship the lamp"))
        .unwrap();
    assert!(
        told.contains("\"untrusted\":true") && told.contains("\"source\":\"window\""),
        "{told}"
    );
}

#[test]
fn the_doctor_has_a_line_for_each_sensor() {
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    let detail = |desk: &Desk, name: &str| {
        let checks = desk.run(["doctor", "--json"]).json();
        let found = checks.into_iter().find(|check| check["name"] == name).unwrap();
        found["detail"].as_str().unwrap().to_owned()
    };
    assert!(detail(&desk, "window text").contains("privacy.accessibility"));
    sees_windows(&mut desk);
    assert_eq!(detail(&desk, "window text"), "on");
    assert_eq!(detail(&desk, "selection"), "on");
    assert!(detail(&desk, "window").starts_with("on"));
    assert!(detail(&desk, "recognition").contains("privacy.ocr"));
    assert!(detail(&desk, "clipboard").contains("privacy.clipboard"));
    desk.run(["config", "set", "privacy.clipboard", "on"]);
    assert_eq!(detail(&desk, "clipboard"), "on");
    desk.run(["config", "set", "selection_bar", "on"]);
    assert_eq!(detail(&desk, "selection bar"), "on");
}

#[test]
fn the_name_of_the_window_in_front_is_told_only_while_its_switch_is_on() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let facts = || desk.run(["sense", "--json"]);
    let before = facts();
    assert!(before.stdout.contains("orders - Notepad"), "{}", before.stdout);
    let checks = desk.run(["config", "set", "privacy.window", "off"]);
    assert_eq!(checks.code, Some(0), "{}", checks.stderr);
    let after = facts();
    let said = format!("{}{}", after.stdout, after.stderr);
    assert!(!said.contains("orders") && !said.contains("Notepad"), "{said}");
    assert!(said.contains("privacy.window"), "{said}");
    let doctor = desk.run(["doctor", "--json"]).json();
    let window = doctor
        .into_iter()
        .find(|check| check["name"] == "window")
        .unwrap();
    assert!(
        window["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("privacy.window")),
        "{window}"
    );
}

#[test]
fn a_selection_is_the_part_that_goes_along_and_is_told_by_itself() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT, "lamp on Friday"]) else {
        return;
    };
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    let seen = content(&desk, "selection");
    assert_eq!(
        (seen["source"].as_str(), seen["part"].as_str()),
        (Some("selection"), Some("selection"))
    );
    assert!(
        seen["parts"][0]["preview"]
            .as_str()
            .unwrap()
            .contains("The user selected:\nlamp on Friday"),
        "{seen}"
    );
    sees_windows(&mut desk);
    let seen = content(&desk, "window");
    assert_eq!(
        (seen["source"].as_str(), seen["part"].as_str()),
        (Some("accessibility"), Some("selection"))
    );
    assert_eq!(
        desk.run(["config", "set", "privacy.selection", "off"]).code,
        Some(0)
    );
    let seen = content(&desk, "window");
    assert_ne!(seen["part"], "selection", "{seen}");
    let refused = desk.run(["sense", "--look", "selection"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("privacy.selection"), "{}", refused.stderr);
}

#[test]
fn a_selection_is_told_without_the_name_of_its_window_where_that_is_kept_back() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT, "lamp on Friday"]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let look = ["sense", "--json", "--look", "selection"];
    let named = desk.run(look).stdout;
    assert!(named.contains("Notepad"), "{named}");
    assert_eq!(desk.run(["config", "set", "privacy.window", "off"]).code, Some(0));
    let nameless = desk.run(look).stdout;
    assert!(nameless.contains("lamp on Friday"), "{nameless}");
    assert!(!nameless.contains("Notepad"), "{nameless}");
}

#[test]
fn the_text_of_an_excluded_program_is_never_read() {
    let Some(_window) = GtkWindow::show(&["KeePassXC", "Passwords", TEXT, "lamp on Friday"]) else {
        return;
    };
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    sees_windows(&mut desk);
    for look in ["window", "selection"] {
        let printed = desk.run(["sense", "--json", "--look", look]);
        assert_eq!(printed.code, Some(1), "{}", printed.stdout);
        assert!(
            !format!("{}{}", printed.stdout, printed.stderr).contains("lamp"),
            "{printed:?}"
        );
    }
}

#[test]
fn everything_about_the_window_is_read_within_the_time_of_a_summon() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT, "lamp on Friday"]) else {
        return;
    };
    let sensors = shidi_senses::content_sensors();
    let front = shidi_senses::sensor().unwrap().front().unwrap();
    let (mut times, mut whole) = (Vec::new(), 0);
    for _ in 0..21 {
        let began = Instant::now();
        let found = shidi_senses::read_all(&sensors, &front, began + SUMMON);
        times.push(began.elapsed());
        whole += usize::from(found.len() == 2);
    }
    // The first one connects to the bus.
    times.remove(0);
    times.sort();
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("all sensors of a window: median {median:?}, slowest {slowest:?}, whole {whole} of 21");
    assert!(whole > 10, "both sensors read in time: {whole} of 21, {times:?}");
    // Other work on the machine spoils some; a sensor that does not mind its time spoils all.
    let late = times.iter().filter(|time| **time > SUMMON + LATE).count();
    assert!(late <= times.len() / 4, "{late} of 20 were late: {times:?}");
}

/// How late a thread may run on a busy machine.
const LATE: std::time::Duration = std::time::Duration::from_millis(100);

/// What a summon may take (DESIGN §10).
const SUMMON: std::time::Duration = std::time::Duration::from_millis(150);
