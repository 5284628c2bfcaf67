//! A page in a real browser and the real windows, in both languages and themes: the browser is let in by the card in the
//! panel, the page's site allowed at its chip, a change of the page approved, and accepted in the page after Shidi was killed.

use super::bus::{Notices, told};
use super::fixture::xdotool;
use super::{Fixture, WELCOMED};
use crate::answering::{says, type_question};
use crate::webdriver::Driven;
use serde_json::Value;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::{Program, built};
use shidi_tests::screen::await_some;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the tests look for, in one language and theme.
struct Words {
    code: &'static str,
    theme: &'static str,
    ball: &'static str,
    waiting_ball: &'static str,
    panel: &'static str,
    workbench: &'static str,
    question: &'static str,
    told: &'static str,
    asks: &'static str,
    allowed: &'static str,
    wants: &'static str,
    waits: &'static str,
    connected: &'static str,
    answer: &'static str,
}

const ENGLISH: Words = Words {
    code: "en",
    theme: "light",
    ball: "Shidi: idle",
    waiting_ball: "Shidi: needs you, 1 waiting",
    panel: "Shidi",
    workbench: "Shidi workbench",
    question: "Only the ten best rows, please",
    told: "A browser wants to connect",
    asks: "wants to connect",
    allowed: "3 tools",
    wants: "Wants to change the page",
    waits: "Waits for the page http://127.0.0.1:",
    connected: "Connected",
    answer: "The query is shorter now.",
};

const CHINESE: Words = Words {
    code: "zh",
    theme: "dark",
    ball: "师弟：空闲",
    waiting_ball: "师弟：等你，1 件",
    panel: "师弟",
    workbench: "师弟工作台",
    question: "只要前十行",
    told: "有个浏览器要连接",
    asks: "要连接",
    allowed: "3 个工具",
    wants: "要改动页面",
    waits: "等页面 http://127.0.0.1:",
    connected: "已连接",
    answer: "查询已经改短了。",
};

const PROGRAM: &str = "[Thought]: I suggest it there.\n```python\nr = await page.edit_script('select region, amount\\nfrom orders\\nlimit 10')\n\
    if r['status'] == 'accepted':\n    await user.say(text='ANSWER')\n```";

const PAGE: &str = include_str!("../../ui/tests/companion/page.html");
const SCRIPT: &str = include_str!("../../ui/tests/companion/page.js");

/// Serves the page; tells its address.
fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0; 4_096];
            let Ok(count) = stream.read(&mut asked) else {
                continue;
            };
            let (kind, body) = match asked[..count].starts_with(b"GET /page.js") {
                true => ("text/javascript", SCRIPT),
                false => ("text/html; charset=utf-8", PAGE),
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n",
                body.len()
            );
            // A browser that asks and goes away is none of the page's business.
            stream
                .write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())
                .unwrap_or_default();
        }
    });
    address
}

/// The first object that the command line prints.
fn shidi(fixture: &Fixture, arguments: &[&str]) -> Value {
    let text = fixture.shidi(&[&["--json"], arguments].concat());
    serde_json::from_str(text.lines().next().unwrap_or("null")).unwrap()
}

/// A browser with the companion, as its user has installed it, with the page in front.
fn browser(fixture: &Fixture, page: &str) -> Program {
    let profile = fixture.folder.path().join("profile");
    let profile = profile.display().to_string();
    let installed = shidi(fixture, &["companion", "install", "--profile", &profile]);
    let mut command = Command::new("/usr/bin/chromium");
    command
        .args([
            "--no-sandbox",
            "--no-first-run",
            "--disable-gpu",
            "--disable-quic",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--password-store=basic",
            "--window-position=20,40",
            "--window-size=900,760",
        ])
        .arg(format!("--user-data-dir={profile}"))
        .arg(format!(
            "--load-extension={}",
            installed["folder"].as_str().unwrap()
        ))
        .arg(page)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Program::spawn(command).unwrap()
}

/// The title of the browser's window with the page in front.
const WINDOW: &str = "Query editor - Chromium";

fn look_at_page(fixture: &Fixture) {
    let window = fixture.screen.await_window(WINDOW).unwrap().window;
    xdotool(&["windowactivate", &window.to_string()]);
    fixture.screen.await_focus(window).unwrap();
}

/// Kills the program that works in this fixture's data folder, and no other.
fn kill_program(fixture: &Fixture) {
    let home = format!("SHIDI_DATA_DIR={}", fixture.folder.path().display());
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_it = |process: &std::path::Path| {
        let name = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        name.trim() == "shidi-desktop" && variables.any(|variable| variable == home.as_bytes())
    };
    let program = processes
        .map(|process| process.path())
        .find(|process| is_it(process));
    let number = program.and_then(|program| program.file_name()?.to_str()?.parse().ok());
    fixture.kill(number.expect("the program is at work"));
}

fn await_pages(fixture: &Fixture, what: &str, is_so: impl Fn(&Value) -> bool) {
    await_some(what, || Ok(is_so(&shidi(fixture, &["companion"])).then_some(()))).unwrap();
}

