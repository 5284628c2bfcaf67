//! Desktop manners: menus, tray, notifications, full-screen windows, links, start at login, language and theme.

use super::answering::{ask, fixture_with, says};
use super::bus::{Notices, Tray, told};
use super::{BALL, Fixture, PANEL};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use shidi_tests::program::Program;
use shidi_tests::screen::await_some;
use std::time::Duration;

#[test]
fn the_first_line_of_the_balls_menu_opens_the_panel() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    fixture.open_menu(ball);
    fixture.picture("menu-en");
    fixture.type_keys("Down");
    fixture.type_keys("Return");
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
}

#[test]
fn the_balls_menu_goes_with_escape_and_with_a_press_elsewhere() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    fixture.open_menu(ball);
    fixture.leave_menu(ball);
    fixture.open_menu(ball);
    fixture.click_at(300, 300);
    fixture.await_pixel(ball.x - 40, ball.y, "the menu is gone", |colour| {
        colour == super::LIGHT
    });
}

#[test]
fn the_last_line_of_the_balls_menu_ends_the_program() {
    let fixture = Fixture::new();
    let (mut program, ball) = fixture.start();
    fixture.open_menu(ball);
    // From the first line upwards is the last one.
    fixture.type_keys("Up");
    fixture.type_keys("Return");
    assert_eq!(program.await_end(super::END_LIMIT).unwrap(), Some(0));
}

#[test]
fn a_waiting_card_is_reached_from_the_ball_with_the_focus_on_it() {
    let server = ModelServer::start([reply("read_hosts")]);
    let fixture = fixture_with(&server);
    let (driven, ball) = fixture.driven();
    ask(&fixture, &driven, "how long is the host name?");
    driven
        .await_true("the card is there", &says("/etc/hostname"))
        .unwrap();
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
    fixture
        .screen
        .await_window("Shidi: needs you, 1 waiting")
        .unwrap();
    fixture.picture("needs-you");
    // Another session is open: the click must find the right one.
    fixture.click(ball);
    fixture.screen.await_window(PANEL).unwrap();
    let focused = "return document.activeElement.closest('[role=alertdialog]') !== null";
    driven.await_true("the card has the focus", focused).unwrap();
    for _ in 0..20 {
        fixture.type_keys("ctrl+Return");
        if driven.run(&says("characters")).unwrap() == true {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    driven
        .await_true("the answer came from the file", &says("characters"))
        .unwrap();
    fixture.screen.await_window(BALL).unwrap();
}

#[test]
fn a_waiting_card_is_refused_from_the_balls_menu_with_the_pointer_alone() {
    let server = ModelServer::start([reply("read_hosts"), Answer::Text("I left it alone.".into())]);
    let fixture = fixture_with(&server);
    let (driven, ball) = fixture.driven();
    ask(&fixture, &driven, "how long is the host name?");
    driven
        .await_true("the card is there", &says("/etc/hostname"))
        .unwrap();
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
    fixture
        .screen
        .await_window("Shidi: needs you, 1 waiting")
        .unwrap();
    fixture.open_menu(ball);
    // The first line leads to what waits.
    fixture.type_keys("Down");
    fixture.type_keys("Return");
    let panel = fixture.await_panel_beside(ball);
    // A card takes no press in its first moments.
    std::thread::sleep(Duration::from_millis(600));
    let refuse = "[...document.querySelectorAll('[role=alertdialog] footer button')].find((one) => \
                  one.innerText.includes('Refuse'))";
    fixture.click_on(&driven, panel, refuse);
    driven
        .await_true("the refusal is in view", &says("Refused"))
        .unwrap();
    driven
        .await_true("the model was told and went on", &says("I left it alone."))
        .unwrap();
    fixture.screen.await_window(BALL).unwrap();
}

#[test]
fn what_happens_while_the_panel_is_hidden_is_told_by_the_desktop_and_a_click_leads_there() {
    let Answer::Text(text) = reply("read_hosts") else {
        panic!("it is no text");
    };
    let pause = Duration::from_millis(100);
    let server = ModelServer::start([Answer::Slow { text, pause }]);
    let fixture = fixture_with(&server);
    let notices = Notices::start();
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "how long is the host name?");
    fixture.press_hotkey();
    assert!(told(&notices.shown).starts_with("Shidi: Waits for your approval: files.read"));
    fixture.screen.await_gone(PANEL).unwrap();
    notices.click();
    fixture.screen.await_window(PANEL).unwrap();
    driven
        .await_true("the card is there", &says("/etc/hostname"))
        .unwrap();
    assert_eq!(told(&notices.shown), "closed");
}

#[test]
fn a_full_screen_window_is_not_disturbed() {
    let slow = Answer::Slow {
        text: "Paris is the capital of France.".into(),
        pause: Duration::from_millis(600),
    };
    let server = ModelServer::start([slow]);
    let fixture = fixture_with(&server);
    let notices = Notices::start();
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "which city?");
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
    let film = super::drag_source(&fixture);
    let window = fixture.screen.await_window("drag source").unwrap();
    fixture.full_screen("drag source", "add");
    await_some("the ball makes way", || {
        let titles = ["Shidi: thinking", BALL];
        let mut seen = false;
        for title in titles {
            seen |= fixture.screen.find(title)?.is_some();
        }
        Ok((!seen).then_some(()))
    })
    .unwrap();
    driven
        .await_true("the answer is there", &says("France."))
        .unwrap();
    assert!(
        notices.shown.try_recv().is_err(),
        "a notification stood before the film"
    );
    assert!(fixture.screen.has_focus(window.window).unwrap());
    fixture.full_screen("drag source", "remove");
    fixture.screen.await_window(BALL).unwrap();
    drop(film);
}

