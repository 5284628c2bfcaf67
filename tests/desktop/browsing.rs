//! A page in a real browser and the real windows, in both languages and themes: the browser is let in by the card in the
//! panel, the page's site allowed at its chip, a change of the page approved, and accepted in the page after Shidi was killed.

use super::bus::{Notices, told};
use super::stage::xdotool;
use super::{Stage, WELCOMED};
use crate::answering::{says, type_question};
use crate::webdriver::Driven;
use serde_json::Value;
use shidi_tests::eyes::await_some;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::{Program, built};
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

fn shidi(stage: &Stage, arguments: &[&str]) -> Value {
    let mut command = Command::new(built("shidi").unwrap());
    command
        .arg("--json")
        .args(arguments)
        .env("SHIDI_DATA_DIR", stage.folder.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(text.lines().next().unwrap_or("null")).unwrap()
}

/// A browser with the companion, as its user has installed it, with the page in front.
fn browser(stage: &Stage, page: &str) -> Program {
    let profile = stage.folder.path().join("profile");
    let profile = profile.display().to_string();
    let installed = shidi(stage, &["companion", "install", "--profile", &profile]);
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

fn look_at_page(stage: &Stage) {
    let window = stage.desk.await_window(WINDOW).unwrap().window;
    xdotool(&["windowactivate", &window.to_string()]);
    stage.desk.await_focus(window).unwrap();
}

/// Kills the program that works in this desk's data folder, and no other.
fn kill_program(stage: &Stage) {
    let home = format!("SHIDI_DATA_DIR={}", stage.folder.path().display());
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
    stage.kill(number.expect("the program is at work"));
}

fn await_pages(stage: &Stage, what: &str, is_so: impl Fn(&Value) -> bool) {
    await_some(what, || Ok(is_so(&shidi(stage, &["companion"])).then_some(()))).unwrap();
}

/// Whether the page holds a text that a chip shows in two parts.
fn holds(text: &str) -> String {
    format!("return document.body.textContent.includes('{text}')")
}

/// Summons the panel over the page.
fn summoned(stage: &Stage, driven: &Driven, words: &Words) -> shidi_tests::eyes::Seen {
    look_at_page(stage);
    stage.press_hotkey();
    let panel = stage.desk.await_window(words.panel).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    driven.turn_to("panel.html").unwrap();
    panel
}

fn let_in(stage: &Stage, driven: &Driven, words: &Words) {
    summoned(stage, driven, words);
    driven.await_true("the browser asks", &says(words.asks)).unwrap();
    stage.picture(&format!("panel-browser-asks-{}-{}", words.code, words.theme));
    // Nothing on the card works before it has stood long enough to be seen.
    std::thread::sleep(Duration::from_millis(500));
    stage.type_keys("F8");
    stage.type_keys("ctrl+Return");
    await_pages(stage, "it is let in", |pages| {
        pages["browsers"][0]["connected"] == true
    });
    stage.type_keys("Escape");
    stage.desk.await_gone(words.panel).unwrap();
    look_at_page(stage);
    await_pages(stage, "its page is known", |pages| {
        pages["front"]["title"] == "Query editor"
    });
}

fn asked_about_the_page(stage: &Stage, driven: &Driven, words: &Words) {
    let keep = |state: &str| stage.picture(&format!("{state}-{}-{}", words.code, words.theme));
    let panel = summoned(stage, driven, words);
    driven
        .await_true("the page has its chip", &holds("Query editor"))
        .unwrap();
    keep("panel-page-offers");
    stage.click_on(driven, panel, "document.querySelector('.offer .button')");
    await_pages(stage, "the site is allowed", |pages| {
        pages["front"]["allowed"] == true
    });
    driven
        .await_true("the chip says so", &holds(words.allowed))
        .unwrap();
    stage.click_on(driven, panel, "document.querySelector('textarea')");
    type_question(stage, driven, words.question);
    stage.type_keys("Return");
    driven.await_true("it asks", &says(words.wants)).unwrap();
    keep("panel-page-approval");
    std::thread::sleep(Duration::from_millis(500));
    stage.type_keys("ctrl+Return");
    driven
        .await_true("it waits for the page", &says(words.waits))
        .unwrap();
    keep("panel-page-waits");
}

fn page_in_a_browser(words: &Words) {
    let program = PROGRAM.replace("ANSWER", words.answer);
    let server = ModelServer::start([Answer::Text(program), Answer::Text(words.answer.to_owned())]);
    let stage = Stage::new();
    let settings = format!(
        "{WELCOMED}provider = \"vllm\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\nlanguage = \"{}\"\ntheme = \"{}\"\n",
        server.url(),
        words.code,
        words.theme
    );
    std::fs::write(stage.folder.path().join("config.toml"), settings).unwrap();
    let desktop = built("shidi-desktop").unwrap();
    let notices = Notices::start();
    let driven = Driven::start(&desktop, &[], stage.folder.path()).unwrap();
    stage.desk.await_window(words.ball).unwrap();
    let _browser = browser(&stage, &site());
    stage.desk.await_window(WINDOW).unwrap();
    let said = told(&notices.shown);
    assert!(said.contains(words.told), "{said}");
    let_in(&stage, &driven, words);
    asked_about_the_page(&stage, &driven, words);
    stage.type_keys("Escape");
    stage.desk.await_gone(words.panel).unwrap();
    stage.desk.await_window(words.waiting_ball).unwrap();
    kill_program(&stage);
    drop(driven);
    look_at_page(&stage);
    stage.picture(&format!("page-change-{}-{}", words.code, words.theme));
    // The change has the focus in the page: its user accepts it, and nobody is there to hear it.
    stage.type_keys("Return");
    let driven = Driven::start(&desktop, &[], stage.folder.path()).unwrap();
    stage.desk.await_window(words.ball).unwrap();
    await_some("the task goes on by itself", || {
        let shown = shidi(&stage, &["session", "show", "last"]).to_string();
        Ok(shown.contains(words.answer).then_some(()))
    })
    .unwrap();
    let panel = summoned(&stage, &driven, words);
    stage.desk.await_focus(panel.window).unwrap();
    stage.type_keys("ctrl+e");
    let window = stage.desk.await_window(words.workbench).unwrap();
    stage.desk.await_focus(window.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    stage.type_keys("ctrl+5");
    driven
        .await_true("the browser is there", &says(words.connected))
        .unwrap();
    driven
        .await_true("the site is there", &says("127.0.0.1"))
        .unwrap();
    stage.picture(&format!("workbench-connections-{}-{}", words.code, words.theme));
}

#[test]
fn a_task_changes_a_page_with_its_users_consent_and_survives_a_restart_in_english() {
    page_in_a_browser(&ENGLISH);
}

#[test]
fn a_task_changes_a_page_with_its_users_consent_and_survives_a_restart_in_chinese() {
    page_in_a_browser(&CHINESE);
}