/// Whether the page holds a text that a chip shows in two parts.
fn holds(text: &str) -> String {
    format!("return document.body.textContent.includes('{text}')")
}

/// Summons the panel over the page.
fn summoned(fixture: &Fixture, driven: &Driven, words: &Words) -> shidi_tests::screen::Seen {
    look_at_page(fixture);
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(words.panel).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    driven.turn_to("panel.html").unwrap();
    panel
}

fn let_in(fixture: &Fixture, driven: &Driven, words: &Words) {
    summoned(fixture, driven, words);
    driven.await_true("the browser asks", &says(words.asks)).unwrap();
    fixture.picture(&format!("panel-browser-asks-{}-{}", words.code, words.theme));
    // Nothing on the card works before it has stood long enough to be seen.
    std::thread::sleep(Duration::from_millis(500));
    fixture.type_keys("F8");
    fixture.type_keys("ctrl+Return");
    await_pages(fixture, "it is let in", |pages| {
        pages["browsers"][0]["connected"] == true
    });
    fixture.type_keys("Escape");
    fixture.screen.await_gone(words.panel).unwrap();
    look_at_page(fixture);
    await_pages(fixture, "its page is known", |pages| {
        pages["front"]["title"] == "Query editor"
    });
}

fn asked_about_the_page(fixture: &Fixture, driven: &Driven, words: &Words) {
    let keep = |state: &str| fixture.picture(&format!("{state}-{}-{}", words.code, words.theme));
    let panel = summoned(fixture, driven, words);
    driven
        .await_true("the page has its chip", &holds("Query editor"))
        .unwrap();
    keep("panel-page-offers");
    fixture.click_on(driven, panel, "document.querySelector('.offer .button')");
    await_pages(fixture, "the site is allowed", |pages| {
        pages["front"]["allowed"] == true
    });
    driven
        .await_true("the chip says so", &holds(words.allowed))
        .unwrap();
    fixture.click_on(driven, panel, "document.querySelector('textarea')");
    type_question(fixture, driven, words.question);
    fixture.type_keys("Return");
    driven.await_true("it asks", &says(words.wants)).unwrap();
    keep("panel-page-approval");
    std::thread::sleep(Duration::from_millis(500));
    fixture.type_keys("ctrl+Return");
    driven
        .await_true("it waits for the page", &says(words.waits))
        .unwrap();
    keep("panel-page-waits");
}

fn page_in_a_browser(words: &Words) {
    let program = PROGRAM.replace("ANSWER", words.answer);
    let server = ModelServer::start([Answer::Text(program), Answer::Text(words.answer.to_owned())]);
    let fixture = Fixture::new();
    let settings = format!(
        "{WELCOMED}provider = \"vllm\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\nlanguage = \"{}\"\ntheme = \"{}\"\n",
        server.url(),
        words.code,
        words.theme
    );
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    let desktop = built("shidi-desktop").unwrap();
    let notices = Notices::start();
    let driven = Driven::start(&desktop, &[], fixture.folder.path()).unwrap();
    fixture.screen.await_window(words.ball).unwrap();
    let _browser = browser(&fixture, &site());
    fixture.screen.await_window(WINDOW).unwrap();
    let said = told(&notices.shown);
    assert!(said.contains(words.told), "{said}");
    let_in(&fixture, &driven, words);
    asked_about_the_page(&fixture, &driven, words);
    fixture.type_keys("Escape");
    fixture.screen.await_gone(words.panel).unwrap();
    fixture.screen.await_window(words.waiting_ball).unwrap();
    kill_program(&fixture);
    drop(driven);
    look_at_page(&fixture);
    fixture.picture(&format!("page-change-{}-{}", words.code, words.theme));
    // The change has the focus in the page: its user accepts it, and nobody is there to hear it.
    fixture.type_keys("Return");
    let driven = Driven::start(&desktop, &[], fixture.folder.path()).unwrap();
    fixture.screen.await_window(words.ball).unwrap();
    await_some("the task goes on by itself", || {
        let shown = shidi(&fixture, &["session", "show", "last"]).to_string();
        Ok(shown.contains(words.answer).then_some(()))
    })
    .unwrap();
    let panel = summoned(&fixture, &driven, words);
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("ctrl+e");
    let window = fixture.screen.await_window(words.workbench).unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    fixture.type_keys("ctrl+5");
    driven
        .await_true("the browser is there", &says(words.connected))
        .unwrap();
    driven
        .await_true("the site is there", &says("127.0.0.1"))
        .unwrap();
    fixture.picture(&format!("workbench-connections-{}-{}", words.code, words.theme));
}

#[test]
fn a_task_changes_a_page_with_its_users_consent_and_survives_a_restart_in_english() {
    page_in_a_browser(&ENGLISH);
}

#[test]
fn a_task_changes_a_page_with_its_users_consent_and_survives_a_restart_in_chinese() {
    page_in_a_browser(&CHINESE);
}