#[test]
fn the_tray_offers_what_the_ball_does_and_follows_the_language() {
    let fixture = Fixture::new();
    let tray = Tray::start();
    let (_program, _ball) = fixture.start();
    let item = told(&tray.items);
    assert_eq!(tray.title(&item), "Shidi: idle");
    let menu = tray.menu(&item);
    let labels: Vec<&str> = menu.iter().map(|(_, label)| label.as_str()).collect();
    let expected = [
        "Open",
        "Ask about the screen",
        "New session",
        "Ask an assistant…",
        "Pause sensing",
        "Workbench",
        "Settings",
        "Quit",
    ];
    assert_eq!(labels, expected);
    tray.choose(&item, menu[0].0);
    fixture.screen.await_window(PANEL).unwrap();
    fixture.configure("language", "zh");
    await_some("the tray speaks Chinese", || {
        Ok(tray
            .menu(&item)
            .iter()
            .any(|(_, label)| label == "退出")
            .then_some(()))
    })
    .unwrap();
    fixture.screen.await_window("师弟：空闲").unwrap();
}

#[test]
fn pause_is_shown_by_the_ball_and_undone_by_the_same_keys() {
    let fixture = Fixture::new();
    let (_program, _ball) = fixture.start();
    fixture.type_keys("ctrl+alt+p");
    fixture.screen.await_window("Shidi: paused").unwrap();
    fixture.picture("paused");
    fixture.type_keys("ctrl+alt+p");
    fixture.screen.await_window(BALL).unwrap();
}

#[test]
fn a_link_fills_the_input_of_the_running_program_and_sends_nothing() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    let link = "shidi://ask?text=%E4%BD%A0%E5%A5%BD+there";
    let mut second = Program::spawn(fixture.command(&[link])).unwrap();
    assert_eq!(second.await_end(super::END_LIMIT).unwrap(), Some(0));
    fixture.screen.await_window(PANEL).unwrap();
    // The page has put it into its input, or fetches it when it next asks for its commands.
    let filled = "window.commands ??= []; \
        window.__TAURI_INTERNALS__.invoke('take_commands').then((commands) => window.commands.push(...commands)); \
        return document.querySelector('textarea').value === '你好 there' \
            || window.commands.some((command) => command.text === '你好 there')";
    driven.await_true("the text is in the input", filled).unwrap();
    assert!(server.requests().is_empty(), "something was sent");
}

#[test]
fn a_link_chooses_an_assistant_in_the_running_program_and_sends_nothing() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    let open = |link: &str| {
        let mut second = Program::spawn(fixture.command(&[link])).unwrap();
        assert_eq!(second.await_end(super::END_LIMIT).unwrap(), Some(0));
        fixture.screen.await_window(PANEL).unwrap();
    };
    open("shidi://assistant/translator?ask=Good+morning");
    let chosen = "return document.querySelector('textarea').value === 'Good morning' \
        && [...document.querySelectorAll('button')].some((one) => \
            (one.getAttribute('aria-label') ?? one.title).includes('Translator'))";
    driven.await_true("the translator is chosen", chosen).unwrap();
    fixture.picture("link-assistant");
    open("shidi://assistant/nobody");
    let left = "return document.querySelector('textarea').value === 'Good morning\\n@nobody'";
    driven.await_true("the name stays in the input", left).unwrap();
    fixture.picture("link-nobody");
    assert!(server.requests().is_empty(), "something was sent");
}

#[test]
fn keys_from_anywhere_offer_the_assistants_by_their_names() {
    let fixture = fixture_with(&ModelServer::start([]));
    let (driven, _ball) = fixture.driven();
    fixture.type_keys("ctrl+alt+2");
    fixture.screen.await_window(PANEL).unwrap();
    let offered = "return [...document.querySelectorAll('[role=option]')].some((one) => one.textContent.includes('@translator'))";
    driven.await_true("the translator is offered", offered).unwrap();
}

#[test]
fn starting_at_login_is_off_until_it_is_switched_on() {
    let fixture = Fixture::new();
    let entry = std::path::PathBuf::from(std::env::var("HOME").unwrap())
        .join(".config/autostart/dev.shidi.desktop.desktop");
    let (_program, _ball) = fixture.start();
    assert!(!entry.exists());
    fixture.configure("autostart", "on");
    let text = await_some("the entry is there", || Ok(std::fs::read_to_string(&entry).ok())).unwrap();
    assert!(
        text.contains("Exec=\"/") && text.contains("shidi-desktop\"\n"),
        "{text}"
    );
    fixture.configure("autostart", "off");
    await_some("the entry is gone", || Ok((!entry.exists()).then_some(()))).unwrap();
}

#[test]
fn a_ball_that_is_not_wanted_is_gone_at_once_and_the_keys_still_work() {
    let fixture = Fixture::new();
    let (_program, _ball) = fixture.start();
    fixture.configure("ball", "hidden");
    fixture.screen.await_gone(BALL).unwrap();
    fixture.press_hotkey();
    fixture.screen.await_window(PANEL).unwrap();
    fixture.configure("ball", "shown");
    fixture.screen.await_window(BALL).unwrap();
}
